//! Estimates of the cost between two cells from their coordinates alone, and the names of those that read landmarks too.
//!
//! # Which estimate suits which rule
//! | estimate | `octile`, `octile-cutting` | `octile14`, `octile14-cutting` | `four` | `hex` and its kin |
//! |---|---|---|---|---|
//! | zero | admissible | admissible | admissible | admissible |
//! | Manhattan | no: two diagonal steps cost 2.83, it says 4 | no | the exact cost on an empty map | no |
//! | octile | the exact cost on an empty map | the same, with the rule's own 1.4 | admissible | no |
//! | Euclidean | admissible | no: a diagonal step costs 1.4, it says 1.41 | admissible | admissible |
//! | p-norm | for p >= 2 | for p >= 2.061 | admissible | no |
//! | hex | - | - | - | the exact cost on an empty map |
//! | differential, canonical | the greater of the tightest above and what landmarks tell ([`landmarks`](super::landmarks)) | the same | the same | the same |
//!
//! Whatever is admissible is consistent, canonical estimates apart: all others are norms of the offset, so one is consistent if and only if no single
//! step costs less than its norm. (1, 1) has p-norm 2^(1/p), and between (1, 0) and (1, 1) the norm is convex while
//! the octile cost is linear. On hexagons columns and rows are no right angles: the Euclidean estimate measures
//! between the middles of the cells, the others take columns and rows for squares and overestimate.
//!
//! With weights every estimate counts the least weight of the map. With links it is capped by what the best link
//! could give: min(h(s, t), min over links of cost + h(exit, t)) is the minimum of a consistent estimate and a
//! constant, and so consistent. It is found among the ends of all links by where they lie (`grid/link_exits.rs`); in the
//! bounded steps of agents perhaps a lower constant, for which the same holds.
//!
//! # Rounding
//! Estimates are rounded down to whole units. Rounding a consistent estimate down keeps it consistent where steps
//! cost whole units, because floor(x + c) = floor(x) + c. The square root is taken in integers. Powers are taken
//! in floating point (by a portable library, the same bits everywhere) and lowered by more than their error: a
//! p-norm is admissible and consistent but for that margin of 2^-40, and since a search opens closed states again
//! its paths are optimal all the same.

use super::grid::hexagons::hex_steps;
use super::{HexLayout, LandmarkForm, Rule};

/// A way to estimate.
///
/// ```
/// use milepost::space::Power;
/// use milepost::{Heuristic, Rule};
///
/// assert_eq!(Heuristic::tightest(Rule::Octile), Heuristic::Octile);
/// // Manhattan says 2 for a diagonal step, which costs 1.41: paths may be too long.
/// assert!(!Heuristic::Manhattan.is_admissible(Rule::Octile));
/// let norm = Heuristic::PNorm(Power::from_thousandths(2500).expect("from 1 to 1000"));
/// assert!(norm.is_admissible(Rule::Octile));
/// ```
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
    /// Steps between hexagons.
    Hex,
    /// The greater of the tightest estimate and of differences of exact distances to a few landmarks (index `landmarks`).
    Differential,
    /// The same with distances between nearest landmarks (index `landmarks:N:canonical`).
    Canonical,
}

/// The exponent of a p-norm, from 1 to 1000, in thousandths.
///
/// Shown by [`Heuristic`].
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
    /// Those that users choose by name.
    pub const NAMED: [(&'static str, Heuristic); 7] = [
        ("zero", Heuristic::Zero),
        ("manhattan", Heuristic::Manhattan),
        ("octile", Heuristic::Octile),
        ("euclidean", Heuristic::Euclidean),
        ("hex", Heuristic::Hex),
        ("differential", Heuristic::Differential),
        ("canonical", Heuristic::Canonical),
    ];

    /// The distances to landmarks that it reads, if it reads some.
    pub(crate) fn landmarks(self) -> Option<LandmarkForm> {
        match self {
            Heuristic::Differential => Some(LandmarkForm::Differential),
            Heuristic::Canonical => Some(LandmarkForm::Canonical),
            _ => None,
        }
    }

    /// The tightest admissible estimate for a rule.
    pub fn tightest(rule: Rule) -> Heuristic {
        match rule {
            Rule::Octile | Rule::Octile14 | Rule::OctileCutting | Rule::Octile14Cutting => Heuristic::Octile,
            Rule::Four => Heuristic::Manhattan,
            Rule::Hex | Rule::HexEvenR | Rule::HexOddQ | Rule::HexEvenQ => Heuristic::Hex,
        }
    }

    /// Whether the estimate never exceeds the true cost under this rule. It is consistent as well, then.
    pub fn is_admissible(self, rule: Rule) -> bool {
        // The least power whose norm does not exceed a diagonal step, in thousandths.
        let needed_power = match rule {
            Rule::Octile | Rule::OctileCutting => 2000,
            Rule::Octile14 | Rule::Octile14Cutting => 2061,
            Rule::Four => 1000,
            Rule::Hex | Rule::HexEvenR | Rule::HexOddQ | Rule::HexEvenQ => u32::MAX,
        };
        match self {
            Heuristic::Zero => true,
            Heuristic::Octile => rule.hexagons().is_none(),
            Heuristic::Manhattan => rule == Rule::Four,
            Heuristic::Euclidean => !matches!(rule, Rule::Octile14 | Rule::Octile14Cutting),
            Heuristic::PNorm(Power(power)) => power >= needed_power,
            Heuristic::Hex => rule.hexagons().is_some(),
            Heuristic::Differential | Heuristic::Canonical => true,
        }
    }
}

