//! Where one can go on a grid: the expanders that searches are given.

use super::bits::Bits;
use super::factors::Factors;
use super::links::{Links, link_cost};
use crate::core::{Cost, Expander, KeyRange, StateId};
use crate::space::{DirectionSet, EdgeSlot, Grid, GridGeometry, Overlay, SlotExpander};

/// What moves by a rule depend on beside the cells. A grid works it out once, so that its moves are two pointers: agents
/// ask for them at every step.
#[derive(Clone, Copy, Debug)]
pub(in crate::space) struct MoveTable {
    pub(super) geometry: GridGeometry,
    /// For cells that are not shifted and those that are.
    tables: [&'static [DirectionSet; 512]; 2],
    /// What a step in each direction adds to the id, modulo 2^32, and costs.
    steps: [(u32, Cost); 8],
}

impl MoveTable {
    /// With the rule and the base costs of a geometry.
    pub(in crate::space) fn new(geometry: GridGeometry) -> MoveTable {
        let tables = geometry.rule().move_tables();
        MoveTable { geometry, tables, steps: geometry.steps() }
    }
}

/// The moves of a grid by its rule alone: no weights, no links. Steps are symmetric, so this also serves backward
/// searches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridMoves<'a> {
    rows: &'a Bits,
    table: &'a MoveTable,
}

/// The free cells of the 3 x 3 square around a cell, bit by bit, row by row, from those of a map.
#[inline]
pub(in crate::space) fn neighbourhood_mask(rows: &Bits, stride: usize, state: StateId) -> usize {
    let three = |index: usize| (rows.window(index) & 0b111) as usize;
    let at = state.index();
    three(at - stride - 1) | three(at - 1) << 3 | three(at + stride - 1) << 6
}

impl<'a> GridMoves<'a> {
    /// The moves between these cells.
    #[inline]
    pub(super) fn new(rows: &'a Bits, table: &'a MoveTable) -> GridMoves<'a> {
        GridMoves { rows, table }
    }

    /// What is added to an id to go one row down.
    #[inline]
    pub(in crate::space) fn stride(&self) -> usize {
        self.table.geometry.stride() as usize
    }

    /// The free cells of the 3 x 3 square around a cell, bit by bit, row by row.
    #[inline]
    pub(in crate::space) fn neighbourhood_mask(&self, state: StateId) -> usize {
        neighbourhood_mask(self.rows, self.stride(), state)
    }

    /// Names the neighbours in those of these directions that `keeps` accepts, and the base costs of the steps.
    #[inline]
    pub(in crate::space) fn follow(
        &self,
        state: StateId,
        directions: DirectionSet,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) {
        for direction in directions {
            if keeps(EdgeSlot::Direction(direction.number())) {
                let (step, cost) = self.table.steps[direction.number()];
                visit(StateId::new(state.number().wrapping_add(step)), cost);
            }
        }
    }

    /// The [mask](GridMoves::neighbourhood_mask) around a free cell, plus 512 where it is shifted: what its moves depend on.
    pub(in crate::space) fn shape(&self, state: StateId) -> usize {
        self.neighbourhood_mask(state) + 512 * usize::from(self.table.geometry.is_shifted(state))
    }

    /// All directions that may be taken from a free cell, as bits.
    #[inline]
    pub(crate) fn allowed(&self, state: StateId) -> DirectionSet {
        self.table.tables[usize::from(self.table.geometry.is_shifted(state))][self.neighbourhood_mask(state)]
    }
}

impl Expander for GridMoves<'_> {
    fn id_bound(&self) -> usize {
        self.table.geometry.id_bound()
    }

    fn keys(&self) -> KeyRange {
        let scale = self.table.geometry.scale();
        KeyRange { cheapest: Cost::new(scale.straight()), bound: Cost::new(scale.bound()) }
    }

    #[inline(always)]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }
}

impl SlotExpander for GridMoves<'_> {
    #[inline(always)]
    fn expand_slots(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        self.follow(state, self.allowed(state), keeps, visit);
        0
    }
}

impl Grid {
    /// All directions that may be taken from a free cell by the rule.
    #[inline]
    pub(crate) fn directions(&self, state: StateId) -> DirectionSet {
        self.geometry().allowed(state, self.neighbourhood_mask(state))
    }

    /// The cell beside another one in the direction of this number.
    #[inline(always)]
    pub(crate) fn neighbour(&self, state: StateId, direction: usize) -> StateId {
        let (step, _) = self.moves.steps[direction & 7];
        StateId::new(state.number().wrapping_add(step))
    }
}

/// The moves of a grid with all that may come on top of its rule: terrain weights, the overlay of a query, extra
/// links.
///
/// With weights or an overlay a step costs its base times the sum of both cells' factors, in half units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullMoves<'a> {
    rows: &'a Bits,
    /// With the base costs of the overlay's scale, if there is one.
    table: &'a MoveTable,
    weights: Option<&'a Factors>,
    overlay: Option<&'a Factors>,
    links: &'a Links,
}

impl<'a> FullMoves<'a> {
    pub(in crate::space) fn new(grid: &'a Grid, overlay: Option<&'a Overlay>) -> FullMoves<'a> {
        FullMoves {
            rows: grid.rows(),
            table: overlay.map_or(&*grid.moves, Overlay::table),
            weights: grid.weights(),
            overlay: overlay.map(Overlay::factors),
            links: grid.link_list(),
        }
    }

    /// The moves by the rule.
    #[inline]
    fn base(&self) -> GridMoves<'_> {
        GridMoves::new(self.rows, self.table)
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
        self.base().id_bound()
    }

    fn keys(&self) -> KeyRange {
        let keys = self.base().keys();
        let least = |factors: Option<&Factors>| factors.map_or(1, Factors::least);
        let halves = if self.is_weighted() { 2 } else { 1 };
        KeyRange { cheapest: keys.cheapest * (halves * least(self.weights) * least(self.overlay)), ..keys }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }
}

impl SlotExpander for FullMoves<'_> {
    #[inline]
    fn expand_slots(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let directions = self.base().allowed(state);
        let mut count = u64::from(directions.len());
        if self.is_weighted() {
            let here = self.factor(state);
            self.base().follow(state, directions, &keeps, |child, cost| {
                visit(child, cost * (here + self.factor(child)));
            });
        } else {
            self.base().follow(state, directions, &keeps, &mut visit);
        }
        if !self.links.is_empty() {
            let (first, links) = self.links.from(state);
            for (link, place) in links.iter().zip(first..) {
                if self.rows.get(link.to.index()) {
                    count += 1;
                    if keeps(EdgeSlot::Link(place)) {
                        visit(link.to, link_cost(link, self.table.geometry.scale().one()));
                    }
                }
            }
        }
        // More than eight successors count one by one.
        if count > 8 { count - 1 } else { 0 }
    }
}
