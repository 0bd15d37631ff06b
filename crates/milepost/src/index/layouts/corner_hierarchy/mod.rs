//! Corners, a contraction hierarchy of the ways between them, and for every block of cells a short list of the corners
//! that are worth going to from there.
//!
//! # Layout
//! docs/index-format.md describes the arrays. Corners are numbered in the order in which they were contracted. An edge
//! belongs to its lower end and leads up; it stands for a free run, or for the two edges that its *middle* has to its
//! ends. Maps whose sides or paths are too long for narrow numbers have the same in wider ones.

use super::numbers::Numbers;
use super::packed_cell::{LegCosts, PackedCell};
use super::step_costs::StepCosts;
use crate::index::{Atlas, Corruption, IndexKind, Section};
use crate::space::{Cell, Grid};
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What the numbers of the other arrays mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Header {
    /// What steps cost; [`WIDE`] in the wide form, which has an array for that.
    pub(crate) costs: LegCosts,
    /// Blocks have `2^block_shift` columns and rows.
    pub(crate) block_shift: u32,
    /// Bytes of a number: 2 or 4.
    pub(crate) number_bytes: u32,
    /// Bytes of an excess: 2 or 4, or 8 in the wide form.
    pub(crate) excess_bytes: u32,
    /// What an excess counts.
    pub(crate) excess_unit: u32,
    /// Landmarks that hints are for.
    pub(crate) landmarks: u32,
    /// More corners than can be above those of any one list.
    pub(crate) most_labels: u32,
}

impl Header {
    /// Whether cells and costs are wide.
    fn is_wide(&self) -> bool {
        self.costs == WIDE
    }
}

/// Agents that search have room for this many corners above those of a list.
pub(crate) const MOST_LABELS: u32 = 10_000;

/// No path costs as much in the narrow form.
pub(crate) const NARROW_INFINITE: u32 = u32::MAX / 4;

/// No path costs as much.
pub(crate) const INFINITE: u64 = u64::MAX / 4;

/// The costs in the header of the wide form.
pub(crate) const WIDE: LegCosts = LegCosts { straight: 0, diagonal: 0 };

/// Corners have numbers below this: a search needs one bit more.
pub(crate) const MOST_CORNERS: usize = 1 << 31;

const NO_HEADER: Header = Header {
    costs: LegCosts { straight: 1, diagonal: 1 },
    block_shift: 5,
    number_bytes: 4,
    excess_bytes: 4,
    excess_unit: 1,
    landmarks: 0,
    most_labels: 0,
};

/// What an edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Through {
    /// A run that is free from the lower end, diagonal steps first.
    LowerSees,
    /// A run that is free from the upper end, diagonal steps first.
    UpperSees,
    /// The edges of this corner to both ends.
    Middle(u32),
}

/// The hierarchy, ready to be read. Every method returns something, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornerHierarchy<'a> {
    pub(crate) header: Header,
    pub(crate) costs: StepCosts,
    cells: Cells<'a>,
    first_edges: &'a [u32],
    targets: Numbers<'a>,
    middles: Numbers<'a>,
    excesses: Excesses<'a>,
    by_place: Numbers<'a>,
    row_starts: &'a [u32],
    block_starts: &'a [u32],
    sure: &'a [u8],
    lists: Numbers<'a>,
    hints: &'a [u8],
}

/// The cells of corners, in coordinates of two bytes or, in the wide form, of four.
#[derive(Clone, Copy, Debug)]
enum Cells<'a> {
    Narrow(&'a [PackedCell]),
    Wide(&'a [[u32; 2]]),
}

impl Cells<'_> {
    fn len(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    #[inline(always)]
    fn get(&self, corner: u32) -> Cell {
        match self {
            Cells::Narrow(cells) => cells.get(corner as usize).copied().unwrap_or_default().into(),
            Cells::Wide(cells) => cells.get(corner as usize).map_or((0, 0), |&[column, row]| (column, row)),
        }
    }
}

/// What edges cost more than free runs.
#[derive(Clone, Copy, Debug)]
enum Excesses<'a> {
    Short(Numbers<'a>),
    Long(&'a [u64]),
}

impl Excesses<'_> {
    #[inline(always)]
    fn get(&self, edge: u32) -> u64 {
        match self {
            Excesses::Short(numbers) => numbers.get(edge as usize).into(),
            Excesses::Long(numbers) => numbers.get(edge as usize).copied().unwrap_or(u64::MAX),
        }
    }
}

/// The corners of a block's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct List {
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// All cells of the block see so many of them, the first ones.
    pub(crate) sure: u32,
}

/// Blocks in a row of a grid, and how many there are.
pub(crate) fn blocks_of(grid: &Grid, block_shift: u32) -> (usize, usize) {
    let columns = (grid.width() as usize >> block_shift) + 1;
    (columns, columns * ((grid.height() as usize >> block_shift) + 1))
}

