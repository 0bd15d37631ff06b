//! Builds [`goal-bounds`](crate::index::goal_bounds): one flood from every state.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, section 22.4.
//!
//! # All first edges, not one
//! The chapter marks every node with *the* starting edge that its parent pointers lead back to. Where several shortest
//! paths lead to a node that is one of several, and a search that itself follows one of several (canonical moves, jump
//! points) may follow another: the two choices together can cut every shortest path. Here a node is marked with the
//! *set* of all edges that begin a shortest path to it, and lies in the box of each. So:
//!
//! *Claim.* Let O be the states on shortest paths from s to t. No box cuts an edge between two states of O along such a
//! path. *Proof.* A shortest path from s to t over x -> n is from x on a shortest path to t that begins with x -> n;
//! so t is in the set that the box of x -> n surrounds. ∎
//!
//! So bounds change nothing between states of O, whatever else a search leaves out. A rule that keeps some shortest path
//! because of what it knows about the states of shortest paths alone keeps it with bounds too: both
//! [`CanonicalMoves`](crate::space::CanonicalMoves) and [`JumpMoves`](crate::space::JumpMoves) argue about states n with
//! a predecessor x at the right distance, and if n is in O then so are x, its parent, and the other ways to n that they
//! speak of, for all of them are on shortest paths to n.
//!
//! # The boxes of the chapter
//! `goal-bounds:as-printed` marks a node with one edge, passed down from parent to child: of those that tied parents would pass
//! down the first in the order of the start's edges (on grids clockwise from north), which is the first of the set above.
//! So there is one order of ties, whichever flood finds it.
//!
//! *Claim.* A search that follows every edge whose box holds the goal finds a shortest path with them. *Proof.* Each state x
//! that the goal t can be reached from has a marked edge x -> n towards t, which begins a shortest path to t: t is in its
//! box, and n is nearer to t. Following marked edges from the start is a shortest path that no box cuts. ∎
//! A search that leaves out edges itself, by the way it came, may leave out just those: with these boxes canonical moves
//! and jumps find longer paths or none on small maps already, which a test shows.
//!
//! # Sets as bits
//! Label sets are bits in a word. A state's set is the union of those of its tight predecessors (g(u) + c(u,v) = g(v)),
//! all of which are settled before it, since every edge costs something.
//!
//! # Guarantees
//! Boxes are the least ones around exact sets: costs are exact integers. O(n^2) for n states. The same bytes with any
//! number of threads: floods are independent and put together in order.
//!
//! Two floods: [`flood`] for grids where steps cost what the rule says, [`network`] for anything, which a test holds the
//! first against.

mod flood;
mod mesh;
mod network;

use super::{BuildError, Estimate, Progress};
use crate::index::goal_bounds::{BoxForm, EMPTY_SOLID, Head, Rank, is_flat, ranks, slots};
use crate::index::{Atlas, Bytes, IndexKind, IndexSpec, SectionWriter};
use crate::space::SpaceKind;
use crate::space::{EdgeSlot, Graph, Grid, Space};
use network::PlacedNetwork;
use std::time::Instant;

/// Left, right, top, bottom, lowest, highest.
type Solid = [i32; 6];

/// The bounds of a space.
pub(super) fn build(atlas: &Atlas, index: IndexSpec, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    check(atlas.space(), index)?;
    let space = atlas.space();
    if let Some(mesh) = space.as_mesh() {
        return mesh::build(atlas, mesh, index, progress);
    }
    let form = BoxForm::ALL.into_iter().find(|form| form.index() == index).unwrap_or_default();
    if let Some(grid) = space.as_grid() {
        return Ok(of_grid(space, grid, form, progress));
    }
    let graph = graph_with_coordinates(space)?;
    let boxes = PlacedNetwork::new(space).boxes(form, progress);
    Ok(section(Head::of_graph(is_flat(graph)), &[], &boxes, &[]))
}

