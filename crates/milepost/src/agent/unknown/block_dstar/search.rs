//! D* Lite over components: costs to the goal, kept right while the belief changes and the agent moves.
//!
//! Everything here can stop after any unit of work and goes on where it stopped.

use super::blocks::{BelievedGrid, BlockId, Blocks, ComponentId, Components, INFINITE, is_block};
use super::masks::is_diagonal;
use super::meter::Meter;
use super::queue::{KEY_BOUND, Queue};
use super::repair::Repair;
use super::saved::SavedSearch;
use crate::core::StateId;
use crate::space::GridGeometry;
use serde::{Deserialize, Serialize};

/// What it costs to go from a component to one of a block beside it, and of a block at a corner.
const STRAIGHT: u32 = 5;
const DIAGONAL: u32 = 7;

/// Keys are rounded down to multiples of a power of two that no step of the search costs less than: within such a range
/// no component can make another one of it better.
const KEY_SHIFT: u32 = 2;
const _: () = assert!(1 << KEY_SHIFT <= STRAIGHT);

/// So far the agent may go before estimates are made to where it is: every such change costs the open components their keys,
/// which is more work than a search that is aimed a little beside it.
const FAR: u64 = 4 * STRAIGHT as u64;

/// The search begins anew before keys come near their bound.
pub(super) const FARTHEST: u32 = 1 << 28;

/// A component whose neighbours are being looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) kind: TaskKind,
    pub(super) of: ComponentId,
    /// The direction of the block whose components come next; 8 after the last.
    pub(super) direction: usize,
    /// The component there that comes next; unknown before the first.
    pub(super) next: ComponentId,
    /// The least cost so far and the neighbour that gives it, when its own cost is to be found.
    pub(super) best: (u32, ComponentId),
}

/// What is done with the neighbours of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum TaskKind {
    /// It has become cheaper: its neighbours may, too.
    Lower,
    /// It has become dearer: the components that go by it have to find out what they cost.
    Raise,
    /// What does it cost itself?
    Evaluate,
}

/// How far the search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// The next component on the way from where the agent stands is known.
    Ready,
    /// It needs more units.
    Busy,
    /// No way leads to the goal through what is believed to be free.
    NoPath,
}

/// The search.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "SavedSearch")]
pub(super) struct DStar {
    /// The map that it is on.
    pub(super) geometry: GridGeometry,
    pub(super) blocks: Blocks,
    pub(super) components: Components,
    pub(super) queue: Queue,
    /// What keys have grown by since the search began, because the agent has moved (k_m).
    pub(super) km: u32,
    /// The block that estimates are made to, by its column and row.
    pub(super) origin: (u32, u32),
    /// The block of the component to be left for the goal.
    pub(super) here: (u32, u32),
    /// The component to be left for the goal; unknown if it has to be looked for.
    pub(super) start: ComponentId,
    /// The component of the goal.
    pub(super) goal: ComponentId,
    /// The block of the goal, and its cell there.
    pub(super) target: ((u32, u32), u64),
    /// Blocks whose components are not those of the belief any more.
    pub(super) stale: Vec<BlockId>,
    pub(super) repair: Option<Repair>,
    pub(super) task: Option<Task>,
}

impl DStar {
    /// A search for the way from one cell to another.
    pub(super) fn new(believed: BelievedGrid<'_>, at: StateId, goal: StateId) -> DStar {
        let target = believed.locate(goal);
        let mut search = DStar {
            geometry: believed.geometry,
            blocks: Blocks::new(),
            components: Components::new(),
            queue: Queue::new(),
            km: 0,
            origin: believed.locate(at).0,
            here: believed.locate(at).0,
            start: ComponentId::UNKNOWN,
            goal: ComponentId::NONE,
            target,
            stale: Vec::new(),
            repair: None,
            task: None,
        };
        let block = search.blocks.id(believed.geometry, target.0);
        search.begin_repair(believed, block);
        search
    }

    /// Whether keys have come near their bound.
    pub(super) fn keys_near_overflow(&self) -> bool {
        self.km > FARTHEST
    }

    /// Memory held, without the search itself.
    pub(super) fn bytes(&self) -> usize {
        let stale = self.stale.capacity() * size_of::<BlockId>();
        self.blocks.bytes() + self.components.bytes() + self.queue.bytes() + stale
    }

    /// What a step with so many units allocates at most, the first one included: a unit comes to eight blocks, and looks at
    /// eight components; each state that is seen otherwise than believed comes to its block.
    pub(super) fn page_bytes(search: Option<&DStar>, units: usize, seen: usize) -> usize {
        let (new_blocks, new_components, new_queue) = (Blocks::new(), Components::new(), Queue::new());
        let (blocks, components, queue, stale) = match search {
            Some(search) => (&search.blocks, &search.components, &search.queue, search.stale.capacity()),
            None => (&new_blocks, &new_components, &new_queue, 0),
        };
        let records = blocks.page_bytes(9 * units + seen)
            + components.page_bytes(8 * units)
            + queue.page_bytes(8 * units);
        size_of::<DStar>() + records + 4 * (stale + units + seen) * size_of::<BlockId>()
    }