/// A cell as metrics see it: its column and its row in the padded rectangle.
pub(crate) type Cell = (u32, u32);

/// A distance between cells, in units of cost.
pub(crate) trait Metric: Copy {
    /// The distance.
    fn distance(&self, from: Cell, to: Cell) -> u64;

    /// No two cells that are at least so many columns and rows apart are nearer than this.
    #[inline]
    fn least(&self, columns: u32, rows: u32) -> u64 {
        self.distance((0, 0), (columns, rows))
    }
}

/// Columns and rows between two cells.
#[inline]
fn offset(from: Cell, to: Cell) -> (u32, u32) {
    (from.0.abs_diff(to.0), from.1.abs_diff(to.1))
}

/// Always zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZeroMetric;

impl Metric for ZeroMetric {
    #[inline]
    fn distance(&self, _: Cell, _: Cell) -> u64 {
        0
    }
}

/// The octile distance: the default, and worth its own type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OctileMetric {
    straight: u64,
    /// A diagonal step less a straight one.
    surplus: u64,
}

impl OctileMetric {
    /// With these costs of a step.
    pub(crate) fn new(straight: u64, diagonal: u64) -> OctileMetric {
        OctileMetric { straight, surplus: diagonal - straight }
    }
}

impl Metric for OctileMetric {
    #[inline]
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        let (columns, rows) = offset(from, to);
        u64::from(columns.max(rows)) * self.straight + u64::from(columns.min(rows)) * self.surplus
    }
}

/// The Manhattan distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManhattanMetric {
    straight: u64,
}

impl Metric for ManhattanMetric {
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        let (columns, rows) = offset(from, to);
        (u64::from(columns) + u64::from(rows)) * self.straight
    }
}

/// The octile distance where no step is diagonal, rounded down to whole units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloorOctileMetric {
    straight: u64,
}

impl Metric for FloorOctileMetric {
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        let (columns, rows) = offset(from, to);
        // 408/985 is below sqrt 2 - 1.
        let diagonal = u64::from(columns.min(rows)) * self.straight * 408 / 985;
        u64::from(columns.max(rows)) * self.straight + diagonal
    }
}

/// The Euclidean distance, rounded down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EuclideanMetric {
    straight: u64,
    /// Rows (or columns) of hexagons lie closer together, and every other one half a cell further.
    hexagons: Option<HexLayout>,
}

impl Metric for EuclideanMetric {
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        let square = if let Some(layout) = self.hexagons {
            // In half cells along the row, and sqrt(3)/2 cells to the next one: ((2a)^2 + 3 b^2) / 4. Axial coordinates
            // lean by half a cell a row.
            let ((a, row), (b, to_row)) = (layout.axial_of_cell(from), layout.axial_of_cell(to));
            let (along, rows) = (i128::from(2 * (a - b) + row - to_row), i128::from(row - to_row));
            u128::from(self.straight).pow(2) * (along * along + 3 * rows * rows) as u128 / 4
        } else {
            let (columns, rows) = offset(from, to);
            let (x, y) = (u128::from(columns), u128::from(rows));
            // straight^2 * (x^2 + y^2) fits: straight * max(x, y) is less than 2^63.
            u128::from(self.straight).pow(2) * (x * x + y * y)
        };
        floor_sqrt(square)
    }

    fn least(&self, columns: u32, rows: u32) -> u64 {
        if self.hexagons.is_some() {
            // A step changes each coordinate by at most one, and comes sqrt(3)/2 cells farther at least.
            return (u128::from(columns.max(rows)) * u128::from(self.straight) * 866 / 1000) as u64;
        }
        self.distance((0, 0), (columns, rows))
    }
}

