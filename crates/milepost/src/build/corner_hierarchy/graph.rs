//! The graph of corners: which corner can follow which on a shortest path.

use super::sights::{Corners, Pair};
use crate::build::dijkstra::{Dijkstra, UNREACHED};
use crate::build::jump_points::reach::exact_costs;
use crate::build::parallel;
use crate::index::corner_hierarchy::NARROW_INFINITE;
use crate::index::{LegCosts, MOST_COLUMNS, StepCosts};
use crate::space::{Grid, Rule, SpaceKind};

/// A run from one corner to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CornerEdge {
    pub(super) to: u32,
    pub(super) cost: u64,
    /// Whether the corner it leaves sees the other; else that sees this.
    pub(super) sees: bool,
}

/// For each corner, the edges that leave it. Every edge stands at both of its ends.
pub(super) type CornerEdges = Vec<Vec<CornerEdge>>;

/// The graph of the corners of a grid, with costs of 10 and 14.
pub(super) fn graph(grid: &Grid, corners: &Corners, pairs: &[Pair]) -> CornerEdges {
    let turns = |pair: &Pair| {
        let (from, to) = (corners.places[pair.from as usize], corners.places[pair.to as usize]);
        grid.turns_at(from, to)
    };
    let are_strong = parallel::map_list(pairs, turns);
    let strong = pairs.iter().zip(are_strong).filter(|(_, is_strong)| *is_strong);
    let strong: Vec<Pair> = strong.map(|(pair, _)| *pair).collect();
    let coarse = LegCosts::COARSE.into();
    let mut edges = edges_of(corners, &strong, coarse);
    edges = without_needless(&edges);
    join(grid, corners, pairs, coarse, &mut edges);
    edges
}

/// Gives edges other costs of steps.
pub(super) fn set_costs(edges: &mut CornerEdges, corners: &Corners, costs: StepCosts) {
    for (corner, edges) in edges.iter_mut().enumerate() {
        for edge in edges {
            edge.cost = costs.octile(corners.cell_of(corner as u32), corners.cell_of(edge.to));
        }
    }
}

fn edges_of(corners: &Corners, pairs: &[Pair], costs: StepCosts) -> CornerEdges {
    let mut edges: CornerEdges = vec![Vec::new(); corners.places.len()];
    let mut keyed: Vec<(u32, u32, bool)> = pairs
        .iter()
        .map(|pair| (pair.from.min(pair.to), pair.from.max(pair.to), pair.from > pair.to))
        .collect();
    parallel::sort(&mut keyed);
    keyed.dedup_by_key(|key| (key.0, key.1));
    for (low, high, high_sees) in keyed {
        add(&mut edges, corners, costs, (low, high), !high_sees);
    }
    edges
}

fn add(edges: &mut CornerEdges, corners: &Corners, costs: StepCosts, (a, b): (u32, u32), a_sees: bool) {
    let cost = costs.octile(corners.cell_of(a), corners.cell_of(b));
    edges[a as usize].push(CornerEdge { to: b, cost, sees: a_sees });
    edges[b as usize].push(CornerEdge { to: a, cost, sees: !a_sees });
}

/// Leaves out every edge that two others replace at the same cost. These are shorter, so that what is left still leads
/// everywhere at the same cost, whichever were left out.
///
/// Costs of 10 and 14 will do to tell: that three corners lie on one octile run is the same under all costs.
fn without_needless(edges: &CornerEdges) -> CornerEdges {
    let keep = |(corner, list): (usize, &Vec<CornerEdge>)| -> Vec<CornerEdge> {
        let mut sorted: Vec<(u32, u64)> = list.iter().map(|edge| (edge.to, edge.cost)).collect();
        sorted.sort_unstable();
        let to = |other: u32| sorted.binary_search_by_key(&other, |edge| edge.0).ok().map(|at| sorted[at].1);
        let is_needed = |edge: &&CornerEdge| {
            let replaces = |on: &CornerEdge| {
                on.to as usize != corner && on.cost < edge.cost && to(on.to) == Some(edge.cost - on.cost)
            };
            !edges[edge.to as usize].iter().any(replaces)
        };
        list.iter().filter(is_needed).copied().collect()
    };
    parallel::map(edges.len(), |corner| keep((corner, &edges[corner])))
}

