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

pub(super) mod bits;
pub(super) mod canonical;
pub(super) mod components;
pub(super) mod corners;
pub(super) mod direction;
pub(super) mod drawing;
pub(super) mod factors;
pub(super) mod geometry;
pub(super) mod jumps;
mod kind;
pub(super) mod line_of_sight;
pub(super) mod links;
pub(super) mod locality;
pub(super) mod moves;
pub(super) mod nearest_free;
pub(super) mod rule;
pub(super) mod runs;
pub(super) mod stops;
pub(super) mod straight;
pub(super) mod tight;
pub(super) mod viewshed;
mod visit;
pub(super) mod window;

use self::bits::{Bits, transposed};
use self::factors::{Factors, ZeroFactor};
use self::geometry::{GridGeometry, ID_LIMIT};
use self::links::{Link, Links};
use self::moves::{FullMoves, GridMoves, MoveTable, neighbourhood_mask};
use self::stops::Stops;
use super::condensation::Condensation;
use super::{CanonicalMoves, Components, Rule, SpaceKind};
use crate::core::{Point, StateId, StepRange, Version};
use std::sync::{Arc, OnceLock};
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
    /// A drawing whose lines differ in length.
    #[error("row {row} of the drawing: expected {expected} letters as in the first row, found {found}")]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// The letters of the first row.
        expected: usize,
        /// The letters of this row.
        found: usize,
    },
    /// A letter of a drawing that means nothing.
    #[error("at {x},{y}: expected one of the letters . G S (free) or @ O T W (blocked), found `{letter}`")]
    Letter {
        /// The column, from 0.
        x: usize,
        /// The row, from 0.
        y: usize,
        /// The letter.
        letter: char,
    },
}

