//! The scout as bytes.

use super::in_tree::Chains;
use super::pointers::{Pointers, restore_table, save_table};
use super::printed::Colours;
use super::{Frit, FritScout, IN_TREE, LOOKAHEAD, Order, Phase};
use crate::agent::errand::Errand;
use crate::agent::laps::Laps;
use crate::agent::{Restoring, SavedAgentError, Saving};

impl FritScout {
    pub(super) fn write(&self, saving: &mut Saving) {
        saving.u32(self.kind.lookahead);
        saving.u32(self.kind.in_tree);
        let flags = [
            self.kind.walls,
            self.kind.towards_goal,
            self.kind.order == Order::CounterClockwise,
            self.kind.avoids,
            self.kind.as_printed,
        ];
        saving.u32(flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag)));
        self.errand.save(saving);
        self.pointers.save(saving);
        self.chains.save(saving);
        self.colours.save(saving);
        save_table(&self.learned, saving, Saving::u64);
        match self.phase {
            Phase::Following(laps) => {
                saving.u32(0);
                laps.save(saving);
            }
            Phase::Reconnecting { along_walls } => saving.u32(1 + u32::from(along_walls)),
        }
        saving.states(&self.plan);
        saving.u64(self.searches);
        saving.u32(self.is_kept.into());
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<FritScout, SavedAgentError> {
        let (lookahead, in_tree, flags) = (saved.u32()?, saved.u32()?, saved.u32()?);
        if !LOOKAHEAD.contains(&lookahead) || !IN_TREE.contains(&in_tree) || flags >> 5 != 0 {
            return Err(SavedAgentError::Damaged);
        }
        let flag = |bit: u32| flags >> bit & 1 == 1;
        let order = if flag(2) { Order::CounterClockwise } else { Order::Clockwise };
        let kind = Frit {
            lookahead,
            in_tree,
            walls: flag(0),
            towards_goal: flag(1),
            order,
            avoids: flag(3),
            as_printed: flag(4),
        };
        let errand = Errand::restore(saved)?;
        let pointers = Pointers::restore(saved)?;
        let (chains, colours) = (Chains::restore(saved)?, Colours::restore(saved)?);
        let learned = restore_table(saved, Restoring::u64)?;
        let phase = match saved.u32()? {
            0 => Phase::Following(Laps::restore(saved)?),
            code @ 1..=2 => Phase::Reconnecting { along_walls: code == 2 },
            _ => return Err(SavedAgentError::Damaged),
        };
        let (plan, searches, is_kept) = (saved.states()?, saved.u64()?, saved.u32()?);
        if is_kept > 1 {
            return Err(SavedAgentError::Damaged);
        }
        Ok(FritScout {
            kind,
            errand,
            pointers,
            chains,
            colours,
            learned,
            phase,
            plan,
            searches,
            is_kept: is_kept == 1,
        })
    }
}
