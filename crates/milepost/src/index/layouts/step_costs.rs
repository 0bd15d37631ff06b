//! What steps cost in the 64-bit numbers of an index: the smallest that order all paths of a map as their lengths do.

use super::packed_cell::LegCosts;
use crate::core::CostScale;
use crate::space::{Cell, Grid, Rule};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What steps cost in an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct StepCosts {
    pub(crate) straight: u64,
    pub(crate) diagonal: u64,
}

impl StepCosts {
    /// Those of a space.
    pub(crate) fn of(scale: CostScale) -> StepCosts {
        StepCosts { straight: scale.straight(), diagonal: scale.diagonal() }
    }

    /// The smallest that order all paths of up to so many straight steps as their lengths do; `None` if sums would not fit.
    ///
    /// Convergents of `sqrt 2` from above (see [`CostScale`]): a shortest path of length L has fewer than `L / sqrt 2` diagonal
    /// steps, and a path with more than that is longer than any shortest one, in integers too. So `q > L / sqrt 2` is enough.
    pub(crate) fn exact(rule: Rule, steps: u64) -> Option<StepCosts> {
        let exact = match rule {
            Rule::Octile14 => StepCosts { straight: 10, diagonal: 14 },
            _ => StepCosts::convergents()
                .find(|costs| u128::from(steps) * 10_000 < u128::from(costs.straight) * 14_142)?,
        };
        (u128::from(steps) * u128::from(exact.diagonal) < 1 << 60).then_some(exact)
    }

    fn convergents() -> impl Iterator<Item = StepCosts> {
        let first = StepCosts { straight: 2378, diagonal: 3363 };
        std::iter::successors(Some(first), |&StepCosts { straight: q, diagonal: p }| {
            let next = StepCosts { straight: 2 * p + 3 * q, diagonal: 3 * p + 4 * q };
            (next.diagonal < 1 << 58).then_some(next)
        })
    }

    /// Whether these are costs that an index of a grid may have.
    pub(super) fn are_known(self, grid: &Grid) -> bool {
        self == StepCosts::of(grid.geometry().scale())
            || match grid.rule() {
                Rule::Octile14 => StepCosts::exact(Rule::Octile14, 0) == Some(self),
                _ => StepCosts::convergents().any(|costs| costs == self),
            }
    }

    /// A straight step, and what a diagonal one costs more, where half a word holds the length of two legs of a grid: of such
    /// numbers twice as many are worked out at once.
    #[inline(always)]
    pub(crate) fn narrow(self, grid: &Grid) -> Option<[u32; 2]> {
        let across = u64::from(grid.width().max(grid.height()));
        let (straight, diagonal) = (u32::try_from(self.straight).ok()?, u32::try_from(self.diagonal).ok()?);
        let fits = across < 1 << 30 && (2 * across).checked_mul(u64::from(diagonal))? <= u64::from(u32::MAX);
        fits.then_some([straight, diagonal.wrapping_sub(straight)])
    }

    /// The cost of a leg over so many columns and rows.
    #[inline(always)]
    pub(crate) fn of_steps(self, columns: u32, rows: u32) -> u64 {
        u64::from(columns.max(rows)).wrapping_mul(self.straight).wrapping_add(
            u64::from(columns.min(rows)).wrapping_mul(self.diagonal.wrapping_sub(self.straight)),
        )
    }

    /// The cost of a leg between two cells.
    #[inline(always)]
    pub(crate) fn octile(self, a: Cell, b: Cell) -> u64 {
        self.of_steps(a.0.abs_diff(b.0), a.1.abs_diff(b.1))
    }

    /// The same path in the units of a space. Where these are others, `cost` must be that of a path with fewer diagonal
    /// steps than `straight`, the denominator of a convergent.
    #[inline]
    pub(crate) fn to_space(self, cost: u64, scale: CostScale) -> u64 {
        if self == StepCosts::of(scale) {
            return cost;
        }
        // cost = q*a + p*b with p^2 = 1 modulo q: multiplying by p once more leaves b. And p - q is p modulo q, as q < p < 2q.
        let (q, p) = (self.straight.max(1), self.diagonal);
        let more = p.saturating_sub(q);
        let diagonal_steps = match remainder(cost, q).checked_mul(more) {
            Some(product) => remainder(product, q),
            None => (u128::from(cost % q) * u128::from(more) % u128::from(q)) as u64,
        };
        let straight_steps = cost.saturating_sub(p.saturating_mul(diagonal_steps)) / q;
        let straight = straight_steps.saturating_mul(scale.straight());
        straight.saturating_add(diagonal_steps.saturating_mul(scale.diagonal()))
    }
}

/// A remainder: of small numbers, which most are, at half the time.
#[inline(always)]
fn remainder(number: u64, of: u64) -> u64 {
    match (u32::try_from(number), u32::try_from(of)) {
        (Ok(number), Ok(of)) => u64::from(number % of.max(1)),
        _ => number % of.max(1),
    }
}

impl From<LegCosts> for StepCosts {
    fn from(costs: LegCosts) -> StepCosts {
        StepCosts { straight: costs.straight.into(), diagonal: costs.diagonal.into() }
    }
}
