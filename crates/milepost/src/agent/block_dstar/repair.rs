//! Divides a block into pieces, when it is met and when the belief about it has changed.
//!
//! A connected set that lies in an old piece goes on as that piece, with its costs; all other ones are new. Then whoever
//! goes to the goal over a border that has changed is asked whether that is still possible.

use super::blocks::{INFINITE, PieceId, Place, Terrain};
use super::masks::{border, flood, lowest};
use super::meter::Meter;
use super::search::DStar;

/// A block that is being divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repair {
    pub(super) place: Place,
    /// Free cells that belong to no piece yet.
    pub(super) rest: u64,
    /// Pieces from before that no set goes on as yet.
    pub(super) old: PieceId,
    /// The last new one.
    pub(super) last: PieceId,
    /// Cells of pieces that have changed.
    pub(super) changed: u64,
    pub(super) stage: Stage,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Nobody has met this block before: no neighbour goes by it.
    Meet,
    /// Its pieces from before are matched with those that there are now.
    Divide,
    /// The neighbours in this way are asked, from this piece on; way 8 means its own pieces.
    Ask(usize, PieceId),
}

impl DStar {
    /// Begins to divide a block, which was met or not. Its old pieces belong to nobody meanwhile.
    pub(super) fn begin_repair(&mut self, terrain: Terrain<'_>, place: Place) {
        let (rest, old) = (terrain.free(self.blocks.at(place)), self.blocks.first(place));
        let stage = if old == PieceId::UNKNOWN { Stage::Meet } else { Stage::Divide };
        self.blocks.set_first(place, PieceId::NONE);
        let old = if old.is_some() { old } else { PieceId::NONE };
        self.repair = Some(Repair { place, rest, old, last: PieceId::NONE, changed: 0, stage });
    }

    /// Goes on with the block that is being divided. Says no if units are missing.
    pub(super) fn go_on_with_repair(&mut self, terrain: Terrain<'_>, meter: &mut Meter) -> bool {
        let Some(mut repair) = self.repair else { return true };
        let is_done = self.divide(terrain, &mut repair, meter) && self.ask(terrain, &mut repair, meter);
        self.repair = (!is_done).then_some(repair);
        is_done
    }

    /// Divides the block into pieces.
    fn divide(&mut self, terrain: Terrain<'_>, repair: &mut Repair, meter: &mut Meter) -> bool {
        if matches!(repair.stage, Stage::Ask(..)) {
            return true;
        }
        while repair.rest != 0 {
            if !meter.begin() {
                return false;
            }
            let cells = flood(lowest(repair.rest), repair.rest, terrain.cuts_corners());
            repair.rest &= !cells;
            let piece = match self.go_on_as_old(repair, cells) {
                Some(piece) => piece,
                None => self.add_piece(repair, cells),
            };
            if repair.last.is_some() {
                self.pieces[repair.last].next = piece;
            } else {
                self.blocks.set_first(repair.place, piece);
            }
            self.pieces[piece].next = PieceId::NONE;
            repair.last = piece;
        }
        // What is left of the old ones is no more. Their numbers are kept until nobody goes by them.
        let mut old = repair.old;
        while old.is_some() {
            let record = &mut self.pieces[old];
            let next = record.next;
            if record.cells != 0 {
                if !meter.begin() {
                    return false;
                }
                repair.changed |= record.cells;
                (record.cells, record.g, record.rhs, record.via) = (0, INFINITE, INFINITE, PieceId::NONE);
                self.update(old);
            }
            old = next;
        }
        if self.start.is_some() && self.pieces[self.start].place == repair.place {
            self.start = PieceId::UNKNOWN;
        }
        repair.stage = Stage::Ask(if repair.stage == Stage::Meet { 9 } else { 0 }, PieceId::UNKNOWN);
        true
    }

    /// The goal's cell, if it lies in this block.
    fn target_in(&self, place: Place) -> u64 {
        if self.blocks.at(place) == self.target.0 { self.target.1 } else { 0 }
    }

    /// The old piece that a connected set lies in and goes on as, taken out of the list of old ones.
    fn go_on_as_old(&mut self, repair: &mut Repair, cells: u64) -> Option<PieceId> {
        let mut before = PieceId::NONE;
        let mut old = repair.old;
        while old.is_some() {
            let next = self.pieces[old].next;
            let is_inside = cells & !self.pieces[old].cells == 0;
            // The goal's piece goes on as the one with the goal in it.
            if is_inside && (old != self.goal || cells & self.target.1 != 0) {
                if before.is_some() {
                    self.pieces[before].next = next;
                } else {
                    repair.old = next;
                }
                repair.changed |= self.pieces[old].cells & !cells;
                self.pieces[old].cells = cells;
                return Some(old);
            }
            (before, old) = (old, next);
        }
        None
    }

    fn add_piece(&mut self, repair: &mut Repair, cells: u64) -> PieceId {
        let piece = self.pieces.add(cells, repair.place);
        repair.changed |= cells;
        if cells & self.target_in(repair.place) != 0 {
            self.pieces[piece].rhs = 0;
            self.goal = piece;
            self.update(piece);
        } else if repair.stage == Stage::Divide {
            // At least nothing: what it costs is found out first.
            let record = &mut self.pieces[piece];
            (record.rhs, record.via) = (0, PieceId::UNKNOWN);
            self.update(piece);
        }
        piece
    }

    /// Asks those who may go by this block whether they still can.
    fn ask(&mut self, terrain: Terrain<'_>, repair: &mut Repair, meter: &mut Meter) -> bool {
        let Stage::Ask(mut way, mut next) = repair.stage else { return true };
        while way < 9 {
            if next == PieceId::UNKNOWN {
                let is_asked = repair.changed != 0 && (way == 8 || repair.changed & border(way) != 0);
                let place = if way == 8 {
                    Some(repair.place)
                } else {
                    self.blocks.next(terrain.outline, repair.place, way)
                };
                next = place.filter(|_| is_asked).map_or(PieceId::NONE, |place| self.blocks.first(place));
            }
            while next.is_some() {
                if !meter.piece() {
                    repair.stage = Stage::Ask(way, next);
                    return false;
                }
                let piece = next;
                next = self.pieces[piece].next;
                if !self.can_go_on(terrain, piece, repair.place) {
                    self.doubt(piece);
                }
            }
            (way, next) = (way + 1, PieceId::UNKNOWN);
        }
        while repair.old.is_some() {
            let next = self.pieces[repair.old].next;
            self.pieces.free(repair.old);
            repair.old = next;
        }
        true
    }

    /// Whether a piece can still go to its neighbour on the way to the goal, as far as a change of this block matters.
    fn can_go_on(&self, terrain: Terrain<'_>, piece: PieceId, place: Place) -> bool {
        let record = &self.pieces[piece];
        if !record.via.is_some() {
            return true;
        }
        let via = &self.pieces[record.via];
        // A step past the corner of the block may lead from one neighbour of it to another.
        if record.place != place && via.place != place && terrain.cuts_corners() {
            return true;
        }
        let way = self.blocks.way(record.place, via.place);
        way.is_some_and(|way| self.blocks.are_joined(terrain, record, via.cells, way))
    }
}
