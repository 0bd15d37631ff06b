//! Movement rules: which of the eight cells around one a step may lead to, and what it costs.

use super::hexagons::HexLayout;
use crate::core::{CostScale, StepRange};
use crate::space::{Cell, Direction, DirectionSet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How one moves on a grid.
///
/// ```
/// use milepost::{Atlas, Grid, Point, Rule, Scratch};
///
/// let grid = Grid::from_ascii(".@\n..", Rule::Octile)?;
/// let cost = |rule| {
///     let mut scratch = Scratch::new();
///     Atlas::new(grid.with_rule(rule)).path(Point::new(0, 0), Point::new(1, 1), &mut scratch);
///     scratch.path().cost_f64()
/// };
/// assert_eq!(cost(Rule::Octile), 2.0); // a diagonal step needs both cells beside it free
/// assert!((cost(Rule::OctileCutting) - 2_f64.sqrt()).abs() < 1e-9); // here it does not
/// assert_eq!(Rule::from_name("four"), Some(Rule::Four));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Rule {
    /// Eight neighbours, costs 1 and sqrt 2; a diagonal step needs both cells beside it free.
    #[default]
    Octile,
    /// As [`Rule::Octile`] with costs 1 and 1.4.
    Octile14,
    /// Eight neighbours, costs 1 and sqrt 2; a diagonal step between two free cells is always allowed.
    OctileCutting,
    /// Four neighbours, cost 1.
    Four,
    /// Six neighbours, cost 1: hexagons in rows, every odd row (counted from 0) half a cell to the right.
    Hex,
    /// As [`Rule::OctileCutting`] with costs 1 and 1.4.
    Octile14Cutting,
    /// As [`Rule::Hex`] with every even row half a cell to the right.
    HexEvenR,
    /// Six neighbours, cost 1: hexagons in columns, every odd column (counted from 0) half a cell down.
    HexOddQ,
    /// As [`Rule::HexOddQ`] with every even column half a cell down.
    HexEvenQ,
}

impl Rule {
    /// All rules. Files number them in this order.
    pub const ALL: [Rule; 9] = [
        Rule::Octile,
        Rule::Octile14,
        Rule::OctileCutting,
        Rule::Four,
        Rule::Hex,
        Rule::Octile14Cutting,
        Rule::HexEvenR,
        Rule::HexOddQ,
        Rule::HexEvenQ,
    ];

