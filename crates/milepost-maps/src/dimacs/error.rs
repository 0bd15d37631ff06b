//! What can be wrong with a file of the DIMACS formats.

use crate::error::debug_as_sentence;
use thiserror::Error;

use crate::error::{Excerpt, Place};

/// Which of the three formats a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DimacsKind {
    /// `.gr`: arcs.
    Graph,
    /// `.co`: coordinates.
    Coordinates,
    /// `.p2p`: problems.
    Pairs,
}

impl DimacsKind {
    /// The line that says what the file holds.
    pub fn problem_line(self) -> &'static str {
        match self {
            DimacsKind::Graph => "p sp NODES ARCS",
            DimacsKind::Coordinates => "p aux sp co NODES",
            DimacsKind::Pairs => "p aux sp p2p PAIRS",
        }
    }

    /// The line of which there are many.
    pub fn record_line(self) -> &'static str {
        match self {
            DimacsKind::Graph => "a FROM TO COST",
            DimacsKind::Coordinates => "v ID X Y",
            DimacsKind::Pairs => "q FROM TO",
        }
    }

    /// What such lines are called.
    pub(super) fn records(self) -> &'static str {
        match self {
            DimacsKind::Graph => "arcs",
            DimacsKind::Coordinates => "coordinates",
            DimacsKind::Pairs => "pairs",
        }
    }

    /// The letter such lines begin with.
    pub(super) fn letter(self) -> u8 {
        self.record_line().as_bytes()[0]
    }

    /// How many numbers follow that letter.
    pub(super) fn numbers(self) -> usize {
        if self == DimacsKind::Pairs { 2 } else { 3 }
    }

    /// The fewest bytes such a line has, with the end of the line: one digit a number.
    pub(super) fn least_bytes(self) -> u64 {
        2 * self.numbers() as u64 + 2
    }
}

/// Why bytes are not a file of one of the DIMACS formats.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DimacsError {
    /// There is nothing in the file, or nothing but comments.
    #[error(
        "the file is empty: expected the line `{}`, found {bytes} bytes of nothing but blanks and comments; \
             get the file again", kind.problem_line()
    )]
    Empty {
        /// What the file should be.
        kind: DimacsKind,
        /// How many bytes there are.
        bytes: u64,
    },
    /// A line begins with something else than its letter.
    #[error(
        "{place}: expected a line `c ...`, `{}` or `{}`, found {found}; correct the line or remove it",
        kind.problem_line(), kind.record_line()
    )]
    Letter {
        /// Where the line begins.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// The line.
        found: Excerpt,
    },
    /// The line that says what the file holds is another one.
    #[error(
        "{place}: expected `{}`, found {found}; correct the line, or take another file: .gr has `p sp`, .co \
             `p aux sp co` and .p2p `p aux sp p2p`", kind.problem_line()
    )]
    Problem {
        /// Where the line begins.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// The line.
        found: Excerpt,
    },
    /// A record stands before the line that says how many there are.
    #[error("{place}: expected `{}` before the first line `{}`, found {found}; move that line to the top",
            kind.problem_line(), kind.record_line())]
    Early {
        /// Where the line begins.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// The line.
        found: Excerpt,
    },
    /// The line that says what the file holds stands there twice.
    #[error("{place}: expected one line `{}`, found another (first in line {first}); remove one of the two",
            kind.problem_line())]
    SecondProblem {
        /// Where it stands the second time.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// The line where it stood first.
        first: u32,
    },
    /// The bytes cannot hold as many lines as promised.
    #[error(
        "{place}: expected at least {needed} bytes for the promised {promised} {}, found {left} bytes; the \
             file was cut off, get it again, or correct the number", kind.records()
    )]
    Bytes {
        /// Where the promised lines would begin.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// How many were promised.
        promised: u32,
        /// How many bytes they take at least.
        needed: u64,
        /// How many bytes are left.
        left: u64,
    },
    /// The file ends too early.
    #[error(
        "{place}: expected {promised} {}, as the line `p` promises, found {count} and the end of the file; \
             the file was cut off, get it again, or correct the number", kind.records()
    )]
    TooFew {
        /// Where the file ends.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// How many were promised.
        promised: u32,
        /// How many there are.
        count: u32,
    },
    /// There are more lines than promised.
    #[error(
        "{place}: expected {promised} {}, as the line `p` promises, found another one, {found}; correct the \
             number, or remove the rest", kind.records()
    )]
    TooMany {
        /// Where the first one too many stands.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// How many were promised.
        promised: u32,
        /// The line.
        found: Excerpt,
    },
    /// A line has too few or too many words.
    #[error("{place}: expected `{}`, found {found}; correct the line", kind.record_line())]
    Words {
        /// Where the line begins.
        place: Place,
        /// What the file should be.
        kind: DimacsKind,
        /// The line.
        found: Excerpt,
    },
    /// A word is not the number it should be.
    #[error("{place}: expected {expected} as {name}, found {found}; correct the line")]
    Number {
        /// Where the word begins.
        place: Place,
        /// What the word is called.
        name: &'static str,
        /// What could stand there.
        expected: &'static str,
        /// What stands there.
        found: Excerpt,
    },
    /// A node that does not exist.
    #[error(
        "{place}: expected a node from 1 to {nodes} as {name}, found {found}; correct the line or the \
             number of nodes"
    )]
    Node {
        /// Where the word begins.
        place: Place,
        /// What the word is called.
        name: &'static str,
        /// How many nodes there are.
        nodes: u32,
        /// What stands there.
        found: Excerpt,
    },
    /// A node has two coordinates.
    #[error("{place}: expected every node once, found node {id} again; remove one of the two lines")]
    Twice {
        /// Where it stands the second time.
        place: Place,
        /// The node.
        id: u32,
    },
    /// The coordinates are those of another graph.
    #[error(
        "{place}: expected {nodes} nodes as in the graph, found {found}; take the .co file that \
             belongs to the graph"
    )]
    OtherGraph {
        /// Where the number stands.
        place: Place,
        /// How many nodes the graph has.
        nodes: u32,
        /// How many the file has.
        found: u32,
    },
}

debug_as_sentence!(DimacsError);
