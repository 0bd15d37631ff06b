//! Estimates of the cost between two cells from their coordinates alone.
//!
//! # Which estimate suits which rule
//! | estimate | `octile`, `octile-cutting` | `octile14` |
//! |---|---|---|
//! | zero | admissible, consistent | admissible, consistent |
//! | Manhattan | no: two diagonal steps cost 2.83, it says 4 | no |
//! | octile | the exact cost on an empty map; consistent | the same, with the rule's own 1.4 |
//! | Euclidean | admissible, consistent | no: a diagonal step costs 1.4, it says 1.41 |
//! | p-norm | for p >= 2 | for p >= 2.061 |
//!
//! All are norms of the offset, so one is consistent if and only if no single step costs less than its norm:
//! (1, 1) has p-norm 2^(1/p), and between (1, 0) and (1, 1) the norm is convex while the octile cost is linear.
//!
//! # Rounding
//! Estimates are rounded down to whole units. Rounding a consistent estimate down keeps it consistent where steps
//! cost whole units, because floor(x + c) = floor(x) + c. The square root is taken in integers. Powers are taken
//! in floating point (by a portable library, the same bits everywhere) and lowered by more than their error: a
//! p-norm is admissible and consistent but for that margin of 2^-40, and since a search opens closed states again
//! its paths are optimal all the same.

use super::Rule;

/// A way to estimate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Heuristic {
    /// Nothing is known: A* becomes Dijkstra's algorithm.
    Zero,
    /// Columns plus rows.
    Manhattan,
    /// Diagonal steps as far as possible, then straight ones.
    Octile,
    /// As the crow flies.
    Euclidean,
    /// The p-norm of the offset.
    PNorm(Power),
}

/// The exponent of a p-norm, from 1 to 1000, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Power(u32);

impl Power {
    /// The exponent `thousandths / 1000`, if it lies between 1 and 1000.
    pub fn from_thousandths(thousandths: u32) -> Option<Power> {
        (1000..=1_000_000).contains(&thousandths).then_some(Power(thousandths))
    }

    /// The exponent.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl Heuristic {
    /// The tightest admissible estimate for a rule.
    pub fn tightest(rule: Rule) -> Heuristic {
        match rule {
            Rule::Octile | Rule::Octile14 | Rule::OctileCutting => Heuristic::Octile,
        }
    }

    /// Whether the estimate never exceeds the true cost under this rule. It is consistent as well, then.
    pub fn is_admissible(self, rule: Rule) -> bool {
        let needed_power = match rule {
            Rule::Octile | Rule::OctileCutting => 2000,
            Rule::Octile14 => 2061,
        };
        match self {
            Heuristic::Zero | Heuristic::Octile => true,
            Heuristic::Manhattan => false,
            Heuristic::Euclidean => needed_power <= 2000,
            Heuristic::PNorm(Power(power)) => power >= needed_power,
        }
    }
}

/// A distance between cells, in units of cost, from the numbers of columns and rows between them.
pub trait Metric: Copy {
    /// The distance.
    fn distance(&self, columns: u32, rows: u32) -> u64;
}

/// Always zero.
#[derive(Clone, Copy, Debug)]
pub struct ZeroMetric;

impl Metric for ZeroMetric {
    #[inline]
    fn distance(&self, _: u32, _: u32) -> u64 {
        0
    }
}

/// The octile distance: the default, and worth its own type.
#[derive(Clone, Copy, Debug)]
pub struct OctileMetric {
    straight: u64,
    /// A diagonal step less a straight one.
    surplus: u64,
}

impl OctileMetric {
    /// With these costs of a step.
    pub fn new(straight: u64, diagonal: u64) -> OctileMetric {
        OctileMetric { straight, surplus: diagonal - straight }
    }
}

impl Metric for OctileMetric {
    #[inline]
    fn distance(&self, columns: u32, rows: u32) -> u64 {
        u64::from(columns.max(rows)) * self.straight + u64::from(columns.min(rows)) * self.surplus
    }
}

/// The Manhattan distance.
#[derive(Clone, Copy, Debug)]
pub struct ManhattanMetric {
    straight: u64,
}

impl Metric for ManhattanMetric {
    fn distance(&self, columns: u32, rows: u32) -> u64 {
        (u64::from(columns) + u64::from(rows)) * self.straight
    }
}

/// The Euclidean distance, rounded down.
#[derive(Clone, Copy, Debug)]
pub struct EuclideanMetric {
    straight: u64,
}

impl Metric for EuclideanMetric {
    fn distance(&self, columns: u32, rows: u32) -> u64 {
        let (x, y) = (u128::from(columns), u128::from(rows));
        // straight^2 * (x^2 + y^2) fits: straight * max(x, y) is less than 2^63.
        let square = u128::from(self.straight).pow(2) * (x * x + y * y);
        // A float guess is off by a few units; integers put it right.
        let mut root = (square as f64).sqrt() as u128;
        while root * root > square {
            root -= 1;
        }
        while (root + 1) * (root + 1) <= square {
            root += 1;
        }
        root as u64
    }
}

/// The p-norm, rounded down by a little more than its error.
#[derive(Clone, Copy, Debug)]
pub struct PNormMetric {
    straight: u64,
    power: f64,
}

impl Metric for PNormMetric {
    fn distance(&self, columns: u32, rows: u32) -> u64 {
        let (large, small) = (f64::from(columns.max(rows)), f64::from(columns.min(rows)));
        if small == 0.0 {
            return u64::from(columns.max(rows)) * self.straight;
        }
        let norm = large * libm::pow(1.0 + libm::pow(small / large, self.power), 1.0 / self.power);
        let margin = 1.0 - 1.0 / (1_u64 << 40) as f64;
        // At least the larger coordinate, which every p-norm is.
        ((norm * self.straight as f64 * margin) as u64).max(u64::from(columns.max(rows)) * self.straight)
    }
}

/// The metrics that are not worth a search compiled for each.
#[derive(Clone, Copy, Debug)]
pub enum OtherMetric {
    /// Manhattan.
    Manhattan(ManhattanMetric),
    /// Euclidean.
    Euclidean(EuclideanMetric),
    /// p-norm.
    PNorm(PNormMetric),
}

impl OtherMetric {
    /// Columns plus rows, at this cost of a straight step.
    pub fn manhattan(straight: u64) -> OtherMetric {
        OtherMetric::Manhattan(ManhattanMetric { straight })
    }

    /// As the crow flies.
    pub fn euclidean(straight: u64) -> OtherMetric {
        OtherMetric::Euclidean(EuclideanMetric { straight })
    }

    /// The p-norm.
    pub fn p_norm(straight: u64, power: Power) -> OtherMetric {
        OtherMetric::PNorm(PNormMetric { straight, power: power.value() })
    }
}

impl Metric for OtherMetric {
    #[inline]
    fn distance(&self, columns: u32, rows: u32) -> u64 {
        match self {
            OtherMetric::Manhattan(metric) => metric.distance(columns, rows),
            OtherMetric::Euclidean(metric) => metric.distance(columns, rows),
            OtherMetric::PNorm(metric) => metric.distance(columns, rows),
        }
    }
}

#[cfg(test)]
#[path = "heuristic_tests.rs"]
mod tests;
