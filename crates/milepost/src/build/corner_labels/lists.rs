//! First corners: for every cell x the corners A(x) at which a path from there can turn first, kept for squares of 4 x 4
//! cells with a mask of the cells that have them.
//!
//! A(x), octant by octant (D, e) with e beside D, along the ray y_0 = x, y_1 = x + D, ...: where T(y_i, e) exists the corner
//! U(y_i, D, e) if it is not behind T, but for those behind another one of the octant; T(x, e) where there is no such U on the
//! cell's own run; and the corner that ends the ray, if anything forced lies on its runs or beyond. Every a in A(x) is one
//! that x sees.
//!
//! **L3**: if y is no corner, the step y - D -> y is legal and T(y, e) exists, then U(y, D, e) does and is not behind it.
//! **L5**: unless s sees t, the first corners of s have one, alpha, on a shortest path to t, and d_G between alpha and the
//! last corner of that path is the length of the path between. *Dominance*: a corner of an octant may be left out if another
//! that stays in the same cell's list and touches D stands before it, with a leg between them: d_G there is oct (L4).
//!
//! The octants of all cells of a diagonal line are made from its far end back: the list of a cell is that of the cell
//! ahead, without those that a corner on the cell's own run hides, and with that corner.

use super::graph::{Corners, DIAGONALS, ahead, beside, steps_between};
use super::turns::{Directions, side};
use crate::build::parallel;
use crate::core::Csr;
use crate::index::corner_labels::{Listed, ProofRule, blocks_of, square_of};
use crate::space::{Cell, CornerKind, Direction, SpaceKind};
use std::ops::Range;

/// A listed corner, and the cells of a square that list it.
pub(super) type Member = (Listed, u16);

/// The lists of squares; those of block b are 16 b to 16 b + 15.
pub(super) type Lists = Csr<Member>;

/// A member of the list that is passed on along a diagonal, and the cells of the last square that are not handed over yet.
struct Passed {
    cell: Cell,
    listed: Listed,
    square: u32,
    mask: u16,
}

struct Lister<'a> {
    corners: &'a Corners<'a>,
    leads: &'a [Directions],
    /// By kind and arrival.
    sides: Vec<[u32; 8]>,
    blocks_in_row: usize,
}

/// Far ends that are gone through before the limit is looked at again.
const BATCH: usize = 1 << 16;

/// The lists of all squares; `None` if they have more members than `most`.
pub(super) fn lists(corners: &Corners<'_>, leads: &[Directions], most: usize) -> Option<Lists> {
    let (blocks_in_row, blocks) = blocks_of(corners.grid);
    let sides = (0..CornerKind::COUNT).map(CornerKind::from_number);
    let sides = sides.map(|kind| Direction::ALL.map(|arrival| side(kind, arrival, corners.broken))).collect();
    let lister = Lister { corners, leads, sides, blocks_in_row };
    let ends = parallel::map_list(&DIAGONALS, |&diagonal| -> Vec<(Cell, Direction)> {
        let cells = corners.grid.free_states().map(|state| corners.grid.column_and_row(state));
        let ends = cells.filter(|&cell| corners.sight.reach(cell, diagonal) == 0);
        ends.map(|cell| (cell, diagonal)).collect()
    });
    let ends = ends.concat();
    let (mut found, mut members): (Vec<Vec<(u32, Member)>>, usize) = (Vec::new(), 0);
    for batch in ends.chunks(BATCH) {
        let walk = |ends: &[(Cell, Direction)]| {
            let mut found = Vec::new();
            ends.iter().for_each(|&(end, diagonal)| lister.walk(end, diagonal, &mut found));
            found
        };
        let first = found.len();
        found.append(&mut parallel::map_chunks(batch, 256, walk));
        members += found[first..].iter().map(Vec::len).sum::<usize>();
        if members > most {
            return None;
        }
    }
    if corners.broken.breaks(ProofRule::CornerCells) {
        let mut all = found.concat();
        lister.list_corners_alone(&mut all);
        found = vec![all];
    }
    let by_square = Csr::sorted(blocks * 16, found.iter().flatten().copied());
    drop(found);
    let merged: Vec<Csr<Member>> =
        parallel::map(blocks, |block| merge(&by_square, block * 16..block * 16 + 16));
    let mut lists = Lists::default();
    merged.iter().flat_map(Csr::lists).for_each(|list| lists.push_list(list.iter().copied()));
    Some(lists)
}

