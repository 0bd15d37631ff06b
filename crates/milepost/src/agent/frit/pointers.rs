//! The ideal tree: from every state a pointer to the next one on the way to the goal, as it would be if nothing were
//! blocked, and those pointers that were set since.

use crate::agent::errand::Errand;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::core::{Forgetful, Goal, StateId};
use crate::space::{BeliefMoves, Ground};

/// In which order the successors of a state come, from the one in the east on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// With the clock, as in the paper.
    #[default]
    Clockwise,
    /// Against the clock.
    CounterClockwise,
}

impl Order {
    /// The directions, counted clockwise from north.
    #[inline]
    pub(crate) fn directions(self) -> impl Iterator<Item = u32> {
        (0..8_u32).map(move |place| match self {
            Order::Clockwise => (2 + place) & 7,
            Order::CounterClockwise => 2_u32.wrapping_sub(place) & 7,
        })
    }
}

/// `p`: where it differs from the ideal tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    set: Forgetful,
}

/// `p` as it is now.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    pub(crate) ground: Ground<'a>,
    pub(crate) moves: BeliefMoves<'a>,
    pub(crate) goal: StateId,
    pub(crate) order: Order,
    pub(crate) pointers: &'a Pointers,
}

impl<'a> Tree<'a> {
    pub(crate) fn of(
        errand: &'a Errand,
        ground: Ground<'a>,
        order: Order,
        pointers: &'a Pointers,
    ) -> Tree<'a> {
        Tree { ground, moves: errand.moves(ground), goal: errand.goal, order, pointers }
    }

    /// `p(s)`: `None` at the goal, and where the arc was pruned because something is in the way.
    #[inline]
    pub(crate) fn parent(&self, s: StateId) -> Option<StateId> {
        if s == self.goal {
            return None;
        }
        let parent = self.pointers.get(s).or_else(|| self.ideal(s))?;
        self.moves.allows(s, parent).then_some(parent)
    }

    /// The next state if nothing were blocked. On grids a diagonal step comes first; on graphs the least cost and estimate
    /// decides.
    #[inline]
    fn ideal(&self, s: StateId) -> Option<StateId> {
        match self.ground {
            Ground::Grid(outline) => {
                let ((x, y), (to_x, to_y)) = (outline.column_and_row(s), outline.column_and_row(self.goal));
                let step = |from: u32, to: u32| from + u32::from(to > from) - u32::from(to < from);
                Some(outline.cell(step(x, to_x), step(y, to_y)))
            }
            Ground::Graph(graph) => {
                let target = self.ground.target(&self.goal);
                let mut best = None;
                for edge in graph.edges_from(s) {
                    let f = target.estimate(edge.to).units().saturating_add(edge.cost.into());
                    let is_better = match (best, self.order) {
                        (None, _) => true,
                        (Some((least, _)), Order::Clockwise) => f < least,
                        (Some((least, _)), Order::CounterClockwise) => f <= least,
                    };
                    if is_better {
                        best = Some((f, edge.to));
                    }
                }
                best.map(|(_, to)| to)
            }
        }
    }
}

impl Pointers {
    #[inline]
    fn get(&self, s: StateId) -> Option<StateId> {
        self.set.get(s.number()).map(StateId::new)
    }

    pub(crate) fn set(&mut self, s: StateId, parent: StateId) {
        self.set.insert(s.number(), parent.number());
    }

    /// The ideal tree, of another goal perhaps. O(1).
    pub(crate) fn forget(&mut self) {
        self.set.forget();
    }

    pub(crate) fn len(&self) -> u64 {
        self.set.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.set.bytes()
    }

    /// What a pointer takes at most.
    pub(crate) fn page_bytes(&self) -> usize {
        self.set.page_bytes(1)
    }

    pub(crate) fn save(&self, saving: &mut Saving) {
        save_table(&self.set, saving);
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<Pointers, SavedAgentError> {
        Ok(Pointers { set: restore_table(saved)? })
    }
}

/// Writes a table in the order of its keys.
pub(super) fn save_table(table: &Forgetful, saving: &mut Saving) {
    saving.u64(table.len());
    for (key, value) in table.sorted() {
        saving.u32(key);
        saving.u32(value);
    }
}

pub(super) fn restore_table(saved: &mut Restoring<'_>) -> Result<Forgetful, SavedAgentError> {
    let mut table = Forgetful::default();
    let mut last = None;
    for _ in 0..saved.u64()? {
        let (key, value) = (saved.u32()?, saved.u32()?);
        if last.replace(key).is_some_and(|last| last >= key) {
            return Err(SavedAgentError::Damaged);
        }
        table.insert(key, value);
    }
    Ok(table)
}
