//! Algorithm 5 to the letter, to show how it fails.

use super::pointers::Tree;
use crate::agent::base::lookahead::Answer;
use crate::core::{RadixMap, StateId};
use serde::{Deserialize, Serialize};

/// What the states know since the last reconnection began: `c` is one more for each, so that older colours count as none.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Colours {
    painted: RadixMap<u32>,
    /// `sp`, where it is not the state itself.
    super_parents: RadixMap<u32>,
}

impl Colours {
    /// INTREE[c](s), with at most so many turns of its loop: `false` if there is no more time.
    pub(super) fn ask(&mut self, tree: &Tree<'_>, s: StateId, hops: &mut u64) -> Answer {
        let key = |state: StateId| tree.prior.key(state);
        // l. 1-5.
        let parent = self.super_parents.get(key(s)).map_or(s, StateId::new);
        let Some(mut other) = parent.known() else { return Answer::No };
        // l. 6.
        while other != tree.goal {
            if *hops == 0 {
                return Answer::No;
            }
            *hops -= 1;
            // l. 7.
            self.painted.insert(key(other), 0);
            // l. 8-9.
            let Some(parent) = tree.parent(other).filter(|parent| self.painted.get(key(*parent)).is_none())
            else {
                return Answer::No;
            };
            // l. 10-11, off by one as printed; beyond the goal there is nothing to lose.
            other = parent;
            let beyond = if other == tree.goal { Some(other) } else { tree.parent(other) };
            self.super_parents.insert(key(s), beyond.unwrap_or(StateId::NONE).number());
        }
        // l. 12.
        Answer::Yes
    }

    /// c <- c + 1, and sp(s) = s for every s. O(1).
    pub(super) fn forget(&mut self) {
        self.painted.forget();
        self.super_parents.forget();
    }

    pub(super) fn bytes(&self) -> usize {
        self.painted.bytes() + self.super_parents.bytes()
    }

    pub(super) fn page_bytes(&self, hops: usize) -> usize {
        self.painted.page_bytes(hops) + self.super_parents.page_bytes(hops)
    }

    pub(super) fn len(&self) -> u64 {
        self.painted.len()
    }
}