/// A map of cells under a movement rule. Cheap to clone, never changed by a query.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Size, rule and costs, and what moves depend on of them.
    moves: Arc<MoveTable>,
    rows: Arc<Bits>,
    columns: Arc<Bits>,
    /// Where straight runs stop, under rules by which one can jump.
    stops: Arc<OnceLock<Stops>>,
    weights: Option<Factors>,
    links: Links,
    components: Arc<Components>,
    /// Which components the links join, if there are links.
    condensation: Option<Arc<Condensation>>,
    states: u32,
    hash: u64,
    version: Version,
}

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
        let geometry = GridGeometry::new(width, height, rule);
        let mut rows = Bits::zeros(needed as usize);
        for y in 0..height {
            let first = geometry.state((1, y + 1)).index();
            fill(y, &mut RowWriter { bits: &mut rows, first, width });
        }
        let column_stride = height as usize + 1;
        let columns = Bits::zeros((width as usize + 2) * column_stride + 1);
        let columns = transposed(&rows, geometry.stride() as usize, (width, height), columns, column_stride);
        let mut grid = Grid {
            moves: Arc::new(MoveTable::new(geometry)),
            rows: Arc::new(rows),
            columns: Arc::new(columns),
            stops: Arc::default(),
            weights: None,
            links: Links::default(),
            components: Arc::default(),
            condensation: None,
            states: 0,
            hash: 0,
            version: Version::default(),
        };
        grid.study();
        Ok(grid)
    }

    /// How many ids a map of this size takes.
    pub fn ids_needed(width: u32, height: u32) -> u64 {
        GridGeometry::ids_needed(width, height)
    }

    /// Computes what follows from cells, rule, weights and links.
    fn study(&mut self) {
        self.states = self.rows.count_ones();
        self.components = Arc::new(Components::new(self));
        self.stops = Arc::default();
        self.study_links();
        self.study_costs();
    }

    /// What follows from rule, weights and links, given the components.
    pub(super) fn study_costs(&mut self) {
        let rule = self.rule();
        let scale = rule.scale(self.step_range(None));
        self.moves = Arc::new(MoveTable::new(self.moves.geometry.with_costs(rule, scale)));
        self.hash = self.fingerprint();
        let mut frame = Xxh3::new();
        frame.update(b"grid");
        frame.update(rule.name().as_bytes());
        frame.update(&self.width().to_le_bytes());
        frame.update(&self.height().to_le_bytes());
        self.version = Version::new(frame.digest(), self.hash);
    }

    /// Which components the links join.
    pub(super) fn study_links(&mut self) {
        let component = |state| self.components.of(self, state);
        let ends = |link: &Link| Some((component(link.from)?, component(link.to)?));
        let mut edges: Vec<(u32, u32)> = self.links.as_slice().iter().filter_map(ends).collect();
        edges.sort_unstable();
        let successor = |node: u32, k: u32| {
            let first = edges.partition_point(|&(from, _)| from < node);
            edges.get(first + k as usize).filter(|&&(from, _)| from == node).map(|&(_, to)| to)
        };
        let condensation =
            (!self.links.is_empty()).then(|| Arc::new(Condensation::new(self.components.count(), successor)));
        self.condensation = condensation;
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = Xxh3::new();
        hasher.update(&self.width().to_le_bytes());
        hasher.update(&self.height().to_le_bytes());
        for words in self.rows.words().chunks(64) {
            let mut bytes = [0; 512];
            for (word, bytes) in words.iter().zip(bytes.chunks_exact_mut(8)) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            hasher.update(&bytes[..words.len() * 8]);
        }
        if let Some(weights) = &self.weights {
            hasher.update(b"weights");
            hasher.update(weights.values());
        }
        for link in self.links.as_slice() {
            hasher.update(b"link");
            for number in [link.from.number(), link.to.number(), link.cost] {
                hasher.update(&number.to_le_bytes());
            }
        }
        hasher.digest()
    }

    /// How much paths can cost, under an overlay with factors up to the one given.
    pub(super) fn step_range(&self, overlay: Option<u64>) -> StepRange {
        let cells = u64::from(self.width()) * u64::from(self.height());
        let weight = self.weights.as_ref().map(Factors::largest);
        let steps = match (weight, overlay) {
            (None, None) => StepRange::plain(cells),
            (weight, overlay) => StepRange::weighted(cells, weight.unwrap_or(1) * overlay.unwrap_or(1)),
        };
        steps.with_links(self.links.dearest())
    }

    /// The same map under another rule.
    pub fn with_rule(&self, rule: Rule) -> Grid {
        let mut grid = self.clone();
        grid.moves = Arc::new(MoveTable::new(grid.moves.geometry.with_costs(rule, grid.scale())));
        grid.study();
        grid
    }

    /// The same map where crossing cell (x, y) costs `weight(x, y)` times as much: a step from a to b costs its base
    /// times the mean of their weights. All weights 1 are no weights.
    pub fn with_weights(&self, mut weight: impl FnMut(u32, u32) -> u8) -> Result<Grid, ZeroFactor> {
        let mut values = vec![1; self.id_bound()];
        for state in self.all_cells() {
            let at = self.point(state);
            let (x, y) = (at.x as u32, at.y as u32);
            values[state.index()] = weight(x, y);
            if values[state.index()] == 0 {
                return Err(ZeroFactor { x, y });
            }
        }
        let weights = Factors::new(values, self.free_states());
        let mut grid = self.clone();
        grid.weights = (weights.largest() > 1).then_some(weights);
        grid.study_costs();
        Ok(grid)
    }

    /// The same map with these links in place of its own. Ends must be cells of the map, costs from 1 to
    /// [`Link::MOST`]; `None` if one is not.
    pub fn with_links(&self, links: &[Link]) -> Option<Grid> {
        let is_cell = |state: StateId| self.state_at(self.point(state)) == Some(state);
        let is_good =
            |link: &Link| is_cell(link.from) && is_cell(link.to) && (1..=Link::MOST).contains(&link.cost);
        let mut grid = self.clone();
        grid.links = Links::default();
        for link in links {
            if !is_good(link) {
                return None;
            }
            grid.links.add(*link);
        }
        grid.study_links();
        grid.study_costs();
        Some(grid)
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.moves.geometry.width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.moves.geometry.height()
    }

    /// The movement rule.
    pub fn rule(&self) -> Rule {
        self.moves.geometry.rule()
    }

    /// Which cells are connected.
    /// How many cells each component has, by its number, links apart.
    pub fn component_sizes(&self) -> &[u32] {
        self.components().sizes()
    }

    pub(crate) fn components(&self) -> &Components {
        &self.components
    }

    /// The id of a cell, free or not; `None` outside the map.
    pub fn state_at(&self, at: Point) -> Option<StateId> {
        self.moves.geometry.state_at(at)
    }

    /// Whether the cell in this column and row of the padded rectangle is free; false outside.
    #[inline]
    pub(crate) fn has_free(&self, column: i32, row: i32) -> bool {
        // Every bit of the padding is zero, so a place outside may be taken for the first.
        let is_inside = (column as u32 <= self.width()) & (row as u32 <= self.height());
        let index = (row as usize).wrapping_mul(self.stride() as usize).wrapping_add(column as usize);
        self.rows.get(if is_inside { index } else { 0 })
    }

    /// Whether this cell is free; false outside the map.
    pub fn is_free_at(&self, at: Point) -> bool {
        self.state_at(at).is_some_and(|state| self.rows.get(state.index()))
    }

    /// Frees or blocks a rectangle inside the map. Components stay right; the rest waits for
    /// [`Grid::finish_edits`].
    pub(super) fn set_cells(&mut self, from: Point, to: Point, free: bool) {
        for y in from.y.min(to.y)..=from.y.max(to.y) {
            for x in from.x.min(to.x)..=from.x.max(to.x) {
                let at = Point::new(x, y);
                let Some(state) = self.state_at(at).filter(|&state| self.is_free(state) != free) else {
                    continue;
                };
                Arc::make_mut(&mut self.rows).set(state.index(), free);
                let column_index = self.column_index(at);
                Arc::make_mut(&mut self.columns).set(column_index, free);
                self.states = if free { self.states + 1 } else { self.states - 1 };
                // Taken out meanwhile, so that it is copied only if an older version still needs it.
                let mut components = std::mem::take(&mut self.components);
                if !Arc::make_mut(&mut components).follow(self, state) {
                    components = Arc::new(Components::stale());
                }
                self.components = components;
            }
        }
    }

    /// Brings what follows from cells, weights and links up to date.
    pub(super) fn finish_edits(&mut self, weights: &[(StateId, u8)]) {
        if self.components.is_stale() {
            self.components = Arc::new(Components::new(self));
        }
        if self.weights.is_none() && weights.iter().any(|&(_, weight)| weight > 1) {
            self.weights = Some(Factors::new(vec![1; self.id_bound()], std::iter::empty()));
        }
        if let Some(old) = self.weights.take() {
            let changed = old.changed(weights.iter().copied(), self.free_states());
            // Weights that are all 1 again are no weights: the map is the one that it was.
            self.weights = changed.values().iter().any(|&value| value > 1).then_some(changed);
        }
        self.stops = Arc::default();
        self.study_links();
        self.study_costs();
    }

    pub(super) fn links_mut(&mut self) -> &mut Links {
        &mut self.links
    }

    /// All cells, free or not, in the order of their ids.
    pub fn all_cells(&self) -> impl Iterator<Item = StateId> + use<> {
        self.moves.geometry.states()
    }

    /// Whether cells have weights.
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// What crossing a cell costs, as a multiple.
    pub fn weight(&self, state: StateId) -> u8 {
        self.weights.as_ref().map_or(1, |weights| weights.of(state) as u8)
    }

    /// How many times its base the cheapest step costs: twice the least weight where costs are in half units.
    pub(crate) fn cheapest(&self) -> u64 {
        self.weights.as_ref().map_or(1, |weights| 2 * weights.least())
    }

    /// No cell has more links than this.
    pub(super) fn most_links(&self) -> u32 {
        self.links.most()
    }

    /// The extra links, in increasing order.
    pub fn links(&self) -> &[Link] {
        self.links.as_slice()
    }

    /// Whether steps cost what the rule says and nothing else leads anywhere.
    pub fn is_plain(&self) -> bool {
        self.weights.is_none() && self.links.is_empty()
    }

    /// The moves by the rule alone. Right only where [`Grid::is_plain`] holds.
    pub(crate) fn moves(&self) -> GridMoves<'_> {
        GridMoves::new(&self.rows, &self.moves)
    }

    /// The moves that searches for optimal costs need: one order of steps of many. Right only where
    /// [`Grid::is_plain`] holds and the rule is one of the octile ones.
    pub(crate) fn canonical_moves(&self) -> CanonicalMoves<'_> {
        CanonicalMoves::new(self)
    }

    /// All moves, whatever the map has: weights, links.
    pub(crate) fn full_moves(&self) -> FullMoves<'_> {
        FullMoves::new(self, None)
    }

    /// Column and row in the padded rectangle: one more than those of the map.
    #[inline]
    pub(crate) fn column_and_row(&self, state: StateId) -> (u32, u32) {
        self.moves.geometry.cell(state)
    }

    /// What is added to an id to go one row down.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.moves.geometry.stride()
    }

    /// Its shape without its cells.
    #[inline]
    pub fn geometry(&self) -> &GridGeometry {
        &self.moves.geometry
    }

    /// The free cells of the 3 x 3 square around a cell of the map, bit by bit, row by row.
    pub(crate) fn neighbourhood_mask(&self, state: StateId) -> usize {
        neighbourhood_mask(&self.rows, self.stride() as usize, state)
    }

    pub(super) fn rows(&self) -> &Bits {
        &self.rows
    }

    /// The column-major twin of the rows: cell (column, row) of the padded rectangle has bit
    /// `column * column_stride + row`. The first row of each column is padding, also for the column before.
    pub(super) fn columns(&self) -> &Bits {
        &self.columns
    }

    /// How many bits of [`Grid::columns`] lie between neighbouring columns.
    pub(super) fn column_stride(&self) -> usize {
        self.height() as usize + 1
    }

    /// Where straight runs stop; `None` under rules by which one cannot jump. Found when first asked for, so that loading
    /// and editing cost nothing more.
    pub(super) fn stops(&self) -> Option<&Stops> {
        let find = || {
            let rows = (&*self.rows, self.stride() as usize);
            let columns = (&*self.columns, self.column_stride());
            Stops::new((self.width(), self.height()), rows, columns)
        };
        self.rule().has_strict_corners().then(|| self.stops.get_or_init(find))
    }

    pub(super) fn weights(&self) -> Option<&Factors> {
        self.weights.as_ref()
    }

    pub(super) fn link_list(&self) -> &Links {
        &self.links
    }

    fn column_index(&self, at: Point) -> usize {
        (at.x as usize + 1) * self.column_stride() + at.y as usize + 1
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

#[cfg(test)]
mod tests;
