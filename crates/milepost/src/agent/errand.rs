//! What all scouts share: where they stand, where they want to be, and what they have seen.

use super::sensor::observe;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Sensor};
use crate::core::{Budget, StateId};
use crate::space::{Belief, BeliefMoves, Ground, News, Outline, Rule, Seen};

/// An errand on a map that has to be found out.
#[derive(Clone, Debug)]
pub(super) struct Errand {
    known: Known,
    pub(super) at: StateId,
    pub(super) goal: StateId,
    pub(super) belief: Belief,
    /// What the last look told that was not believed before.
    pub(super) news: Vec<(StateId, News)>,
}

/// By what a map is known again without knowing its walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Grid(Outline),
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
        Errand { known: Known::of(ground), at: from, goal: to, belief: Belief::new(), news: Vec::new() }
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
    pub(super) fn look(&mut self, sensor: &dyn Sensor, most: usize, budget: &mut Budget) -> bool {
        observe(sensor, self.at, &mut self.belief, most, budget, &mut self.news)
    }

    /// Whether both ends lie on the map and are believed to be free.
    pub(super) fn is_possible(&self, ground: Ground<'_>) -> bool {
        self.belief.is_free(ground, self.at) && self.belief.is_free(ground, self.goal)
    }

    /// The moves that are believed to be possible.
    pub(super) fn moves<'a>(&'a self, ground: Ground<'a>) -> BeliefMoves<'a> {
        self.belief.moves(ground)
    }

    /// Memory held, without the errand itself.
    pub(super) fn bytes(&self) -> usize {
        self.belief.bytes() + self.news.capacity() * size_of::<(StateId, News)>()
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
                let outline = Outline::checked(width, height, rule).ok_or(SavedAgentError::Damaged)?;
                Known::Grid(outline)
            }
        };
        let (at, goal) = (StateId::new(saved.u32()?), StateId::new(saved.u32()?));
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
        Ok(Errand { known, at, goal, belief, news: Vec::new() })
    }
}
