//! A map of free and blocked cells under a movement rule.
//!
//! # Layout
//! A map of `width` x `height` cells lies in a rectangle of `stride = width + 1` columns and `height + 2` rows:
//! a blocked column on the left (which is also the right neighbour of the row before), a blocked row above and
//! one below. The id of cell (x, y) is `(y + 1) * stride + x + 1`; the eight neighbours of every cell have ids of
//! their own, so no test of a neighbour looks at the borders of the map. The padding is less than 1 % of a map of
//! 512 x 512.
//!
//! Free cells are one bits in two maps, row by row (bit number = id) and column by column, behind `Arc`s: clones
//! share them, and an edited grid copies at most the bits.

use super::bits::{Bits, transpose};
use super::moves::GridMoves;
use super::{CanonicalMoves, Components, Direction, Overlay, Rule};
use crate::core::{Cost, CostScale, Expander, Point, StateId, Version};
use std::sync::Arc;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

/// Why a grid cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// No cells.
    #[error("a map needs at least one column and one row, this one is {width} x {height}")]
    Empty {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// More cells than ids.
    #[error(
        "the map is too large: {width} x {height} cells with their border need {needed} state numbers, at most {limit} \
         are possible; split the map or lower its resolution"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Ids needed.
        needed: u64,
        /// Ids possible.
        limit: u64,
    },
}

/// Opens or closes one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellEdit {
    /// The cell.
    pub at: Point,
    /// Free from now on, or blocked.
    pub free: bool,
}

/// A map of cells under a movement rule. Cheap to clone, never changed by a query.
#[derive(Clone, Debug)]
pub struct Grid {
    width: u32,
    height: u32,
    frame: Frame,
    rule: Rule,
    scale: CostScale,
    rows: Arc<Bits>,
    columns: Arc<Bits>,
    components: Arc<Components>,
    states: u32,
    hash: u64,
    version: Version,
}

/// Ids are below this, so that none is [`StateId::NONE`].
const ID_LIMIT: u64 = u32::MAX as u64;

impl Grid {
    /// The grid whose cell (x, y) is free where `is_free(x, y)` says so.
    pub fn new(
        width: u32,
        height: u32,
        rule: Rule,
        mut is_free: impl FnMut(u32, u32) -> bool,
    ) -> Result<Grid, GridError> {
        Grid::from_rows(width, height, rule, |y, row| {
            for x in 0..width {
                row.set(x, is_free(x, y));
            }
        })
    }