/// Adds edges until all corners of a component are connected: the shortest ones that lead to a corner where one may turn,
/// then any.
///
/// Two corners between which these do not lead have no corner between them on any shortest path, so each sees the other.
fn join(grid: &Grid, corners: &Corners, pairs: &[Pair], costs: StepCosts, edges: &mut CornerEdges) {
    let mut sets = Sets::new(corners.places.len());
    for (corner, edges) in edges.iter().enumerate() {
        for edge in edges {
            sets.unite(corner as u32, edge.to);
        }
    }
    let cost = |pair: &Pair| costs.octile(corners.cell_of(pair.from), corners.cell_of(pair.to));
    let mut candidates: Vec<(u64, Pair)> = Vec::new();
    for pair in pairs {
        if sets.root(pair.from) != sets.root(pair.to) {
            candidates.push((cost(pair), *pair));
        }
    }
    candidates.sort_unstable();
    for (_, pair) in candidates {
        if sets.unite(pair.from, pair.to) {
            add(edges, corners, costs, (pair.from, pair.to), true);
        }
    }
    let mut first_of_component = vec![None; grid.component_count() as usize];
    for corner in 0..corners.places.len() as u32 {
        let Some(component) = grid.component(grid.geometry().state(corners.cell_of(corner))) else {
            continue;
        };
        let first = *first_of_component[component as usize].get_or_insert(corner);
        let (from, to) = (corners.places[first as usize], corners.places[corner as usize]);
        if sets.root(first) != sets.root(corner) && (grid.sees_by_run(from, to) || grid.sees_by_run(to, from))
        {
            sets.unite(first, corner);
            add(edges, corners, costs, (first, corner), grid.sees_by_run(from, to));
        }
    }
}

/// Sets of corners that are connected.
struct Sets(Vec<u32>);

impl Sets {
    fn new(count: usize) -> Sets {
        Sets((0..count as u32).collect())
    }

    fn root(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            self.0[of as usize] = self.0[self.0[of as usize] as usize];
            of = self.0[of as usize];
        }
        of
    }

    /// Whether they were two.
    fn unite(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }
}

/// What steps cost in a hierarchy.
#[derive(Clone, Copy, Debug)]
pub(super) struct HierarchyCosts {
    pub(super) costs: StepCosts,
    /// The same in 32 bits, where every distance fits.
    pub(super) narrow: Option<LegCosts>,
    /// What lists are thinned by: the same, or what is near enough to it and fits 32 bits.
    pub(super) thinning: StepCosts,
}

/// The smallest costs of steps that keep comparisons exact, in the narrow form if every distance fits it and it is not
/// forbidden. As for [jump points](crate::build::jump_points::reach): twice the distance to the farthest corner, and at both
/// ends a run across the map, bound the length of every path that is compared.
pub(super) fn costs_for(grid: &Grid, edges: &CornerEdges, is_wide: bool) -> HierarchyCosts {
    let coarse = StepCosts::from(LegCosts::COARSE);
    let (mut distances, mut farthest) = (vec![UNREACHED; edges.len()], 0);
    for corner in 0..edges.len() {
        if distances[corner] == UNREACHED {
            farthest = farthest.max(spread(edges, corner as u32, &mut distances));
        }
    }
    let longest = 2 * farthest + 4 * coarse.of_steps(grid.width(), grid.height());
    let is_small = grid.width().max(grid.height()) + 2 <= MOST_COLUMNS;
    let narrow = exact_costs(grid.rule(), longest, NARROW_INFINITE).map(|(costs, _)| costs);
    if let Some(narrow) = narrow.filter(|_| is_small && !is_wide) {
        return HierarchyCosts { costs: narrow.into(), narrow: Some(narrow), thinning: narrow.into() };
    }
    // In straight steps; 1.0102 is a little more than sqrt 2 over 14/10.
    let steps = (longest / 10 + 1) * 10_102 / 10_000 + 1;
    let costs = StepCosts::exact(grid.rule(), steps).unwrap_or_else(|| StepCosts::of(grid.scale()));
    let fits = |costs: &StepCosts| steps.saturating_mul(costs.diagonal) < u64::from(NARROW_INFINITE) / 2;
    let near = match grid.rule() {
        Rule::Octile14 => &[][..],
        _ => &[(2378, 3363), (408, 577), (70, 99), (12, 17)],
    };
    let near = near.iter().map(|&(straight, diagonal)| StepCosts { straight, diagonal });
    let thinning = near.into_iter().find(fits).unwrap_or(coarse);
    HierarchyCosts { costs, narrow: None, thinning }
}

/// Distances from a corner to all others that can be reached. Returns the largest.
pub(super) fn spread(edges: &CornerEdges, from: u32, distances: &mut [u64]) -> u64 {
    let mut farthest = 0;
    let successors = |corner: u32| edges[corner as usize].iter().map(|edge| (edge.to, edge.cost));
    Dijkstra::default().run(from, distances, successors, |_, distance| farthest = distance);
    farthest
}
