//! Algorithms 2 and 5 to the letter, to show how they fail.

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
    /// Algorithm 2, INTREE[c](s), with at most so many turns of its loop: `false` if there is no more time (section 2.2).
    pub(super) fn ask(&mut self, tree: &Tree<'_>, mut s: StateId, hops: &mut u64) -> Answer {
        // l. 1.
        while s != tree.goal {
            if *hops == 0 {
                return Answer::No;
            }
            *hops -= 1;
            match self.paint(tree, s) {
                Some(parent) => s = parent,
                None => return Answer::No,
            }
        }
        // l. 6.
        Answer::Yes
    }

    /// Algorithm 5: the same, going on from where a walk from this state ended before.
    pub(super) fn ask_on(&mut self, tree: &Tree<'_>, s: StateId, hops: &mut u64) -> Answer {
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
            // l. 7-9.
            let Some(parent) = self.paint(tree, other) else { return Answer::No };
            // l. 10-11, off by one as printed; beyond the goal there is nothing to lose.
            other = parent;
            let beyond = if other == tree.goal { Some(other) } else { tree.parent(other) };
            self.super_parents.insert(key(s), beyond.unwrap_or(StateId::NONE).number());
        }
        // l. 12.
        Answer::Yes
    }

    /// Algorithm 2, lines 2 to 5, and 5, lines 7 to 10: paints s with colour c; p(s), unless it has that colour.
    fn paint(&mut self, tree: &Tree<'_>, s: StateId) -> Option<StateId> {
        let key = |state: StateId| tree.prior.key(state);
        self.painted.insert(key(s), 0);
        tree.parent(s).filter(|parent| self.painted.get(key(*parent)).is_none())
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