    /// The name users give.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Octile => "octile",
            Rule::Octile14 => "octile14",
            Rule::OctileCutting => "octile-cutting",
            Rule::Four => "four",
            Rule::Hex => "hex",
            Rule::Octile14Cutting => "octile14-cutting",
            Rule::HexEvenR => "hex-even-r",
            Rule::HexOddQ => "hex-odd-q",
            Rule::HexEvenQ => "hex-even-q",
        }
    }

    /// The rule of this name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The costs of steps.
    pub(crate) fn scale(self, steps: StepRange) -> CostScale {
        match self {
            Rule::Octile | Rule::OctileCutting => CostScale::octile(steps),
            Rule::Octile14 | Rule::Octile14Cutting => CostScale::fixed(10, 14, steps),
            Rule::Four | Rule::Hex | Rule::HexEvenR | Rule::HexOddQ | Rule::HexEvenQ => {
                CostScale::fixed(1, 1, steps)
            }
        }
    }

    /// Whether steps are straight and diagonal ones of two costs, so that their order can be canonical.
    pub const fn is_octile(self) -> bool {
        matches!(self, Rule::Octile | Rule::Octile14 | Rule::OctileCutting | Rule::Octile14Cutting)
    }

    /// How hexagons lie under this rule; `None` where cells are squares.
    pub const fn hexagons(self) -> Option<HexLayout> {
        match self {
            Rule::Hex => Some(HexLayout::OddRows),
            Rule::HexEvenR => Some(HexLayout::EvenRows),
            Rule::HexOddQ => Some(HexLayout::OddColumns),
            Rule::HexEvenQ => Some(HexLayout::EvenColumns),
            _ => None,
        }
    }

    /// Whether a cell lies half a cell further than others of its column or row, by its column and row in the padded
    /// rectangle. Squares never do.
    #[inline]
    pub(crate) const fn is_shifted(self, cell: Cell) -> bool {
        match self.hexagons() {
            Some(layout) => layout.shifts_cell(cell),
            None => false,
        }
    }

    /// Whether two free cells are joined by a step in a direction, whatever else is blocked: from a cell in this column and
    /// row of the padded rectangle.
    pub(in crate::space) const fn joins(self, cell: Cell, direction: Direction) -> bool {
        let both = 1 << 4 | 1 << direction.square_bit();
        self.move_tables()[self.is_shifted(cell) as usize][both].contains(direction)
    }

    /// For each mask of free cells in the 3 x 3 square around a free cell, the allowed directions as bits, of cells that
    /// are not [shifted](Rule::is_shifted) and of those that are. Bits of a mask: three for the row above from west to
    /// east, then the middle row, then the row below.
    pub(crate) const fn move_tables(self) -> [&'static [DirectionSet; 512]; 2] {
        match self {
            Rule::Octile | Rule::Octile14 => [&STRICT; 2],
            Rule::OctileCutting | Rule::Octile14Cutting => [&CUTTING; 2],
            Rule::Four => [&FOUR; 2],
            Rule::Hex | Rule::HexEvenR => [&HEX_LEFT, &HEX_RIGHT],
            Rule::HexOddQ | Rule::HexEvenQ => [&HEX_UP, &HEX_DOWN],
        }
    }

    /// As [`Rule::move_tables`] where cells are squares.
    pub(crate) const fn move_table(self) -> &'static [DirectionSet; 512] {
        self.move_tables()[0]
    }

    /// Whether there are diagonal steps and none of them passes a blocked corner: the rules under which paths can jump.
    pub const fn has_strict_corners(self) -> bool {
        matches!(self, Rule::Octile | Rule::Octile14)
    }

    /// Whether a diagonal step may pass a blocked corner.
    pub const fn cuts_corners(self) -> bool {
        matches!(self, Rule::OctileCutting | Rule::Octile14Cutting)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

static STRICT: [DirectionSet; 512] = move_table(DirectionSet::ALL, true);
static CUTTING: [DirectionSet; 512] = move_table(DirectionSet::ALL, false);
static FOUR: [DirectionSet; 512] = move_table(DirectionSet::STRAIGHT, false);
// Of rows, shifted to the right or not, and of columns, shifted down or not.
static HEX_LEFT: [DirectionSet; 512] = move_table(HexLayout::OddRows.directions(false), false);
static HEX_RIGHT: [DirectionSet; 512] = move_table(HexLayout::OddRows.directions(true), false);
static HEX_UP: [DirectionSet; 512] = move_table(HexLayout::OddColumns.directions(false), false);
static HEX_DOWN: [DirectionSet; 512] = move_table(HexLayout::OddColumns.directions(true), false);

const fn move_table(directions: DirectionSet, needs_both_beside: bool) -> [DirectionSet; 512] {
    let mut table = [DirectionSet::NONE; 512];
    let mut neighbourhood_mask = 0;
    while neighbourhood_mask < 512 {
        let mut number = 0;
        while number < 8 {
            let direction = Direction::from_number(number);
            let (dx, dy) = direction.offset();
            let beside = is_free(neighbourhood_mask, dx, 0) && is_free(neighbourhood_mask, 0, dy);
            let is_blocked = needs_both_beside && direction.is_diagonal() && !beside;
            if directions.contains(direction) && is_free(neighbourhood_mask, dx, dy) && !is_blocked {
                table[neighbourhood_mask] = table[neighbourhood_mask].with(direction);
            }
            number += 1;
        }
        neighbourhood_mask += 1;
    }
    table
}

const fn is_free(neighbourhood_mask: usize, dx: i64, dy: i64) -> bool {
    neighbourhood_mask >> ((dy + 1) * 3 + dx + 1) & 1 == 1
}
