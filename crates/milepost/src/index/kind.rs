//! The kinds of indexes, and their names.

use std::fmt;

/// A kind of precomputed data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum IndexKind {
    /// Distances to jump points and walls in eight directions.
    JumpTable,
    /// A box of goals for every edge of every state.
    GoalBounds,
    /// Boxes of goals at jump points alone.
    JumpBounds,
    /// For every jump point, which jump point comes next on the way to any cell.
    JumpRows,
    /// For every state, the first move of a shortest path to any other.
    FirstMoves,
    /// For every goal, a tree of subgoals.
    SubgoalTrees,
}

impl IndexKind {
    /// All of them.
    pub const ALL: [IndexKind; 6] = [
        IndexKind::JumpTable,
        IndexKind::GoalBounds,
        IndexKind::JumpBounds,
        IndexKind::JumpRows,
        IndexKind::FirstMoves,
        IndexKind::SubgoalTrees,
    ];

    /// The name users give.
    pub const fn name(self) -> &'static str {
        match self {
            IndexKind::JumpTable => "jump-table",
            IndexKind::GoalBounds => "goal-bounds",
            IndexKind::JumpBounds => "jump-bounds",
            IndexKind::JumpRows => "jump-rows",
            IndexKind::FirstMoves => "first-moves",
            IndexKind::SubgoalTrees => "subgoal-trees",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<IndexKind> {
        IndexKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The indexes that this one is read together with.
    pub const fn pulls_in(self) -> &'static [IndexKind] {
        match self {
            IndexKind::JumpTable | IndexKind::GoalBounds | IndexKind::FirstMoves | IndexKind::SubgoalTrees => &[],
            IndexKind::JumpBounds | IndexKind::JumpRows => &[IndexKind::JumpTable],
        }
    }

    /// The number that stands for it in a file. Never reused.
    pub(crate) const fn code(self) -> u16 {
        match self {
            IndexKind::JumpTable => 16,
            IndexKind::GoalBounds => 17,
            IndexKind::JumpBounds => 18,
            IndexKind::JumpRows => 19,
            IndexKind::FirstMoves => 20,
            IndexKind::SubgoalTrees => 21,
        }
    }

    pub(crate) fn from_code(code: u16) -> Option<IndexKind> {
        IndexKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl fmt::Display for IndexKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
