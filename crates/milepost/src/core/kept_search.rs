//! A best-first search that an agent keeps from step to step: its memory follows what it has touched, page by page, and every
//! unit of its budget is an expansion.
//!
//! It expands the same states in the same order as a [`Search`](super::Search), which is its reference; but a better way to
//! an open state moves its entry to where it belongs, so that no entry is ever stale: what an agent may take from the
//! open list at a step is what it may expand.
//!
//! # Guarantees
//! As those of [`Search`](super::Search). Memory: 16 bytes for each state of a group of sixteen in which one was touched, 28 for
//! each that is open, and the tables that lead to groups. Nothing is moved to a larger place, and starting anew is O(1). What
//! is saved depends on the search alone, not on whether it was restored before.

use super::kept_nodes::{KeptNode, KeptNodes, MOST_TICKETS, NONE, UNTOUCHED};
use super::open::Entry;
use super::paged_list::PagedList;
use super::search::tie_shift;
use super::{Budget, Cost, Expander, Goal, StateId, Status};
use serde::de::Error;
use serde::{Deserialize, Serialize};

/// A search whose memory follows what it has touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptSearch {
    nodes: KeptNodes,
    open: PagedList<Open>,
    /// What is open, the gap among it.
    open_count: usize,
    /// Where in the heap the entry with each ticket stands; of tickets that are not in use the next such one. Entries name
    /// their tickets, so that moving one touches this small list, and not its node.
    places: PagedList<u32>,
    /// Tickets that were ever in use, and the first that is not now.
    tickets: u32,
    free_ticket: u32,
    /// The first place of the heap is empty: what was there was taken out, and nothing has come there yet. Most often a
    /// successor of it does.
    has_gap: bool,
    tie_shift: u32,
    touched: u64,
}

/// An open state, the slot of its node, and its ticket.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    entry: Entry,
    slot: u32,
    ticket: u32,
}

/// The first place of the heap. Four children stand side by side in a page: those of place p begin at 4 (p - 2).
const FIRST: usize = 3;

fn children(place: usize) -> usize {
    4 * (place - 2)
}

impl KeptSearch {
    /// Forgets the last query: no state has been seen, none is open.
    pub(crate) fn forget(&mut self) {
        self.nodes.reset();
        (self.open_count, self.has_gap, self.touched) = (0, false, 0);
        // Ticket 0 is none.
        (self.tickets, self.free_ticket) = (1, NONE);
    }

    /// Starts a query: forgets the last one and opens `start`.
    pub(crate) fn begin(&mut self, expander: &impl Expander, goal: &impl Goal, start: StateId) {
        self.forget();
        self.tie_shift = tie_shift(expander.keys());
        self.reach(start, 0, NONE, goal);
    }

    /// Advances the query.
    pub(crate) fn run<E: Expander, G: Goal>(
        &mut self,
        expander: &E,
        goal: &G,
        budget: &mut Budget,
    ) -> Status {
        while self.open_count > usize::from(self.has_gap) {
            if !budget.take() {
                return Status::Suspended;
            }
            let Some((state, slot)) = self.close_next() else { break };
            let KeptNode { g, parent, .. } = self.nodes.get(slot);
            if goal.is_reached(state) {
                return Status::Reached(state);
            }
            let parent = (parent != NONE).then(|| self.nodes.state(parent));
            // Jumps of an index that was tampered with may add up to anything.
            let extra = expander.expand(state, parent, |child, cost| {
                self.reach(child, g.saturating_add(cost.units()), slot, goal);
            });
            budget.charge(extra);
        }
        Status::Exhausted
    }

    /// Takes the next state from the open list: it and its slot.
    #[inline]
    fn close_next(&mut self) -> Option<(StateId, u32)> {
        let Open { entry, slot, ticket } = self.pop()?;
        *self.places.at(ticket as usize) = std::mem::replace(&mut self.free_ticket, ticket);
        self.nodes.at(slot).close(entry.state());
        Some((entry.state(), slot))
    }

    /// Starts a flood, which its caller expands: forgets the last query and opens `start`.
    pub(crate) fn begin_flood(&mut self, start: StateId) {
        self.forget();
        self.tie_shift = 0;
        self.reach(start, 0, NONE, &Everywhere);
    }

    /// The next state of a flood, in the order of costs and then of numbers, and where the way there comes from.
    pub(crate) fn settle(&mut self) -> Option<(StateId, Option<StateId>)> {
        let (state, slot) = self.close_next()?;
        let parent = self.nodes.get(slot).parent;
        Some((state, (parent != NONE).then(|| self.nodes.state(parent))))
    }

    /// Takes note of a way of a flood over a state that was settled; says whether it is better than those before.
    pub(crate) fn reach_over(&mut self, parent: StateId, state: StateId, g: Cost) -> bool {
        let parent = self.nodes.find(parent).unwrap_or(NONE);
        self.reach(state, g.units(), parent, &Everywhere)
    }

