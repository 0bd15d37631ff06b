//! What all scouts share: where they stand, where they want to be, and what they have seen.

use super::sensor::observe;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Sensor, Step};
use crate::core::{Budget, StateId};
use crate::space::{Belief, BeliefMoves, GridGeometry, Ground, News, Rule, Seen, SpaceKind};

/// An errand on a map that has to be found out.
#[derive(Clone, Debug)]
pub(super) struct Errand {
    known: Known,
    pub(super) at: StateId,
    pub(super) goal: StateId,
    pub(super) belief: Belief,
    /// What the last look told that was not believed before.
    pub(super) news: Vec<(StateId, News)>,
    /// Since the last look moves may be possible that were not believed to be.
    pub(super) has_opened: bool,
    /// The last look told that something seen before is no longer so.
    pub(super) has_changed: bool,
    /// The last step found no path.
    has_given_up: bool,
    /// No state has more neighbours; at least the eight of a cell.
    pub(super) widest: u32,
}

/// By what a map is known again without knowing its walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Grid(GridGeometry),
    /// The fingerprint of the graph as it is known.
    Graph(u64),
}

impl Known {
    fn of(ground: Ground<'_>) -> Known {
        match ground {
            Ground::Grid(outline) => Known::Grid(outline),
            Ground::Graph(graph) => Known::Graph(graph.hash()),
        }
    }
}

impl Errand {
    pub(super) fn new(ground: Ground<'_>, from: StateId, to: StateId) -> Errand {
        let widest = ground.most_neighbours();
        Errand {
            known: Known::of(ground),
            at: from,
            goal: to,
            belief: Belief::new(),
            news: Vec::new(),
            has_opened: false,
            has_changed: false,
            has_given_up: false,
            widest,
        }
    }

    /// Whether a step may begin with this sensor and this budget.
    #[inline]
    pub(super) fn check(&self, ground: Ground<'_>, limits: Limits, budget: &Budget) -> Result<(), Refused> {
        if Known::of(ground) != self.known {
            return Err(Refused::OtherMap);
        }
        if budget.left() < limits.min_units {
            return Err(Refused::TooFewUnits { min_units: limits.min_units });
        }
        Ok(())
    }

    /// Looks around. Says whether everything seen was taken in, which `most` pieces of news may prevent. See [`observe`].
    /// Who gave up, and is asked to go on, takes nothing for granted any more: something may have opened out of sight.
    pub(super) fn look(&mut self, sensor: &dyn Sensor, most: usize, budget: &mut Budget) -> bool {
        let begins_anew = std::mem::take(&mut self.has_given_up);
        if begins_anew {
            self.belief = Belief::new();
        }
        let seen = observe(sensor, self.at, &mut self.belief, most, budget, &mut self.news);
        let has_opened = self.news.iter().any(|(_, news)| *news == News::Freed);
        self.has_opened = begins_anew || has_opened;
        self.has_changed = begins_anew || seen.has_changed;
        seen.is_all
    }

    /// Looks at the neighbours, and as far as [`Errand::look_units`] allow.
    pub(super) fn look_around(&mut self, sensor: &dyn Sensor, budget: &mut Budget) {
        self.look(sensor, self.widest as usize + 1, budget);
    }

    /// What such a look takes at most: itself, and news of the state where it stands and of all its neighbours.
    pub(super) fn look_units(widest: u32) -> u64 {
        2 + u64::from(widest)
    }

    /// There is no way through anything that was not seen blocked.
    pub(super) fn give_up(&mut self) -> Step {
        self.has_given_up = true;
        Step::NoPath
    }

    /// Whether both ends lie on the map and are believed to be free.
    pub(super) fn is_possible(&self, ground: Ground<'_>) -> bool {
        self.belief.is_free(ground, self.at) && self.belief.is_free(ground, self.goal)
    }

    /// Units that no expansion of a state exceeds.
    pub(super) fn expansion_units(&self) -> u64 {
        if self.widest > 8 { self.widest.into() } else { 1 }
    }

    /// Whether the map is one of cells.
    pub(super) fn is_on_grid(&self) -> bool {
        matches!(self.known, Known::Grid(_))
    }

    /// The moves that are believed to be possible.
    pub(super) fn moves<'a>(&'a self, ground: Ground<'a>) -> BeliefMoves<'a> {
        self.belief.moves(ground)
    }

    /// The grid, if it is one.
    pub(super) fn outline(&self) -> Option<GridGeometry> {
        match self.known {
            Known::Grid(outline) => Some(outline),
            Known::Graph(_) => None,
        }
    }

    /// Memory held, without the errand itself.
    pub(super) fn bytes(&self) -> usize {
        self.belief.bytes() + self.news.capacity() * size_of::<(StateId, News)>()
    }

    /// What no look allocates more of.
    pub(super) fn page_bytes(&self) -> usize {
        self.belief.page_bytes(self.widest as usize + 1) + self.news_bytes()
    }

    /// The list of news is allocated once.
    fn news_bytes(&self) -> usize {
        2 * (self.widest as usize + 1).next_power_of_two() * size_of::<(StateId, News)>()
    }

    pub(super) fn save(&self, saving: &mut Saving) {
        match self.known {
            Known::Graph(hash) => {
                saving.u32(0);
                saving.u64(hash);
            }
            Known::Grid(outline) => {
                let rule = Rule::ALL.iter().position(|rule| *rule == outline.rule());
                // 0 stands for graphs, as in index files.
                saving.u32(rule.map_or(0, |position| position as u32 + 1));
                saving.u32(outline.width());
                saving.u32(outline.height());
            }
        }
        saving.u32(self.at.number());
        saving.u32(self.goal.number());
        saving.u32(self.widest);
        saving.u32(self.has_given_up.into());
        let squares = self.belief.squares();
        saving.u32(squares.len() as u32);
        for (place, square) in squares {
            saving.u32(place);
            saving.u64(square.seen);
            saving.u64(square.blocked);
        }
    }

    pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<Errand, SavedAgentError> {
        let known = match saved.u32()? as usize {
            0 => Known::Graph(saved.u64()?),
            code => {
                let rule = *Rule::ALL.get(code - 1).ok_or(SavedAgentError::Damaged)?;
                let (width, height) = (saved.u32()?, saved.u32()?);
                let outline = GridGeometry::checked(width, height, rule).ok_or(SavedAgentError::Damaged)?;
                Known::Grid(outline)
            }
        };
        let (at, goal) = (StateId::new(saved.u32()?), StateId::new(saved.u32()?));
        let (widest, has_given_up) = (saved.u32()?, saved.u32()?);
        // No node of any graph has more edges, and no bound that is made of it overflows.
        if !(8..=1 << 26).contains(&widest) || has_given_up > 1 {
            return Err(SavedAgentError::Damaged);
        }
        let mut squares = Vec::new();
        let mut before = None;
        for _ in 0..saved.u32()? {
            let place = saved.u32()?;
            // In increasing order, so that the same belief is the same bytes.
            if before.replace(place).is_some_and(|before| before >= place) {
                return Err(SavedAgentError::Damaged);
            }
            squares.push((place, Seen { seen: saved.u64()?, blocked: saved.u64()? }));
        }
        let belief = Belief::from_squares(squares).ok_or(SavedAgentError::Damaged)?;
        Ok(Errand {
            known,
            at,
            goal,
            belief,
            news: Vec::new(),
            has_opened: false,
            has_changed: false,
            has_given_up: has_given_up == 1,
            widest,
        })
    }
}
