//! Whether a state's pointers lead to the goal: the paper's function INTREE, a few steps at a time.
//!
//! Chains of pointers run into each other, so what was found out about one is shared by all: every state that a walk came
//! through knows a state farther along its chain, and shortens the way when it is asked again. So each step counts, from
//! any state and in any round.
//!
//! # Paper
//! Algorithms 2 and 5 of the paper (`mod.rs`), whose colours and super-parents this stands for; chains that are joined and
//! shortened are those of R. E. Tarjan: Efficiency of a good but not linear set union algorithm, JACM 1975.
//!
//! # Guarantees
//! Both answers are true for the pointers as they are, until the chains are [forgotten](Chains::forget): a chain that ends
//! at the goal leads there, one that ends where no pointer leads on, or that runs into itself, does not. Each hop of an
//! answer and each pointer followed takes one of the hops allowed. Asked again and again, with at least two hops each time,
//! every state gets its answer: a state whose hops run out is nearer to the end of its chain afterwards.

use super::pointers::Tree;
use crate::agent::base::lookahead::Answer;
use crate::core::{RadixMap, StateId};
use crate::space::PriorMap;
use serde::{Deserialize, Serialize};

/// What stands for a chain's end in place of a state.
const AT_GOAL: u32 = u32::MAX - 1;
const LOST: u32 = u32::MAX - 2;

/// What was found out since it was forgotten last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chains {
    /// A state farther along, or what the end is; a state that points to itself was the last one that a walk came to.
    links: RadixMap<u32>,
}

/// Where following links ended.
enum End {
    Known(Answer),
    /// A state whose pointer was not followed yet.
    Open(StateId),
}

impl Chains {
    /// Whether all links that were restored lead to states.
    pub(super) fn is_sound(&self, is_state: impl Fn(StateId) -> bool) -> bool {
        let is_link = |link: u32| matches!(link, AT_GOAL | LOST) || is_state(StateId::new(link));
        self.links.sorted().into_iter().all(|(_, link)| is_link(link))
    }

    /// INTREE(s), with at most so many hops.
    pub(crate) fn ask(&mut self, tree: &Tree<'_>, s: StateId, hops: &mut u64) -> Answer {
        let answer = self.walk(tree, s, hops);
        match answer {
            Answer::Yes => self.link(tree, s, AT_GOAL),
            Answer::No => self.link(tree, s, LOST),
            Answer::Unknown => {}
        }
        answer
    }

    fn walk(&mut self, tree: &Tree<'_>, s: StateId, hops: &mut u64) -> Answer {
        let mut end = match self.end(tree, s, hops) {
            End::Known(answer) => return answer,
            End::Open(end) => end,
        };
        loop {
            if *hops == 0 {
                // The last state was met too; and the next one to ask from here goes on where this one stopped.
                self.link(tree, end, end.number());
                if end != s {
                    self.link(tree, s, end.number());
                }
                return Answer::Unknown;
            }
            *hops -= 1;
            let Some(next) = tree.parent(end) else {
                self.link(tree, end, LOST);
                return Answer::No;
            };
            match self.end(tree, next, hops) {
                End::Known(Answer::Yes) => {
                    self.link(tree, end, AT_GOAL);
                    return Answer::Yes;
                }
                End::Known(Answer::No) => {
                    self.link(tree, end, LOST);
                    return Answer::No;
                }
                // The hops are gone, and the pointer was not followed.
                End::Known(Answer::Unknown) => {
                    self.link(tree, end, end.number());
                    return Answer::Unknown;
                }
                // The chain runs into itself.
                End::Open(other) if other == end => {
                    self.link(tree, end, LOST);
                    return Answer::No;
                }
                End::Open(other) => {
                    self.link(tree, end, other.number());
                    end = other;
                }
            }
        }
    }

    /// Follows links from a state, and makes every state on the way skip the next.
    fn end(&mut self, tree: &Tree<'_>, s: StateId, hops: &mut u64) -> End {
        let mut at = s;
        let mut here = self.linked(tree, s);
        loop {
            if at == tree.goal {
                return End::Known(Answer::Yes);
            }
            match here {
                None => return End::Open(at),
                Some(AT_GOAL) => return End::Known(Answer::Yes),
                Some(LOST) => return End::Known(Answer::No),
                Some(link) if link == at.number() => return End::Open(at),
                Some(link) => {
                    if *hops == 0 {
                        return End::Known(Answer::Unknown);
                    }
                    *hops -= 1;
                    let next = StateId::new(link);
                    here = self.linked(tree, next);
                    match here {
                        Some(beyond) if beyond != link => self.link(tree, at, beyond),
                        _ => {}
                    }
                    at = next;
                }
            }
        }
    }

    #[inline]
    fn linked(&self, tree: &Tree<'_>, s: StateId) -> Option<u32> {
        self.links.get(tree.prior.key(s))
    }

    #[inline]
    fn link(&mut self, tree: &Tree<'_>, s: StateId, to: u32) {
        self.links.insert(tree.prior.key(s), to);
    }

    /// Whether a state was found not to be in the tree.
    pub(crate) fn is_lost(&self, prior: &PriorMap<'_>, s: StateId) -> bool {
        self.links.get(prior.key(s)) == Some(LOST)
    }

    /// Whether a chain was followed to this state.
    pub(crate) fn has_met(&self, prior: &PriorMap<'_>, s: StateId) -> bool {
        self.links.len() > 0 && self.links.get(prior.key(s)).is_some()
    }

    /// Nothing was found out; pointers or what is believed have changed. O(1).
    pub(crate) fn forget(&mut self) {
        self.links.forget();
    }

    pub(crate) fn len(&self) -> u64 {
        self.links.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.links.bytes()
    }

    /// What so many hops allocate at most: each writes a link, and shortens another.
    pub(crate) fn page_bytes(&self, hops: usize) -> usize {
        self.links.page_bytes(2 * hops + 2)
    }
}