impl Atlas {
    /// The hierarchy of corners, if it has been worked out.
    #[inline]
    pub(crate) fn corner_hierarchy(&self) -> Option<CornerHierarchy<'_>> {
        self.section(IndexKind::CORNER_HIERARCHY).map(CornerHierarchy::new)
    }
}

impl<'a> CornerHierarchy<'a> {
    #[inline]
    pub(crate) fn new(section: &'a Section) -> CornerHierarchy<'a> {
        let header: Header = section.array(0).first().copied().unwrap_or(NO_HEADER);
        let numbers = |array| Numbers::of(section.reader(), array, header.number_bytes);
        let (costs, cells) = if header.is_wide() {
            let costs = section.array(12).first().copied().unwrap_or(StepCosts::from(NO_HEADER.costs));
            (costs, Cells::Wide(section.array(1)))
        } else {
            (header.costs.into(), Cells::Narrow(section.array(1)))
        };
        let excesses = match header.excess_bytes {
            8 => Excesses::Long(section.array(5)),
            bytes => Excesses::Short(Numbers::of(section.reader(), 5, bytes)),
        };
        CornerHierarchy {
            header,
            costs,
            cells,
            first_edges: section.array(2),
            targets: numbers(3),
            middles: numbers(4),
            excesses,
            by_place: numbers(6),
            row_starts: section.array(7),
            block_starts: section.array(8),
            sure: section.array(9),
            lists: numbers(10),
            hints: section.array(11),
        }
    }

    /// Whether a section can hold the hierarchy of a grid: lengths, that all numbers point to something, that edges lead
    /// up and middles down, and that no sum of costs overflows.
    pub(crate) fn check(grid: &Grid, section: &Section) -> Result<(), Corruption> {
        let header = section.exactly::<Header>(0, 1)?[0];
        let corruption = |array: usize, index: usize, size: usize, what: &str, found: String| {
            Err(Corruption::at(section.offset(array) + (index * size) as u64, what, found))
        };
        let is_wide = header.is_wide();
        let costs_are_known = if is_wide {
            section.exactly::<StepCosts>(12, 1)?[0].are_known(grid)
        } else {
            section.exactly::<u8>(12, 0)?;
            LegCosts::of_rule(grid.rule()).contains(&header.costs)
        };
        if !costs_are_known
            || LegCosts::of_rule(grid.rule()).is_empty()
            || !(3..=8).contains(&header.block_shift)
            || !matches!((header.number_bytes, header.excess_bytes), (2 | 4, 2 | 4 | 8))
            || header.excess_bytes == 8 && !is_wide
            || !(1..=2).contains(&header.excess_unit)
            || header.landmarks > 64
            || header.most_labels > MOST_LABELS
            || !grid.is_plain()
        {
            return corruption(0, 0, 0, "costs and units that this program knows", format!("{header:?}"));
        }
        let (number, excess) = (header.number_bytes as usize, header.excess_bytes as usize);
        let index = CornerHierarchy::new(section);
        let (corners, cell) = (index.corners(), if is_wide { 8 } else { 4 });
        section.exactly::<u8>(1, corners * cell)?;
        let none = if number == 2 { 0xfffe } else { 0xffff_fffe };
        if corners >= none || corners >= MOST_CORNERS {
            return corruption(1, 0, 4, "fewer corners than numbers", corners.to_string());
        }
        let is_free = |(column, row): Cell| {
            column <= grid.width() && row <= grid.height() && grid.has_free(column as i32, row as i32)
        };
        if let Some(at) = (0..corners).find(|&corner| !is_free(index.place(corner as u32))) {
            let found = format!("{:?}", index.place(at as u32));
            return corruption(1, at, cell, "corners on free cells", found);
        }
        let rises = |array: usize, count: usize, most: usize| -> Result<(), Corruption> {
            let starts = section.exactly::<u32>(array, count)?;
            let is_good = starts.is_sorted() && starts[0] == 0 && starts[count - 1] as usize == most;
            if is_good {
                Ok(())
            } else {
                corruption(array, 0, 4, "beginnings that rise", format!("{most} in all"))
            }
        };
        let edges = index.targets.len();
        rises(2, corners + 1, edges)?;
        for (array, count, size) in
            [(3, edges, number), (4, edges, number), (5, edges, excess), (6, corners, number)]
        {
            section.exactly::<u8>(array, count * size)?;
        }
        for corner in 0..corners as u32 {
            let mut before = corner;
            for edge in index.edges(corner) {
                let (target, middle) = (index.target(edge), index.middles.get(edge as usize));
                if target <= before || target as usize >= corners {
                    return corruption(3, edge as usize, number, "edges that lead up", target.to_string());
                }
                before = target;
                if middle >= corner && (middle as usize) < none {
                    return corruption(
                        4,
                        edge as usize,
                        number,
                        "middles below both ends",
                        middle.to_string(),
                    );
                }
                if index.excesses.get(edge) >= if is_wide { INFINITE } else { NARROW_INFINITE.into() } / 2 {
                    return corruption(5, edge as usize, excess, "costs that fit", "more".to_owned());
                }
            }
        }
        let rows = grid.height() as usize + 2;
        rises(7, rows + 1, corners)?;
        if let Some(at) = index.by_place.iter().position(|corner| corner as usize >= corners) {
            return corruption(6, at, number, "corners that are there", index.by_place.get(at).to_string());
        }
        let (_, blocks) = blocks_of(grid, header.block_shift);
        let listed = index.lists.len();
        rises(8, blocks + 1, listed)?;
        section.exactly::<u8>(9, blocks)?;
        section.exactly::<u8>(10, listed * number)?;
        section.exactly::<u8>(11, blocks * (header.landmarks as usize + 1))?;
        if let Some(at) = index.lists.iter().position(|corner| corner as usize >= corners) {
            return corruption(10, at, number, "corners that are there", index.lists.get(at).to_string());
        }
        Ok(())
    }

    pub(crate) fn corners(&self) -> usize {
        self.cells.len()
    }

    /// The cell of a corner.
    #[inline(always)]
    pub(crate) fn place(&self, corner: u32) -> Cell {
        self.cells.get(corner)
    }

    /// The octile distance of two cells.
    #[inline(always)]
    pub(crate) fn octile(&self, a: Cell, b: Cell) -> u64 {
        self.costs.octile(a, b)
    }

    /// The edges that lead up from a corner.
    #[inline(always)]
    pub(crate) fn edges(&self, corner: u32) -> Range<u32> {
        match self.first_edges.get(corner as usize..) {
            Some(&[first, end, ..]) => first..end,
            _ => 0..0,
        }
    }

    #[inline(always)]
    pub(crate) fn target(&self, edge: u32) -> u32 {
        self.targets.get(edge as usize)
    }

    /// What an edge costs more than a free run between its ends.
    #[inline(always)]
    pub(crate) fn excess(&self, edge: u32) -> u64 {
        self.excesses.get(edge).saturating_mul(self.header.excess_unit.into())
    }

    #[inline]
    pub(crate) fn through(&self, edge: u32) -> Through {
        let none = if self.header.number_bytes == 2 { 0xffff } else { u32::MAX };
        match self.middles.get(edge as usize) {
            middle if middle == none => Through::LowerSees,
            middle if middle == none - 1 => Through::UpperSees,
            middle => Through::Middle(middle),
        }
    }

    /// The edge from a corner up to another. Halves the edges again and again.
    pub(crate) fn edge_to(&self, corner: u32, target: u32) -> Option<u32> {
        let Range { start: mut low, end: mut high } = self.edges(corner);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.target(middle) {
                there if there == target => return Some(middle),
                there if there < target => low = middle + 1,
                _ => high = middle,
            }
        }
        None
    }

