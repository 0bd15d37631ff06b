//! Exact arithmetic on lengths `a + b*sqrt(2)` with plain integers.
//!
//! A path over a square grid with diagonals has length `a + b*sqrt(2)`: `a` straight and `b` diagonal steps.
//! Floating point cannot tell two such lengths apart reliably, and a search that breaks ties by rounding noise
//! is neither optimal nor reproducible. So a straight step costs the integer `q` and a diagonal one the integer
//! `p`, where `p/q` is a convergent of the continued fraction of `sqrt(2)` from above: `p^2 - 2*q^2 = 1`
//! (3/2, 17/12, 99/70, 577/408, ...).
//!
//! # Comparing integers is comparing lengths
//!
//! *Claim.* Let `x`, `y` be integers with `|y| < q`. Then `q*x + p*y` has the same sign as `x + y*sqrt(2)`.
//!
//! *Proof.* If `y = 0` both are multiples of `x`. Let `y != 0`.
//! 1. `q*x + p*y` is not zero: otherwise `q` divides `p*y`; `p` and `q` have no common divisor (it would divide
//!    `p^2 - 2*q^2 = 1`), so `q` divides `y`, against `0 < |y| < q`. Hence `|q*x + p*y| >= 1`.
//! 2. It is near the real value: `p - q*sqrt(2) = 1 / (p + q*sqrt(2)) < 1 / (2*q)`, so
//!    `|(q*x + p*y) - q*(x + y*sqrt(2))| = |y| * (p - q*sqrt(2)) < |y| / (2*q) < 1/2`.
//!
//! An integer of absolute value at least 1 and a real number less than 1/2 away from it have the same sign. ∎
//!
//! Take for `x` and `y` the differences of the straight and the diagonal steps of two paths. A shortest path
//! visits no cell twice, so it has fewer diagonal steps than the map has cells: `q >= cells` makes every
//! comparison of path lengths exact. With weights a step counts `(w(a) + w(b)) / 2`; in doubled units the path
//! has "at most `cells * c` diagonal steps" with `c` = twice the largest weight, and `q >= cells * c` is enough.
//!
//! # Which convergent
//!
//! The largest one with `cells * c * p < 2^63`, so that no path overflows and a key (cost so far plus estimate)
//! fits 64 bits. Consecutive convergents are less than 6 times apart, so `q >= cells * c` holds as long as
//! `cells * c` is at most a billion: for every unweighted map of up to a billion cells, or of 50 million cells with
//! weights up to 9. Beyond, "exact" means exact on these integers, and [`CostScale::is_exact`] says which.
//!
//! Convergents from above only, because then a diagonal step costs at least as much as its Euclidean length:
//! a Euclidean estimate rounded down stays consistent to the last unit.

use super::Cost;

/// What a step costs in integer units, and what a unit is worth.
///
/// Shown by [`Cost`](crate::Cost).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CostScale {
    straight: u64,
    diagonal: u64,
    /// Units of a cost of 1.0: `straight`, or twice that where steps count half of each cell's weight.
    one: u64,
    is_exact: bool,
    /// No path, and no sum of a path and an estimate, costs as much as this.
    bound: u64,
    /// What users see for `one` units: 1, but where costs are lengths in a unit of their own. A float, as its bits.
    seen_as: u64,
}

const SEEN_AS_ONE: u64 = 1.0_f64.to_bits();

/// Paths cost less than this many units.
const COST_LIMIT: u128 = 1 << 63;

/// How much a path can cost: what a scale is chosen for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepRange {
    /// No path has more steps than this.
    pub cells: u64,
    /// The dearest step costs at most this many times the base cost of a diagonal one.
    pub largest: u64,
    /// Costs are in half units, because a step counts half of each cell's weight: it costs
    /// `straight * (w(a) + w(b))`.
    pub halves: bool,
}

impl StepRange {
    /// Unweighted steps.
    pub(crate) const fn plain(cells: u64) -> StepRange {
        StepRange { cells, largest: 1, halves: false }
    }

    /// Steps over cells of weights up to `weight`.
    pub(crate) const fn weighted(cells: u64, weight: u64) -> StepRange {
        StepRange { cells, largest: 2 * weight, halves: true }
    }