    /// The belief about a cell has changed: its block is stale.
    pub(super) fn mark_stale(&mut self, believed: BelievedGrid<'_>, cell: StateId) {
        let block = self.blocks.id(believed.geometry, believed.locate(cell).0);
        if self.blocks.set_stale(block) {
            self.stale.push(block);
        }
    }

    /// s_start: the agent stands here now.
    pub(super) fn move_start(&mut self, believed: BelievedGrid<'_>, at: StateId) {
        let (position, cell) = believed.locate(at);
        if position != self.here {
            if estimate(self.origin, position) > FAR {
                self.km = self.km.saturating_add(estimate(self.origin, position) as u32);
                self.origin = position;
            }
            self.here = position;
            self.start = ComponentId::UNKNOWN;
        } else if self.start.is_some() && self.components[self.start].cells & cell == 0 {
            self.start = ComponentId::UNKNOWN;
        }
    }

    /// Goes on until the next component on the way is known, or the units are spent. `cell` is where the agent stands, in
    /// the block of the origin.
    pub(super) fn compute_shortest_path(
        &mut self,
        believed: BelievedGrid<'_>,
        cell: u64,
        meter: &mut Meter,
    ) -> Progress {
        loop {
            if self.repair.is_some() {
                if !self.go_on_with_repair(believed, meter) {
                    return Progress::Busy;
                }
            } else if self.task.is_some() {
                if !self.go_on_with_task(believed, meter) {
                    return Progress::Busy;
                }
            } else if let Some(block) = self.stale.pop() {
                self.blocks.clear_stale(block);
                self.begin_repair(believed, block);
            } else if !self.start.is_some() {
                if !self.find_start(believed, cell, meter) {
                    return Progress::Busy;
                }
            } else {
                let first = self.queue.first();
                if self.is_settled(first) {
                    return Progress::Ready;
                }
                let Some(first) = first else { return Progress::NoPath };
                if !meter.begin() {
                    return Progress::Busy;
                }
                // The agent has moved since it was opened.
                if first.1 < self.key(first.0) {
                    self.update(first.0);
                } else {
                    self.take_up(first.0);
                }
            }
        }
    }

    /// Looks for the component that the agent stands in. Says no if units are missing.
    fn find_start(&mut self, believed: BelievedGrid<'_>, cell: u64, meter: &mut Meter) -> bool {
        let block = self.blocks.id(believed.geometry, self.here);
        let mut component = self.blocks.first(block);
        if component == ComponentId::UNKNOWN {
            self.begin_repair(believed, block);
            return true;
        }
        if !meter.begin() {
            return false;
        }
        while component.is_some() && self.components[component].cells & cell == 0 {
            component = self.components[component].next;
        }
        if component.is_some() {
            self.start = component;
            return true;
        }
        // A wall has appeared there, or a forged save has put the agent elsewhere.
        if self.blocks.set_stale(block) {
            self.stale.push(block);
        }
        false
    }

    /// Whether some way leads on from where the agent stands, be it the best one or not, and the costs along it true or not.
    pub(super) fn has_unsettled_path(&self) -> bool {
        let is_clean = self.repair.is_none() && self.stale.is_empty() && self.start.is_some();
        is_clean
            && (self.start == self.goal || {
                let start = &self.components[self.start];
                start.successor.is_some() && start.rhs < INFINITE
            })
    }

    /// Whether the cost of the component where the agent stands is known: nothing is open that could change it.
    fn is_settled(&self, first: Option<(ComponentId, u32)>) -> bool {
        let start = &self.components[self.start];
        let is_known =
            start.successor != ComponentId::UNKNOWN && start.rhs < INFINITE && start.rhs <= start.g;
        is_known && first.is_none_or(|(_, key)| key > self.key(self.start) & !1)
    }

    /// Components that may have become dearer come before the others of their range.
    fn key(&self, component: ComponentId) -> u32 {
        let record = &self.components[component];
        let cost = u64::from(record.g.min(record.rhs));
        let sum = cost + estimate(self.blocks.at(record.block), self.origin) + u64::from(self.km);
        let range = (sum >> KEY_SHIFT).min(u64::from(KEY_BOUND / 2 - 1)) as u32;
        let may_rise = record.successor == ComponentId::UNKNOWN || record.g < record.rhs;
        range * 2 + u32::from(!may_rise)
    }

    /// Opens a component if its costs disagree, with the key that it has now; closes it if not.
    pub(super) fn update(&mut self, component: ComponentId) {
        let record = &self.components[component];
        let old = self.queue.key_of(record);
        let is_open = record.successor == ComponentId::UNKNOWN || record.g != record.rhs;
        let new = is_open.then(|| self.key(component));
        if old == new {
            return;
        }
        if old.is_some() {
            self.queue.remove(&mut self.components, component);
        }
        if let Some(key) = new {
            self.queue.insert(&mut self.components, component, key);
        }
    }

