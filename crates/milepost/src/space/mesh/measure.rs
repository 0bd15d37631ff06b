//! What lengths cost: whole numbers, rounded up for edges and down for estimates, so that no estimate exceeds a cost and
//! none falls by more than an edge costs along it.

use super::geometry::{FINE_BITS, FinePoint, LatticePoint};

/// A point that searches pass, in half steps of the lattice: |x| < 2^30. Middles of edges are such points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct NodePoint {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl NodePoint {
    /// The middle between two lattice points.
    pub(super) const fn middle(a: LatticePoint, b: LatticePoint) -> NodePoint {
        NodePoint { x: a.x + b.x, y: a.y + b.y }
    }

    pub(super) const fn of(at: LatticePoint) -> NodePoint {
        NodePoint::middle(at, at)
    }

    /// On the finer lattice.
    pub(super) const fn fine(self) -> FinePoint {
        let half = FINE_BITS - 1;
        FinePoint { x: (self.x as i64) << half, y: (self.y as i64) << half }
    }

    /// The square of the distance, in half steps: below 2^63.
    #[inline]
    pub(super) const fn square_distance(self, other: NodePoint) -> u64 {
        let (x, y) = (self.x as i64 - other.x as i64, self.y as i64 - other.y as i64);
        (x * x + y * y) as u64
    }
}

/// What a half step costs over one kind of ground: `over / under` units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rate {
    over: u64,
    under: u64,
}

impl Rate {
    /// On a lattice of 2^`lattice_bits` steps to a unit of length, where 2^`cost_bits` are the cost of a unit of length over
    /// ground of the usual cost, over ground of this cost, in hundredths.
    pub(super) const fn new(lattice_bits: u32, cost_bits: u32, hundredths: u32) -> Rate {
        let half_steps = lattice_bits + 1;
        Rate {
            over: (hundredths as u64) << cost_bits.saturating_sub(half_steps),
            under: 100 << half_steps.saturating_sub(cost_bits),
        }
    }

    /// Whether a cost is less than so many square half steps are worth.
    #[inline]
    fn is_below(self, cost: u64, square: u64) -> bool {
        let (cost, over) = (u128::from(cost) * u128::from(self.under), u128::from(self.over));
        cost * cost < u128::from(square) * over * over
    }

    #[inline]
    fn guess(self, square: u64) -> f64 {
        (square as f64).sqrt() * self.over as f64 / self.under as f64
    }

    /// A guess rounded down, if it is far enough from whole numbers for that to be certain: each of its four roundings is off by less
    /// than 2^-52 in proportion, so that a cost below 2^40 is off by less than 2^-10.
    #[inline]
    fn certain(guess: f64) -> Option<u64> {
        const MARGIN: f64 = 1.0 / 1024.0;
        let whole = guess as u64;
        let rest = guess - whole as f64;
        (guess < (1_u64 << 40) as f64 && rest > MARGIN && rest < 1.0 - MARGIN).then_some(whole)
    }

    /// The cost between two points, rounded up.
    #[inline]
    pub(super) fn up(self, from: NodePoint, to: NodePoint) -> u64 {
        let square = from.square_distance(to);
        let guess = self.guess(square);
        Rate::certain(guess).map_or_else(|| self.round_up(guess, square), |cost| cost + 1)
    }

    #[inline(never)]
    fn round_up(self, guess: f64, square: u64) -> u64 {
        let mut cost = (guess as u64).saturating_sub(2);
        while self.is_below(cost, square) {
            cost += 1;
        }
        cost
    }

    /// The same, rounded down.
    #[inline]
    pub(super) fn down(self, from: NodePoint, to: NodePoint) -> u64 {
        let square = from.square_distance(to);
        let guess = self.guess(square);
        Rate::certain(guess).unwrap_or_else(|| self.round_down(guess, square))
    }

    #[inline(never)]
    fn round_down(self, guess: f64, square: u64) -> u64 {
        // A guess is off by one at most where costs fit 52 bits; whichever it is, it is no more than the cost.
        let mut cost = guess as u64 + 1;
        while cost > 0 && self.is_above(cost, square) {
            cost -= 1;
        }
        cost
    }

    #[inline]
    fn is_above(self, cost: u64, square: u64) -> bool {
        let (cost, over) = (u128::from(cost) * u128::from(self.under), u128::from(self.over));
        cost * cost > u128::from(square) * over * over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn costs_are_rounded_up_estimates_down_and_no_estimate_falls_by_more_than_an_edge_costs() {
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let extent = 1 << rng.range(1..30);
            let mut point = || NodePoint { x: rng.below(extent) as i32, y: rng.below(extent) as i32 };
            let (a, b, c) = (point(), point(), point());
            let rate =
                Rate::new(4 + 2 * rng.below(10), 16, [1, 50, 100, 140, 100_000][rng.below(5) as usize]);
            let (up, down) = (rate.up(a, b), rate.down(a, b));
            assert!(down <= up && up <= down + 1);
            assert!(!rate.is_below(up, a.square_distance(b)) && !rate.is_above(down, a.square_distance(b)));
            assert!(up == 0 || rate.is_below(up - 1, a.square_distance(b)));
            assert!(rate.down(a, c) <= up + rate.down(b, c));
        }
    }
}
