//! The subgoals that an agent walks along: those of a record, or of a chain of regions, and the goal.
//!
//! Only the next few are at hand; the others are fetched from the case base when they come up.
//!
//! # Shortcuts
//! With the third enhancement the end of a record is left out where the goal can be climbed to from the last subgoal. Along
//! a chain of regions the agent looks at each subgoal which of the next ones it can climb to, the farthest first: ways
//! between centres are no straight ones.

use super::{Cases, KnnLrta, Trial};
#[cfg(feature = "observe")]
use crate::agent::base::Held;
use crate::agent::base::{Situation, Terrain};
use crate::core::StateId;
#[cfg(feature = "observe")]
use crate::index::case_base::CaseBase;
use crate::index::case_base::LONGEST_CLIMB;
#[cfg(feature = "observe")]
use crate::index::{Atlas, IndexKind, Section};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Subgoals at hand.
const AT_HAND: usize = 8;

/// What a step allocates at most for the subgoals at hand.
pub(super) const PAGE_BYTES: usize = 2 * AT_HAND * size_of::<StateId>();

/// Where subgoals come from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
enum Source {
    /// Only the goal is left.
    #[default]
    Nothing,
    /// A record, from its state of this place on.
    Record { number: u32, place: u32 },
    /// Legs between regions, the next one last, and which of its states is next. The centre where the first one begins is
    /// place 0 of the first leg.
    Legs { legs: Vec<u32>, first: Option<u32>, place: u32 },
}

/// The way to the goal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Route {
    at_hand: VecDeque<StateId>,
    source: Source,
    /// The goal is at hand.
    is_whole: bool,
    /// Which of those at hand is tried as a shortcut.
    #[serde(skip)]
    place: u32,
}

impl Route {
    /// Tells of the subgoals at hand, and of the record that they come from.
    #[cfg(feature = "observe")]
    pub(super) fn tell(&self, atlas: &Atlas, tell: &mut dyn FnMut(Held)) {
        self.at_hand.iter().for_each(|state| tell(Held::Plan(*state)));
        let is_case_base = |section: &&Section| section.index().kind == IndexKind::CASE_BASE;
        let base = atlas.sections().iter().find(is_case_base).map(CaseBase::new);
        if let (Some(base), Source::Record { number, .. }) = (base, &self.source)
            && (*number as usize) < base.records()
        {
            let (from, to) = base.ends(*number);
            tell(Held::Record { from, to });
        }
    }

    /// To the goal.
    pub(super) fn straight() -> Route {
        Route::default()
    }

    /// Along a record, perhaps without its start.
    pub(super) fn record(number: u32, skip: bool) -> Route {
        Route { source: Source::Record { number, place: skip.into() }, ..Route::default() }
    }

    /// From the centre of a region along these legs, the last one first.
    pub(super) fn chain((first, legs): (u32, Vec<u32>)) -> Route {
        Route { source: Source::Legs { legs, first: Some(first), place: 0 }, ..Route::default() }
    }

    /// The next subgoal.
    pub(super) fn next(&self) -> Option<StateId> {
        self.at_hand.front().copied()
    }

    /// The agent stands at the next subgoal.
    pub(super) fn arrive(&mut self) {
        self.at_hand.pop_front();
        self.place = 0;
    }

    /// Fetches subgoals, and leaves out what need not be walked to. `None` if it is to be gone on with.
    pub(super) fn cut(
        &mut self,
        kind: &KnnLrta,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
        trial: &mut Option<Trial>,
    ) -> Option<()> {
        let (s, t) = (here.at, here.goal);
        while !self.is_whole && self.at_hand.len() < AT_HAND {
            if !here.budget.take() {
                return None;
            }
            self.fetch(cases, t);
        }
        match self.source {
            Source::Nothing if self.place == 0 => {}
            Source::Legs { .. } => return self.cut_chain(cases, here, trial),
            Source::Record { place: 0 | 1, .. } if self.at_hand.len() > 2 => {}
            Source::Record { .. } | Source::Nothing => {
                let is_last = self.is_whole && self.at_hand.len() == 2;
                if kind.last_leg && is_last && cases.climbs(here, trial, s, t, kind.climb)? {
                    self.at_hand.pop_front();
                }
            }
        }
        Some(())
    }

    /// The farthest of those at hand that can be climbed to comes next.
    fn cut_chain(
        &mut self,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
        trial: &mut Option<Trial>,
    ) -> Option<()> {
        let (s, count) = (here.at, self.at_hand.len());
        while (self.place as usize) + 1 < count {
            let at = count - 1 - self.place as usize;
            let Some(&to) = self.at_hand.get(at) else { break };
            if cases.climbs(here, trial, s, to, LONGEST_CLIMB)? {
                self.at_hand.drain(..at);
                break;
            }
            self.place += 1;
        }
        self.place = 0;
        Some(())
    }

    /// Brings the next subgoal to hand.
    fn fetch(&mut self, cases: &Cases<'_>, t: StateId) {
        self.at_hand.reserve(2 * AT_HAND - self.at_hand.len().min(AT_HAND));
        let base = &cases.base;
        let next = match &mut self.source {
            Source::Nothing => None,
            Source::Record { number, place } => {
                let ((start, end), subgoals) = (base.ends(*number), base.subgoals(*number));
                let at = *place as usize;
                *place = place.saturating_add(1);
                match at {
                    0 => Some(start),
                    at if at <= subgoals.len() => Some(StateId::new(subgoals[at - 1])),
                    at if at == subgoals.len() + 1 => Some(end),
                    _ => None,
                }
            }
            Source::Legs { legs, first, place } => match (first.take(), legs.last()) {
                (Some(first), _) => Some(base.centre(first)),
                (None, None) => None,
                (None, Some(&leg)) => {
                    let subgoals = base.leg_subgoals(leg);
                    let at = *place as usize;
                    *place = place.saturating_add(1);
                    if let Some(&subgoal) = subgoals.get(at) {
                        Some(StateId::new(subgoal))
                    } else {
                        legs.pop();
                        *place = 0;
                        Some(base.leg_end(leg))
                    }
                }
            },
        };
        // A record or a leg that is not there ends the route.
        let next = next.and_then(StateId::known);
        self.is_whole = next.is_none();
        self.at_hand.push_back(next.unwrap_or(t));
    }

    /// Whether its next states are some of a map.
    pub(super) fn is_sound(&self, terrain: Terrain<'_>) -> bool {
        self.at_hand.len() <= AT_HAND && self.at_hand.iter().all(|state| terrain.is_state(*state))
    }

    /// Memory held beside itself.
    pub(super) fn bytes(&self) -> usize {
        let legs = if let Source::Legs { legs, .. } = &self.source { legs.capacity() } else { 0 };
        self.at_hand.capacity() * size_of::<StateId>() + legs * size_of::<u32>()
    }
}
