//! Where one can go on a grid: the expanders that searches are given.

use super::bits::Bits;
use super::factors::Factors;
use super::frame::Frame;
use super::links::{Links, link_cost};
use super::{Direction, Grid, Overlay, Way, WayExpander};
use crate::core::{Cost, CostScale, Expander, KeyRange, StateId};

/// The moves of a grid by its rule alone: no weights, no links. Steps are symmetric, so this also serves backward
/// searches.
#[derive(Clone, Copy, Debug)]
pub struct GridMoves<'a> {
    rows: &'a Bits,
    /// For even and odd rows of the map.
    tables: [&'static [u8; 512]; 2],
    rows_differ: bool,
    frame: Frame,
    stride: usize,
    id_bound: usize,
    steps: [Step; 8],
    scale: CostScale,
}

#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// What is added to the id, modulo 2^32.
    delta: u32,
    cost: u64,
}

/// The free cells of the 3 x 3 square around a cell, bit by bit, row by row, from those of a map.
#[inline]
pub(super) fn pattern(rows: &Bits, stride: usize, state: StateId) -> usize {
    let three = |index: usize| (rows.window(index) & 0b111) as usize;
    let at = state.index();
    three(at - stride - 1) | three(at - 1) << 3 | three(at + stride - 1) << 6
}

impl<'a> GridMoves<'a> {
    /// The moves with the base costs of a scale.
    pub(super) fn new(grid: &'a Grid, scale: CostScale) -> GridMoves<'a> {
        let stride = grid.frame().stride();
        let tables = grid.rule().move_tables();
        GridMoves {
            rows: grid.rows(),
            tables,
            rows_differ: !std::ptr::eq(tables[0], tables[1]),
            frame: grid.frame(),
            stride: stride as usize,
            id_bound: grid.id_bound(),
            steps: Direction::ALL.map(|direction| {
                let (dx, dy) = direction.offset();
                let cost = if direction.is_diagonal() { scale.diagonal() } else { scale.straight() };
                Step { delta: (dy * stride + dx) as u32, cost }
            }),
            scale,
        }
    }

    /// What is added to an id to go one row down.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The free cells of the 3 x 3 square around a cell, bit by bit, row by row.
    #[inline]
    pub(super) fn pattern(&self, state: StateId) -> usize {
        pattern(self.rows, self.stride, state)
    }

    /// Names the neighbours in those of these directions that `keeps` accepts, and the base costs of the steps.
    #[inline]
    pub(super) fn follow(
        &self,
        state: StateId,
        mut directions: u8,
        keeps: impl Fn(Way) -> bool,
        mut visit: impl FnMut(StateId, u64),
    ) {
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            if keeps(Way::Direction(direction)) {
                let step = self.steps[direction];
                visit(StateId::new(state.number().wrapping_add(step.delta)), step.cost);
            }
        }
    }

    /// The [pattern](GridMoves::pattern) around a free cell, plus 512 in rows whose moves differ from those of the
    /// first one: what its moves depend on.
    pub(super) fn shape(&self, state: StateId) -> usize {
        self.pattern(state) + 512 * usize::from(self.is_odd(state))
    }

    /// The directions that may be taken from a free cell, by number, clockwise from north. For rules on squares.
    #[inline]
    pub(crate) fn directions(&self, state: StateId) -> impl Iterator<Item = usize> + use<> {
        let directions = self.tables[0][self.pattern(state)];
        (0..8).filter(move |direction| directions >> direction & 1 == 1)
    }

    /// Whether this is an odd row, where that matters.
    #[inline]
    fn is_odd(&self, state: StateId) -> bool {
        // Padded rows are numbered one higher than those of the map.
        self.rows_differ && self.frame.column_and_row(state).1.is_multiple_of(2)
    }

    /// All directions that may be taken from a free cell, as bits.
    #[inline]
    pub(super) fn allowed(&self, state: StateId) -> u8 {
        self.tables[usize::from(self.is_odd(state))][self.pattern(state)]
    }

    /// The cell so many columns and rows away, each -1, 0 or 1.
    #[inline]
    pub(super) fn beside(&self, state: StateId, (columns, rows): (i64, i64)) -> StateId {
        StateId::new((i64::from(state.number()) + rows * self.stride as i64 + columns) as u32)
    }

    /// What a step costs.
    #[inline]
    pub(super) fn base_cost(&self, is_diagonal: bool) -> Cost {
        Cost::new(if is_diagonal { self.scale.diagonal() } else { self.scale.straight() })
    }

    /// What a step to a cell beside another one costs.
    pub(super) fn step_cost(&self, from: StateId, to: StateId) -> Cost {
        let apart = from.number().abs_diff(to.number()) as usize;
        self.base_cost(apart != 1 && apart != self.stride)
    }
}

