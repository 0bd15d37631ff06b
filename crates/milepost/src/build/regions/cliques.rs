//! The clique abstraction: groups of states that are all neighbours of each other become the states of a smaller graph,
//! and so on, level after level.
//!
//! # Paper
//! N. Sturtevant, M. Buro: Partial pathfinding using map abstraction and refinement, AAAI 2005.
//!
//! # Deviations
//! 1. Cliques have up to four members, as on a grid, on all levels, and are found greedily in the order of the states.
//! 2. A state that is left alone joins a neighbouring group, the smallest one: where such states stay alone, levels shrink less
//!    and less.
//! 3. Neighbours are states with moves both ways; links between cells do not count. So a region is in one strong
//!    component.

use crate::core::{Csr, StateId};
use crate::space::Space;

const NONE: u32 = u32::MAX;
const LARGEST: usize = 4;

/// The regions after `levels` levels: the region of each free state, in the order of their ids, and how many there are.
pub(super) fn regions(space: &Space, levels: u32) -> (Vec<u32>, u32) {
    let states: Vec<StateId> = space.free_states().collect();
    let mut numbers = vec![NONE; space.id_bound()];
    states.iter().zip(0..).for_each(|(state, number)| numbers[state.index()] = number);
    let on_ground = |node: u32, visit: &mut dyn FnMut(u32)| {
        space.mutual_neighbours(states[node as usize], &mut |other| visit(numbers[other.index()]));
    };
    let mut region: Vec<u32> = (0..states.len() as u32).collect();
    let mut count = states.len() as u32;
    let mut smaller: Option<Neighbours> = None;
    for _ in 0..levels {
        let (groups, next) = match &smaller {
            None => group(count, &on_ground),
            Some(graph) => group(count, &|node, visit| graph.visit(node, visit)),
        };
        if next == count {
            break;
        }
        smaller = Some(match &smaller {
            None => Neighbours::of_groups(&groups, next, &on_ground),
            Some(graph) => Neighbours::of_groups(&groups, next, &|node, visit| graph.visit(node, visit)),
        });
        region.iter_mut().for_each(|region| *region = groups[*region as usize]);
        count = next;
    }
    (region, count)
}

/// Names the neighbours of a node.
type Visit<'a> = dyn Fn(u32, &mut dyn FnMut(u32)) + 'a;

/// The group of each of `count` nodes, and how many groups there are.
fn group(count: u32, neighbours: &Visit<'_>) -> (Vec<u32>, u32) {
    let mut groups = vec![NONE; count as usize];
    let mut sizes: Vec<u32> = Vec::new();
    let (mut around, mut clique, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for node in 0..count {
        if groups[node as usize] != NONE {
            continue;
        }
        around.clear();
        neighbours(node, &mut |other| {
            if groups[other as usize] == NONE {
                around.push(other);
            }
        });
        clique.clear();
        clique.push(node);
        for &other in &around {
            if clique.len() == LARGEST || clique.contains(&other) {
                continue;
            }
            others.clear();
            neighbours(other, &mut |third| others.push(third));
            if clique.iter().all(|member| others.contains(member)) {
                clique.push(other);
            }
        }
        if clique.len() > 1 {
            clique.iter().for_each(|&member| groups[member as usize] = sizes.len() as u32);
            sizes.push(clique.len() as u32);
        }
    }
    for node in 0..count {
        if groups[node as usize] != NONE {
            continue;
        }
        let mut best: Option<(u32, u32)> = None;
        neighbours(node, &mut |other| {
            let group = groups[other as usize];
            if group != NONE {
                let this = (sizes[group as usize], group);
                best = Some(best.map_or(this, |best| best.min(this)));
            }
        });
        let group = best.map_or(sizes.len() as u32, |(_, group)| group);
        if best.is_none() {
            sizes.push(0);
        }
        sizes[group as usize] += 1;
        groups[node as usize] = group;
    }
    (groups, sizes.len() as u32)
}

/// Which groups touch each other.
struct Neighbours(Csr<u32>);

impl Neighbours {
    fn visit(&self, node: u32, visit: &mut dyn FnMut(u32)) {
        self.0.list(node as usize).iter().for_each(|other| visit(*other));
    }

    fn of_groups(groups: &[u32], count: u32, neighbours: &Visit<'_>) -> Neighbours {
        let members = Csr::sorted(count as usize, groups.iter().copied().zip(0..));
        let (mut others, mut touched) = (Csr::default(), Vec::new());
        for group in 0..count {
            touched.clear();
            for member in members.list(group as usize) {
                neighbours(*member, &mut |other| touched.push(groups[other as usize]));
            }
            touched.sort_unstable();
            touched.dedup();
            others.push_list(touched.iter().copied().filter(|other| *other != group));
        }
        Neighbours(others)
    }
}