    /// The grid whose rows `fill(y, row)` writes; all cells are blocked before.
    pub fn from_rows(
        width: u32,
        height: u32,
        rule: Rule,
        mut fill: impl FnMut(u32, &mut RowWriter<'_>),
    ) -> Result<Grid, GridError> {
        let (needed, limit) = (Grid::ids_needed(width, height), ID_LIMIT);
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        if needed > limit {
            return Err(GridError::TooLarge { width, height, needed, limit });
        }
        let frame = Frame::new(width);
        let mut rows = Bits::zeros(needed as usize);
        for y in 0..height {
            let first = frame.state(0, y).index();
            fill(y, &mut RowWriter { bits: &mut rows, first, width });
        }
        let columns = transposed(&rows, frame, width, height);
        let cells = u64::from(width) * u64::from(height);
        let mut grid = Grid {
            width,
            height,
            frame,
            rule,
            scale: rule.scale(cells, 1),
            rows: Arc::new(rows),
            columns: Arc::new(columns),
            components: Arc::default(),
            states: 0,
            hash: 0,
            version: Version::default(),
        };
        grid.study();
        grid.version = Version { base: grid.hash, edits: 0 };
        Ok(grid)
    }

    /// How many ids a map of this size takes.
    pub fn ids_needed(width: u32, height: u32) -> u64 {
        (u64::from(width) + 1).saturating_mul(u64::from(height) + 2).saturating_add(1)
    }

    /// Computes what follows from the cells.
    fn study(&mut self) {
        self.states = self.rows.count_ones();
        self.components = Arc::new(Components::new(self));
        let mut hasher = Xxh3::new();
        hasher.update(&self.width.to_le_bytes());
        hasher.update(&self.height.to_le_bytes());
        for words in self.rows.words().chunks(64) {
            let mut bytes = [0; 512];
            for (word, bytes) in words.iter().zip(bytes.chunks_exact_mut(8)) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            hasher.update(&bytes[..words.len() * 8]);
        }
        self.hash = hasher.digest();
    }

    /// The same cells under another rule.
    pub fn with_rule(&self, rule: Rule) -> Grid {
        let mut grid = self.clone();
        grid.rule = rule;
        grid.scale = rule.scale(u64::from(self.width) * u64::from(self.height), 1);
        grid.study();
        grid
    }

    /// The next version of this grid. Edits outside the map are ignored; ids stay what they were.
    pub fn edited(&self, edits: &[CellEdit]) -> Grid {
        let mut grid = self.clone();
        let (rows, columns) = (Arc::make_mut(&mut grid.rows), Arc::make_mut(&mut grid.columns));
        for edit in edits {
            if let Some(state) = self.state_at(edit.at) {
                rows.set(state.index(), edit.free);
                columns.set(self.column_index(edit.at), edit.free);
            }
        }
        grid.version.edits += 1;
        grid.study();
        grid
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The movement rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What costs are measured in.
    pub fn scale(&self) -> CostScale {
        self.scale
    }

    /// Free cells.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// All ids are below this.
    pub fn id_bound(&self) -> usize {
        Grid::ids_needed(self.width, self.height) as usize
    }

    /// Fingerprint of size and cells; the same on every machine, whatever the rule.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Fingerprint at load, and edits since.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Which cells are connected.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// The id of a cell, free or not; `None` outside the map.
    pub fn state_at(&self, at: Point) -> Option<StateId> {
        let x = u32::try_from(at.x).ok().filter(|&x| x < self.width)?;
        let y = u32::try_from(at.y).ok().filter(|&y| y < self.height)?;
        Some(self.frame.state(x, y))
    }

    /// Where the cell with this id lies.
    #[inline]
    pub fn point(&self, state: StateId) -> Point {
        let (column, row) = self.frame.column_and_row(state);
        Point::new(i64::from(column) - 1, i64::from(row) - 1)
    }

    /// Whether this is the id of a free cell.
    #[inline]
    pub fn is_free(&self, state: StateId) -> bool {
        state.index() < self.id_bound() && self.rows.get(state.index())
    }

    /// Whether this cell is free; false outside the map.
    pub fn is_free_at(&self, at: Point) -> bool {
        self.state_at(at).is_some_and(|state| self.rows.get(state.index()))
    }

    /// All free cells in the order of their ids, that is row by row.
    pub fn free_states(&self) -> impl Iterator<Item = StateId> {
        self.rows.ones().map(|index| StateId::new(index as u32))
    }

    /// Where one can go and what it costs.
    pub fn moves(&self) -> GridMoves<'_> {
        GridMoves::new(self)
    }

    /// The moves that searches for optimal costs need: one order of steps of many.
    pub fn canonical_moves(&self) -> CanonicalMoves<'_> {
        CanonicalMoves::new(self)
    }

    /// What one step costs; `None` where the rule does not allow it.
    pub fn step_cost(&self, from: StateId, to: StateId, overlay: Option<&Overlay>) -> Option<Cost> {
        if !self.is_free(from) {
            return None;
        }
        let mut found = None;
        let visit = |state, cost| {
            if state == to {
                found = Some(cost);
            }
        };
        match overlay {
            None => self.moves().expand(from, None, visit),
            Some(overlay) => overlay.moves(self).expand(from, None, visit),
        };
        found
    }

    /// The cells of a path given by its turning points.
    pub fn cells<'a>(&'a self, waypoints: &'a [StateId]) -> impl Iterator<Item = StateId> + 'a {
        let legs = waypoints.windows(2).flat_map(move |leg| {
            let (from, to) = (self.point(leg[0]), self.point(leg[1]));
            let steps = (to.x - from.x).abs().max((to.y - from.y).abs());
            let delta = (to.y - from.y).signum() * self.frame.stride() + (to.x - from.x).signum();
            (1..=steps).map(move |step| self.frame.shifted(leg[0], delta * step))
        });
        waypoints.first().copied().into_iter().chain(legs)
    }