    /// The corner at a cell, if it is one.
    pub(crate) fn corner_at(&self, at: Cell) -> Option<u32> {
        let &[first, end] = self.row_starts.get(at.1 as usize..)?.first_chunk::<2>()?;
        let (mut low, mut high) = (first, end);
        while low < high {
            let middle = low + (high - low) / 2;
            let corner = self.by_place.get(middle as usize);
            match self.place(corner).0 {
                column if column == at.0 => return Some(corner),
                column if column < at.0 => low = middle + 1,
                _ => high = middle,
            }
        }
        None
    }

    fn block(&self, grid: &Grid, (column, row): Cell) -> usize {
        let shift = self.header.block_shift;
        (row as usize >> shift) * blocks_of(grid, shift).0 + (column as usize >> shift)
    }

    /// The list of the block of a cell.
    pub(crate) fn list(&self, grid: &Grid, at: Cell) -> List {
        self.list_of(self.block(grid, at))
    }

    pub(crate) fn list_of(&self, block: usize) -> List {
        let Some(&[first, end]) = self.block_starts.get(block..).and_then(|rest| rest.first_chunk::<2>())
        else {
            return List::default();
        };
        let len = end.saturating_sub(first);
        List { first, len, sure: self.sure.get(block).map_or(0, |&sure| u32::from(sure).min(len)) }
    }

    /// A corner of a list, and whether all cells of the block see it.
    #[inline]
    pub(crate) fn listed(&self, list: List, number: u32) -> (u32, bool) {
        (self.lists.get((list.first + number) as usize), number < list.sure)
    }

    /// The corner to leave for, from one cell to another, before anything is searched.
    pub(crate) fn hint(&self, grid: &Grid, from: Cell, to: Cell) -> Option<u32> {
        let width = self.header.landmarks as usize + 1;
        let landmark = usize::from(*self.hints.get(self.block(grid, to) * width)?);
        let block = self.block(grid, from);
        let hints = self.hints.get(block * width + 1..(block + 1) * width)?;
        let (number, list) = (u32::from(*hints.get(landmark)?), self.list_of(block));
        (number < list.len).then(|| self.listed(list, number).0)
    }
}
