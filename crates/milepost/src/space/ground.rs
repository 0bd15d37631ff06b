//! What is known of a space before anything of it was seen: how large it is and how one moves there, and of a graph its
//! nodes and edges. Which states are blocked is not there, so that nobody who is given this can know.

use super::frame::Frame;
use super::graph_goal::GraphTargets;
use super::grid::ID_LIMIT;
use super::{Graph, Grid, OctileMetric, Rule, Target};
use crate::core::{Cost, CostScale, Goal, Point, StateId, StepRange};
use serde::{Deserialize, Serialize};

/// The borders of a grid and its rule, without its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "(u32, u32, Rule)", into = "(u32, u32, Rule)")]
pub struct Outline {
    width: u32,
    height: u32,
    rule: Rule,
    frame: Frame,
    scale: CostScale,
}

impl Outline {
    /// Of a grid of this size, which [exists](Grid::ids_needed).
    pub fn new(width: u32, height: u32, rule: Rule) -> Outline {
        let scale = rule.scale(StepRange::plain(u64::from(width) * u64::from(height)));
        Outline { width, height, rule, frame: Frame::new(width), scale }
    }

    /// Of a grid of this size; `None` if there is no such grid.
    pub(crate) fn checked(width: u32, height: u32, rule: Rule) -> Option<Outline> {
        let exists = width > 0 && height > 0 && Grid::ids_needed(width, height) <= ID_LIMIT;
        exists.then(|| Outline::new(width, height, rule))
    }

    /// Of this grid.
    pub fn of(grid: &Grid) -> Outline {
        if !grid.is_plain() {
            return Outline::new(grid.width(), grid.height(), grid.rule());
        }
        // Asked at every look: what the grid has worked out need not be worked out again.
        let frame = grid.frame();
        Outline { width: grid.width(), height: grid.height(), rule: grid.rule(), frame, scale: grid.scale() }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How one moves.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What costs are measured in.
    pub fn scale(&self) -> CostScale {
        self.scale
    }

    /// The id of a cell; `None` outside the map.
    pub fn state_at(&self, at: Point) -> Option<StateId> {
        let x = u32::try_from(at.x).ok().filter(|&x| x < self.width)?;
        let y = u32::try_from(at.y).ok().filter(|&y| y < self.height)?;
        Some(self.frame.state(x, y))
    }

    /// Where a cell lies.
    #[inline]
    pub fn point(&self, state: StateId) -> Point {
        let (column, row) = self.frame.column_and_row(state);
        Point::new(i64::from(column) - 1, i64::from(row) - 1)
    }

    /// Whether this is the id of a cell of the map.
    #[inline]
    pub fn contains(&self, state: StateId) -> bool {
        let (column, row) = self.frame.column_and_row(state);
        column >= 1 && row >= 1 && row <= self.height
    }

    /// All ids are below this.
    pub fn id_bound(&self) -> usize {
        Grid::ids_needed(self.width, self.height) as usize
    }

    /// The column and the row of a cell, both counted from 1.
    #[inline]
    pub(crate) fn column_and_row(&self, state: StateId) -> (u32, u32) {
        self.frame.column_and_row(state)
    }

    /// The cell in a column and a row counted from 1.
    #[inline]
    pub(crate) fn cell(&self, column: u32, row: u32) -> StateId {
        self.frame.at(column.into(), row.into())
    }

    /// The direction of a step between two cells, clockwise from north; `None` if they do not touch.
    #[inline]
    pub(crate) fn direction(&self, from: StateId, to: StateId) -> Option<u32> {
        if !self.contains(from) || !self.contains(to) {
            return None;
        }
        let ((x, y), (to_x, to_y)) = (self.column_and_row(from), self.column_and_row(to));
        let (dx, dy) = (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y));
        if dx.abs() > 1 || dy.abs() > 1 { None } else { DIRECTIONS[((dy + 1) * 3 + dx + 1) as usize] }
    }

    /// The direction of a step between two cells that touch, from the difference of their ids.
    #[inline]
    pub(crate) fn direction_of_offset(&self, offset: u32) -> Option<u32> {
        let (offset, stride) = (i64::from(offset as i32), i64::from(self.stride()));
        // Only on maps of one column, where no step leads aside, is a row as short as two steps.
        let dy = i64::from(offset > 1) - i64::from(offset < -1);
        let dx = offset - dy * stride;
        if dx.abs() > 1 { None } else { DIRECTIONS[((dy + 1) * 3 + dx + 1) as usize] }
    }

    /// What is added to an id to go one row down.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.frame.stride() as u32
    }

    /// What a step in each direction, clockwise from north, adds to an id, wrapping around, and costs.
    pub(crate) fn steps(&self) -> [(u32, Cost); 8] {
        let (offsets, scale) = (self.frame.offsets(), self.scale);
        std::array::from_fn(|direction| {
            let cost = if direction % 2 == 1 { scale.diagonal() } else { scale.straight() };
            (offsets[direction], Cost::new(cost))
        })
    }

    /// The goal to be at a cell, with the distance over open ground as estimate.
    pub(crate) fn target(&self, goal: StateId) -> Target<OctileMetric> {
        Target::over_open_ground(self.frame, goal, self.metric())
    }

    /// The distance over open ground, for rules with diagonal steps.
    pub(crate) fn metric(&self) -> OctileMetric {
        OctileMetric::new(self.scale.straight(), self.scale.diagonal())
    }
}

