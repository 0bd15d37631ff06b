//! The ideal tree: from every state a pointer to the next one on the way to the goal, as it would be if nothing were
//! blocked, and those pointers that were set since.

use crate::agent::errand::Errand;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::core::{Goal, Sparse, StateId};
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
    set: Sparse<u32>,
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
        let set = self.pointers.get(self.ground, s);
        let parent = set.or_else(|| self.ideal(s))?;
        let is_allowed = match self.ground {
            // The ideal one is next to it.
            Ground::Grid(outline) if set.is_none() && outline.rule().cuts_corners() => {
                outline.contains(s) && self.moves.is_free(parent)
            }
            _ => self.moves.allows(s, parent),
        };
        is_allowed.then_some(parent)
    }

    /// The next state if nothing were blocked. On grids a diagonal step comes first; on graphs the least cost and estimate
    /// decides.
    #[inline]
    fn ideal(&self, s: StateId) -> Option<StateId> {
        match self.ground {
            Ground::Grid(outline) => {
                let ((x, y), (to_x, to_y)) = (outline.cell(s), outline.cell(self.goal));
                let step = |from: u32, to: u32| from + u32::from(to > from) - u32::from(to < from);
                Some(outline.state((step(x, to_x), step(y, to_y))))
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
    fn get(&self, ground: Ground<'_>, s: StateId) -> Option<StateId> {
        if self.set.len() == 0 {
            return None;
        }
        self.set.get(ground.key(s)).map(StateId::new)
    }

    pub(crate) fn set(&mut self, ground: Ground<'_>, s: StateId, parent: StateId) {
        self.set.insert(ground.key(s), parent.number());
    }

    /// The ideal tree, of another goal perhaps. O(1).
    pub(crate) fn forget(&mut self) {
        self.set.forget();
    }

    pub(crate) fn len(&self) -> u64 {
        self.set.len() as u64
    }

    pub(crate) fn bytes(&self) -> usize {
        self.set.bytes()
    }

    /// What a pointer takes at most.
    pub(crate) fn page_bytes(&self) -> usize {
        self.set.page_bytes(1)
    }

    pub(crate) fn save(&self, saving: &mut Saving) {
        save_table(&self.set, saving, Saving::u32);
    }

    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<Pointers, SavedAgentError> {
        Ok(Pointers { set: restore_table(saved, Restoring::u32)? })
    }
}

/// Writes a table in the order of its keys.
pub(super) fn save_table<V: Copy>(table: &Sparse<V>, saving: &mut Saving, save: fn(&mut Saving, V)) {
    saving.u64(table.len() as u64);
    for (key, value) in table.sorted() {
        saving.u64(key);
        save(saving, value);
    }
}

pub(super) fn restore_table<'a, V: Copy>(
    saved: &mut Restoring<'a>,
    restore: fn(&mut Restoring<'a>) -> Result<V, SavedAgentError>,
) -> Result<Sparse<V>, SavedAgentError> {
    let mut table = Sparse::default();
    let mut last = None;
    for _ in 0..saved.u64()? {
        let (key, value) = (saved.u64()?, restore(saved)?);
        // No state has a higher number.
        if key >> 38 != 0 || last.replace(key).is_some_and(|last| last >= key) {
            return Err(SavedAgentError::Damaged);
        }
        table.insert(key, value);
    }
    Ok(table)
}
