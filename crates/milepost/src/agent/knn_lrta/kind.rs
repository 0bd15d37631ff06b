//! The parameters of the agent, and what follows from them: how much a step takes, and how many may follow each other
//! without a move.

use super::chain;
use crate::agent::learning::{Learning, Terms};
use crate::agent::{AgentKind, Limits, Restoring, SavedAgentError, Saving};
use crate::index::case_base::{MOST_FRAGMENTS, MOST_LEGS, MOST_NEIGHBOURS, MOST_REGIONS};
use crate::index::{IndexKind, IndexSpec};
use crate::space::Space;

/// Agents that look solutions of similar problems up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnnLrta {
    /// Records of random problems in the case base; 0 if it has regions alone.
    pub cases: u32,
    /// Steps after which a climb counts as failed.
    pub climb: u32,
    /// Records that are tried; `u32::MAX` for all.
    pub select: u32,
    /// How many times the estimated cost to the goal it learns before it looks for a record again; `None`: for ever.
    pub quota: Option<u32>,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choose {
    /// The one that promises the cheapest walk.
    Cheapest,
    /// The most similar one, as printed.
    First,
}

/// What happens when no record fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallback {
    /// It follows a chain of regions.
    Chain,
    /// LRTA* towards the goal, as printed.
    Lrta,
}

impl Default for KnnLrta {
    fn default() -> KnnLrta {
        KnnLrta {
            cases: 1000,
            climb: 250,
            select: 10,
            quota: Some(3),
            goal_first: true,
            subgoal_first: true,
            last_leg: true,
            kdtree: true,
            fallback: Fallback::Chain,
            choose: Choose::Cheapest,
            fragments: false,
        }
    }
}

/// Units that a step spends on climbs, trees and chains where no state has more than eight successors.
const WORK: u64 = 2498;

impl KnnLrta {
    /// The case base that it reads.
    pub(super) fn index(&self) -> IndexSpec {
        let fragments = if self.fragments { IndexSpec::FRAGMENTS } else { 0 };
        IndexSpec::new(IndexKind::CASE_BASE, self.cases | fragments)
    }

    /// Records that the case base has at most.
    fn most_records(&self) -> u64 {
        u64::from(self.cases) * if self.fragments { u64::from(MOST_FRAGMENTS) } else { 1 }
    }

    /// How it learns where it must.
    pub(super) fn learning(&self) -> Learning {
        match self.fallback {
            Fallback::Chain => Learning::LssLrta { expansions: 64 },
            Fallback::Lrta => Learning::Lrta { g_max: 1000 },
        }
    }

    pub(super) fn limits_on(&self, terms: Terms) -> Limits {
        let others = terms.limits(self.learning());
        let widest = terms.widest;
        Limits {
            min_units: others.min_units.max(8 + 3 * widest + MOST_NEIGHBOURS as u64),
            max_units: others.max_units.max(1 + WORK + widest),
            max_thinking: others.max_thinking + self.most_thinking(widest),
        }
    }

    /// Steps without a move in a row: what a selection and a chain take at most, in steps that are used up.
    fn most_thinking(&self, widest: u64) -> u64 {
        let climbs = |count: u64, steps: u32| count * (u64::from(steps) * widest + 2);
        // Every record is looked at or passed over, at worst, and so is each subtree.
        let look = |records: u64| 2 * records + 1;
        let (cases, page) = (self.most_records(), self.page() as u64);
        let tried = u64::from(self.select).min(cases);
        let selection = tried.div_ceil(page).max(1) * look(cases) + climbs(2 * tried + 2, self.climb);
        let chain = match self.fallback {
            Fallback::Chain => chain::most_units(MOST_REGIONS as u64, MOST_LEGS as u64, widest),
            Fallback::Lrta => 0,
        };
        // What is left at the end of a step is less than an expansion takes.
        (selection + chain).div_ceil(WORK - MOST_NEIGHBOURS as u64) + 4
    }

    /// Records that are looked up at once.
    pub(super) fn page(&self) -> usize {
        self.select.clamp(1, 100) as usize
    }
}

impl AgentKind for KnnLrta {
    fn limits(&self) -> Limits {
        self.limits_on(Terms::PLAIN)
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(self.index())
    }
}

impl KnnLrta {
    pub(super) fn save(&self, saving: &mut Saving) {
        let KnnLrta { cases, climb, select, quota, .. } = *self;
        for number in [cases, climb, select, quota.unwrap_or(u32::MAX)] {
            saving.u32(number);
        }
        let switches = [
            self.goal_first,
            self.subgoal_first,
            self.last_leg,
            self.kdtree,
            self.fallback == Fallback::Chain,
            self.choose == Choose::Cheapest,
            self.fragments,
        ];
        saving.u32((0..).zip(switches).map(|(bit, is_on)| u32::from(is_on) << bit).sum());
    }

    pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<KnnLrta, SavedAgentError> {
        let (cases, climb, select, quota) = (saved.u32()?, saved.u32()?, saved.u32()?, saved.u32()?);
        let switches = saved.u32()?;
        let is_on = |bit: u32| switches >> bit & 1 == 1;
        let kind = KnnLrta {
            cases,
            climb,
            select,
            quota: Some(quota).filter(|quota| *quota != u32::MAX),
            goal_first: is_on(0),
            subgoal_first: is_on(1),
            last_leg: is_on(2),
            kdtree: is_on(3),
            fallback: if is_on(4) { Fallback::Chain } else { Fallback::Lrta },
            choose: if is_on(5) { Choose::Cheapest } else { Choose::First },
            fragments: is_on(6),
        };
        // A case base without records has no fragments of them.
        let is_index = cases <= 1_000_000 && (cases > 0 || !kind.fragments);
        if switches < 128 && MOST_STEPS >= climb && select > 0 && is_index {
            Ok(kind)
        } else {
            Err(SavedAgentError::Damaged)
        }
    }
}

/// The longest climb that may be asked for.
const MOST_STEPS: u32 = 1_000_000;