impl Expander for GridMoves<'_> {
    fn id_bound(&self) -> usize {
        self.id_bound
    }

    fn keys(&self) -> KeyRange {
        KeyRange { cheapest: Cost::new(self.scale.straight()), bound: Cost::new(self.scale.bound()) }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_ways(state, parent, |_| true, visit)
    }
}

impl WayExpander for GridMoves<'_> {
    #[inline]
    fn expand_ways(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(Way) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        self.follow(state, self.allowed(state), keeps, |child, cost| visit(child, Cost::new(cost)));
        0
    }
}

/// Steps of a grid by its rule, one at a time: where one may go, and where that leads.
#[derive(Clone, Copy, Debug)]
struct GridSteps<'a> {
    rows: &'a Bits,
    /// For even and odd rows of the padded rectangle.
    tables: [&'static [u8; 512]; 2],
    stride: u32,
}

impl GridSteps<'_> {
    /// All directions that may be taken from a free cell in this row of the padded rectangle, as bits.
    #[inline(always)]
    fn allowed(&self, state: StateId, row: u32) -> u8 {
        let (stride, at) = (self.stride as usize, state.index());
        let three = |index: usize| (self.rows.window(index) & 0b111) as usize;
        let pattern = three(at - stride - 1) | three(at - 1) << 3 | three(at + stride - 1) << 6;
        self.tables[row as usize & 1][pattern & 511]
    }
}

impl Grid {
    /// Its steps by the rule.
    #[inline]
    fn steps(&self) -> GridSteps<'_> {
        // Padded rows are numbered one higher than those of the map.
        let [even, odd] = self.rule().move_tables();
        GridSteps { rows: self.rows(), tables: [odd, even], stride: self.stride() }
    }

    /// All directions that may be taken from a free cell by the rule, as bits.
    #[inline]
    pub(crate) fn directions(&self, state: StateId) -> u8 {
        self.steps().allowed(state, self.column_and_row(state).1)
    }

    /// The cell beside another one in a direction.
    #[inline(always)]
    pub(crate) fn beside(&self, state: StateId, direction: usize) -> StateId {
        StateId::new(state.number().wrapping_add(self.offsets()[direction & 7]))
    }
}

/// The moves of a grid with all that may come on top of its rule: terrain weights, the overlay of a query, extra
/// links.
///
/// With weights or an overlay a step costs its base times the sum of both cells' factors, in half units.
#[derive(Clone, Copy, Debug)]
pub struct FullMoves<'a> {
    base: GridMoves<'a>,
    weights: Option<&'a Factors>,
    overlay: Option<&'a Factors>,
    links: &'a Links,
}

impl<'a> FullMoves<'a> {
    pub(super) fn new(grid: &'a Grid, overlay: Option<&'a Overlay>) -> FullMoves<'a> {
        let scale = overlay.map_or(grid.scale(), Overlay::scale);
        FullMoves {
            base: GridMoves::new(grid, scale),
            weights: grid.weights(),
            overlay: overlay.map(Overlay::factors),
            links: grid.link_list(),
        }
    }

    #[inline]
    fn factor(&self, state: StateId) -> u64 {
        self.weights.map_or(1, |weights| weights.of(state))
            * self.overlay.map_or(1, |overlay| overlay.of(state))
    }

    fn is_weighted(&self) -> bool {
        self.weights.is_some() || self.overlay.is_some()
    }
}

impl Expander for FullMoves<'_> {
    fn id_bound(&self) -> usize {
        self.base.id_bound
    }

    fn keys(&self) -> KeyRange {
        let keys = self.base.keys();
        let least = |factors: Option<&Factors>| factors.map_or(1, Factors::least);
        let halves = if self.is_weighted() { 2 } else { 1 };
        KeyRange { cheapest: keys.cheapest * (halves * least(self.weights) * least(self.overlay)), ..keys }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_ways(state, parent, |_| true, visit)
    }
}

impl WayExpander for FullMoves<'_> {
    #[inline]
    fn expand_ways(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(Way) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let directions = self.base.allowed(state);
        let mut count = u64::from(directions.count_ones());
        if self.is_weighted() {
            let here = self.factor(state);
            self.base.follow(state, directions, &keeps, |child, cost| {
                visit(child, Cost::new(cost * (here + self.factor(child))));
            });
        } else {
            self.base.follow(state, directions, &keeps, |child, cost| visit(child, Cost::new(cost)));
        }
        if !self.links.is_empty() {
            let (first, links) = self.links.from(state);
            for (link, place) in links.iter().zip(first..) {
                if self.base.rows.get(link.to.index()) {
                    count += 1;
                    if keeps(Way::Link(place)) {
                        visit(link.to, link_cost(link, self.base.scale.one()));
                    }
                }
            }
        }
        // More than eight successors count one by one.
        if count > 8 { count - 1 } else { 0 }
    }
}