    /// The direction of a step between neighbours.
    pub fn direction(&self, from: StateId, to: StateId) -> Option<Direction> {
        let (from, to) = (self.point(from), self.point(to));
        Direction::ALL.into_iter().find(|direction| direction.offset() == (to.x - from.x, to.y - from.y))
    }

    /// Whether a path that steps from `before` to `at` to `after` turns at `at`.
    pub(crate) fn turns(&self, before: StateId, at: StateId, after: StateId) -> bool {
        let step = |from: StateId, to: StateId| to.number().wrapping_sub(from.number());
        step(before, at) != step(at, after)
    }

    /// Memory held by the cells and components, shared between clones.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes() + self.components.bytes()
    }

    pub(super) fn frame(&self) -> Frame {
        self.frame
    }

    pub(super) fn rows(&self) -> &Bits {
        &self.rows
    }

    fn column_index(&self, at: Point) -> usize {
        (at.x as usize + 1) * (self.height as usize + 1) + at.y as usize + 1
    }
}

/// Writes one row of a new grid.
pub struct RowWriter<'a> {
    bits: &'a mut Bits,
    first: usize,
    width: u32,
}

impl RowWriter<'_> {
    /// Frees or blocks the cell in column `x`.
    pub fn set(&mut self, x: u32, free: bool) {
        assert!(x < self.width, "column {x} of a row of {}", self.width);
        self.bits.set(self.first + x as usize, free);
    }

    /// Frees the cells whose bit is set, from column `x` on; bits beyond the row are ignored.
    pub fn free_word(&mut self, x: u32, word: u64) {
        let room = self.width.saturating_sub(x);
        let mask = if room >= 64 { u64::MAX } else { (1 << room) - 1 };
        if word & mask != 0 {
            self.bits.or_window(self.first + x as usize, word & mask);
        }
    }
}

/// The column-major twin of `rows`.
fn transposed(rows: &Bits, frame: Frame, width: u32, height: u32) -> Bits {
    let column_stride = height as usize + 1;
    let mut columns = Bits::zeros((width as usize + 2) * column_stride + 1);
    for y in (0..height).step_by(64) {
        for x in (0..width).step_by(64) {
            let room = width - x;
            let mask = if room >= 64 { u64::MAX } else { (1 << room) - 1 };
            let mut block = [0; 64];
            for (word, y) in block.iter_mut().zip(y..height) {
                *word = rows.window(frame.state(x, y).index()) & mask;
            }
            transpose(&mut block);
            for (word, x) in block.into_iter().zip(x..width) {
                columns.or_window((x as usize + 1) * column_stride + y as usize + 1, word);
            }
        }
    }
    columns
}

/// The shape of the padded rectangle: turns ids into columns and rows and back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    stride: u32,
    /// 2^64 / stride, rounded up: `(id * reciprocal) >> 64 == id / stride` for every id below 2^32, since the
    /// rounding adds less than id / 2^64 < 2^-32 to a quotient whose fraction is at most 1 - 1/stride.
    reciprocal: u64,
}

impl Frame {
    fn new(width: u32) -> Frame {
        let stride = width + 1;
        Frame { stride, reciprocal: u64::MAX / u64::from(stride) + 1 }
    }

    pub(super) fn stride(self) -> i64 {
        i64::from(self.stride)
    }

    /// Column and row in the padded rectangle.
    #[inline]
    pub(super) fn column_and_row(self, state: StateId) -> (u32, u32) {
        let row = ((u128::from(state.number()) * u128::from(self.reciprocal)) >> 64) as u32;
        (state.number().wrapping_sub(row.wrapping_mul(self.stride)), row)
    }

    #[inline]
    fn state(self, x: u32, y: u32) -> StateId {
        StateId::new((y + 1) * self.stride + x + 1)
    }

    #[inline]
    pub(super) fn shifted(self, state: StateId, delta: i64) -> StateId {
        StateId::new((i64::from(state.number()) + delta) as u32)
    }
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