impl TryFrom<(u32, u32, Rule)> for Outline {
    type Error = &'static str;

    fn try_from((width, height, rule): (u32, u32, Rule)) -> Result<Outline, &'static str> {
        Outline::checked(width, height, rule).ok_or("there is no such grid")
    }
}

impl From<Outline> for (u32, u32, Rule) {
    fn from(outline: Outline) -> (u32, u32, Rule) {
        (outline.width, outline.height, outline.rule)
    }
}

/// Directions by rows, west to east.
const DIRECTIONS: [Option<u32>; 9] =
    [Some(7), Some(0), Some(1), Some(6), None, Some(2), Some(5), Some(4), Some(3)];

/// What is known of a space from the beginning.
#[derive(Clone, Copy, Debug)]
pub enum Ground<'a> {
    /// A grid: its borders. Which cells are blocked has to be seen.
    Grid(Outline),
    /// A graph: its nodes and edges. Which nodes are blocked has to be seen.
    Graph(&'a Graph),
}

impl<'a> Ground<'a> {
    /// Whether this is a state, blocked or not.
    #[inline]
    pub fn contains(&self, state: StateId) -> bool {
        match self {
            Ground::Grid(outline) => outline.contains(state),
            Ground::Graph(graph) => graph.is_node(state),
        }
    }

    /// All ids are below this.
    pub fn id_bound(&self) -> usize {
        match self {
            Ground::Grid(outline) => outline.id_bound(),
            Ground::Graph(graph) => graph.id_bound(),
        }
    }

    /// No state has more neighbours; at least the eight of a cell.
    pub(crate) fn most_neighbours(&self) -> u32 {
        match self {
            Ground::Grid(_) => 8,
            Ground::Graph(graph) => graph.most_edges().max(8),
        }
    }

    /// The grid, if it is one.
    pub fn as_grid(&self) -> Option<Outline> {
        match self {
            Ground::Grid(outline) => Some(*outline),
            Ground::Graph(_) => None,
        }
    }

    /// What costs are measured in.
    pub fn scale(&self) -> CostScale {
        match self {
            Ground::Grid(outline) => outline.scale(),
            Ground::Graph(graph) => graph.scale(),
        }
    }

    /// The goal to be at a state, with the distance over open ground as estimate.
    pub fn target(&self, goal: &'a StateId) -> GroundTarget<'a> {
        match self {
            Ground::Grid(outline) => {
                GroundTarget::Cell(Target::over_open_ground(outline.frame, *goal, outline.metric()))
            }
            Ground::Graph(graph) => {
                GroundTarget::Node(GraphTargets::new(graph, std::slice::from_ref(goal), true))
            }
        }
    }

    /// Where a state's bit lies among words of 64: of a grid those are squares of 8 x 8 cells, row by row.
    #[inline]
    pub(crate) fn place(&self, state: StateId) -> (u32, u32) {
        match self {
            Ground::Grid(outline) => outline.place(state),
            Ground::Graph(_) => (state.number() >> 6, state.number() & 63),
        }
    }

    /// A number for a state such that those near each other have numbers near each other.
    #[inline]
    pub(crate) fn key(&self, state: StateId) -> u64 {
        match self {
            Ground::Grid(outline) => outline.key(state),
            Ground::Graph(_) => state.number().into(),
        }
    }
}

impl Outline {
    /// The number of a cell's square of 8 x 8 cells, and the cell's bit there.
    #[inline]
    fn place(&self, state: StateId) -> (u32, u32) {
        let (column, row) = self.column_and_row(state);
        (self.square(column >> 3, row >> 3), (row & 7) << 3 | column & 7)
    }

    /// A number for a cell such that those near each other have numbers near each other.
    #[inline]
    pub(crate) fn key(&self, state: StateId) -> u64 {
        let (place, bit) = self.place(state);
        u64::from(place) << 6 | u64::from(bit)
    }

    /// The number of a square of 8 x 8 cells, from its column and row among squares. Squares are numbered 8 x 8 at a
    /// time, so that those near each other have numbers near each other.
    #[inline]
    pub(crate) fn square(&self, column: u32, row: u32) -> u32 {
        let tile = (row >> 3) * ((self.width >> 6) + 1) + (column >> 3);
        tile << 6 | (row & 7) << 3 | column & 7
    }
}

/// The goal to be at one state of a space that nobody has seen yet.
#[derive(Clone, Copy, Debug)]
pub enum GroundTarget<'a> {
    /// A cell.
    Cell(Target<OctileMetric>),
    /// A node.
    Node(GraphTargets<'a>),
}

impl Goal for GroundTarget<'_> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        match self {
            GroundTarget::Cell(target) => target.is_reached(state),
            GroundTarget::Node(target) => target.is_reached(state),
        }
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        match self {
            GroundTarget::Cell(target) => target.estimate(state),
            GroundTarget::Node(target) => target.estimate(state),
        }
    }
}
