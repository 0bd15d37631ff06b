//! Movement rules: which of the eight neighbours a step may lead to, and what it costs.

use crate::core::CostScale;
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Rule {
    /// Eight neighbours, costs 1 and sqrt 2; a diagonal step needs both cells beside it free.
    #[default]
    Octile,
    /// As [`Rule::Octile`] with costs 1 and 1.4.
    Octile14,
    /// Eight neighbours, costs 1 and sqrt 2; a diagonal step between two free cells is always allowed.
    OctileCutting,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 3] = [Rule::Octile, Rule::Octile14, Rule::OctileCutting];

    /// The name users give.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Octile => "octile",
            Rule::Octile14 => "octile14",
            Rule::OctileCutting => "octile-cutting",
        }
    }

    /// The rule of this name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// The costs on a map of `cells` cells; `factor` as in [`CostScale::octile`].
    pub fn scale(self, cells: u64, factor: u64) -> CostScale {
        match self {
            Rule::Octile | Rule::OctileCutting => CostScale::octile(cells, factor),
            Rule::Octile14 => CostScale::fixed(10, 14, cells, factor),
        }
    }

    /// Whether diagonal steps may cut a blocked corner: then diagonal contact connects cells.
    pub const fn cuts_corners(self) -> bool {
        matches!(self, Rule::OctileCutting)
    }

    /// For each pattern of free cells in the 3 x 3 square around a free cell, the allowed directions as bits.
    /// Pattern bits: three for the row above from west to east, then the middle row, then the row below.
    pub(crate) const fn move_table(self) -> &'static [u8; 512] {
        match self {
            Rule::Octile | Rule::Octile14 => &STRICT,
            Rule::OctileCutting => &CUTTING,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

static STRICT: [u8; 512] = move_table(false);
static CUTTING: [u8; 512] = move_table(true);

const fn move_table(cuts_corners: bool) -> [u8; 512] {
    let mut table = [0; 512];
    let mut pattern = 0;
    while pattern < 512 {
        let mut moves = 0;
        let mut index = 0;
        while index < 8 {
            let direction = Direction::ALL[index];
            let (dx, dy) = direction.offset();
            let allowed = is_free(pattern, dx, dy)
                && (cuts_corners
                    || !direction.is_diagonal()
                    || (is_free(pattern, dx, 0) && is_free(pattern, 0, dy)));
            if allowed {
                moves |= 1 << index;
            }
            index += 1;
        }
        table[pattern] = moves;
        pattern += 1;
    }
    table
}

const fn is_free(pattern: usize, dx: i64, dy: i64) -> bool {
    pattern >> ((dy + 1) * 3 + dx + 1) & 1 == 1
}
