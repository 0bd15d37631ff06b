//! Which of the next pieces by which the way costs the same is gone to.
//!
//! There are many such ties, since every step costs one of two numbers. Who breaks them by the order of directions walks
//! 2 to 4 % farther.

use super::blocks::{Piece, PieceId, Terrain};
use super::meter::Meter;
use super::refine::Field;
use super::search::{DStar, step_cost};
use std::cmp::Reverse;

impl DStar {
    /// Whether a field leads to a piece that was chosen from this one as it is now.
    pub(super) fn has_chosen(&self, field: Option<&Field>) -> bool {
        let start = &self.pieces[self.start];
        field.is_some_and(|field| field.route.place == start.place && field.route.cells == start.cells)
    }

    /// Of the neighbours by which the settled cost is the same, chooses the one to go by: one with a known wall, since
    /// whoever goes along a wall finds its end; of those the nearest to the line to the goal. As far as the units go.
    pub(super) fn choose(&mut self, terrain: Terrain<'_>, meter: &mut Meter) {
        let start = self.pieces[self.start];
        if !start.via.is_some() {
            return;
        }
        let (from, goal) = (self.blocks.at(start.place), self.target.0);
        let rank = |search: &DStar, piece: &Piece| {
            let aside = distance_from_line(search.blocks.at(piece.place), from, goal);
            (piece.cells != u64::MAX, Reverse(aside))
        };
        let mut best = (rank(self, &self.pieces[start.via]), start.via);
        for way in 0..8 {
            let Some(place) = self.blocks.next(terrain.outline, start.place, way) else { continue };
            let mut next = self.blocks.first(place);
            while next.is_some() {
                if !meter.piece() {
                    return;
                }
                let (piece, record) = (next, &self.pieces[next]);
                next = record.next;
                let is_settled = record.g == record.rhs && record.via != PieceId::UNKNOWN;
                if is_settled
                    && record.g + step_cost(way) == start.rhs
                    && rank(self, record) > best.0
                    && self.blocks.are_joined(terrain, &start, record.cells, way)
                {
                    best = (rank(self, record), piece);
                }
            }
        }
        self.pieces[self.start].via = best.1;
    }
}

/// How far a block beside another one lies from the line to a third: the area between the two ways there.
fn distance_from_line((x, y): (u32, u32), from: (u32, u32), to: (u32, u32)) -> u64 {
    let offset = |a: u32, b: u32| i64::from(a) - i64::from(b);
    let area = offset(x, to.0) * offset(from.1, to.1) - offset(y, to.1) * offset(from.0, to.0);
    area.unsigned_abs()
}
