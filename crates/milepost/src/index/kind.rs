//! The kinds of indexes, and their names.

use super::SectionKey;
use std::fmt;
use thiserror::Error;

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
    /// Regions, and where the ways between them leave.
    Regions,
    /// Corners, a hierarchy of ways between them, and lists of those that are worth going to from each block of cells.
    CornerHierarchy,
    /// Problems that were solved and compressed beforehand.
    CaseBase,
    /// For every goal, a tree of subgoals.
    SubgoalTrees,
}

impl IndexKind {
    /// All of them.
    pub const ALL: [IndexKind; 9] = [
        IndexKind::JumpTable,
        IndexKind::GoalBounds,
        IndexKind::JumpBounds,
        IndexKind::JumpRows,
        IndexKind::FirstMoves,
        IndexKind::Regions,
        IndexKind::CornerHierarchy,
        IndexKind::CaseBase,
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
            IndexKind::Regions => "regions",
            IndexKind::CornerHierarchy => "corner-hierarchy",
            IndexKind::CaseBase => "case-base",
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
            IndexKind::JumpTable | IndexKind::GoalBounds | IndexKind::FirstMoves | IndexKind::Regions => &[],
            IndexKind::CornerHierarchy => &[],
            IndexKind::CaseBase => &[],
            IndexKind::SubgoalTrees => &[],
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
            IndexKind::Regions => 23,
            IndexKind::CornerHierarchy => 24,
            IndexKind::CaseBase => 22,
            IndexKind::SubgoalTrees => 21,
        }
    }

    pub(crate) fn from_code(code: u16) -> Option<IndexKind> {
        IndexKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl IndexKind {
    /// What may follow the name; `None` for indexes that come in one form.
    pub const fn parameter(self) -> Option<&'static IndexParameter> {
        match self {
            IndexKind::JumpTable
            | IndexKind::GoalBounds
            | IndexKind::JumpBounds
            | IndexKind::JumpRows
            | IndexKind::FirstMoves
            | IndexKind::CornerHierarchy => None,
            IndexKind::Regions => Some(&IndexParameter {
                words: &[],
                numbers: Some((1, 16)),
                addition: None,
                default: 4,
                meaning: "levels of the clique abstraction; each makes three to four times fewer regions",
            }),
            IndexKind::CaseBase => Some(&CASES),
            IndexKind::SubgoalTrees => Some(&TREES),
        }
    }
}

/// The records of a case base.
const CASES: IndexParameter = IndexParameter {
    words: &[("partitions", 0)],
    numbers: Some((1, 1_000_000)),
    addition: Some(("fragments", IndexSpec::FRAGMENTS)),
    default: 1000,
    meaning: "records of random problems, or regions alone; with `fragments` every part of a record is one too",
};

/// Which trees of subgoals.
const TREES: IndexParameter = IndexParameter {
    words: &[("greedy", 0), ("as-printed", 1)],
    numbers: None,
    addition: None,
    default: 0,
    meaning: "the test of a subgoal: that a greedy walk leads there, or that of the paper",
};

/// What may follow the name of an index: one of some words, or a number, and perhaps a word behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexParameter {
    /// Words, and the numbers that they stand for.
    pub words: &'static [(&'static str, u32)],
    /// The least and the greatest number; `None` if words alone are taken.
    pub numbers: Option<(u32, u32)>,
    /// A word that may follow the number after a colon, and what is added to the number then, more than any number.
    pub addition: Option<(&'static str, u32)>,
    /// What holds without it.
    pub default: u32,
    /// What it says.
    pub meaning: &'static str,
}

impl IndexParameter {
    /// The number that a text stands for.
    fn read(&self, text: &str) -> Option<u32> {
        let word = self.words.iter().find(|(word, _)| *word == text).map(|(_, number)| *number);
        let is_in_range =
            |number: &u32| self.numbers.is_some_and(|(least, greatest)| (least..=greatest).contains(number));
        let number = |text: &str| text.parse().ok().filter(is_in_range);
        let with_addition = || {
            let (text, given) = text.split_once(':')?;
            let (_, addition) = self.addition.filter(|(word, _)| *word == given)?;
            Some(number(text)? + addition)
        };
        word.or_else(|| number(text)).or_else(with_addition)
    }

