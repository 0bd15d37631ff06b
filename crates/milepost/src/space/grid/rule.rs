//! Movement rules: which of the eight cells around one a step may lead to, and what it costs.

use crate::core::{CostScale, StepRange};
use crate::space::{Direction, DirectionSet};
use serde::{Deserialize, Serialize};
use std::fmt;

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
    pub(crate) fn scale(self, steps: StepRange) -> CostScale {
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
    pub(in crate::space) const fn reach(self, row: u32) -> (u32, u32) {
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

    /// For each mask of free cells in the 3 x 3 square around a free cell, the allowed directions as bits, in
    /// even and in odd rows. Bits of a mask: three for the row above from west to east, then the middle row, then the
    /// row below.
    pub(crate) const fn move_tables(self) -> [&'static [DirectionSet; 512]; 2] {
        match self {
            Rule::Octile | Rule::Octile14 => [&STRICT; 2],
            Rule::OctileCutting => [&CUTTING; 2],
            Rule::Four => [&FOUR; 2],
            Rule::Hex => [&HEX_EVEN, &HEX_ODD],
        }
    }

    /// As [`Rule::move_tables`] where rows do not differ.
    pub(crate) const fn move_table(self) -> &'static [DirectionSet; 512] {
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

/// North, south, west and east, and the diagonals on the left or on the right.
const LEANING_LEFT: DirectionSet =
    DirectionSet::STRAIGHT.with(Direction::NorthWest).with(Direction::SouthWest);
const LEANING_RIGHT: DirectionSet =
    DirectionSet::STRAIGHT.with(Direction::NorthEast).with(Direction::SouthEast);

static STRICT: [DirectionSet; 512] = move_table(DirectionSet::ALL, true);
static CUTTING: [DirectionSet; 512] = move_table(DirectionSet::ALL, false);
static FOUR: [DirectionSet; 512] = move_table(DirectionSet::STRAIGHT, false);
static HEX_EVEN: [DirectionSet; 512] = move_table(LEANING_LEFT, false);
static HEX_ODD: [DirectionSet; 512] = move_table(LEANING_RIGHT, false);

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
