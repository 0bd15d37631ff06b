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
//! share them. What takes time for each cell happens when a grid is made. An edit copies bits and hashes them, changes what
//! the edited cells touch, and where cells may have been cut off or joined finds the components anew.

pub(super) mod bits;
pub(super) mod canonical;
pub(super) mod components;
pub(super) mod corner_planes;
pub(super) mod corners;
pub(super) mod direction;
pub(super) mod drawing;
pub(super) mod factors;
pub(super) mod geometry;
pub(super) mod hexagons;
pub(super) mod jump_expander;
pub(super) mod jumps;
mod kind;
pub(super) mod line_of_sight;
pub(super) mod link_exits;
pub(super) mod links;
pub(super) mod locality;
mod making;
pub(super) mod moves;
pub(super) mod nearest_free;
pub(super) mod rule;
pub(super) mod runs;
pub(super) mod sight;
pub(super) mod stops;
pub(super) mod straight;
pub(super) mod tight;
pub(super) mod viewshed;
mod visit;
pub(super) mod window;

pub use self::making::GridError;

use self::bits::Bits;
use self::corner_planes::CornerPlanes;
use self::factors::Factors;
use self::geometry::GridGeometry;
use self::link_exits::LinkExits;
use self::links::{Link, Links};
use self::moves::{FullMoves, GridMoves, MoveTable, neighbourhood_mask};
use self::sight::Diagonals;
use self::stops::{FreeCells, Stops};
use super::condensation::Condensation;
use super::{CanonicalMoves, Components, Rule, SpaceKind};
use crate::core::{Point, StateId, StepRange, Version};
use std::sync::{Arc, OnceLock};

/// A map of cells under a movement rule. Cheap to clone, never changed by a query.
///
/// ```
/// use milepost::{Grid, Point, Rule, SpaceKind};
///
/// // From a function of x and y, or from a drawing; `milepost_maps::open_grid` reads files.
/// let grid = Grid::new(3, 2, Rule::Octile, |x, y| (x, y) != (2, 0))?;
/// let drawn = Grid::from_ascii("..@\n...", Rule::Octile)?;
/// assert_eq!(grid.version(), drawn.version());
///
/// let cell = grid.state_at(Point::new(1, 0)).expect("inside the map");
/// assert!(grid.is_free(cell) && !grid.is_free_at(Point::new(2, 0)));
/// assert_eq!(grid.nearest_free(Point::new(2, 0)), Some(cell)); // beside a wall that was clicked
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grid {
    /// Size, rule and costs, and what moves depend on of them.
    moves: Arc<MoveTable>,
    rows: Arc<Bits>,
    columns: Arc<Bits>,
    /// Where straight runs stop, under rules by which one can jump.
    stops: Option<Arc<Stops>>,
    /// The map as bits along its diagonals, and its corners.
    diagonals: Arc<OnceLock<Diagonals>>,
    corner_planes: Arc<OnceLock<CornerPlanes>>,
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

    /// How many cells each component has, by its number, links apart.
    pub fn component_sizes(&self) -> &[u32] {
        self.components().sizes()
    }

    /// Which cells are connected.
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

    /// The least weight of a free cell, where there are weights.
    pub(in crate::space) fn least_of_weights(&self) -> Option<u8> {
        self.weights.as_ref().map(|weights| weights.least().min(u8::MAX.into()) as u8)
    }

    /// No cell has more links than this.
    pub(super) fn most_links(&self) -> u32 {
        self.links.most()
    }

    /// The extra links, in increasing order.
    pub fn links(&self) -> &[Link] {
        self.links.as_slice()
    }

    /// The links that begin at a cell.
    pub(crate) fn links_from(&self, state: StateId) -> &[Link] {
        self.links.from(state).1
    }

    /// The ends of the links by where they lie.
    pub(super) fn link_exits(&self) -> &LinkExits {
        self.links.exits()
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

    /// The bit of a cell in [`Grid::columns`].
    fn column_index(&self, at: Point) -> usize {
        (at.x as usize + 1) * self.column_stride() + at.y as usize + 1
    }

    /// Where straight runs stop; `None` under rules by which one cannot jump.
    #[inline]
    pub(super) fn stops(&self) -> Option<&Stops> {
        self.stops.as_deref()
    }

    /// What decides where runs stop.
    fn free_cells(&self) -> FreeCells<'_> {
        FreeCells {
            size: (self.width(), self.height()),
            rows: (&self.rows, self.stride() as usize),
            columns: (&self.columns, self.column_stride()),
        }
    }

    /// Legal diagonal steps along their lines, found when first asked for.
    pub(super) fn diagonals(&self) -> &Diagonals {
        self.diagonals.get_or_init(|| Diagonals::new(self))
    }

    /// Where runs come to corners, found when first asked for.
    pub(super) fn corner_planes(&self) -> &CornerPlanes {
        self.corner_planes.get_or_init(|| CornerPlanes::new(self))
    }

    pub(super) fn weights(&self) -> Option<&Factors> {
        self.weights.as_ref()
    }

    pub(super) fn link_list(&self) -> &Links {
        &self.links
    }
}

#[cfg(test)]
mod tests;
