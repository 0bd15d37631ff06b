//! How much larger than needed boxes cost.

use super::*;
use crate::build::{build, jump_points};
use crate::core::{Rng, StateId};
use crate::index::{Atlas, Jumps, LegCosts, PackedCell};
use crate::space::{Rule, SpaceKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// For each source its edges with the smallest boxes that hold all goals for which the row names them.
struct ExactBoxes;

impl PerSource for ExactBoxes {
    type Part = Vec<(u32, Bounds)>;

    #[inline(always)]
    fn batch<W: DistanceWord, S: Simd>(
        &self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        sources: Range<u32>,
        flood: &mut Flood<W>,
        labeller: &mut FirstHopLabeller<W>,
    ) -> Option<Vec<Self::Part>> {
        assert!(flood.run(graph, sources.clone(), 0));
        let component = |packed: PackedCell| graph.grid.component(graph.table.state(packed));
        let labelled = labeller.run(simd, graph, flood);
        let parts = sources.zip(labelled).enumerate().map(|(lane, (source, labelled))| {
            let home = component(graph.points[source as usize]);
            let mut edges: Vec<(u32, Bounds)> =
                flood.hops[lane].iter().map(|hop| (hop.point, Bounds::EMPTY)).collect();
            let mut runs = labelled.runs.iter().peekable();
            let mut hop = None;
            for (cell, &packed) in graph.cells.iter().enumerate() {
                while let Some(run) = runs.next_if(|run| run.cell as usize <= cell) {
                    hop = Some(usize::from(run.hop));
                }
                let is_seen = flood.sees[cell] >> lane & 1 == 1;
                if let Some(hop) = hop.filter(|_| !is_seen && component(packed) == home) {
                    edges[hop].1.add(packed);
                }
            }
            edges
        });
        Some(parts.collect())
    }
}

/// A* over jump points that takes the edges it is told to, in its plainest form: the cost, and expansions.
fn search(
    atlas: &Atlas,
    costs: LegCosts,
    (start, goal): (PackedCell, PackedCell),
    edges: impl Fn(u32) -> Vec<u32>,
) -> (Option<u32>, usize) {
    let (table, bounds) = (atlas.jump_table().unwrap(), atlas.jump_bounds().unwrap());
    if table.is_direct(start, goal) {
        return (Some(costs.octile(start, goal)), 0);
    }
    let mut open = BinaryHeap::new();
    let offer = |open: &mut BinaryHeap<_>, g: u32, point: u32| {
        open.push(Reverse((g + costs.octile(bounds.cell_of(point), goal), point, g)));
    };
    if table.is_jump_point(start) {
        offer(&mut open, 0, table.jump_point(start));
    }
    table.first_jump_points(start, |ahead| offer(&mut open, ahead.cost(costs), table.jump_point(ahead.at)));
    let (mut is_closed, mut expanded, mut best) = (vec![false; bounds.points()], 0, None);
    while let Some(Reverse((f, point, g))) = open.pop() {
        if best.is_some_and(|best| f >= best) {
            break;
        }
        if std::mem::replace(&mut is_closed[point as usize], true) {
            continue;
        }
        expanded += 1;
        let at = bounds.cell_of(point);
        if bounds.may_see(goal, point) && table.is_direct(goal, bounds.cell_of(point)) {
            let total = g + costs.octile(at, goal);
            best = Some(best.map_or(total, |best: u32| best.min(total)));
            continue;
        }
        for next in edges(point) {
            offer(&mut open, g + costs.octile(at, bounds.cell_of(next)), next);
        }
    }
    (best, expanded)
}

/// Expansions with stored boxes and with exact ones.
fn expansions(grid: &Grid, problems: usize) -> (usize, usize) {
    let atlas = build(&Atlas::new(grid.clone()), IndexKind::JUMP_BOUNDS, SILENT).unwrap();
    let (table, bounds) = (atlas.jump_table().unwrap(), atlas.jump_bounds().unwrap());
    let graph = jump_points::JumpPointGraph::new(grid, table, IndexKind::JUMP_BOUNDS).unwrap();
    let all: Vec<u32> = (0..batches::count(&graph)).collect();
    let exact: Vec<Vec<(u32, Bounds)>> =
        batches::run(&ExactBoxes, &graph, &all, SILENT).unwrap().into_iter().flatten().collect();
    let mut rng = Rng::new(11);
    let free: Vec<StateId> = grid.free_states().collect();
    let mut sums = (0, 0);
    for _ in 0..problems {
        let mut draw = || free[rng.below(free.len() as u32) as usize];
        let (from, to) = (draw(), draw());
        if grid.component(from) != grid.component(to) {
            continue;
        }
        let ends = (PackedCell::of(grid, from), PackedCell::of(grid, to));
        let (unit, at) = (bounds.unit(ends.1), [ends.1.column() as i32, ends.1.row() as i32]);
        let holds =
            |bounds: &Bounds| (0..2).all(|axis| (bounds.low[axis]..=bounds.high[axis]).contains(&at[axis]));
        let stored = search(&atlas, graph.costs, ends, |point| {
            bounds.edges(point).iter().filter(|edge| edge.goals.holds(unit)).map(|edge| edge.point).collect()
        });
        let smallest = search(&atlas, graph.costs, ends, |point| {
            let edges = exact[point as usize].iter();
            edges.filter(|(_, bounds)| holds(bounds)).map(|&(point, _)| point).collect()
        });
        assert_eq!(stored.0, smallest.0, "{from:?} {to:?}");
        sums = (sums.0 + stored.1, sums.1 + smallest.1);
    }
    sums
}

/// The grid in a MovingAI file: what stands below the line `map`.
fn grid_in(file: &Path) -> Grid {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let text = text.replace('\r', "");
    let (_, drawing) = text.split_once("\nmap\n").expect("a MovingAI map");
    Grid::from_ascii(drawing, Rule::Octile).unwrap()
}

#[test]
fn boxes_cost_at_most_a_quarter_more_expansions_than_exact_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../milepost-cli/tests/golden");
    for name in ["caves-140x120-5.map", "rooms-140x120-6.map", "arena-140x120-7.map", "city-140x120-8.map"] {
        let (stored, exact) = expansions(&grid_in(&folder.join(name)), 300);
        assert!(stored * 4 <= exact * 5 && exact > 0, "{name}: {stored} against {exact}");
    }
}

#[test]
fn boxes_cost_at_most_a_quarter_more_expansions_than_exact_ones_on_real_maps() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else { return };
    for name in ["dao/brc202d.map", "dao/orz702d.map", "dao/den501d.map"] {
        let (stored, exact) = expansions(&grid_in(&Path::new(&folder).join(name)), 1000);
        println!("{name}: {stored} expansions, {exact} with exact boxes");
        assert!(stored * 4 <= exact * 5 && exact > 0, "{name}: {stored} against {exact}");
    }
}
