//! What a kept search knows of the states that it has touched: sixteen bytes each, in pages that follow what was touched.
//!
//! States with neighbouring numbers share a group of sixteen, which is made when the first of them is touched. Two tables
//! lead from the number of a state to its group; nodes name each other by their slots, which need no search.

use super::StateId;
use super::paged_list::PagedList;

/// Bits of a number that name the place in a group, and the group in a table.
const PLACE: u32 = 4;
const BRANCH: u32 = 8;

const GROUP: usize = 1 << PLACE;
const BRANCHES: usize = 1 << BRANCH;

/// No slot, group or table.
pub(super) const NONE: u32 = u32::MAX;

/// The node of a state that was not touched, in a group where another one was.
pub(super) const UNTOUCHED: u32 = 0;

/// The bit of the tickets of states that were expanded; the others are those of the state's number but for its place in the
/// group. So a way is followed back from node to node alone.
const CLOSED: u32 = 1 << 31;

/// Tickets of open states are below this.
pub(super) const MOST_TICKETS: u32 = CLOSED;

/// What a kept search knows of one state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeptNode {
    pub(super) g: u64,
    /// The slot of the state before it, or none.
    pub(super) parent: u32,
    /// Its ticket for the open list, [`UNTOUCHED`], or that of a closed one.
    pub(super) ticket: u32,
}

impl KeptNode {
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.ticket >= CLOSED
    }

    #[inline]
    pub(super) fn close(&mut self, state: StateId) {
        self.ticket = CLOSED | state.number() >> PLACE;
    }
}

/// The groups of states with neighbouring numbers.
type Table = Box<[u32; BRANCHES]>;

/// Nodes by state.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptNodes {
    /// The table of a number by its first bits: a word for each 4096 ids.
    top: Vec<u32>,
    #[expect(clippy::vec_box, reason = "tables do not move when their list grows")]
    tables: Vec<Table>,
    /// How many of the tables are in use; the others are left from before everything was forgotten.
    used: usize,
    /// The number of the first state of each group; one for sixteen nodes.
    first_states: PagedList<u32>,
    groups: u32,
    nodes: PagedList<KeptNode>,
}

impl KeptNodes {
    /// Forgets all nodes, and expects states with numbers below this.
    pub(super) fn reset(&mut self, id_bound: usize) {
        self.top.clear();
        self.top.resize((id_bound >> (PLACE + BRANCH)) + 1, NONE);
        (self.used, self.groups) = (0, 0);
    }

    /// The slot of a state, if its group is there.
    #[inline]
    pub(super) fn find(&self, state: StateId) -> Option<u32> {
        let number = state.number();
        let table = *self.top.get((number >> (PLACE + BRANCH)) as usize)?;
        let group = self.tables.get(table as usize)?[(number >> PLACE) as usize % BRANCHES];
        (group != NONE).then_some(group << PLACE | number % GROUP as u32)
    }

    /// The slot of a state, which is there afterwards.
    #[inline]
    pub(super) fn slot(&mut self, state: StateId) -> u32 {
        self.find(state).unwrap_or_else(|| self.add_group(state.number()))
    }

    #[cold]
    fn add_group(&mut self, number: u32) -> u32 {
        let top = (number >> (PLACE + BRANCH)) as usize;
        if self.top.len() <= top {
            self.top.resize(top + 1, NONE);
        }
        if self.top[top] == NONE {
            self.top[top] = self.used as u32;
            match self.tables.get_mut(self.used) {
                Some(table) => table.fill(NONE),
                None => self.tables.push(Box::new([NONE; BRANCHES])),
            }
            self.used += 1;
        }
        self.tables[self.top[top] as usize][(number >> PLACE) as usize % BRANCHES] = self.groups;
        let first = self.groups << PLACE;
        self.first_states.make_room(self.groups as usize);
        *self.first_states.at(self.groups as usize) = number & !(GROUP as u32 - 1);
        self.nodes.make_room(first as usize);
        // Its nodes may be those of an older query.
        if let Some(nodes) = self.nodes.part_mut::<GROUP>(first as usize) {
            nodes.fill(KeptNode::default());
        }
        self.groups += 1;
        first | number % GROUP as u32
    }

    /// The state whose slot this is.
    #[inline]
    pub(super) fn state(&self, slot: u32) -> StateId {
        let node = self.get(slot);
        let first = if node.is_closed() {
            node.ticket << PLACE
        } else {
            self.first_states.get((slot >> PLACE) as usize)
        };
        StateId::new(first | slot % GROUP as u32)
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> KeptNode {
        self.nodes.get(slot as usize)
    }

    #[inline]
    pub(super) fn at(&mut self, slot: u32) -> &mut KeptNode {
        self.nodes.at(slot as usize)
    }

    /// The slots of all touched states, in the order of the states.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let mut groups: Vec<u32> = (0..self.groups).collect();
        groups.sort_unstable_by_key(|group| self.first_states.get(*group as usize));
        let slots = groups.into_iter().flat_map(|group| group << PLACE..(group + 1) << PLACE);
        slots.filter(|slot| self.get(*slot).ticket != UNTOUCHED).collect()
    }

    /// Memory held, without the nodes themselves.
    pub(super) fn bytes(&self) -> usize {
        let tables = self.tables.len() * size_of::<[u32; BRANCHES]>()
            + self.tables.capacity() * size_of::<Table>()
            + self.top.capacity() * size_of::<u32>();
        tables + self.first_states.bytes() + self.nodes.bytes()
    }

    /// What so many states that are touched allocate at most: a group for each, and the tables that lead to them, as far as
    /// there can be more; and the list of tables, if nothing was touched before.
    pub(super) fn page_bytes(&self, states: usize) -> usize {
        let tables = states.min(self.top.len().saturating_sub(self.tables.len()));
        let list = 2 * (self.tables.capacity() + tables) + 4;
        tables * size_of::<[u32; BRANCHES]>()
            + list * size_of::<Table>()
            + 2 * self.top.len() * size_of::<u32>()
            + self.first_states.page_bytes(states)
            + self.nodes.page_bytes(states.saturating_mul(GROUP))
    }
}