    /// The neighbour by which a component goes to the goal may not be the best one any more, or there at all.
    pub(super) fn invalidate(&mut self, component: ComponentId) {
        if component == self.goal {
            return;
        }
        let record = &mut self.components[component];
        let is_hopeless = record.g.min(record.rhs) >= INFINITE;
        record.successor = if is_hopeless { ComponentId::NONE } else { ComponentId::UNKNOWN };
        self.update(component);
    }

    /// Takes up the first open component.
    fn take_up(&mut self, component: ComponentId) {
        let record = &mut self.components[component];
        let kind = if record.successor == ComponentId::UNKNOWN {
            TaskKind::Evaluate
        } else if record.g > record.rhs {
            record.g = record.rhs;
            TaskKind::Lower
        } else {
            record.g = INFINITE;
            TaskKind::Raise
        };
        if kind != TaskKind::Evaluate {
            self.update(component);
        }
        let best = (INFINITE, ComponentId::NONE);
        self.task = Some(Task { kind, of: component, direction: 0, next: ComponentId::UNKNOWN, best });
    }

    /// Goes on with the neighbours of a component. Says no if units are missing.
    fn go_on_with_task(&mut self, believed: BelievedGrid<'_>, meter: &mut Meter) -> bool {
        let Some(mut task) = self.task else { return true };
        let of = self.components[task.of];
        // The components that go by it, when its own cost is to be found.
        let (mut children, mut found) = ([ComponentId::NONE; 8], 0);
        let is_whole = task.direction == 0 && task.next == ComponentId::UNKNOWN;
        while task.direction < 8 {
            if task.next == ComponentId::UNKNOWN {
                match self.enter(believed, of.block, task) {
                    Entered::At(first) => task.next = first,
                    Entered::Unmet(block) => {
                        self.begin_repair(believed, block);
                        self.task = Some(task);
                        return true;
                    }
                }
            }
            let cost = step_cost(task.direction);
            while task.next.is_some() {
                if !meter.component() {
                    self.task = Some(task);
                    return false;
                }
                let (neighbour, record) = (task.next, self.components[task.next]);
                task.next = record.next;
                if task.kind == TaskKind::Evaluate && record.successor == task.of {
                    if found < 8 {
                        children[found] = neighbour;
                    }
                    found += 1;
                }
                let is_joined = || self.blocks.are_joined(believed, &of, record.cells, task.direction);
                match task.kind {
                    TaskKind::Lower if of.g + cost < record.rhs && is_joined() => {
                        let record = &mut self.components[neighbour];
                        (record.rhs, record.successor) = (of.g + cost, task.of);
                        self.update(neighbour);
                    }
                    TaskKind::Raise if record.successor == task.of => self.invalidate(neighbour),
                    TaskKind::Evaluate if record.g + cost < task.best.0 && is_joined() => {
                        task.best = (record.g + cost, neighbour);
                    }
                    _ => {}
                }
            }
            (task.direction, task.next) = (task.direction + 1, ComponentId::UNKNOWN);
        }
        if task.kind == TaskKind::Evaluate {
            let record = &mut self.components[task.of];
            (record.rhs, record.successor) = task.best;
            // Dearer than it was: the components that go by it are known already, if all were seen in one go.
            if record.g < record.rhs && is_whole && found <= children.len() {
                record.g = INFINITE;
                for child in &children[..found] {
                    self.invalidate(*child);
                }
            }
            self.update(task.of);
        }
        self.task = None;
        true
    }

    /// The first component of the next block that a task comes to. A component that has become cheaper meets new blocks.
    fn enter(&mut self, believed: BelievedGrid<'_>, from: BlockId, task: Task) -> Entered {
        let Some(block) = self.blocks.next(believed.geometry, from, task.direction) else {
            return Entered::At(ComponentId::NONE);
        };
        let first = self.blocks.first(block);
        if first != ComponentId::UNKNOWN {
            return Entered::At(first);
        }
        if task.kind != TaskKind::Lower {
            return Entered::At(ComponentId::NONE);
        }
        let position = self.blocks.at(block);
        if !is_block(believed.geometry, position) {
            // A page may reach over the border of the map.
            return Entered::At(ComponentId::NONE);
        }
        if believed.free(position) != u64::MAX {
            return Entered::Unmet(block);
        }
        let whole = self.components.add(u64::MAX, block);
        self.blocks.set_first(block, whole);
        Entered::At(whole)
    }
}

enum Entered {
    At(ComponentId),
    /// The block has to be divided into components first.
    Unmet(BlockId),
}

/// What it costs to go to a component of the next block in a direction.
#[inline]
pub(super) fn step_cost(direction: usize) -> u32 {
    if is_diagonal(direction) { DIAGONAL } else { STRAIGHT }
}

/// The cost from a block to another if nothing is in the way.
fn estimate((x, y): (u32, u32), (to_x, to_y): (u32, u32)) -> u64 {
    let (columns, rows) = (u64::from(x.abs_diff(to_x)), u64::from(y.abs_diff(to_y)));
    columns.max(rows) * u64::from(STRAIGHT) + columns.min(rows) * u64::from(DIAGONAL - STRAIGHT)
}
