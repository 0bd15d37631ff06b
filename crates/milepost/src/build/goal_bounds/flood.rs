//! Boxes from floods over a grid where steps cost what the rule says.

use super::{Solid, kept};
use crate::build::Progress;
use crate::build::cell_flood::{Flood, Terrain, costs};
use crate::build::parallel;
use crate::core::vectorized;
use crate::index::goal_bounds::{BoxForm, EMPTY_SOLID, slots};
use crate::index::{LegCosts, PackedCell};
use crate::space::{Grid, SpaceKind};
use std::sync::atomic::{AtomicU64, Ordering};

/// The boxes of all free cells, `slots` for each; `None` if some path is too long for any costs that fit.
pub(super) fn boxes(grid: &Grid, form: BoxForm, progress: Progress<'_>) -> Option<Vec<Solid>> {
    Some(boxes_at(grid, form, costs(grid)?, progress))
}

/// The same with costs that are exact on this map.
pub(super) fn boxes_at(grid: &Grid, form: BoxForm, costs: LegCosts, progress: Progress<'_>) -> Vec<Solid> {
    let slots = slots(grid.rule());
    let terrain = Terrain::new(grid, costs);
    let cells: Vec<PackedCell> = grid.free_states().map(|state| PackedCell::of(grid, state)).collect();
    let mut boxes = vec![EMPTY_SOLID; cells.len() * slots.count];
    let (all, done) = (cells.len() as u64, AtomicU64::new(0));
    progress(0, all);
    let room = || Boxes::new(&terrain);
    parallel::fill_chunks(&mut boxes, slots.count, room, |flood, number, boxes| {
        let start = cells[number];
        vectorized!(flood.run(&terrain, start));
        let is_shifted = grid.rule().is_shifted((start.column(), start.row()));
        for (direction, values) in flood.boxes(form).into_iter().enumerate() {
            if let Some(slot) = boxes.get_mut(slots.slot(is_shifted, direction)) {
                *slot = values;
            }
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
    });
    boxes
}

/// Floods from some cells, spread over a plain map, and tells from how many; `None` if other floods would be used.
pub(super) fn sample(grid: &Grid, most: usize) -> Option<usize> {
    let terrain = Terrain::new(grid, costs(grid)?);
    let stride = (grid.states() as usize / most).max(1);
    let cells: Vec<PackedCell> =
        grid.free_states().step_by(stride).map(|state| PackedCell::of(grid, state)).collect();
    let room = || Boxes::new(&terrain);
    parallel::map_list_with(&cells, room, |flood, &start| {
        vectorized!(flood.run(&terrain, start));
    });
    Some(cells.len())
}

/// A box in the padded rectangle: least and greatest column and row.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: [u16; 2],
    greatest: [u16; 2],
}

const NOTHING: Bounds = Bounds { least: [u16::MAX; 2], greatest: [0; 2] };

impl Bounds {
    #[inline(always)]
    fn add(&mut self, cell: PackedCell) {
        let at = [cell.column() as u16, cell.row() as u16];
        self.join(&Bounds { least: at, greatest: at });
    }

    #[inline(always)]
    fn join(&mut self, other: &Bounds) {
        for axis in 0..2 {
            self.least[axis] = self.least[axis].min(other.least[axis]);
            self.greatest[axis] = self.greatest[axis].max(other.greatest[axis]);
        }
    }
}

/// Room for the boxes of one cell after another.
struct Boxes {
    flood: Flood,
    /// For each set of first steps, the box around the states that have it.
    bounds: Box<[Bounds; 256]>,
}

impl Boxes {
    fn new(terrain: &Terrain) -> Boxes {
        Boxes { flood: Flood::new(terrain), bounds: Box::new([NOTHING; 256]) }
    }

    #[inline(always)]
    fn run(&mut self, terrain: &Terrain, start: PackedCell) {
        self.bounds.fill(NOTHING);
        let bounds = &mut self.bounds;
        self.flood.run(terrain, start, |cell, steps| bounds[usize::from(steps)].add(cell));
    }

    /// The box of each direction, in columns and rows of the map.
    fn boxes(&self, form: BoxForm) -> [Solid; 8] {
        let mut joined = [NOTHING; 8];
        for (steps, bounds) in self.bounds.iter().enumerate().skip(1) {
            if bounds.least[0] <= bounds.greatest[0] {
                let steps = kept(form, steps as u64);
                for (direction, joined) in joined.iter_mut().enumerate() {
                    if steps >> direction & 1 == 1 {
                        joined.join(bounds);
                    }
                }
            }
        }
        joined.map(|Bounds { least, greatest }| {
            if least[0] > greatest[0] {
                return EMPTY_SOLID;
            }
            let [left, right, top, bottom] =
                [least[0], greatest[0], least[1], greatest[1]].map(|at| i32::from(at) - 1);
            [left, right, top, bottom, 0, 0]
        })
    }
}
