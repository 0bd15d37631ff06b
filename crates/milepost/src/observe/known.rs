//! What the indexes of an atlas know of one state: boxes of goals, and hubs.

use crate::core::{Cost, Point, StateId};
use crate::index::corner_labels::{Listed, Word};
use crate::index::{Atlas, CornerLabels, PackedCell};
use crate::space::{EdgeSlot, Grid, SpaceKind};

/// The goals to which an edge begins a shortest path lie in this box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalBox {
    /// Where the edge begins.
    pub from: StateId,
    /// Where it leads.
    pub to: StateId,
    /// The least column and row of the box.
    pub low: Point,
    /// The greatest column and row.
    pub high: Point,
}

/// A state over which labels lead, and what it costs to go there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hub {
    /// The state.
    pub state: StateId,
    /// The cost.
    pub distance: Cost,
}

/// Hubs that are told of at most.
const MOST_HUBS: usize = 400;

/// The boxes of goals of a cell, if an index of the atlas has some.
pub fn goal_boxes(atlas: &Atlas, state: StateId) -> Vec<GoalBox> {
    let Some(grid) = atlas.space().as_grid().filter(|grid| grid.is_free(state)) else { return Vec::new() };
    let point = |x: i32, y: i32| Point::new(x.into(), y.into());
    let mut boxes = Vec::new();
    if let Some(bounds) = atlas.goal_bounds() {
        let here = bounds.of(state);
        for direction in 0..8 {
            let to = grid.successor_at(state, direction);
            let values = bounds.values(here, EdgeSlot::Direction(direction));
            if let (Some(to), Some([left, right, top, bottom])) = (to, values)
                && left <= right
            {
                boxes.push(GoalBox { from: state, to, low: point(left, top), high: point(right, bottom) });
            }
        }
    }
    let at = PackedCell::of(grid, state);
    if let (Some(bounds), Some(table)) = (atlas.jump_bounds(), atlas.jump_table())
        && table.is_jump_point(at)
    {
        for edge in bounds.edges(table.jump_point(at)).iter().filter(|edge| !edge.goals.is_empty()) {
            let to = bounds.cell_of(edge.point).state(grid.stride());
            // Columns and rows of the padded rectangle are one more than those of the map.
            let [left, right, top, bottom] =
                edge.goals.corners(bounds.header.box_shift).map(|value| value - 1);
            let (low, high) = (point(left.max(0), top.max(0)), point(right, bottom));
            boxes.push(GoalBox { from: state, to, low, high });
        }
    }
    boxes
}

/// The first corners of a cell and the hubs of their labels, the nearest first, if the atlas has labels.
pub fn hubs(atlas: &Atlas, state: StateId) -> Vec<Hub> {
    let Some(grid) = atlas.space().as_grid().filter(|grid| grid.is_free(state)) else { return Vec::new() };
    let Some(labels) = atlas.corner_labels() else { return Vec::new() };
    let cell = grid.column_and_row(state);
    let (list, bit) = labels.list(grid, cell);
    let mut members = Vec::new();
    labels.members(list, bit, &mut members);
    let mut found: Vec<(u64, StateId)> = Vec::new();
    for &member in &members {
        let corner = Listed(member).corner();
        let leg = labels.header.costs.octile(cell, labels.corner(corner).cell());
        match labels.header.entry_bytes {
            8 => extend::<u64>(&labels, grid, (Listed(member), leg), &mut found),
            16 => extend::<u128>(&labels, grid, (Listed(member), leg), &mut found),
            _ => found.push((leg, grid.geometry().state(labels.corner(corner).cell()))),
        }
    }
    // The least way to each.
    found.sort_unstable_by_key(|(distance, state)| (*state, *distance));
    found.dedup_by_key(|(_, state)| *state);
    found.sort_unstable();
    let in_space = |cost: u64| Cost::new(labels.cost_in_space(cost, grid));
    found.into_iter().take(MOST_HUBS).map(|(cost, state)| Hub { state, distance: in_space(cost) }).collect()
}

fn extend<W: Word>(
    labels: &CornerLabels<'_>,
    grid: &Grid,
    (listed, leg): (Listed, u64),
    found: &mut Vec<(u64, StateId)>,
) {
    let entries = labels.entries::<W>().get(labels.half_or_hub(listed)).unwrap_or(&[]);
    for &word in entries {
        let entry = labels.fields().read(word);
        let at = grid.geometry().state(labels.corner(entry.hub).cell());
        found.push((leg.saturating_add(entry.distance), at));
    }
}
