//! What all agents share: where they stand, where they want to be, and on which map.

use super::{Limits, Refused, Restoring, SavedAgentError, Saving};
use crate::core::{Budget, StateId, Version};
use crate::index::Atlas;
use crate::space::{Grid, Rule, Space};

/// A journey on one map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Journey {
    /// The version of the map that was seen last.
    version: Version,
    /// How one moves there; graphs have no rule.
    rule: Option<Rule>,
    pub(super) at: StateId,
    pub(super) goal: StateId,
}

/// Whether the ground has changed since the last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    Same,
    Edited,
}

impl Journey {
    pub(super) fn new(atlas: &Atlas, from: StateId, to: StateId) -> Journey {
        let space = atlas.space();
        Journey { version: space.version(), rule: rule(space), at: from, goal: to }
    }

    /// Whether a step may begin on this atlas with this budget.
    #[inline]
    pub(super) fn check(&self, atlas: &Atlas, limits: Limits, budget: &Budget) -> Result<(), Refused> {
        let space = atlas.space();
        if space.version().base != self.version.base || rule(space) != self.rule {
            return Err(Refused::OtherMap);
        }
        if budget.left() < limits.min_units {
            return Err(Refused::TooFewUnits { min_units: limits.min_units });
        }
        Ok(())
    }

    /// Takes note of the version that a step begins on.
    #[inline]
    pub(super) fn begin(&mut self, atlas: &Atlas) -> Ground {
        let version = atlas.space().version();
        if std::mem::replace(&mut self.version, version) == version { Ground::Same } else { Ground::Edited }
    }

    pub(super) fn save(&self, saving: &mut Saving) {
        let rule = self.rule.and_then(|rule| Rule::ALL.iter().position(|other| *other == rule));
        saving.u64(self.version.base);
        saving.u32(self.version.edits);
        // 0 stands for graphs, as in index files.
        saving.u32(rule.map_or(0, |position| position as u32 + 1));
        saving.u32(self.at.number());
        saving.u32(self.goal.number());
    }

    pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<Journey, SavedAgentError> {
        let version = Version { base: saved.u64()?, edits: saved.u32()? };
        let rule = match saved.u32()? as usize {
            0 => None,
            code => Some(*Rule::ALL.get(code - 1).ok_or(SavedAgentError::Damaged)?),
        };
        Ok(Journey { version, rule, at: StateId::new(saved.u32()?), goal: StateId::new(saved.u32()?) })
    }
}

fn rule(space: &Space) -> Option<Rule> {
    space.as_grid().map(Grid::rule)
}
