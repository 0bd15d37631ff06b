//! Finds a record that fits: `selectSubgoals` (figure 8), with enhancements 1, 2, 4 and 5.
//!
//! # Guarantees
//! Goes on where the budget ended. At most 2 M + 2 climbs.
//!
//! # Deviations
//! 1. All M records are tried, and the cheapest of those that fit is taken: similar records may lead round an obstacle on
//!    either side. What the walk along a record costs is known; to its start and from its end it is estimated.

use super::{Cases, Choose, KnnLrta, Trial};
use crate::agent::base::Situation;
use crate::core::StateId;
use crate::index::case_base::nearest::{Nearest, Problem};

/// What a selection comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// The goal itself can be climbed to.
    Goal,
    /// A record fits; `skip`: its start can be left out.
    Record { number: u32, skip: bool },
    /// None does.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Goal,
    Ask,
    Start,
    End,
    FirstSubgoal,
}

/// A selection that is being made.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    stage: Stage,
    /// The records most similar to the problem, of those that have not been tried.
    nearest: Nearest,
    /// Which of them is tried.
    place: usize,
    /// How many others were tried before.
    tried: u32,
    /// The best record that fits, so far: what the whole walk costs, and its number.
    chosen: Option<(u64, u32)>,
}

impl Selection {
    /// `None` when there is nothing left to work with.
    pub(super) fn advance(
        &mut self,
        kind: &KnnLrta,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
        trial: &mut Option<Trial>,
    ) -> Option<Found> {
        let (s, t, page) = (here.at, here.goal, kind.page());
        loop {
            let (_, number) = self.nearest.best.get(self.place).copied().unwrap_or_default();
            match self.stage {
                // The first enhancement.
                Stage::Goal => {
                    if kind.goal_first && cases.climbs(here, trial, s, t, kind.climb)? {
                        return Some(Found::Goal);
                    }
                    self.nearest.begin(cases.base.records(), page, None, kind.kdtree && cases.is_grid());
                    self.stage = Stage::Ask;
                }
                // Line 1, with the fourth and the fifth: the most similar records.
                Stage::Ask => {
                    let problem = Problem::new(cases.space, &cases.climber, s, t);
                    let ends = |record| cases.base.ends(record);
                    if !self.nearest.advance(&problem, ends, page, here.budget) {
                        return None;
                    }
                    (self.place, self.stage) = (0, Stage::Start);
                }
                Stage::Start if self.chosen.is_some() && kind.choose == Choose::First => {
                    self.stage = Stage::FirstSubgoal;
                }
                Stage::Start if self.place == self.nearest.best.len() && self.chosen.is_some() => {
                    self.stage = Stage::FirstSubgoal;
                }
                Stage::Start if self.place == self.nearest.best.len() => {
                    // Line 2: as many as are to be tried. Line 9: none fits.
                    let is_last = self.place < page || self.tried + page as u32 >= kind.select;
                    let Some(&last) = self.nearest.best.last().filter(|_| !is_last) else {
                        return Some(Found::Nothing);
                    };
                    self.tried = self.tried.saturating_add(page as u32);
                    self.nearest.begin(
                        cases.base.records(),
                        page,
                        Some(last),
                        kind.kdtree && cases.is_grid(),
                    );
                    self.stage = Stage::Ask;
                }
                // Lines 3 and 4.
                Stage::Start => {
                    if cases.climbs(here, trial, s, cases.base.ends(number).0, kind.climb)? {
                        self.stage = Stage::End;
                    } else {
                        self.place += 1;
                    }
                }
                Stage::End => {
                    if cases.climbs(here, trial, cases.base.ends(number).1, t, kind.climb)? {
                        let found = (whole_walk(cases, here, number), number);
                        self.chosen = Some(self.chosen.map_or(found, |chosen| chosen.min(found)));
                    }
                    (self.stage, self.place) = (Stage::Start, self.place + 1);
                }
                // Lines 5 and 6, with the second enhancement.
                Stage::FirstSubgoal => {
                    let (_, number) = self.chosen?;
                    let (start, end) = cases.base.ends(number);
                    let first = cases.base.subgoals(number).first().map_or(end, |&state| StateId::new(state));
                    let skip = kind.subgoal_first
                        && s != start
                        && cases.climbs(here, trial, s, first, kind.climb)?;
                    return Some(Found::Record { number, skip });
                }
            }
        }
    }

    /// Memory held beside itself.
    pub(super) fn bytes(&self) -> usize {
        self.nearest.bytes()
    }

    /// What a step allocates at most.
    pub(super) fn page_bytes(kind: &KnnLrta) -> usize {
        Nearest::most_bytes(kind.page())
    }
}

/// What it costs to walk to the start of a record, along it, and from its end to the goal.
fn whole_walk(cases: &Cases<'_>, here: &Situation<'_>, record: u32) -> u64 {
    let (start, end) = cases.base.ends(record);
    let along = u128::from(cases.base.cost(record)) << cases.base.cost_shift();
    let along = u64::try_from(along).unwrap_or(u64::MAX);
    let to_start = cases.climber.estimate(here.at, start).units();
    along.saturating_add(to_start).saturating_add(cases.climber.estimate(end, here.goal).units())
}
