//! D* Lite over pieces: costs to the goal, kept right while the belief changes and the scout moves.
//!
//! Everything here can stop after any unit of work and goes on where it stopped.

use super::blocks::{Blocks, INFINITE, PieceId, Pieces, Place, Terrain};
use super::masks::is_diagonal;
use super::meter::Meter;
use super::queue::{KEY_BOUND, Queue};
use super::repair::Repair;
use crate::core::StateId;

/// What it costs to go from a piece to one of a block beside it, and of a block at a corner.
const STRAIGHT: u32 = 5;
const DIAGONAL: u32 = 7;

/// Keys are rounded down to multiples of a power of two that no step of the search costs less than: within such a range
/// no piece can make another one of it better.
const KEY_SHIFT: u32 = 2;
const _: () = assert!(1 << KEY_SHIFT <= STRAIGHT);

/// So far the scout may go before estimates are made to where it is: every such change costs the open pieces their keys,
/// which is more work than a search that is aimed a little beside it.
const FAR: u64 = 4 * STRAIGHT as u64;

/// The search begins anew before keys come near their bound.
pub(super) const FARTHEST: u32 = 1 << 28;

/// A piece whose neighbours are being looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Task {
    pub(super) kind: TaskKind,
    pub(super) of: PieceId,
    /// The way to the block whose pieces come next; 8 after the last.
    pub(super) way: usize,
    /// The piece there that comes next; unknown before the first.
    pub(super) next: PieceId,
    /// The least cost so far and the neighbour that gives it, when its own cost is to be found.
    pub(super) best: (u32, PieceId),
}

/// What is done with the neighbours of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TaskKind {
    /// It has become cheaper: its neighbours may, too.
    Lower,
    /// It has become dearer: those who go by it have to find out what they cost.
    Raise,
    /// What does it cost itself?
    Evaluate,
}

/// How far the search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// The next piece on the way from where the scout stands is known.
    Ready,
    /// It needs more units.
    Busy,
    /// No way leads to the goal through what is believed to be free.
    NoPath,
}

/// The search.
#[derive(Clone, Debug)]
pub(super) struct DStar {
    pub(super) blocks: Blocks,
    pub(super) pieces: Pieces,
    pub(super) queue: Queue,
    /// What keys have grown by since the search began, because the scout has moved (k_m).
    pub(super) km: u32,
    /// The block that estimates are made to, by its column and row.
    pub(super) origin: (u32, u32),
    /// The block of the piece to be left for the goal.
    pub(super) here: (u32, u32),
    /// The piece to be left for the goal; unknown if it has to be looked for.
    pub(super) start: PieceId,
    /// The piece of the goal.
    pub(super) goal: PieceId,
    /// The block of the goal, and its cell there.
    pub(super) target: ((u32, u32), u64),
    /// Blocks whose pieces are not those of the belief any more.
    pub(super) stale: Vec<Place>,
    pub(super) repair: Option<Repair>,
    pub(super) task: Option<Task>,
}

impl DStar {
    /// A search for the way from one cell to another.
    pub(super) fn new(terrain: Terrain<'_>, at: StateId, goal: StateId) -> DStar {
        let target = terrain.block(goal);
        let mut search = DStar {
            blocks: Blocks::new(),
            pieces: Pieces::new(),
            queue: Queue::new(),
            km: 0,
            origin: terrain.block(at).0,
            here: terrain.block(at).0,
            start: PieceId::UNKNOWN,
            goal: PieceId::NONE,
            target,
            stale: Vec::new(),
            repair: None,
            task: None,
        };
        let place = search.blocks.place(terrain.outline, target.0);
        search.begin_repair(terrain, place);
        search
    }

    /// Whether keys have come near their bound.
    pub(super) fn is_worn_out(&self) -> bool {
        self.km > FARTHEST
    }

    /// Memory held, without the search itself.
    pub(super) fn bytes(&self) -> usize {
        let stale = self.stale.capacity() * size_of::<Place>();
        self.blocks.bytes() + self.pieces.bytes() + self.queue.bytes() + stale
    }

    /// What a step with so many units allocates at most, the first one included: a unit comes to eight blocks, and looks at
    /// eight pieces.
    pub(super) fn page_bytes(search: Option<&DStar>, units: usize) -> usize {
        let (new_blocks, new_pieces, new_queue) = (Blocks::new(), Pieces::new(), Queue::new());
        let (blocks, pieces, queue, stale) = match search {
            Some(search) => (&search.blocks, &search.pieces, &search.queue, search.stale.capacity()),
            None => (&new_blocks, &new_pieces, &new_queue, 0),
        };
        let records =
            blocks.page_bytes(9 * units) + pieces.page_bytes(8 * units) + queue.page_bytes(8 * units);
        size_of::<DStar>() + records + 4 * (stale + units) * size_of::<Place>()
    }

