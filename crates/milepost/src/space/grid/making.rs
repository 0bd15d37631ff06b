//! Making a grid: from cells or rows, from another grid under another rule or with weights and links, by edits; and what
//! follows from its cells.

use super::bits::{Bits, transposed};
use super::factors::{Factors, ZeroFactor};
use super::geometry::{GridGeometry, ID_LIMIT};
use super::links::{Link, Links};
use super::moves::MoveTable;
use super::stops::Stops;
use super::{CanonicalMoves, Components, Condensation, Grid, Rule, SpaceKind};
use crate::core::debug_as_sentence;
use crate::core::{Point, StateId, Version};
use std::sync::Arc;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

/// Why a grid cannot be made.
///
/// ```
/// use milepost::{Grid, GridError, Rule};
///
/// let error = Grid::from_ascii("...\n..", Rule::Octile).unwrap_err();
/// assert_eq!(error, GridError::Ragged { row: 1, expected: 3, found: 2 });
/// println!("{error}");
/// ```
#[derive(Clone, PartialEq, Eq, Error)]
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

debug_as_sentence!(GridError);

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
            stops: None,
            diagonals: Arc::default(),
            corner_planes: Arc::default(),
            weights: None,
            links: Links::default(),
            components: Arc::default(),
            condensation: None,
            states: 0,
            hash: 0,
            version: Version::default(),
        };
        grid.derive_all();
        Ok(grid)
    }

    /// How many ids a map of this size takes.
    pub fn ids_needed(width: u32, height: u32) -> u64 {
        GridGeometry::ids_needed(width, height)
    }

    /// Computes what follows from cells, rule, weights and links.
    fn derive_all(&mut self) {
        self.states = self.rows.count_ones();
        self.components = Arc::new(Components::new(self));
        if self.rule().is_octile() {
            CanonicalMoves::table_of(self.rule()); // is made, so that no query waits for it
        }
        self.stops = self.rule().has_strict_corners().then(|| Arc::new(Stops::new(self.free_cells())));
        self.forget_planes();
        self.derive_links();
        self.derive_costs();
    }

    /// What is found when first asked for was found on other cells.
    fn forget_planes(&mut self) {
        self.diagonals = Arc::default();
        self.corner_planes = Arc::default();
    }

    /// What follows from rule, weights and links, given the components.
    fn derive_costs(&mut self) {
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

    /// Which components the links join, and where they end.
    fn derive_links(&mut self) {
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
        let geometry = *self.geometry();
        self.links.derive_exits(&geometry);
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

    /// The same map under another rule.
    pub fn with_rule(&self, rule: Rule) -> Grid {
        let mut grid = self.clone();
        grid.moves = Arc::new(MoveTable::new(grid.moves.geometry.with_costs(rule, grid.scale())));
        grid.derive_all();
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
        grid.derive_costs();
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
        grid.derive_links();
        grid.derive_costs();
        Some(grid)
    }

    /// Frees or blocks a rectangle inside the map, and notes the cells that this changes. Components stay right; the rest
    /// waits for [`Grid::finish_edits`].
    pub(in crate::space) fn set_cells(
        &mut self,
        from: Point,
        to: Point,
        free: bool,
        changed: &mut Vec<StateId>,
    ) {
        for y in from.y.min(to.y)..=from.y.max(to.y) {
            for x in from.x.min(to.x)..=from.x.max(to.x) {
                let at = Point::new(x, y);
                let Some(state) = self.state_at(at).filter(|&state| self.is_free(state) != free) else {
                    continue;
                };
                changed.push(state);
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

    /// Brings what follows from cells, of which these were changed, weights and links up to date.
    pub(in crate::space) fn finish_edits(&mut self, changed: &[StateId], weights: &[(StateId, u8)]) {
        if self.components.is_stale() {
            self.components = Arc::new(Components::new(self));
        }
        let is_weighted = weights.iter().any(|&(_, weight)| weight > 1);
        let factors = match self.weights.take() {
            // Those are of the cells that are free now.
            None => {
                is_weighted.then(|| (Factors::new(vec![1; self.id_bound()], self.free_states()), &[][..]))
            }
            Some(factors) => Some((factors, changed)),
        };
        if let Some((mut factors, changed)) = factors {
            factors.follow(changed, weights, |state| self.is_free(state));
            // Weights that are all 1 again are no weights: the map is the one that it was.
            self.weights = (factors.largest() > 1).then_some(factors);
        }
        if !changed.is_empty()
            && let Some(mut stops) = self.stops.take()
        {
            let places: Vec<(u32, u32)> = changed.iter().map(|&state| self.column_and_row(state)).collect();
            Arc::make_mut(&mut stops).follow(self.free_cells(), &places);
            self.stops = Some(stops);
        }
        self.forget_planes();
        self.derive_links();
        self.derive_costs();
    }

    pub(in crate::space) fn links_mut(&mut self) -> &mut Links {
        &mut self.links
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
