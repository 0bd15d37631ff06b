//! Where one can go on a grid: the expanders that searches are given.

use super::bits::Bits;
use super::{Direction, Grid, Overlay};
use crate::core::{Cost, CostScale, Expander, KeyRange, StateId};

/// The moves of a grid under its rule. Steps are symmetric, so this also serves backward searches.
#[derive(Clone, Copy, Debug)]
pub struct GridMoves<'a> {
    rows: &'a Bits,
    table: &'static [u8; 512],
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

impl<'a> GridMoves<'a> {
    pub(super) fn new(grid: &'a Grid) -> GridMoves<'a> {
        GridMoves::with_scale(grid, grid.scale())
    }

    /// The moves with base costs of another scale.
    pub(super) fn with_scale(grid: &'a Grid, scale: CostScale) -> GridMoves<'a> {
        let stride = grid.frame().stride();
        GridMoves {
            rows: grid.rows(),
            table: grid.rule().move_table(),
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
        let three = |index: usize| (self.rows.window(index) & 0b111) as usize;
        let at = state.index();
        three(at - self.stride - 1) | three(at - 1) << 3 | three(at + self.stride - 1) << 6
    }

    /// Names the neighbours in these directions and the base costs of the steps.
    #[inline]
    pub(super) fn follow(&self, state: StateId, mut directions: u8, mut visit: impl FnMut(StateId, u64)) {
        while directions != 0 {
            let step = self.steps[directions.trailing_zeros() as usize & 7];
            directions &= directions - 1;
            visit(StateId::new(state.number().wrapping_add(step.delta)), step.cost);
        }
    }

    #[inline]
    fn for_each(&self, state: StateId, visit: impl FnMut(StateId, u64)) {
        self.follow(state, self.table[self.pattern(state)], visit);
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
    fn expand(&self, state: StateId, _: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        self.for_each(state, |child, cost| visit(child, Cost::new(cost)));
        0
    }
}

/// The moves of a grid under a cost overlay: a step costs the base times the sum of both cells' factors, in half
/// units.
#[derive(Clone, Copy, Debug)]
pub struct OverlayMoves<'a> {
    base: GridMoves<'a>,
    overlay: &'a Overlay,
}

impl<'a> OverlayMoves<'a> {
    pub(super) fn new(grid: &'a Grid, overlay: &'a Overlay) -> OverlayMoves<'a> {
        OverlayMoves { base: GridMoves::with_scale(grid, overlay.scale()), overlay }
    }
}

impl Expander for OverlayMoves<'_> {
    fn id_bound(&self) -> usize {
        self.base.id_bound
    }

    fn keys(&self) -> KeyRange {
        let keys = self.base.keys();
        KeyRange { cheapest: keys.cheapest * 2 * u64::from(self.overlay.least()), ..keys }
    }

    #[inline]
    fn expand(&self, state: StateId, _: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        let here = self.overlay.factor(state);
        self.base.for_each(state, |child, cost| {
            visit(child, Cost::new(cost * (here + self.overlay.factor(child))));
        });
        0
    }
}
