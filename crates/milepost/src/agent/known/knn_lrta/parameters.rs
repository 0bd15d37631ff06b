//! The parameters of the agent.

use crate::agent::base::{Count, Parameter, Value};
use crate::index::{IndexKind, IndexSpec};
use serde::{Deserialize, Serialize};

/// Agents that look solutions of similar problems up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct KnnLrta {
    /// Records of random problems in the case base; 0 if it has regions alone.
    pub cases: u32,
    /// Steps after which a climb counts as failed.
    pub climb: u32,
    /// `M`, the records that are tried; `u32::MAX` for all.
    pub select: u32,
    /// How many times the estimated cost to the goal it learns before it looks for a record again; `u32::MAX`: for ever.
    pub quota: u32,
    /// The first enhancement.
    pub goal_first: bool,
    /// The second.
    pub subgoal_first: bool,
    /// The third.
    pub last_leg: bool,
    /// The fifth.
    pub kdtree: bool,
    /// What happens when no record fits.
    pub fallback: Fallback,
    /// Which of the records that fit is taken.
    pub choose: Choose,
    /// Parts of records count as records, too.
    pub fragments: bool,
}

/// Which of the records that fit is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Choose {
    /// The one that promises the cheapest walk.
    Cheapest,
    /// The most similar one, as printed.
    First,
}

/// What happens when no record fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Fallback {
    /// It follows a chain of regions.
    Chain,
    /// LRTA* towards the goal, as printed.
    Lrta,
}

/// All records are tried.
const ALL: u32 = u32::MAX;

/// It learns for ever.
const OFF: u32 = u32::MAX;

pub(super) const DEFAULT: KnnLrta = KnnLrta {
    cases: 1000,
    climb: 250,
    select: 10,
    quota: 3,
    goal_first: true,
    subgoal_first: true,
    last_leg: true,
    kdtree: true,
    fallback: Fallback::Chain,
    choose: Choose::Cheapest,
    fragments: false,
};

/// A number of up to a million.
const fn million(letter: &'static str, field: fn(&mut KnnLrta) -> &mut u32) -> Count<KnnLrta> {
    Count { letter, noun: "a number of records", range: (1, 1_000_000), field }
}

pub(super) const PARAMETERS: &[Parameter<KnnLrta>] = &[
    Parameter {
        key: "",
        meaning: "records of random problems in the case base, or none beside its regions",
        value: Value::CountOr(million("N", |knn| &mut knn.cases), "partitions", 0),
    },
    Parameter {
        key: "climb",
        meaning: "steps after which a climb has failed",
        value: Value::Count(million("C", |knn| &mut knn.climb)),
    },
    Parameter {
        key: "select",
        meaning: "most similar records that are tried",
        value: Value::CountOr(million("M", |knn| &mut knn.select), "all", ALL),
    },
    Parameter {
        key: "quota",
        meaning: "times the estimate that it learns before it looks for a record again",
        value: Value::CountOr(million("Q", |knn| &mut knn.quota), "off", OFF),
    },
    Parameter::switch("goal-first", |knn| &mut knn.goal_first, "climbs to the goal where it can"),
    Parameter::switch(
        "subgoal-first",
        |knn| &mut knn.subgoal_first,
        "climbs to the first subgoal of a record, not to its start, where it can",
    ),
    Parameter::switch(
        "last-leg",
        |knn| &mut knn.last_leg,
        "climbs from the last subgoal of a record to the goal where it can",
    ),
    Parameter::switch(
        "kdtree",
        |knn| &mut knn.kdtree,
        "finds similar records by a k-d tree instead of looking at all",
    ),
    Parameter {
        key: "fallback",
        meaning: "what it does when no record fits: goes from region to region, or learns",
        value: Value::Words {
            words: &["chain", "lrta"],
            get: |knn| knn.fallback as usize,
            set: |knn, word| knn.fallback = [Fallback::Chain, Fallback::Lrta][word],
        },
    },
    Parameter {
        key: "choose",
        meaning: "which of the records that fit it takes: the cheapest, or, as printed, the most similar",
        value: Value::Words {
            words: &["cheapest", "first"],
            get: |knn| knn.choose as usize,
            set: |knn, word| knn.choose = [Choose::Cheapest, Choose::First][word],
        },
    },
    Parameter::switch(
        "fragments",
        |knn| &mut knn.fragments,
        "parts of records count as records, too: the index `case-base:N:fragments`",
    ),
];

impl KnnLrta {
    /// The case base that it reads.
    pub(super) fn index(&self) -> IndexSpec {
        let fragments = if self.fragments { IndexSpec::FRAGMENTS } else { 0 };
        IndexSpec::new(IndexKind::CASE_BASE, self.cases | fragments)
    }

    /// The sixth enhancement, if it is on.
    pub(super) fn quota(&self) -> Option<u32> {
        (self.quota != OFF).then_some(self.quota)
    }

    /// Records that are looked up at once.
    pub(super) fn page(&self) -> usize {
        self.select.clamp(1, 100) as usize
    }
}