/// The integer square root. A float guess is off by a few units; integers put it right.
fn floor_sqrt(square: u128) -> u64 {
    let mut root = (square as f64).sqrt() as u128;
    while root * root > square {
        root -= 1;
    }
    while (root + 1) * (root + 1) <= square {
        root += 1;
    }
    root as u64
}

/// The p-norm, rounded down by a little more than its error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PNormMetric {
    straight: u64,
    power: f64,
}

impl Metric for PNormMetric {
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        let (columns, rows) = offset(from, to);
        let (large, small) = (f64::from(columns.max(rows)), f64::from(columns.min(rows)));
        if small == 0.0 {
            return u64::from(columns.max(rows)) * self.straight;
        }
        let norm = large * libm::pow(1.0 + libm::pow(small / large, self.power), 1.0 / self.power);
        let margin = 1.0 - 1.0 / (1_u64 << 40) as f64;
        // At least the larger coordinate, which every p-norm is.
        ((norm * self.straight as f64 * margin) as u64).max(u64::from(columns.max(rows)) * self.straight)
    }

    fn least(&self, columns: u32, rows: u32) -> u64 {
        // Powers are rounded, so that a larger offset need not have a larger one.
        u64::from(columns.max(rows)) * self.straight
    }
}

/// Steps between hexagons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HexMetric {
    straight: u64,
    layout: HexLayout,
}

impl Metric for HexMetric {
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        let ((a, b), (c, d)) = (self.layout.axial_of_cell(from), self.layout.axial_of_cell(to));
        hex_steps(a - c, b - d) * self.straight
    }

    fn least(&self, columns: u32, rows: u32) -> u64 {
        // Rows of hexagons lean: a step changes each coordinate by at most one, and perhaps both.
        u64::from(columns.max(rows)) * self.straight
    }
}

/// The metric of any estimate, chosen when the search runs. Searches whose metric matters are compiled for its own type.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub(crate) enum GridMetric {
    Zero,
    Octile(OctileMetric),
    Manhattan(ManhattanMetric),
    FloorOctile(FloorOctileMetric),
    Euclidean(EuclideanMetric),
    PNorm(PNormMetric),
    Hex(HexMetric),
}

impl GridMetric {
    /// The metric of an estimate under a rule, where the cheapest straight and diagonal steps cost this.
    pub(crate) fn new(heuristic: Heuristic, rule: Rule, straight: u64, diagonal: u64) -> GridMetric {
        match heuristic {
            Heuristic::Zero => GridMetric::Zero,
            Heuristic::Octile if rule.is_octile() => {
                GridMetric::Octile(OctileMetric::new(straight, diagonal))
            }
            Heuristic::Octile => GridMetric::FloorOctile(FloorOctileMetric { straight }),
            Heuristic::Manhattan => GridMetric::Manhattan(ManhattanMetric { straight }),
            Heuristic::Euclidean => {
                GridMetric::Euclidean(EuclideanMetric { straight, hexagons: rule.hexagons() })
            }
            Heuristic::PNorm(power) => GridMetric::PNorm(PNormMetric { straight, power: power.value() }),
            // Squares refuse it before a search begins.
            Heuristic::Hex => {
                let layout = rule.hexagons().unwrap_or(HexLayout::OddRows);
                GridMetric::Hex(HexMetric { straight, layout })
            }
            // What landmarks add is added where the search is handed their distances.
            Heuristic::Differential | Heuristic::Canonical => {
                GridMetric::new(Heuristic::tightest(rule), rule, straight, diagonal)
            }
        }
    }
}

impl Metric for GridMetric {
    #[inline]
    fn distance(&self, from: Cell, to: Cell) -> u64 {
        match self {
            GridMetric::Zero => 0,
            GridMetric::Octile(metric) => metric.distance(from, to),
            GridMetric::Manhattan(metric) => metric.distance(from, to),
            GridMetric::FloorOctile(metric) => metric.distance(from, to),
            GridMetric::Euclidean(metric) => metric.distance(from, to),
            GridMetric::PNorm(metric) => metric.distance(from, to),
            GridMetric::Hex(metric) => metric.distance(from, to),
        }
    }

    #[inline]
    fn least(&self, columns: u32, rows: u32) -> u64 {
        match self {
            GridMetric::Zero => 0,
            GridMetric::Octile(metric) => metric.least(columns, rows),
            GridMetric::Manhattan(metric) => metric.least(columns, rows),
            GridMetric::FloorOctile(metric) => metric.least(columns, rows),
            GridMetric::Euclidean(metric) => metric.least(columns, rows),
            GridMetric::PNorm(metric) => metric.least(columns, rows),
            GridMetric::Hex(metric) => metric.least(columns, rows),
        }
    }
}

#[cfg(test)]
#[path = "heuristic_tests.rs"]
mod tests;
