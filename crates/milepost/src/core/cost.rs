//! Exact costs: unsigned integers in the units of a [`CostScale`](crate::core::CostScale).

use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

/// The cost of a path, a step or an estimate, in the integer units of the space it belongs to.
///
/// Two costs of the same space compare as the real lengths do (see [`CostScale`](crate::core::CostScale) for
/// the proof). Costs of different spaces, or of one space with and without an overlay, are not comparable.
///
/// ```
/// use milepost::{Cost, CostScale, Grid, Rule, SpaceKind};
///
/// let grid = Grid::new(10, 10, Rule::Octile, |_, _| true)?;
/// let scale: CostScale = grid.scale();
/// let (straight, diagonal) = (Cost::new(scale.straight()), Cost::new(scale.diagonal()));
/// assert!(diagonal * 5 > straight * 7 && diagonal * 7 < straight * 10); // exact: no rounding decides
/// assert!((scale.to_f64(diagonal) - 1.41421356).abs() < 1e-6);
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Cost(u64);

impl Cost {
    /// Nothing.
    pub const ZERO: Cost = Cost(0);
    /// More than any path costs.
    pub const MAX: Cost = Cost(u64::MAX);

    /// A cost of this many units.
    #[inline]
    pub const fn new(units: u64) -> Cost {
        Cost(units)
    }

    /// How many units this is.
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// Sum that stops at [`Cost::MAX`].
    #[inline]
    pub const fn saturating_add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

impl Add for Cost {
    type Output = Cost;
    #[inline]
    fn add(self, other: Cost) -> Cost {
        Cost(self.0 + other.0)
    }
}

impl AddAssign for Cost {
    #[inline]
    fn add_assign(&mut self, other: Cost) {
        self.0 += other.0;
    }
}

impl Sub for Cost {
    type Output = Cost;
    #[inline]
    fn sub(self, other: Cost) -> Cost {
        Cost(self.0 - other.0)
    }
}

impl Mul<u64> for Cost {
    type Output = Cost;
    #[inline]
    fn mul(self, factor: u64) -> Cost {
        Cost(self.0 * factor)
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}