/// What [`build`] would take, from the floods of a few states.
pub(super) fn estimate(space: &Space, index: IndexSpec) -> Result<Estimate, BuildError> {
    check(space, index)?;
    if let Some(mesh) = space.as_mesh() {
        let floods = (WORK / mesh.portal_nodes().max(1)).clamp(LEAST_FLOODS, MOST_FLOODS);
        return Ok(mesh::estimate(mesh, index, floods));
    }
    let (edges, values, value_bytes, others) = match space.as_grid() {
        Some(grid) => {
            let head = Head::of_grid(grid);
            let boxes = grid.states() as usize * head.state_boxes as usize + grid.links().len();
            (boxes, 4, head.value_bytes as usize, grid.id_bound().div_ceil(64) * size_of::<Rank>())
        }
        None => {
            let graph = graph_with_coordinates(space)?;
            (graph.edge_count(), Head::of_graph(is_flat(graph)).box_values as usize, 4, 0)
        }
    };
    let states = space.states() as usize;
    let begin = Instant::now();
    let floods = (WORK / states.max(1)).clamp(LEAST_FLOODS, MOST_FLOODS);
    let of_cells = space.as_grid().and_then(|grid| flood::sample(grid, floods));
    let flooded = of_cells.unwrap_or_else(|| PlacedNetwork::new(space).sample(floods));
    let seconds = begin.elapsed().as_secs_f64() * states as f64 / flooded.max(1) as f64;
    let bytes = (edges * values * value_bytes + others + 200) as u64;
    Ok(Estimate::new(IndexKind::GOAL_BOUNDS, bytes, seconds, None))
}

/// Refuses what [`build`] refuses.
pub(super) fn check(space: &Space, index: IndexSpec) -> Result<(), BuildError> {
    let refusal = |what| Err(BuildError::NotForThisSpace { kind: index.kind, what });
    let is_printed = index == BoxForm::AsPrinted.index();
    match space.as_mesh() {
        Some(_) if is_printed => refusal("meshes with `as-printed`"),
        Some(_) => Ok(()),
        None if index.parameter == IndexSpec::CENTRES => refusal("other maps than meshes with `centres`"),
        None if space.as_grid().is_some() => Ok(()),
        None => graph_with_coordinates(space).map(drop),
    }
}

/// States that an estimate floods from, as many as the bound on the states that these floods reach allows.
const MOST_FLOODS: usize = 64;
const LEAST_FLOODS: usize = 8;
const WORK: usize = 16_000_000;

/// The graph, if its nodes have coordinates for boxes to hold.
fn graph_with_coordinates(space: &Space) -> Result<&Graph, BuildError> {
    let what = "graphs without coordinates";
    let refusal = BuildError::NotForThisSpace { kind: IndexKind::GOAL_BOUNDS, what };
    space.as_graph().filter(|graph| graph.has_positions()).ok_or(refusal)
}

/// Of the edges that begin a shortest path to a goal, given as bits, those whose boxes hold it.
fn kept(form: BoxForm, edges: u64) -> u64 {
    match form {
        BoxForm::AllTies => edges,
        BoxForm::AsPrinted => edges & edges.wrapping_neg(),
    }
}

fn of_grid(space: &Space, grid: &Grid, form: BoxForm, progress: Progress<'_>) -> Bytes {
    let head = Head::of_grid(grid);
    let (boxes, links) = match flood::boxes(grid, form, progress) {
        Some(boxes) => (boxes, Vec::new()),
        None => sorted_by_slots(space, grid, form, progress),
    };
    section(head, &ranks(grid), &boxes, &links)
}

/// Boxes of any grid: of directions and of links.
fn sorted_by_slots(
    space: &Space,
    grid: &Grid,
    form: BoxForm,
    progress: Progress<'_>,
) -> (Vec<Solid>, Vec<Solid>) {
    let network = PlacedNetwork::new(space);
    let slots = slots(grid.rule());
    let mut boxes = vec![EMPTY_SOLID; grid.states() as usize * slots.count];
    let mut links = vec![EMPTY_SOLID; grid.links().len()];
    let is_shifted: Vec<bool> = grid.free_states().map(|state| grid.geometry().is_shifted(state)).collect();
    for (edge, values) in network.edges().zip(network.boxes(form, progress)) {
        match edge.slot {
            EdgeSlot::Direction(direction) => {
                boxes[edge.from * slots.count + slots.slot(is_shifted[edge.from], direction)] = values;
            }
            EdgeSlot::Link(place) => links[place] = values,
            EdgeSlot::Edge(_) => {}
        }
    }
    (boxes, links)
}

/// Packs boxes as the head says.
fn section(head: Head, ranks: &[Rank], boxes: &[Solid], links: &[Solid]) -> Bytes {
    let mut writer = SectionWriter::default();
    writer.push(&[head]).push(ranks);
    for boxes in [boxes, links] {
        match (head.value_bytes, head.box_values) {
            (1, _) => writer.push(&packed(boxes, |value| value.clamp(0, 0xff) as u8)),
            (2, _) => writer.push(&packed(boxes, |value| value.clamp(0, 0xffff) as u16)),
            (_, 4) => writer.push(&packed(boxes, |value| value)),
            _ => writer.push(boxes),
        };
    }
    writer.finish()
}

