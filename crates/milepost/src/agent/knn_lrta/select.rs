//! Finds a record that fits: `selectSubgoals` (figure 8), with enhancements 1, 2, 4 and 5.
//!
//! # Guarantees
//! Goes on where the budget ended. At most 2 M + 2 climbs.
//!
//! # Deviations
//! 1. All M records are tried, and the cheapest of those that fit is taken: similar records may lead round an obstacle on
//!    either side. What the walk along a record costs is known; to its start and from its end it is estimated.

use super::{Choose, KnnLrta, Scene, Trial};
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
    pub(super) fn begin(&mut self) {
        (self.stage, self.place, self.tried, self.chosen) = (Stage::Goal, 0, 0, None);
    }

    /// `None` when there is nothing left to work with.
    pub(super) fn advance(
        &mut self,
        kind: &KnnLrta,
        scene: &mut Scene<'_>,
        trial: &mut Option<Trial>,
    ) -> Option<Found> {
        let (s, t, page) = (scene.s, scene.t, kind.page());
        loop {
            let (_, number) = self.nearest.best.get(self.place).copied().unwrap_or_default();
            match self.stage {
                // The first enhancement.
                Stage::Goal => {
                    if kind.goal_first && scene.climbs(trial, s, t, kind.climb)? {
                        return Some(Found::Goal);
                    }
                    self.nearest.begin(scene.base.records(), page, None, kind.kdtree && is_grid(scene));
                    self.stage = Stage::Ask;
                }
                // Line 1, with the fourth and the fifth: the most similar records.
                Stage::Ask => {
                    let problem = Problem::new(scene.space, &scene.climber, s, t);
                    let ends = |record| scene.base.ends(record);
                    if !self.nearest.advance(&problem, ends, page, &mut scene.work) {
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
                    self.nearest.begin(scene.base.records(), page, Some(last), kind.kdtree && is_grid(scene));
                    self.stage = Stage::Ask;
                }
                // Lines 3 and 4.
                Stage::Start => {
                    if scene.climbs(trial, s, scene.base.ends(number).0, kind.climb)? {
                        self.stage = Stage::End;
                    } else {
                        self.place += 1;
                    }
                }
                Stage::End => {
                    if scene.climbs(trial, scene.base.ends(number).1, t, kind.climb)? {
                        let found = (whole_walk(scene, number), number);
                        self.chosen = Some(self.chosen.map_or(found, |chosen| chosen.min(found)));
                    }
                    (self.stage, self.place) = (Stage::Start, self.place + 1);
                }
                // Lines 5 and 6, with the second enhancement.
                Stage::FirstSubgoal => {
                    let (_, number) = self.chosen?;
                    let (start, end) = scene.base.ends(number);
                    let first = scene.base.subgoals(number).first().map_or(end, |&state| StateId::new(state));
                    let skip =
                        kind.subgoal_first && s != start && scene.climbs(trial, s, first, kind.climb)?;
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
    pub(super) fn page_bytes(&self, kind: &KnnLrta) -> usize {
        Nearest::most_bytes(kind.page())
    }
}

/// What it costs to walk to the start of a record, along it, and from its end to the goal.
fn whole_walk(scene: &Scene<'_>, record: u32) -> u64 {
    let (start, end) = scene.base.ends(record);
    let along = u128::from(scene.base.cost(record)) << scene.base.cost_shift();
    let along = u64::try_from(along).unwrap_or(u64::MAX);
    let to_start = scene.climber.estimate(scene.s, start).units();
    along.saturating_add(to_start).saturating_add(scene.climber.estimate(end, scene.t).units())
}

/// Whether records can be told apart by where they are.
pub(super) fn is_grid(scene: &Scene<'_>) -> bool {
    scene.space.as_grid().is_some()
}