    /// Takes note that the belief about a cell has changed.
    pub(super) fn note(&mut self, terrain: Terrain<'_>, cell: StateId) {
        let place = self.blocks.place(terrain.outline, terrain.block(cell).0);
        if self.blocks.set_stale(place) {
            self.stale.push(place);
        }
    }

    /// The scout stands here now.
    pub(super) fn stand(&mut self, terrain: Terrain<'_>, at: StateId) {
        let (block, cell) = terrain.block(at);
        if block != self.here {
            if estimate(self.origin, block) > FAR {
                self.km = self.km.saturating_add(estimate(self.origin, block) as u32);
                self.origin = block;
            }
            self.here = block;
            self.start = PieceId::UNKNOWN;
        } else if self.start.is_some() && self.pieces[self.start].cells & cell == 0 {
            self.start = PieceId::UNKNOWN;
        }
    }

    /// Goes on until the next piece on the way is known, or the units are spent. `cell` is where the scout stands, in the
    /// block of the origin.
    pub(super) fn think(&mut self, terrain: Terrain<'_>, cell: u64, meter: &mut Meter) -> Progress {
        loop {
            if self.repair.is_some() {
                if !self.go_on_with_repair(terrain, meter) {
                    return Progress::Busy;
                }
            } else if self.task.is_some() {
                if !self.go_on_with_task(terrain, meter) {
                    return Progress::Busy;
                }
            } else if let Some(place) = self.stale.pop() {
                self.blocks.clear_stale(place);
                self.begin_repair(terrain, place);
            } else if !self.start.is_some() {
                if !self.find_start(terrain, cell, meter) {
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
                // The scout has moved since it was opened.
                if first.1 < self.key(first.0) {
                    self.update(first.0);
                } else {
                    self.take_up(first.0);
                }
            }
        }
    }

    /// Looks for the piece that the scout stands in. Says no if units are missing.
    fn find_start(&mut self, terrain: Terrain<'_>, cell: u64, meter: &mut Meter) -> bool {
        let place = self.blocks.place(terrain.outline, self.here);
        let mut piece = self.blocks.first(place);
        if piece == PieceId::UNKNOWN {
            self.begin_repair(terrain, place);
            return true;
        }
        if !meter.begin() {
            return false;
        }
        while piece.is_some() && self.pieces[piece].cells & cell == 0 {
            piece = self.pieces[piece].next;
        }
        if piece.is_some() {
            self.start = piece;
            return true;
        }
        // A wall has appeared there, or somebody has changed the bytes that this was restored from.
        if self.blocks.set_stale(place) {
            self.stale.push(place);
        }
        false
    }

    /// Whether some way leads on from where the scout stands, be it the best one or not, and the costs along it true or not.
    pub(super) fn is_hopeful(&self) -> bool {
        let is_clean = self.repair.is_none() && self.stale.is_empty() && self.start.is_some();
        is_clean
            && (self.start == self.goal || {
                let start = &self.pieces[self.start];
                start.via.is_some() && start.rhs < INFINITE
            })
    }

    /// Whether the cost of the piece where the scout stands is known: nothing is open that could change it.
    fn is_settled(&self, first: Option<(PieceId, u32)>) -> bool {
        let start = &self.pieces[self.start];
        let is_known = start.via != PieceId::UNKNOWN && start.rhs < INFINITE && start.rhs <= start.g;
        is_known && first.is_none_or(|(_, key)| key > self.key(self.start) & !1)
    }

    /// Pieces that may have become dearer come before the others of their range.
    fn key(&self, piece: PieceId) -> u32 {
        let record = &self.pieces[piece];
        let cost = u64::from(record.g.min(record.rhs));
        let sum = cost + estimate(self.blocks.at(record.place), self.origin) + u64::from(self.km);
        let range = (sum >> KEY_SHIFT).min(u64::from(KEY_BOUND / 2 - 1)) as u32;
        let may_rise = record.via == PieceId::UNKNOWN || record.g < record.rhs;
        range * 2 + u32::from(!may_rise)
    }

    /// Opens a piece if its costs disagree, with the key that it has now; closes it if not.
    pub(super) fn update(&mut self, piece: PieceId) {
        let record = &self.pieces[piece];
        let old = self.queue.key_of(record);
        let is_open = record.via == PieceId::UNKNOWN || record.g != record.rhs;
        let new = is_open.then(|| self.key(piece));
        if old == new {
            return;
        }
        if old.is_some() {
            self.queue.remove(&mut self.pieces, piece);
        }
        if let Some(key) = new {
            self.queue.insert(&mut self.pieces, piece, key);
        }
    }

    /// The neighbour by which a piece goes to the goal may not be the best one any more, or there at all.
    pub(super) fn doubt(&mut self, piece: PieceId) {
        if piece == self.goal {
            return;
        }
        let record = &mut self.pieces[piece];
        let is_hopeless = record.g.min(record.rhs) >= INFINITE;
        record.via = if is_hopeless { PieceId::NONE } else { PieceId::UNKNOWN };
        self.update(piece);
    }

    /// Takes up the first open piece.
    fn take_up(&mut self, piece: PieceId) {
        let record = &mut self.pieces[piece];
        let kind = if record.via == PieceId::UNKNOWN {
            TaskKind::Evaluate
        } else if record.g > record.rhs {
            record.g = record.rhs;
            TaskKind::Lower
        } else {
            record.g = INFINITE;
            TaskKind::Raise
        };
        if kind != TaskKind::Evaluate {
            self.update(piece);
        }
        let best = (INFINITE, PieceId::NONE);
        self.task = Some(Task { kind, of: piece, way: 0, next: PieceId::UNKNOWN, best });
    }

    /// Goes on with the neighbours of a piece. Says no if units are missing.
    fn go_on_with_task(&mut self, terrain: Terrain<'_>, meter: &mut Meter) -> bool {
        let Some(mut task) = self.task else { return true };
        let of = self.pieces[task.of];
        // Those who go by it, when its own cost is to be found.
        let (mut children, mut found) = ([PieceId::NONE; 8], 0);
        let is_whole = task.way == 0 && task.next == PieceId::UNKNOWN;
        while task.way < 8 {
            if task.next == PieceId::UNKNOWN {
                match self.enter(terrain, of.place, task) {
                    Entered::At(first) => task.next = first,
                    Entered::Unmet(place) => {
                        self.begin_repair(terrain, place);
                        self.task = Some(task);
                        return true;
                    }
                }
            }
            let cost = step_cost(task.way);
            while task.next.is_some() {
                if !meter.piece() {
                    self.task = Some(task);
                    return false;
                }
                let (neighbour, record) = (task.next, self.pieces[task.next]);
                task.next = record.next;
                if task.kind == TaskKind::Evaluate && record.via == task.of {
                    if found < 8 {
                        children[found] = neighbour;
                    }
                    found += 1;
                }
                let is_joined = || self.blocks.are_joined(terrain, &of, record.cells, task.way);
                match task.kind {
                    TaskKind::Lower if of.g + cost < record.rhs && is_joined() => {
                        let record = &mut self.pieces[neighbour];
                        (record.rhs, record.via) = (of.g + cost, task.of);
                        self.update(neighbour);
                    }
                    TaskKind::Raise if record.via == task.of => self.doubt(neighbour),
                    TaskKind::Evaluate if record.g + cost < task.best.0 && is_joined() => {
                        task.best = (record.g + cost, neighbour);
                    }
                    _ => {}
                }
            }
            (task.way, task.next) = (task.way + 1, PieceId::UNKNOWN);
        }
        if task.kind == TaskKind::Evaluate {
            let record = &mut self.pieces[task.of];
            (record.rhs, record.via) = task.best;
            // Dearer than it was: who goes by it is known already, if all were seen in one go.
            if record.g < record.rhs && is_whole && found <= children.len() {
                record.g = INFINITE;
                for child in &children[..found] {
                    self.doubt(*child);
                }
            }
            self.update(task.of);
        }
        self.task = None;
        true
    }

    /// The first piece of the next block that a task comes to. Whatever has become cheaper meets blocks that nobody has met.
    fn enter(&mut self, terrain: Terrain<'_>, from: Place, task: Task) -> Entered {
        let Some(place) = self.blocks.next(terrain.outline, from, task.way) else {
            return Entered::At(PieceId::NONE);
        };
        let first = self.blocks.first(place);
        if first != PieceId::UNKNOWN {
            return Entered::At(first);
        }
        if task.kind != TaskKind::Lower {
            return Entered::At(PieceId::NONE);
        }
        let block = self.blocks.at(place);
        if !terrain.contains(block) {
            // A sheet may reach over the border of the map.
            return Entered::At(PieceId::NONE);
        }
        if terrain.free(block) != u64::MAX {
            return Entered::Unmet(place);
        }
        let whole = self.pieces.add(u64::MAX, place);
        self.blocks.set_first(place, whole);
        Entered::At(whole)
    }
}

enum Entered {
    At(PieceId),
    /// The block has to be divided into pieces first.
    Unmet(Place),
}

/// What it costs to go to a piece of the next block in a way.
#[inline]
pub(super) fn step_cost(way: usize) -> u32 {
    if is_diagonal(way) { DIAGONAL } else { STRAIGHT }
}

/// The cost from a block to another if nothing is in the way.
fn estimate((x, y): (u32, u32), (to_x, to_y): (u32, u32)) -> u64 {
    let (columns, rows) = (u64::from(x.abs_diff(to_x)), u64::from(y.abs_diff(to_y)));
    columns.max(rows) * u64::from(STRAIGHT) + columns.min(rows) * u64::from(DIAGONAL - STRAIGHT)
}