/// The first four values of each box. Clamped, an empty box goes from the largest value to zero.
fn packed<T>(boxes: &[Solid], value: impl Fn(i32) -> T) -> Vec<[T; 4]> {
    boxes.iter().map(|&[left, right, top, bottom, ..]| [left, right, top, bottom].map(&value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{SILENT, cell_flood};
    use crate::core::Rng;
    use crate::index::LegCosts;
    use crate::space::Rule;

    #[test]
    fn both_floods_give_the_same_boxes_under_every_rule() {
        let mut rng = Rng::new(71);
        for round in 0..400 {
            let (side, blocked) = (1 + rng.below(if round % 20 == 0 { 40 } else { 14 }), rng.below(50));
            let (width, height) = (1 + rng.below(side), side);
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let grid = Grid::new(width, height, rule, |_, _| rng.below(100) >= blocked).unwrap();
            for form in BoxForm::ALL {
                let plain = flood::boxes(&grid, form, SILENT).unwrap();
                let (general, links) = sorted_by_slots(&grid.clone().into(), &grid, form, SILENT);
                assert!(links.is_empty());
                assert_eq!(plain, general, "{rule}, {width} x {height}, {form:?}");
            }
        }
    }

    #[test]
    fn boxes_hold_every_goal_that_some_shortest_path_leads_to() {
        // From the middle of open ground every goal north-east has shortest paths that begin straight or diagonally.
        let grid = Grid::new(5, 5, Rule::Octile, |_, _| true).unwrap();
        let boxes = flood::boxes(&grid, BoxForm::AllTies, SILENT).unwrap();
        let middle = &boxes[12 * 8..13 * 8];
        // North: the column itself, and whatever is higher than wide; here all but the sides.
        assert_eq!(middle[0][..4], [1, 3, 0, 1]);
        assert_eq!(middle[1][..4], [3, 4, 0, 1]);
        // Into a corner nothing leads.
        assert_eq!(boxes[0], EMPTY_SOLID);
    }

    #[test]
    fn as_printed_a_goal_lies_in_the_box_of_the_first_of_its_tied_edges() {
        let grid = Grid::new(5, 5, Rule::Octile, |_, _| true).unwrap();
        let boxes = flood::boxes(&grid, BoxForm::AsPrinted, SILENT).unwrap();
        let middle = &boxes[12 * 8..13 * 8];
        // North comes before the north-east and the north-west, which comes last of all.
        assert_eq!(middle[0][..4], [1, 3, 0, 1]);
        assert_eq!(middle[1][..4], [3, 4, 0, 1]);
        assert_eq!(middle[2][..4], [3, 4, 2, 3]);
        assert_eq!(middle[7][..4], [0, 1, 0, 1]);
        let held = |boxes: &[Solid]| -> i32 {
            boxes
                .iter()
                .filter(|values| **values != EMPTY_SOLID)
                .map(|values| (values[1] - values[0] + 1) * (values[3] - values[2] + 1))
                .sum()
        };
        let all = flood::boxes(&grid, BoxForm::AllTies, SILENT).unwrap();
        assert!(held(middle) < held(&all[12 * 8..13 * 8]));
    }

    #[test]
    fn long_corridors_take_larger_costs() {
        let snake = |height| {
            let turn = |y: u32| if y % 4 == 1 { 40 } else { 0 };
            Grid::new(41, height, Rule::OctileCutting, |x, y| y % 2 == 0 || x == turn(y)).unwrap()
        };
        // About 20 steps for each row.
        assert_eq!(cell_flood::costs(&snake(41)).unwrap().straight, 2378);
        assert_eq!(cell_flood::costs(&snake(201)).unwrap().straight, 13_860);
    }

    #[test]
    fn costs_that_wrap_around_give_the_same_boxes() {
        // The largest convergent wraps every 35 steps.
        let mut rng = Rng::new(72);
        for round in 0..12 {
            let rule = [Rule::Octile, Rule::OctileCutting][round % 2];
            let grid = Grid::new(60, 8, rule, |x, y| y != x / 6 % 8 || rng.below(3) == 0).unwrap();
            let boxes = sorted_by_slots(&grid.clone().into(), &grid, BoxForm::AllTies, SILENT).0;
            for costs in LegCosts::CONVERGENTS {
                assert_eq!(
                    flood::boxes_at(&grid, BoxForm::AllTies, costs, SILENT),
                    boxes,
                    "{rule} {costs:?}"
                );
            }
        }
    }
}