    /// The same with links of up to `cost` straight steps.
    pub(crate) fn with_links(self, cost: u64) -> StepRange {
        StepRange { largest: self.largest.max(cost * if self.halves { 2 } else { 1 }), ..self }
    }

    fn total(&self) -> u128 {
        u128::from(self.cells.max(1)) * u128::from(self.largest.max(1))
    }

    fn units_of_one(&self) -> u64 {
        if self.halves { 2 } else { 1 }
    }
}

impl CostScale {
    /// The scale for `sqrt(2)` diagonals.
    pub(crate) fn octile(steps: StepRange) -> CostScale {
        let paths = steps.total();
        let (mut p, mut q) = (3_u128, 2_u128);
        loop {
            // Two steps of the continued fraction [1; 2, 2, 2, ...] lead from one upper convergent to the next.
            let (next_p, next_q) = (3 * p + 4 * q, 2 * p + 3 * q);
            if paths.saturating_mul(next_p) >= COST_LIMIT {
                break;
            }
            (p, q) = (next_p, next_q);
        }
        CostScale {
            straight: q as u64,
            diagonal: p as u64,
            one: q as u64 * steps.units_of_one(),
            is_exact: q >= paths,
            bound: paths.saturating_mul(p).min(COST_LIMIT) as u64,
            seen_as: SEEN_AS_ONE,
        }
    }

    /// Straight steps of `straight` units and diagonal ones of `diagonal`: exact as they are.
    pub(crate) fn fixed(straight: u64, diagonal: u64, steps: StepRange) -> CostScale {
        let paths = steps.total();
        CostScale {
            straight,
            diagonal,
            one: straight * steps.units_of_one(),
            is_exact: true,
            bound: paths.saturating_mul(u128::from(diagonal.max(straight))).min(COST_LIMIT) as u64,
            seen_as: SEEN_AS_ONE,
        }
    }

    /// Costs that are integers as they are, of which `one` make a cost of 1.0; `steps` says what the dearest one costs.
    pub(crate) fn of_units(one: u64, steps: StepRange) -> CostScale {
        CostScale { one, ..CostScale::fixed(1, 1, steps) }
    }

    /// Costs that are lengths: 2^`bits` are the cost of a unit of length, which users see as `unit`. No path costs as much as
    /// `bound`. There are no steps: as on a graph a unit is a unit.
    pub(crate) fn of_lengths(bits: u32, unit: f64, bound: u64) -> CostScale {
        let one = 1 << bits;
        let bound = u128::from(bound).min(COST_LIMIT) as u64;
        CostScale { straight: 1, diagonal: 1, one, is_exact: true, bound, seen_as: unit.to_bits() }
    }

    /// Units of a straight step (between cells of weight one half each, where cells are weighted).
    #[inline]
    pub const fn straight(&self) -> u64 {
        self.straight
    }

    /// Units of a diagonal step.
    #[inline]
    pub const fn diagonal(&self) -> u64 {
        self.diagonal
    }

    /// Units of a cost of 1.0.
    #[inline]
    pub const fn one(&self) -> u64 {
        self.one
    }

    /// Whether comparing these integers is comparing the real lengths.
    pub const fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// No path costs as many units as this.
    #[inline]
    pub const fn bound(&self) -> u64 {
        self.bound
    }

    /// The cost as users see it: 1.0 is a straight step over ground of weight 1.
    pub fn to_f64(&self, cost: Cost) -> f64 {
        cost.units() as f64 / self.one as f64 * f64::from_bits(self.seen_as)
    }

