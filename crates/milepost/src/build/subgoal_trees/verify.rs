//! Proves that trees lead to their goals: every arc costs what is said, greedy trees are walked along, and no tree goes
//! round in a circle.

use super::flood::Flood;
use super::terrain::Terrain;
use super::{PRINTED, TerrainVisitor, visit_terrain};
use crate::build::numbering::numbering;
use crate::core::Cost;
use crate::index::Section;
use crate::index::subgoal_trees::{Next, SubgoalTrees};
use crate::space::Estimates;
use crate::space::Space;

/// Every arc and every tree.
pub(in crate::build) fn verify(space: &Space, section: &Section) -> Result<(), String> {
    let trees = SubgoalTrees::new(space, section);
    let mut order = numbering(space).map_err(|error| error.to_string())?.order;
    // Nodes of a graph have the numbers that the section gives them.
    order.sort_unstable_by_key(|&state| trees.number(state));
    visit_terrain(space, &order, Arcs { trees: &trees, is_printed: section.key().parameter == PRINTED })?;
    for goal in 0..order.len() as u32 {
        verify_tree(&trees, goal)?;
    }
    Ok(())
}

/// From every subgoal of a tree one comes to the goal.
fn verify_tree(trees: &SubgoalTrees<'_>, goal: u32) -> Result<(), String> {
    // By subgoal, whether it is known to lead to the goal, and on which walk it was met.
    let mut leads = vec![false; trees.subgoals() as usize];
    let mut met = vec![u32::MAX; trees.subgoals() as usize];
    for subgoal in 0..trees.subgoals() {
        let mut at = subgoal;
        while !leads[at as usize] {
            if std::mem::replace(&mut met[at as usize], subgoal) == subgoal {
                return Err(format!("the tree of goal {goal} goes round in a circle at subgoal {at}"));
            }
            match trees.next(at, goal) {
                Next::Subgoal(next, _) => at = next,
                Next::NotThere if at != subgoal => {
                    return Err(format!("the tree of goal {goal} ends at subgoal {at}"));
                }
                Next::NotThere | Next::Goal(_) => break,
            }
        }
        let mut at = subgoal;
        while let Next::Subgoal(next, _) = trees.next(at, goal) {
            if std::mem::replace(&mut leads[at as usize], true) {
                break;
            }
            at = next;
        }
        leads[at as usize] |= matches!(trees.next(at, goal), Next::Goal(_));
    }
    Ok(())
}

/// Proves what arcs cost.
struct Arcs<'a> {
    trees: &'a SubgoalTrees<'a>,
    is_printed: bool,
}

impl TerrainVisitor for Arcs<'_> {
    type Answer = Result<(), String>;

    fn visit<E: Estimates>(self, terrain: &Terrain<E>) -> Result<(), String> {
        let number = |subgoal: u32| self.trees.number(self.trees.state(subgoal)).unwrap_or(0);
        let mut arcs: Vec<(u32, u32, Cost)> =
            self.trees.all_arcs().map(|(from, to, surplus)| (number(to), number(from), surplus)).collect();
        arcs.sort_unstable();
        let mut flood = Flood::new(terrain);
        let mut flooded = None;
        for (to, from, surplus) in arcs {
            if self.is_printed && flooded.replace(to) != Some(to) {
                flood.run(terrain, to);
            }
            let said = terrain.estimates.between(from, to).saturating_add(surplus.units());
            let cost =
                if self.is_printed { Some(flood.g[from as usize]) } else { walk(terrain, from, to, said) };
            if cost != Some(said) {
                return Err(format!("from {from} to {to} it costs {cost:?}, not {said}"));
            }
        }
        Ok(())
    }
}

/// What a greedy walk costs, if it arrives before it costs more than this.
fn walk<E: Estimates>(terrain: &Terrain<E>, from: u32, to: u32, most: u64) -> Option<u64> {
    let (mut at, mut cost) = (from, 0_u64);
    while at != to && cost <= most {
        let (next, step) = terrain.greedy_step(at, to)?;
        (at, cost) = (next, cost.saturating_add(step));
    }
    (at == to).then_some(cost)
}
