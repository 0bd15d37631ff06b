//! Boxes against plain searches, and what it costs that they are larger than needed.

use super::*;
use crate::build::build;
use crate::build::jump_points::blocks::Bounds;
use crate::build::jump_points::first_jump_points::{FirstJumpPoints, Leg};
use crate::build::jump_points::packed_distances::PackedDistances;
use crate::catalog::{AnyPlanner, planner};
use crate::core::{Budget, Rng, Search, StateId, rounds, vectorized};
use crate::index::{Atlas, Jumps, LegCosts, PackedCell};
use crate::plan::{Query, Scratch};
use crate::space::{Rule, SpaceKind, Target, ZeroMetric};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// For each source its edges with boxes around no more than the goals that they lead to: of the shortest ways to each cell that is
/// not seen the one whose edge comes first.
struct ExactBoxes<'a> {
    /// By cell.
    first: &'a [Vec<Leg>],
}

impl PerSource for ExactBoxes<'_> {
    type Part = Vec<(u32, Bounds)>;

    #[inline(always)]
    fn batch<W: DistanceWord, S: Simd>(
        &self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        sources: Range<u32>,
        flood: &mut Flood<W>,
        _: &mut FirstHopLabeller<W>,
    ) -> Option<Vec<Self::Part>> {
        assert!(flood.run(graph, sources));
        let with_boxes = |hops: &Vec<u32>| hops.iter().map(|&hop| (hop, Bounds::EMPTY)).collect();
        let mut edges: Vec<Self::Part> = flood.hops.iter().map(with_boxes).collect();
        for ((cell, &packed), first) in graph.cells.iter().enumerate().zip(self.first) {
            let mut best = PackedDistances::ALL_FAR;
            for leg in first {
                best.relax(simd, &flood.words[leg.point as usize], W::new(leg.cost, 0));
            }
            let lanes = best.below(W::FAR) & !flood.sees[cell];
            for (lane, edges) in edges.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1) {
                edges[usize::from(best.0[lane].hop_label()) - 1].1.add(packed);
            }
        }
        Some(edges)
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
    let graph = JumpPointGraph::new(grid, table, IndexKind::JUMP_BOUNDS).unwrap();
    let all: Vec<u32> = (0..batches::count(&graph)).collect();
    let mut finder = FirstJumpPoints::new(&graph.flat, graph.costs);
    let first_of = |&cell: &PackedCell| {
        let mut legs = Vec::new();
        vectorized!(finder.append(cell, &mut legs));
        legs
    };
    let first: Vec<Vec<Leg>> = graph.cells.iter().map(first_of).collect();
    let exact = batches::run(&ExactBoxes { first: &first }, &graph, &all, SILENT).unwrap();
    let exact: Vec<Vec<(u32, Bounds)>> = exact.into_iter().flatten().collect();
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

/// A random map of thick and thin walls.
fn random_grid(rng: &mut Rng, side: u32, rule: Rule) -> Grid {
    let (width, height) = (1 + rng.below(side), 1 + rng.below(side));
    let (density, thickness) = (rng.below(45), 1 + rng.below(3));
    let mut blocked = vec![false; (width * height) as usize];
    for y in 0..height {
        for x in 0..width {
            if rng.below(100) < density / (thickness * thickness) + 1 {
                for (dx, dy) in (0..thickness).flat_map(|dx| (0..thickness).map(move |dy| (dx, dy))) {
                    if x + dx < width && y + dy < height {
                        blocked[((y + dy) * width + x + dx) as usize] = true;
                    }
                }
            }
        }
    }
    Grid::new(width, height, rule, |x, y| !blocked[(y * width + x) as usize]).unwrap()
}

#[test]
fn boxes_are_the_same_with_words_of_both_widths() {
    let mut rng = Rng::new(68);
    for round in 0..200 {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let grid = random_grid(&mut rng, 30, rule);
        let atlas = build(&Atlas::new(grid.clone()), IndexKind::JUMP_TABLE, SILENT).unwrap();
        let mut graph = jump_point_graph(&grid, atlas.jump_table().unwrap()).unwrap();
        let all: Vec<u32> = (0..batches::count(&graph)).collect();
        assert!(graph.is_narrow);
        let narrow = parts_of(&graph, &all, SILENT).unwrap();
        graph.is_narrow = false;
        assert_eq!(narrow, parts_of(&graph, &all, SILENT).unwrap(), "{round}");
    }
}

/// Every planner that reads something built over jump points.
fn planners() -> [AnyPlanner; 2] {
    ["jps-plus", "jps-plus-bounds"].map(|name| planner(name).unwrap())
}

#[test]
fn planners_over_jump_points_equal_a_search_on_all_pairs_of_random_maps() {
    let mut rng = Rng::new(67);
    let mut scratch = Scratch::new();
    let mut search: Search = Search::new();
    for round in 0..rounds(300) {
        let rule = if round % 4 == 0 { Rule::Octile14 } else { Rule::Octile };
        let grid = random_grid(&mut rng, if round % 20 == 0 { 30 } else { 14 }, rule);
        let atlas = build(&Atlas::new(grid.clone()), IndexKind::JUMP_BOUNDS, SILENT).unwrap();
        let nowhere = Target::new(&grid, StateId::NONE, ZeroMetric, 1);
        for start in grid.free_states() {
            search.begin(&grid.moves(), &nowhere, start);
            search.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
            for goal in grid.free_states() {
                for planner in planners() {
                    let query = Query::new(start, goal);
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                    let says = || format!("{round}: {planner:?} {} {}", grid.point(start), grid.point(goal));
                    assert_eq!(outcome.cost(), search.cost(goal), "{}", says());
                    let cells: Vec<StateId> = atlas.space().cells(scratch.path()).collect();
                    let step =
                        |pair: &[StateId]| grid.step_cost(pair[0], pair[1], None).map(|cost| cost.units());
                    let sum: Option<u64> = cells.windows(2).map(step).sum();
                    assert_eq!(sum, outcome.cost().map_or(Some(0), |cost| Some(cost.units())), "{}", says());
                }
            }
        }
    }
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
