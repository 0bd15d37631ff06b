//! What the indexes of an atlas know of one state: boxes of goals, and hubs.

use crate::core::{Cost, Point, StateId};
use crate::index::corner_labels::{Listed, Word};
use crate::index::{Atlas, CornerLabels, PackedCell};
use crate::space::{EdgeSlot, Grid, SpaceKind};

/// The goals to which an edge begins a shortest path lie in this box.
///
/// Shown by [`goal_boxes`].
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
///
/// Shown by [`hubs`].
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
///
/// ```
/// # #[cfg(feature = "build")] {
/// use milepost::index::IndexKind;
/// use milepost::observe::{GoalBox, goal_boxes};
/// use milepost::{Atlas, Grid, Point, Rule};
///
/// let grid = Grid::from_ascii("...", Rule::Octile)?;
/// let atlas = Atlas::build(&grid, IndexKind::GOAL_BOUNDS)?;
/// let left = atlas.state_at(Point::new(0, 0)).expect("inside the map");
/// let boxes: Vec<GoalBox> = goal_boxes(&atlas, left); // all goals lie to the east
/// assert_eq!((boxes[0].low, boxes[0].high), (Point::new(1, 0), Point::new(2, 0)));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// The hubs of a cell's labels, the nearest first, if the atlas has labels: where ways lead over, and what the way there costs.
///
/// ```
/// # #[cfg(feature = "build")] {
/// use milepost::observe::{Hub, hubs};
/// use milepost::{Atlas, Grid, Indexes, Point, Rule};
///
/// let grid = Grid::from_ascii(".....\n..@..\n.....", Rule::Octile)?;
/// let atlas = Atlas::build(&grid, Indexes::standard())?;
/// let cell = atlas.state_at(Point::new(0, 0)).expect("inside the map");
/// let hubs: Vec<Hub> = hubs(&atlas, cell);
/// assert!(hubs.is_sorted_by_key(|hub| hub.distance));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hubs(atlas: &Atlas, state: StateId) -> Vec<Hub> {
    let Some(grid) = atlas.space().as_grid().filter(|grid| grid.is_free(state)) else { return Vec::new() };
    match atlas.corner_labels() {
        Some(labels) if labels.header.entry_bytes == 8 => read_hubs::<u64>(&labels, grid, state),
        Some(labels) if labels.header.entry_bytes == 16 => read_hubs::<u128>(&labels, grid, state),
        _ => Vec::new(),
    }
}

fn read_hubs<W: Word>(labels: &CornerLabels<'_>, grid: &Grid, state: StateId) -> Vec<Hub> {
    let cell = grid.column_and_row(state);
    let (list, bit) = labels.list(grid, cell);
    let mut members = vec![0; list.len()];
    let count = labels.members(list, bit, &mut members);
    members.truncate(count);
    // The least way to each: hub, cost, and where its entry is.
    let mut found: Vec<(u32, u64, u32, usize)> = Vec::new();
    for listed in members.into_iter().map(Listed) {
        let corner = listed.corner();
        let leg = labels.header.costs.octile(cell, labels.corner(corner).cell());
        for place in labels.half_or_hub(listed) {
            let Some(&word) = labels.entries::<W>().get(place) else { continue };
            let entry = labels.fields().read(word);
            found.push((entry.hub, leg.saturating_add(entry.distance), corner, place));
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(hub, ..)| *hub);
    found.sort_unstable_by_key(|(hub, cost, ..)| (*cost, *hub));
    let hub = |(_, cost, corner, place): (u32, u64, u32, usize)| {
        let end = end_of_way::<W>(labels, corner, place)?;
        let state = grid.geometry().state(labels.corner(end).cell());
        Some(Hub { state, distance: Cost::new(labels.cost_in_space(cost, grid)) })
    };
    found.into_iter().take(MOST_HUBS).filter_map(hub).collect()
}

/// The corner at which the way of an entry ends: each entry is nearer to it than the one before.
fn end_of_way<W: Word>(labels: &CornerLabels<'_>, mut corner: u32, mut place: usize) -> Option<u32> {
    for _ in 0..labels.count() {
        let entry = labels.fields().read(*labels.entries::<W>().get(place)?);
        if entry.distance == 0 {
            return Some(corner);
        }
        corner = labels.turn(labels.corner(corner).first_turn, entry.turn).corner();
        place = labels.corner(corner).first as usize + entry.place as usize;
    }
    None
}
