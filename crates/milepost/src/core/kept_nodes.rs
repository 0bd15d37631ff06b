//! What a kept search knows of the states that it has touched: sixteen bytes each, in pages that follow what was touched.
//!
//! States with neighbouring numbers share a group of sixteen, which is made when the first of them is touched. A tree of tables
//! leads from the number of a state to its group; it is as high as the largest number touched needs, and has a table where a
//! group is. Nodes name each other by their slots, which need no search.

use super::StateId;
use super::paged_list::PagedList;

/// Bits of a number that name the place in a group, and the branch of a table.
const PLACE: u32 = 4;
const BRANCH: u32 = 8;

const GROUP: usize = 1 << PLACE;
const BRANCHES: usize = 1 << BRANCH;

/// Tables one above another that lead to any number.
const MOST_LEVELS: u32 = (u32::BITS - PLACE).div_ceil(BRANCH);

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

/// The tables below one, or the groups of states with neighbouring numbers.
type Table = Box<[u32; BRANCHES]>;

/// Nodes by state.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptNodes {
    tables: Vec<Table>,
    /// How many of the tables are in use; the others are left from before everything was forgotten.
    used: usize,
    /// The topmost table, and the bits of a group's number that it and those below it take: none while there is no group.
    top: u32,
    bits: u32,
    /// The number of the first state of each group; one for sixteen nodes.
    first_states: PagedList<u32>,
    groups: u32,
    nodes: PagedList<KeptNode>,
}

impl KeptNodes {
    /// Forgets all nodes.
    pub(super) fn reset(&mut self) {
        (self.used, self.top, self.bits, self.groups) = (0, NONE, 0, 0);
    }

    /// The slot of a state, if its group is there.
    #[inline]
    pub(super) fn find(&self, state: StateId) -> Option<u32> {
        let number = state.number();
        let key = u64::from(number >> PLACE);
        if key >> self.bits != 0 {
            return None;
        }
        let (mut at, mut shift) = (self.top, self.bits);
        while shift > 0 {
            shift -= BRANCH;
            at = self.tables.get(at as usize)?[(key >> shift) as usize % BRANCHES];
        }
        (at != NONE).then_some((at << PLACE) | (number % GROUP as u32))
    }

    /// The slot of a state, which is there afterwards.
    #[inline]
    pub(super) fn slot(&mut self, state: StateId) -> u32 {
        self.find(state).unwrap_or_else(|| self.add_group(state.number()))
    }

    /// An empty table.
    fn add_table(&mut self) -> u32 {
        match self.tables.get_mut(self.used) {
            Some(table) => table.fill(NONE),
            None => self.tables.push(Box::new([NONE; BRANCHES])),
        }
        self.used += 1;
        self.used as u32 - 1
    }

    #[cold]
    fn add_group(&mut self, number: u32) -> u32 {
        let key = u64::from(number >> PLACE);
        while self.bits == 0 || key >> self.bits != 0 {
            let top = self.add_table();
            self.tables[top as usize][0] = self.top;
            self.top = top;
            self.bits += BRANCH;
        }
        let (mut at, mut shift) = (self.top as usize, self.bits - BRANCH);
        while shift > 0 {
            let branch = (key >> shift) as usize % BRANCHES;
            if self.tables[at][branch] == NONE {
                self.tables[at][branch] = self.add_table();
            }
            at = self.tables[at][branch] as usize;
            shift -= BRANCH;
        }
        self.tables[at][key as usize % BRANCHES] = self.groups;
        let first = self.groups << PLACE;
        self.first_states.make_room(self.groups as usize);
        *self.first_states.at(self.groups as usize) = number & !(GROUP as u32 - 1);
        self.nodes.make_room(first as usize);
        // Its nodes may be those of an older query.
        if let Some(nodes) = self.nodes.part_mut::<GROUP>(first as usize) {
            nodes.fill(KeptNode::default());
        }
        self.groups += 1;
        first | (number % GROUP as u32)
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
        StateId::new(first | (slot % GROUP as u32))
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
        let tables =
            self.tables.len() * size_of::<[u32; BRANCHES]>() + self.tables.capacity() * size_of::<Table>();
        tables + self.first_states.bytes() + self.nodes.bytes()
    }

    /// What so many states that are touched allocate at most: a group for each, and at every level a table, of which the upper
    /// levels have few; tables above the topmost one; and a longer list of tables.
    pub(super) fn page_bytes(&self, states: usize) -> usize {
        let at_level = |level: u32| states.min(1 << (u32::BITS - PLACE).saturating_sub(level * BRANCH));
        let tables = (1..=MOST_LEVELS).fold(MOST_LEVELS as usize, |all, level| all + at_level(level));
        let list = 2 * (self.tables.capacity() + tables) + 4;
        tables * size_of::<[u32; BRANCHES]>()
            + list * size_of::<Table>()
            + self.first_states.page_bytes(states)
            + self.nodes.page_bytes(states.saturating_mul(GROUP))
    }
}
