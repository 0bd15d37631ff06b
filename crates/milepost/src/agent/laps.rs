//! Notices that a walk which depends on nothing but where it is goes in a circle: it remembers one state, and a later one
//! each time it has made twice as many moves. Whoever comes back to it will come back for ever.
//!
//! # Paper
//! R. P. Brent: An improved Monte Carlo factorization algorithm, BIT 1980, section 2.
//!
//! # Guarantees
//! A circle of n states that is entered after m moves is noticed before 3 (m + n) moves are made. Constant work.

use super::{Restoring, SavedAgentError, Saving};
use crate::core::StateId;

/// Where a walk was, and when to look elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Laps {
    mark: u64,
    moves: u64,
    /// With this many moves the mark is set anew.
    until: u64,
}

impl Laps {
    /// Of a walk that begins here.
    pub(super) fn from(start: StateId) -> Laps {
        Laps::from_number(start.number().into())
    }

    /// Of a walk whose next step depends on this number alone.
    pub(super) fn from_number(start: u64) -> Laps {
        Laps { mark: start, moves: 0, until: 1 }
    }

    /// Takes note of a move. Says whether the walk has come back to where it was.
    #[inline]
    pub(super) fn come_round(&mut self, to: StateId) -> bool {
        self.come_round_to(to.number().into())
    }

    /// As [`Laps::come_round`] for numbers.
    #[inline]
    pub(super) fn come_round_to(&mut self, to: u64) -> bool {
        if to == self.mark {
            return true;
        }
        self.moves += 1;
        if self.moves == self.until {
            *self = Laps { mark: to, moves: 0, until: self.until.saturating_mul(2) };
        }
        false
    }

    pub(super) fn save(&self, saving: &mut Saving) {
        saving.u64(self.mark);
        saving.u64(self.moves);
        saving.u64(self.until);
    }

    pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<Laps, SavedAgentError> {
        let (mark, moves, until) = (saved.u64()?, saved.u64()?, saved.u64()?);
        // Else the mark would never be set anew.
        if moves >= until {
            return Err(SavedAgentError::Damaged);
        }
        Ok(Laps { mark, moves, until })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_circle_is_noticed_in_time_and_no_straight_walk_is_one() {
        for tail in 0..40_u32 {
            for circle in 1..40_u32 {
                let mut laps = Laps::from(StateId::new(0));
                let at = |step: u32| if step < tail { step } else { tail + (step - tail) % circle };
                let noticed = (1..).find(|&step| laps.come_round(StateId::new(at(step))));
                assert!(
                    noticed.is_some_and(|step| step >= circle && step <= 3 * (tail + circle)),
                    "{tail} {circle}"
                );
            }
        }
        let mut laps = Laps::from(StateId::new(0));
        assert!((1..100_000).all(|step| !laps.come_round(StateId::new(step))));
    }
}