    /// Takes note of a way to a state, if it is better than those before; says whether it is.
    #[inline]
    fn reach(&mut self, state: StateId, g: u64, parent: u32, goal: &impl Goal) -> bool {
        let slot = self.nodes.slot(state);
        let node = self.nodes.at(slot);
        let ticket = node.ticket;
        if ticket != UNTOUCHED && node.g <= g {
            return false;
        }
        (node.g, node.parent) = (g, parent);
        let h = goal.estimate(state);
        let tie = (h.units() >> self.tie_shift).min(u64::from(u32::MAX)) as u32;
        let entry = Entry::new(Cost::new(g).saturating_add(h), tie, state);
        if ticket == UNTOUCHED || ticket >= MOST_TICKETS {
            self.touched += u64::from(ticket == UNTOUCHED);
            self.push(entry, slot);
        } else {
            let place = self.places.get(ticket as usize);
            self.rise(place as usize, Open { entry, slot, ticket });
        }
        true
    }

    /// Cost of the best way found to a state in this query.
    pub(crate) fn cost(&self, state: StateId) -> Option<Cost> {
        self.node(state).map(|node| Cost::new(node.g))
    }

    /// Where the best way found comes from; `None` for the start and for states not seen.
    pub(crate) fn parent(&self, state: StateId) -> Option<StateId> {
        let parent = self.node(state)?.parent;
        (parent != NONE).then(|| self.nodes.state(parent))
    }

    /// Names the states of the best way found to one, backwards, from the one before it on, while `goes_on` says so.
    pub(crate) fn walk_back(&self, from: StateId, mut goes_on: impl FnMut(StateId) -> bool) {
        let Some(mut slot) = self.nodes.find(from) else { return };
        loop {
            slot = self.nodes.get(slot).parent;
            if slot == NONE || !goes_on(self.nodes.state(slot)) {
                return;
            }
        }
    }

    fn node(&self, state: StateId) -> Option<KeptNode> {
        self.nodes.find(state).map(|slot| self.nodes.get(slot)).filter(|node| node.ticket != UNTOUCHED)
    }

    /// The state that would be expanded next, which stays open.
    pub(crate) fn first_open(&mut self) -> Option<StateId> {
        self.close_gap();
        (self.open_count > 0).then(|| self.open.get(FIRST).entry.state())
    }

    /// States touched in this query.
    pub(crate) fn touched(&self) -> u64 {
        self.touched
    }

    /// Those states, in increasing order.
    pub(crate) fn touched_states(&self) -> impl Iterator<Item = StateId> {
        self.nodes.sorted().into_iter().map(|slot| self.nodes.state(slot))
    }

    /// Memory held, without the search itself.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.bytes() + self.places.bytes()
    }

    /// What so many states that are touched, and opened, allocate at most.
    pub(crate) fn page_bytes(&self, states: usize) -> usize {
        self.nodes.page_bytes(states) + self.open.page_bytes(states) + self.places.page_bytes(states)
    }
}

/// What a flood goes to.
struct Everywhere;

impl Goal for Everywhere {
    fn is_reached(&self, _: StateId) -> bool {
        false
    }

    fn estimate(&self, _: StateId) -> Cost {
        Cost::ZERO
    }
}

/// The open list: a heap with four children a place, in the order of all open lists.
impl KeptSearch {
    #[inline]
    fn pop(&mut self) -> Option<Open> {
        self.close_gap();
        self.has_gap = self.open_count > 0;
        self.has_gap.then(|| self.open.get(FIRST))
    }

    #[inline]
    fn push(&mut self, entry: Entry, slot: u32) {
        let ticket = self.ticket();
        self.nodes.at(slot).ticket = ticket;
        let open = Open { entry, slot, ticket };
        if std::mem::take(&mut self.has_gap) {
            return self.sink(FIRST, open);
        }
        let place = FIRST + self.open_count;
        self.open.make_room(place);
        self.open_count += 1;
        self.rise(place, open);
    }

    /// A ticket that is not in use.
    #[inline]
    fn ticket(&mut self) -> u32 {
        let ticket = self.free_ticket;
        if ticket != NONE {
            self.free_ticket = self.places.get(ticket as usize);
            return ticket;
        }
        self.tickets += 1;
        self.places.make_room(self.tickets as usize - 1);
        self.tickets - 1
    }

    /// The last entry comes to the first place, if that is empty.
    #[inline]
    fn close_gap(&mut self) {
        if std::mem::take(&mut self.has_gap) {
            self.open_count -= 1;
            let last = FIRST + self.open_count;
            if last > FIRST {
                self.sink(FIRST, self.open.get(last));
            }
        }
    }

