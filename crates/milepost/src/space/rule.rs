//! Movement rules: which of the eight cells around one a step may lead to, and what it costs.

use crate::core::{CostScale, StepRange};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A direction on the grid, clockwise from north. Successors are named in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All of them in order.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// Columns and rows that a step goes, y downwards.
    pub const fn offset(self) -> (i64, i64) {
        match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (1, -1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, -1),
        }
    }

    /// Whether both coordinates change.
    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }
}

/// How one moves on a grid.
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
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] = [Rule::Octile, Rule::Octile14, Rule::OctileCutting, Rule::Four, Rule::Hex];

    /// The name users give.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Octile => "octile",
            Rule::Octile14 => "octile14",
            Rule::OctileCutting => "octile-cutting",
            Rule::Four => "four",
            Rule::Hex => "hex",
        }
    }

    /// The rule of this name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The costs of steps.
    pub fn scale(self, steps: StepRange) -> CostScale {
        match self {
            Rule::Octile | Rule::OctileCutting => CostScale::octile(steps),
            Rule::Octile14 => CostScale::fixed(10, 14, steps),
            Rule::Four | Rule::Hex => CostScale::fixed(1, 1, steps),
        }
    }

    /// Whether steps are straight and diagonal ones of two costs, so that their order can be canonical.
    pub const fn is_octile(self) -> bool {
        matches!(self, Rule::Octile | Rule::Octile14 | Rule::OctileCutting)
    }

    /// How far beyond its own columns a cell touches the rows above and below: to the west and to the east of a
    /// cell in the given row.
    pub(super) const fn reach(self, row: u32) -> (u32, u32) {
        match self {
            Rule::OctileCutting => (1, 1),
            // Odd rows lie half a cell to the right: they touch their own column and the next one.
            Rule::Hex => {
                if row % 2 == 1 {
                    (0, 1)
                } else {
                    (1, 0)
                }
            }
            _ => (0, 0),
        }
    }

    /// For each pattern of free cells in the 3 x 3 square around a free cell, the allowed directions as bits, in
    /// even and in odd rows. Pattern bits: three for the row above from west to east, then the middle row, then the
    /// row below.
    pub(crate) const fn move_tables(self) -> [&'static [u8; 512]; 2] {
        match self {
            Rule::Octile | Rule::Octile14 => [&STRICT; 2],
            Rule::OctileCutting => [&CUTTING; 2],
            Rule::Four => [&FOUR; 2],
            Rule::Hex => [&HEX_EVEN, &HEX_ODD],
        }
    }

    /// As [`Rule::move_tables`] where rows do not differ.
    pub(crate) const fn move_table(self) -> &'static [u8; 512] {
        self.move_tables()[0]
    }

    /// Whether there are diagonal steps and none of them passes a blocked corner: the rules under which paths can jump.
    pub const fn has_strict_corners(self) -> bool {
        matches!(self, Rule::Octile | Rule::Octile14)
    }

    /// Whether a diagonal step may pass a blocked corner.
    pub const fn cuts_corners(self) -> bool {
        matches!(self, Rule::OctileCutting)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Directions as bits.
const CARDINAL: u8 = 0b0101_0101;
/// North, south, west and east, and the diagonals on the left or on the right.
const LEANING_LEFT: u8 = CARDINAL | 1 << Direction::NorthWest as u8 | 1 << Direction::SouthWest as u8;
const LEANING_RIGHT: u8 = CARDINAL | 1 << Direction::NorthEast as u8 | 1 << Direction::SouthEast as u8;

static STRICT: [u8; 512] = move_table(u8::MAX, true);
static CUTTING: [u8; 512] = move_table(u8::MAX, false);
static FOUR: [u8; 512] = move_table(CARDINAL, false);
static HEX_EVEN: [u8; 512] = move_table(LEANING_LEFT, false);
static HEX_ODD: [u8; 512] = move_table(LEANING_RIGHT, false);

const fn move_table(directions: u8, needs_both_beside: bool) -> [u8; 512] {
    let mut table = [0; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut index = 0;
        while index < 8 {
            let direction = Direction::ALL[index];
            let (dx, dy) = direction.offset();
            let beside = is_free(pattern, dx, 0) && is_free(pattern, 0, dy);
            let is_blocked = needs_both_beside && direction.is_diagonal() && !beside;
            if directions >> index & 1 == 1 && is_free(pattern, dx, dy) && !is_blocked {
                table[pattern] |= 1 << index;
            }
            index += 1;
        }
        pattern += 1;
    }
    table
}

const fn is_free(pattern: usize, dx: i64, dy: i64) -> bool {
    pattern >> ((dy + 1) * 3 + dx + 1) & 1 == 1
}