/// The lists of some squares with each member once, for all cells that have it. Those that lead to no other corner come last.
fn merge(by_square: &Csr<Member>, squares: Range<usize>) -> Csr<Member> {
    let (mut merged, mut members): (Csr<Member>, Vec<Member>) = Default::default();
    for square in squares {
        members.clear();
        members.extend_from_slice(by_square.list(square));
        members.sort_unstable_by_key(|(listed, _)| (listed.side() == Listed::NO_OTHER, *listed));
        members.dedup_by(|(listed, mask), (before, all)| {
            let is_same = listed == before;
            *all |= if is_same { *mask } else { 0 };
            is_same
        });
        merged.push_list(members.iter().copied());
    }
    merged
}

impl Lister<'_> {
    /// A corner as a list names it for a path that arrives there so.
    fn listed(&self, cell: Cell, arrival: Direction) -> Listed {
        let corner = self.corners.number(cell);
        let leads = self.leads[corner as usize] >> arrival.number() & 1 == 1;
        let side = self.sides[self.corners.kind(corner).number()][arrival.number()];
        Listed::new(corner, if leads { side } else { Listed::NO_OTHER })
    }

    /// The broken rule by which a corner lists itself and no other.
    fn list_corners_alone(&self, found: &mut Vec<(u32, Member)>) {
        for (corner, &cell) in self.corners.cells.iter().enumerate() {
            let (block, square, bit) = square_of(self.blocks_in_row, cell);
            let square = (block * 16 + square) as u32;
            found
                .iter_mut()
                .filter(|(other, _)| *other == square)
                .for_each(|(_, (_, mask))| *mask &= !(1 << bit));
            found.push((square, (Listed::new(corner as u32, Listed::ALL), 1 << bit)));
        }
    }

    /// All cells of a diagonal, from its far end back.
    fn walk(&self, end: Cell, diagonal: Direction, found: &mut Vec<(u32, Member)>) {
        let Corners { sight, runs, broken, .. } = self.corners;
        let mut octants: [Vec<Passed>; 2] = Default::default();
        let back = sight.reach(end, diagonal.opposite());
        for step in 0..=i64::from(back) {
            let at = ahead(end, diagonal, -step);
            let (block, square, bit) = square_of(self.blocks_in_row, at);
            let (square, bit) = ((block * 16 + square) as u32, 1 << bit);
            let mut is_useful = false;
            for (list, straight) in octants.iter_mut().zip(beside(diagonal)) {
                let forced = runs.forced(at, straight);
                is_useful |= forced.is_some() && !broken.breaks(ProofRule::RayEnd);
                let touched = forced.and_then(|forced| {
                    let touched = runs.touched(at, diagonal, straight);
                    touched.filter(|&touched| steps_between(at, touched) <= steps_between(at, forced))
                });
                let touched = match forced {
                    Some(forced) if broken.breaks(ProofRule::NearEnd) => {
                        Some(forced).filter(|&forced| self.corners.grid.corner_kind(forced).touches(diagonal))
                    }
                    Some(forced) if broken.breaks(ProofRule::Dominance) => Some(forced),
                    _ => touched,
                };
                if let Some(touched) = touched {
                    let steps = steps_between(at, touched);
                    list.retain(|passed| {
                        let (dx, dy) = (passed.cell.0.abs_diff(at.0), passed.cell.1.abs_diff(at.1));
                        let is_hidden = steps <= dx.abs_diff(dy) && sight.sees(touched, passed.cell);
                        if is_hidden {
                            passed.hand_over(found);
                        }
                        !is_hidden
                    });
                    list.push(Passed {
                        cell: touched,
                        listed: self.listed(touched, straight),
                        square,
                        mask: 0,
                    });
                } else if let Some(forced) = forced {
                    found.push((square, (self.listed(forced, straight), bit)));
                }
                for passed in list.iter_mut() {
                    if passed.square != square {
                        passed.hand_over(found);
                        (passed.square, passed.mask) = (square, 0);
                    }
                    passed.mask |= bit;
                }
            }
            if runs.is_corner(at) {
                // It ends the rays of the cells before it.
                is_useful |= octants.iter().any(|list| !list.is_empty());
                octants.iter_mut().flat_map(|list| list.drain(..)).for_each(|passed| passed.hand_over(found));
                if is_useful {
                    octants[0].push(Passed { cell: at, listed: self.listed(at, diagonal), square, mask: 0 });
                }
            }
        }
        octants.iter().flatten().for_each(|passed| passed.hand_over(found));
    }
}

impl Passed {
    fn hand_over(&self, found: &mut Vec<(u32, Member)>) {
        if self.mask != 0 {
            found.push((self.square, (self.listed, self.mask)));
        }
    }
}