    #[inline]
    fn put(&mut self, place: usize, open: Open) {
        *self.open.at(place) = open;
        *self.places.at(open.ticket as usize) = place as u32;
    }

    /// Puts an entry where it belongs above a place that is free for it.
    #[inline]
    fn rise(&mut self, mut place: usize, open: Open) {
        while place > FIRST {
            let above = place / 4 + 2;
            let other = self.open.get(above);
            // Nothing comes to a first place that is empty but by `push`.
            if other.entry.rank() <= open.entry.rank() || self.has_gap && above == FIRST {
                break;
            }
            self.put(place, other);
            place = above;
        }
        self.put(place, open);
    }

    /// Puts an entry where it belongs below a place that is free for it.
    #[inline]
    fn sink(&mut self, mut place: usize, open: Open) {
        let end = FIRST + self.open_count;
        loop {
            let first = children(place);
            let Some(part) = self.open.part::<4>(first).filter(|_| first < end) else { break };
            let least = if first + 4 <= end {
                let [a, b, c, d] = part.map(|open| open.entry.rank());
                let (left, right) = (usize::from(b < a), 2 + usize::from(d < c));
                if c.min(d) < a.min(b) { right } else { left }
            } else {
                (1..end - first)
                    .fold(0, |best, i| if part[i].entry.rank() < part[best].entry.rank() { i } else { best })
            };
            let child = part[least];
            if open.entry.rank() <= child.entry.rank() {
                break;
            }
            self.put(place, child);
            place = first + least;
        }
        self.put(place, open);
    }
}

/// A kept search as numbers, to be written down.
#[derive(Serialize, Deserialize)]
struct SearchParts {
    /// State, cost, parent and whether it is closed, in the order of the states.
    nodes: Vec<(u32, u64, u32, bool)>,
    /// The entries of those that are not, in the order in which they come out.
    entries: Vec<(u64, u64)>,
    tie_shift: u32,
}

impl Serialize for KeptSearch {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let node = |slot: u32| {
            let node = self.nodes.get(slot);
            let parent = if node.parent == NONE { StateId::NONE } else { self.nodes.state(node.parent) };
            (self.nodes.state(slot).number(), node.g, parent.number(), node.is_closed())
        };
        let open = FIRST + usize::from(self.has_gap)..FIRST + self.open_count;
        // Where entries stand in the heap depends on how they came there.
        let mut entries: Vec<(u64, u64)> = open.map(|place| self.open.get(place).entry.parts()).collect();
        entries.sort_unstable();
        let parts = SearchParts {
            nodes: self.nodes.sorted().into_iter().map(node).collect(),
            entries,
            tie_shift: self.tie_shift,
        };
        parts.serialize(to)
    }
}

impl<'de> Deserialize<'de> for KeptSearch {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<KeptSearch, D::Error> {
        let parts = SearchParts::deserialize(from)?;
        KeptSearch::from_parts(&parts)
            .ok_or_else(|| D::Error::custom("what is open has no node, or the reverse"))
    }
}

impl KeptSearch {
    /// The search that gave these parts, if one can have: every node is closed or has an entry, and only those have.
    fn from_parts(parts: &SearchParts) -> Option<KeptSearch> {
        let mut search = KeptSearch { tie_shift: parts.tie_shift % u64::BITS, ..KeptSearch::default() };
        search.forget();
        let slots: Vec<u32> =
            parts.nodes.iter().map(|node| search.nodes.slot(StateId::new(node.0))).collect();
        for (&(state, g, ..), slot) in parts.nodes.iter().zip(&slots) {
            let node = search.nodes.at(*slot);
            node.g = g;
            node.close(StateId::new(state));
        }
        let touched = |search: &KeptSearch, state: StateId| {
            search.nodes.find(state).filter(|slot| search.nodes.get(*slot).ticket != UNTOUCHED)
        };
        for (&(_, _, parent, _), slot) in parts.nodes.iter().zip(&slots) {
            let parent = StateId::new(parent).known();
            search.nodes.at(*slot).parent = parent.map_or(Some(NONE), |parent| touched(&search, parent))?;
        }
        for (_, slot) in parts.nodes.iter().zip(&slots).filter(|(node, _)| !node.3) {
            search.nodes.at(*slot).ticket = UNTOUCHED;
        }
        for entry in parts.entries.iter().map(|entry| Entry::from_parts(*entry)) {
            let slot = search.nodes.find(entry.state())?;
            if search.nodes.get(slot).ticket != UNTOUCHED {
                return None;
            }
            search.push(entry, slot);
        }
        search.touched = slots.len() as u64;
        let all_are = slots.iter().all(|slot| search.nodes.get(*slot).ticket != UNTOUCHED);
        (all_are && search.nodes.sorted().len() == slots.len()).then_some(search)
    }
}

#[cfg(test)]
#[path = "kept_search_tests.rs"]
mod tests;
