//! From the corners of a path in the hierarchy to the runs that it is made of, one after another.

use crate::core::Budget;
use crate::index::CornerHierarchy;
use crate::index::corner_hierarchy::Through;
use serde::{Deserialize, Serialize};

/// A free run to a corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    pub(crate) corner: u32,
    /// Whether diagonal steps come first.
    pub(crate) is_diagonal_first: bool,
}

/// What came of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unpacked {
    Leg(Leg),
    /// There are no more.
    End,
    /// The budget is gone.
    Suspended,
    /// An edge is not there: the bytes of the index or of the chain were changed.
    Damaged,
}

/// Edges that are still to be unpacked, as pairs of corners, the next one last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chain {
    pub(crate) edges: Vec<(u32, u32)>,
}

/// What unpacking one edge takes at most: it, and those that are looked at to find it, which are halved each time.
const UNPACKING: u64 = 16;

impl Chain {
    /// What [`Chain::next`] takes at most beyond its budget.
    pub(crate) const OVERRUN: u64 = UNPACKING - 1;

    /// The next run. It is cut before an edge for which there is no unit left; one for which there is, is unpacked. Each middle lies below both ends, so that this ends.
    pub(crate) fn next(&mut self, index: &CornerHierarchy<'_>, budget: &mut Budget) -> Unpacked {
        self.next_if(index, budget, |_, left| left > 0)
    }

    /// The same, cut before an edge that would take more units than are left.
    pub(crate) fn next_within(&mut self, index: &CornerHierarchy<'_>, budget: &mut Budget) -> Unpacked {
        self.next_if(index, budget, |takes, left| left >= takes)
    }

    fn next_if(
        &mut self,
        index: &CornerHierarchy<'_>,
        budget: &mut Budget,
        is_begun: impl Fn(u64, u64) -> bool,
    ) -> Unpacked {
        loop {
            let Some(&(from, to)) = self.edges.last() else { return Unpacked::End };
            let (low, high) = (from.min(to), from.max(to));
            let looks = u64::from(index.edges(low).len() as u32 | 1).ilog2() + 2;
            let takes = u64::from(looks).min(UNPACKING);
            if !is_begun(takes, budget.left()) {
                return Unpacked::Suspended;
            }
            budget.charge(takes);
            let Some(edge) = index.edge_to(low, high) else { return Unpacked::Damaged };
            self.edges.pop();
            let is_up = from == low;
            let is_diagonal_first = match index.through(edge) {
                Through::LowerSees => is_up,
                Through::UpperSees => !is_up,
                Through::Middle(middle) => {
                    self.edges.push((middle, to));
                    self.edges.push((from, middle));
                    continue;
                }
            };
            return Unpacked::Leg(Leg { corner: to, is_diagonal_first });
        }
    }
}
