//! Tells of a way along first moves, as far as it has come: each move is one that was looked up.

use super::MoveWalk;
use crate::core::{EventKind, Watch};

impl MoveWalk {
    /// Tells what was looked up since it was asked last.
    pub(crate) fn tell(&self, watch: &mut Watch) {
        let new = watch.told.moves.max(1)..self.states.len();
        for place in new.clone() {
            let (from, to) = (self.states[place - 1], self.states[place]);
            watch.tell(EventKind::Hop, to.number(), from.number(), 0);
        }
        watch.told.moves = watch.told.moves.max(new.end);
    }
}