    /// What may be given, for people.
    pub fn values(&self) -> String {
        let words = self.words.iter().map(|(word, _)| (*word).to_owned());
        let numbers = self.numbers.map(|(least, greatest)| format!("{least}..{greatest}"));
        let addition =
            numbers.as_ref().zip(self.addition).map(|(numbers, (word, _))| format!("{numbers}:{word}"));
        words.chain(numbers.clone()).chain(addition).collect::<Vec<String>>().join("|")
    }
}

/// An index as somebody asks for it: its kind, and its parameter where it takes one. Written `KIND` or `KIND:PARAMETER`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IndexSpec {
    /// The kind.
    pub kind: IndexKind,
    /// The parameter; 0 where it takes none.
    pub parameter: u32,
}

impl From<IndexKind> for IndexSpec {
    /// With the parameter that holds if none is given.
    #[inline]
    fn from(kind: IndexKind) -> IndexSpec {
        IndexSpec { kind, parameter: kind.parameter().map_or(0, |parameter| parameter.default) }
    }
}

impl From<IndexSpec> for SectionKey {
    #[inline]
    fn from(spec: IndexSpec) -> SectionKey {
        SectionKey { kind: spec.kind, parameter: spec.parameter, view: 0 }
    }
}

impl IndexSpec {
    /// What the parameter of a case base whose records come in fragments, too, is more than their number.
    pub const FRAGMENTS: u32 = 1 << 31;

    /// This kind with this parameter.
    pub const fn new(kind: IndexKind, parameter: u32) -> IndexSpec {
        IndexSpec { kind, parameter }
    }

    /// The index that a text names.
    pub fn from_text(text: &str) -> Result<IndexSpec, IndexNameError> {
        let (name, given) = text.split_once(':').map_or((text, None), |(name, given)| (name, Some(given)));
        let kind = IndexKind::from_name(name).ok_or_else(|| IndexNameError::Unknown {
            name: name.to_owned(),
            known: IndexKind::ALL.map(IndexKind::name).join(", "),
        })?;
        let Some(given) = given else { return Ok(kind.into()) };
        let bad = |expected| IndexNameError::BadParameter { name: kind, given: given.to_owned(), expected };
        let parameter = kind.parameter().ok_or_else(|| bad("none".to_owned()))?;
        let number = parameter.read(given).ok_or_else(|| bad(parameter.values()))?;
        Ok(IndexSpec::new(kind, number))
    }

    /// As [`IndexSpec::from_text`] reads it, the parameter not left out where it is the default.
    pub fn in_full(self) -> String {
        let Some(parameter) = self.kind.parameter() else { return self.kind.to_string() };
        if let Some((word, _)) = parameter.words.iter().find(|(_, number)| *number == self.parameter) {
            return format!("{}:{word}", self.kind);
        }
        match parameter.addition.filter(|(_, addition)| self.parameter > *addition) {
            Some((word, addition)) => format!("{}:{}:{word}", self.kind, self.parameter - addition),
            None => format!("{}:{}", self.kind, self.parameter),
        }
    }

    /// The indexes that it is read together with, and itself, last.
    pub fn with_pulled_in(self) -> impl Iterator<Item = IndexSpec> {
        self.kind.pulls_in().iter().map(|kind| IndexSpec::from(*kind)).chain([self])
    }
}

impl fmt::Display for IndexSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind.parameter() {
            Some(parameter) if self.parameter != parameter.default => out.write_str(&self.in_full()),
            _ => write!(out, "{}", self.kind),
        }
    }
}

/// What is wrong with the name of an index.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum IndexNameError {
    /// No index has this name.
    #[error("there is no index `{name}`; there are {known}")]
    Unknown {
        /// The name given.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// What follows the name means nothing.
    #[error("`{given}` is no parameter of the index `{name}`: expected {expected}")]
    BadParameter {
        /// The index.
        name: IndexKind,
        /// What was given.
        given: String,
        /// What may be.
        expected: String,
    },
}

impl fmt::Display for IndexKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