    /// The least cost that users would see as at least `value`, for limits given by a user.
    pub fn from_f64(&self, value: f64) -> Cost {
        // `as` saturates: negative and NaN become 0, huge values the largest integer.
        Cost::new((value / f64::from_bits(self.seen_as) * self.one as f64).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::cmp::Ordering;

    /// Sign of `x + y*sqrt(2)` in integers alone: compare `x^2` with `2*y^2` where the signs differ.
    fn exact_sign(x: i128, y: i128) -> Ordering {
        match (x.cmp(&0), y.cmp(&0)) {
            (Ordering::Equal, sign) | (sign, Ordering::Equal) => sign,
            (Ordering::Greater, Ordering::Greater) => Ordering::Greater,
            (Ordering::Less, Ordering::Less) => Ordering::Less,
            (Ordering::Greater, Ordering::Less) => (x * x).cmp(&(2 * y * y)),
            (Ordering::Less, Ordering::Greater) => (2 * y * y).cmp(&(x * x)),
        }
    }

    fn compare(scale: &CostScale, a: (i128, i128), b: (i128, i128)) -> Ordering {
        let cost = |(straight, diagonal): (i128, i128)| {
            straight * i128::from(scale.straight()) + diagonal * i128::from(scale.diagonal())
        };
        cost(a).cmp(&cost(b))
    }

    #[test]
    fn convergents_solve_pells_equation_and_paths_fit() {
        for cells in [1, 16, 2500, 255_025, 589_824, 16_777_216, u64::from(u32::MAX)] {
            for factor in [1, 2, 18, 510, 510 * 255] {
                let scale = CostScale::octile(StepRange { cells, largest: factor, halves: factor > 1 });
                let (p, q) = (i128::from(scale.diagonal()), i128::from(scale.straight()));
                assert_eq!(p * p - 2 * q * q, 1, "{cells} cells");
                assert!(i128::from(cells) * i128::from(factor) * p < 1 << 63, "{cells} cells");
                assert!(scale.is_exact() || cells * factor > 1_000_000_000, "{cells} cells, factor {factor}");
            }
        }
        assert!(CostScale::octile(StepRange::plain(1_000_000_000)).is_exact());
        assert!(CostScale::octile(StepRange::weighted(50_000_000, 9)).is_exact());
        assert!(!CostScale::octile(StepRange::weighted(u64::from(u32::MAX), 255)).is_exact());
    }

    #[test]
    fn comparing_integers_is_comparing_lengths_for_all_small_paths() {
        // A 12-cell map on its own smallest scale: q = 12 would do, ours is larger.
        let scale = CostScale::fixed(12, 17, StepRange::plain(12));
        for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
            for (c, d) in (0..12).flat_map(|c| (0..12).map(move |d| (c, d))) {
                assert_eq!(compare(&scale, (a, b), (c, d)), exact_sign(a - c, b - d), "{a},{b} {c},{d}");
            }
        }
    }

    #[test]
    fn comparing_integers_is_comparing_lengths_for_random_and_nearly_equal_paths() {
        let mut rng = Rng::new(1);
        for cells in [100_u64, 43_151, 589_824, 1_000_000_000] {
            let scale = CostScale::octile(StepRange::plain(cells));
            for _ in 0..20_000 {
                let mut draw = || i128::from(rng.next_u64() % cells);
                let (a, b, c, d) = (draw(), draw(), draw(), draw());
                assert_eq!(compare(&scale, (a, b), (c, d)), exact_sign(a - c, b - d));
                // The nearest integer to y*sqrt(2): the hardest pairs there are.
                let near = (2 * d * d).isqrt();
                for x in [near, near + 1] {
                    assert_eq!(compare(&scale, (x, 0), (0, d)), exact_sign(x, -d));
                }
            }
        }
    }

    #[test]
    fn a_scale_that_is_too_small_does_get_comparisons_wrong() {
        // 7 straight steps are shorter than 5 diagonal ones (7.07), and 17 are longer than 12 (16.97): 3/2 says
        // 7 < 7.5 and 17 < 18. The test above would notice a wrong scale.
        let scale = CostScale::fixed(2, 3, StepRange::plain(100));
        assert_ne!(compare(&scale, (17, 0), (0, 12)), exact_sign(17, -12));
    }

    #[test]
    fn users_see_plain_lengths() {
        let scale = CostScale::octile(StepRange::plain(1000));
        let cost = Cost::new(3 * scale.straight() + 2 * scale.diagonal());
        assert!((scale.to_f64(cost) - (3.0 + 2.0 * 2_f64.sqrt())).abs() < 1e-12);
        assert_eq!(scale.from_f64(3.0), Cost::new(3 * scale.straight()));
        assert_eq!(scale.from_f64(f64::NAN), Cost::ZERO);
        let weighted = CostScale::octile(StepRange::weighted(1000, 1));
        assert_eq!(weighted.to_f64(Cost::new(weighted.straight() * 2)), 1.0);
    }
}
