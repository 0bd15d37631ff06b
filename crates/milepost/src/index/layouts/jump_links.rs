//! From each jump point the next ones: arrays 2 to 7 of the [jump table](super::jump_table), as docs/index-format.md
//! describes them.

use super::packed_cell::PackedCell;
use super::small_box::SmallBox;
use crate::index::{Corruption, Section};
use crate::space::Grid;
use std::ops::Range;

/// From each jump point the next ones: those of its first jump points that no other makes needless.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpLinks<'a> {
    packed_cells: &'a [PackedCell],
    first: &'a [u32],
    narrow: &'a [u16],
    wide: &'a [u32],
    sight: &'a [SmallBox],
    directions: &'a [u8],
    unbeaten: &'a [[u8; 4]],
    box_shift: u32,
}

/// Maps with more jump points have links of four bytes.
pub(crate) const MOST_NARROW: usize = 1 << 16;

impl<'a> JumpLinks<'a> {
    #[inline]
    pub(crate) fn new(grid: &Grid, section: &'a Section) -> JumpLinks<'a> {
        let packed_cells: &[PackedCell] = section.array(2);
        let is_narrow = packed_cells.len() <= MOST_NARROW;
        JumpLinks {
            packed_cells,
            first: section.array(3),
            narrow: if is_narrow { section.array(4) } else { &[] },
            wide: if is_narrow { &[] } else { section.array(4) },
            sight: section.array(5),
            directions: section.array(6),
            unbeaten: section.array(7),
            box_shift: SmallBox::shift(grid.width().max(grid.height()) + 2),
        }
    }

    pub(super) fn check(grid: &Grid, points: usize, section: &Section) -> Result<(), Corruption> {
        let packed_cells = section.exactly::<PackedCell>(2, points)?;
        let first = section.exactly::<u32>(3, points + 1)?;
        let corruption = |what: &str| Err(Corruption::at(0, what, "others"));
        if packed_cells.iter().any(|packed| !packed.is_free_on(grid)) {
            return corruption("jump points on free cells");
        }
        let links = first.last().map_or(0, |&last| last as usize);
        if points <= MOST_NARROW {
            section.exactly::<u16>(4, links)?;
        } else {
            section.exactly::<u32>(4, links)?;
        }
        section.exactly::<SmallBox>(5, points)?;
        section.exactly::<u8>(6, links)?;
        section.exactly::<[u8; 4]>(7, points)?;
        let this = JumpLinks::new(grid, section);
        let is_there = |link: usize| (this.link(link) as usize) < points;
        if first.first() != Some(&0) || !first.is_sorted() || !(0..links).all(is_there) {
            return corruption("links between jump points that are there");
        }
        Ok(())
    }

    /// How many jump points there are.
    #[inline]
    pub(crate) fn points(&self) -> usize {
        self.packed_cells.len()
    }

    #[inline(always)]
    pub(crate) fn cell_of(&self, point: u32) -> PackedCell {
        self.packed_cells.get(point as usize).copied().unwrap_or_default()
    }

    /// Whether a jump point may see a cell. The box spares most of the looks over the table.
    #[inline(always)]
    pub(crate) fn may_see(&self, point: u32, cell: PackedCell) -> bool {
        let unit = SmallBox::unit(cell, self.box_shift);
        self.sight.get(point as usize).is_some_and(|sight| sight.holds(unit))
    }

    #[inline(always)]
    fn link(&self, index: usize) -> u32 {
        match self.narrow.get(index) {
            Some(&link) => link.into(),
            None => self.wide.get(index).copied().unwrap_or(0),
        }
    }

    /// The directions, as bits, in which a path goes on that arrives by a straight step: 0 = going north, 1 = east, 2 =
    /// south, 3 = west. Others are strictly longer than a way around.
    #[inline(always)]
    pub(crate) fn unbeaten(&self, point: u32, arrival: usize) -> u8 {
        self.unbeaten.get(point as usize).map_or(u8::MAX, |unbeaten| unbeaten[arrival & 3])
    }

    /// Where the links of a jump point are.
    #[inline(always)]
    pub(crate) fn links(&self, point: u32) -> Range<usize> {
        let first = |point: usize| self.first.get(point).map_or(0, |&first| first as usize);
        first(point as usize)..first(point as usize + 1)
    }

    /// Names the jump points that some links lead to in some directions, given as bits.
    #[inline(always)]
    pub(crate) fn ahead(&self, links: Range<usize>, directions: u8, mut visit: impl FnMut(u32)) {
        let from = links.start;
        let own = self.directions.get(links).unwrap_or(&[]);
        // Which ways fit cannot be foretold: they are collected without a branch, and then named.
        let mut fitting = [0; CHUNK];
        for (chunk, own) in own.chunks(CHUNK).enumerate() {
            let mut count = 0;
            for (index, direction) in own.iter().enumerate() {
                fitting[count % CHUNK] = index as u8;
                count += usize::from(directions >> (direction & 7) & 1);
            }
            for &index in fitting.iter().take(count) {
                visit(self.link(from + chunk * CHUNK + usize::from(index)));
            }
        }
    }
}

/// Links that are looked at together.
const CHUNK: usize = 64;
