//! For every jump point a compressed row that says, for every cell, which jump point comes next on the way there.
//!
//! # Layout
//! docs/index-format.md describes the arrays. A *hop* of a jump point is another one on some shortest way out of it,
//! with the hop before it on that way; so a hop stands for a whole chain of jump points. The *row* of a jump point says
//! which hop leads towards each cell: runs of cells with the same hop. Cells that see the jump point (by diagonal
//! steps, then straight ones) may have any.

use super::packed_cell::{LegCosts, PackedCell};
use super::small_box::SmallBox;
use crate::index::{Atlas, Corruption, IndexKind, JumpTable, Jumps, Section};
use crate::space::Grid;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What the numbers of the other arrays mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Header {
    /// What steps cost.
    pub(crate) costs: LegCosts,
    /// Boxes are in units of `2^box_shift` columns and rows.
    pub(crate) box_shift: u32,
    /// Samples are in units of `2^line_shift` cells. Up to 4, lines begin at multiples of the unit.
    pub(crate) line_shift: u32,
    /// Bytes of a hop: 3 or 4.
    pub(crate) hop_bytes: u32,
    pub(crate) zero: [u32; 3],
}

/// Beginnings of lines that a point knows.
pub(crate) const SAMPLES: usize = 14;

/// A jump point and the way into its row: one cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Point {
    /// For each straight arrival (going north, east, south, west): the cells that a shortest path arriving so can go
    /// on to.
    pub(crate) arrivals: [SmallBox; 4],
    /// The cells that see this jump point.
    pub(crate) seen: SmallBox,
    /// For each arrival, the directions (as bits) in which a shortest path can go on.
    pub(crate) unbeaten: [u8; 4],
    /// Its first line, and how many there are.
    pub(crate) first_line: u32,
    /// Its first hop.
    pub(crate) first_hop: u32,
    pub(crate) lines: u16,
    /// Lines from sample to sample.
    pub(crate) stride: u16,
    /// Where line `stride`, `2 * stride` and so on begin, in units of `2^line_shift` cells, rounded up; largest where
    /// there is none.
    pub(crate) samples: [u16; SAMPLES],
}

/// Runs in a line beyond the first.
pub(crate) const RUNS: usize = 19;

/// Units of up to so many cells (as a power of two) have no more runs than a line holds.
pub(crate) const SMALL_UNIT: u32 = 4;

/// A piece of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Line {
    /// Where the second and later runs begin, counted from the beginning of the line; largest where there is none.
    pub(crate) offsets: [u16; RUNS],
    /// The hop of each run.
    pub(crate) hops: [u8; RUNS + 1],
    pub(crate) zero: [u8; 2],
    /// The first cell.
    pub(crate) begin: u32,
}

const _: () = assert!(size_of::<Point>() == 64 && size_of::<Line>() == 64);

/// A hop, unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hop {
    /// The jump point it leads to.
    pub(crate) point: u32,
    /// The direction in which the chain leaves.
    pub(crate) direction: u32,
    /// The hop before it; [`JumpRows::NO_HOP`] or more if it is the first of its chain.
    pub(crate) before: u32,
}

/// The rows, ready to be read. Every method returns something, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpRows<'a> {
    pub(crate) header: Header,
    pub(crate) packed_cells: &'a [PackedCell],
    pub(crate) points: &'a [Point],
    lines: &'a [Line],
    hops: &'a [u8],
}

const NO_HEADER: Header = Header {
    costs: LegCosts { straight: 1, diagonal: 1 },
    box_shift: 0,
    line_shift: 0,
    hop_bytes: 3,
    zero: [0; 3],
};

impl Atlas {
    /// The rows of jump points, if they have been worked out.
    #[inline]
    pub(crate) fn jump_rows(&self) -> Option<JumpRows<'_>> {
        self.section(IndexKind::JUMP_ROWS).map(JumpRows::new)
    }
}

impl Line {
    /// A line without further runs.
    pub(crate) const fn empty(begin: u32) -> Line {
        Line { offsets: [u16::MAX; RUNS], hops: [0; RUNS + 1], zero: [0; 2], begin }
    }

    /// The hops of its runs; `None` if these do not follow each other.
    pub(crate) fn named_hops(&self) -> Option<&[u8]> {
        let runs = self.offsets.iter().take_while(|&&offset| offset != u16::MAX).count();
        let (some, none) = self.offsets.split_at(runs);
        let follow = some.is_sorted_by(|a, b| a < b) && none.iter().all(|&offset| offset == u16::MAX);
        self.hops.get(..=runs).filter(|_| follow)
    }
}

static NO_LINE: Line = Line::empty(0);

static NO_POINT: Point = Point {
    arrivals: [SmallBox::EMPTY; 4],
    seen: SmallBox::EMPTY,
    unbeaten: [0; 4],
    first_line: 0,
    first_hop: 0,
    lines: 0,
    stride: 1,
    samples: [u16::MAX; SAMPLES],
};

impl<'a> JumpRows<'a> {
    /// What a byte or seven bits say where there is no hop before.
    pub(crate) const NO_HOP: u32 = 127;

    #[inline]
    pub(crate) fn new(section: &'a Section) -> JumpRows<'a> {
        JumpRows {
            header: section.array(0).first().copied().unwrap_or(NO_HEADER),
            packed_cells: section.array(1),
            points: section.array(2),
            lines: section.array(3),
            hops: section.array(4),
        }
    }

    /// Whether a section can hold the rows of a grid: lengths, and that all numbers point to something.
    pub(crate) fn check(grid: &Grid, table: &JumpTable<'_>, section: &Section) -> Result<(), Corruption> {
        let header = section.exactly::<Header>(0, 1)?[0];
        let corruption = |array, index, size, what: &str, found: String| {
            Err(Corruption::at(section.offset(array) + (index * size) as u64, what, found))
        };
        if header.zero != [0; 3]
            || !LegCosts::of_rule(grid.rule()).contains(&header.costs)
            || header.box_shift > 8
            || header.line_shift > 15
            || !matches!(header.hop_bytes, 3 | 4)
        {
            return corruption(0, 0, 0, "costs and units that this program knows", format!("{header:?}"));
        }
        let points = table.jump_points();
        let packed_cells = section.exactly::<PackedCell>(1, points)?;
        if let Some(index) = packed_cells.iter().position(|packed| !packed.is_free_on(grid)) {
            return corruption(
                1,
                index,
                4,
                "jump points on free cells",
                format!("{:?}", packed_cells[index]),
            );
        }
        let points = section.exactly::<Point>(2, points)?;
        let (lines, hops) = (section.array::<Line>(3).len(), section.array::<u8>(4).len());
        let hops = hops.saturating_sub(4) / header.hop_bytes as usize;
        let is_good = |point: &Point| {
            let last = point.first_line as usize + usize::from(point.lines);
            last <= lines && point.first_hop as usize <= hops && point.stride > 0
        };
        if let Some(index) = points.iter().position(|point| !is_good(point)) {
            let found = format!("{:?}", points[index]);
            return corruption(2, index, 64, "lines and hops that are there", found);
        }
        let size = header.hop_bytes as usize;
        let bytes = &section.array::<u8>(4)[..hops * size];
        // The largest is found faster than the first that is too large.
        let largest = match size {
            3 => bytes.chunks_exact(3).map(|hop| u32::from(hop[1]) >> 2 | u32::from(hop[2]) << 6).max(),
            _ => bytes
                .chunks_exact(4)
                .map(|hop| u32::from(hop[1]) >> 3 | u32::from(hop[2]) << 5 | u32::from(hop[3]) << 13)
                .max(),
        };
        if let Some(largest) = largest.filter(|&largest| largest as usize >= points.len()) {
            let rows = JumpRows::new(section);
            let first = (0..hops as u32).find(|&hop| rows.hop(0, hop).point == largest).unwrap_or(0);
            let found = format!("one to jump point {largest} of {}", points.len());
            return corruption(4, first as usize, size, "hops to jump points that are there", found);
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn point(&self, point: u32) -> &'a Point {
        self.points.get(point as usize).unwrap_or(&NO_POINT)
    }

    #[inline(always)]
    pub(crate) fn cell_of(&self, point: u32) -> PackedCell {
        self.packed_cells.get(point as usize).copied().unwrap_or_default()
    }

    /// A cell in the units of boxes.
    #[inline(always)]
    pub(crate) fn unit(&self, packed: PackedCell) -> (u8, u8) {
        SmallBox::unit(packed, self.header.box_shift)
    }

    /// Whether a cell sees a jump point. The box spares most of the walks over the table.
    #[inline(always)]
    pub(crate) fn sees(&self, table: &JumpTable<'_>, from: PackedCell, point: u32) -> bool {
        self.point(point).seen.holds(self.unit(from)) && table.is_direct(from, self.cell_of(point))
    }

    /// The line of a jump point's row that tells about a cell.
    #[inline(always)]
    pub(crate) fn line_of(&self, point: &Point, cell: u32) -> u32 {
        let unit = (cell >> self.header.line_shift).min(0xffff) as u16;
        let before: u16 = point.samples.iter().map(|&sample| u16::from(sample <= unit)).sum();
        let mut line = point.first_line + u32::from(before) * u32::from(point.stride);
        if point.stride > 1 || self.header.line_shift > SMALL_UNIT {
            let last = point.first_line + u32::from(point.lines).saturating_sub(1);
            line = line.min(last);
            while line < last && self.line(line + 1).begin <= cell {
                line += 1;
            }
        }
        line
    }

    /// The hop that a line names for a cell.
    #[inline(always)]
    pub(crate) fn hop_in(&self, line: u32, cell: u32) -> u32 {
        let line = self.line(line);
        // The last run of a line may be longer than offsets reach.
        let offset = cell.wrapping_sub(line.begin).min(0xfffe) as u16;
        let runs: u16 = line.offsets.iter().map(|&begin| u16::from(begin <= offset)).sum();
        line.hops[usize::from(runs).min(RUNS)].into()
    }

    /// The hop of a jump point towards a cell.
    #[inline(always)]
    pub(crate) fn look_up(&self, point: &Point, cell: u32) -> u32 {
        self.hop_in(self.line_of(point, cell), cell)
    }

    #[inline(always)]
    fn line(&self, line: u32) -> &'a Line {
        self.lines.get(line as usize).unwrap_or(&NO_LINE)
    }

    /// A hop by its number, counted from the first of its jump point.
    #[inline(always)]
    pub(crate) fn hop(&self, first: u32, number: u32) -> Hop {
        let index = first.wrapping_add(number) as usize * self.header.hop_bytes as usize;
        let bytes = self.hops.get(index..).and_then(|bytes| bytes.first_chunk::<4>());
        let bits = bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if self.header.hop_bytes == 3 {
            Hop { point: bits >> 10 & 0x3fff, direction: bits >> 7 & 7, before: bits & 0x7f }
        } else {
            // All ones of eight bits are above all ones of seven.
            let before = bits & 0xff;
            Hop {
                point: bits >> 11,
                direction: bits >> 8 & 7,
                before: if before == 0xff { u32::MAX } else { before },
            }
        }
    }

    /// How many hops there are in all.
    pub(crate) fn hop_count(&self) -> u32 {
        (self.hops.len().saturating_sub(4) / self.header.hop_bytes.max(1) as usize) as u32
    }

    /// The row of a jump point.
    pub(crate) fn lines_of(&self, point: &Point) -> &'a [Line] {
        let first = point.first_line as usize;
        self.lines.get(first..first + usize::from(point.lines)).unwrap_or_default()
    }

    /// Whether a hop is the first of its chain.
    #[inline(always)]
    pub(crate) fn is_first(&self, before: u32) -> bool {
        if self.header.hop_bytes == 3 { before == JumpRows::NO_HOP } else { before == u32::MAX }
    }
}

/// The stride and the samples of a row.
pub(crate) fn samples_of(lines: &[Line], line_shift: u32) -> (usize, [u16; SAMPLES]) {
    let stride = lines.len().div_ceil(SAMPLES + 1).max(1);
    let mut samples = [u16::MAX; SAMPLES];
    for (sample, line) in samples.iter_mut().zip(lines.iter().step_by(stride).skip(1)) {
        *sample = line.begin.div_ceil(1 << line_shift).min(0xfffe) as u16;
    }
    (stride, samples)
}

/// Whether samples can tell so many cells apart: the largest one says that there is none.
pub(crate) fn is_sampled(cells: u32, line_shift: u32) -> bool {
    cells.div_ceil(1 << line_shift) < 0xffff
}

/// The bytes of a hop.
pub(crate) fn pack_hop(hop: Hop, is_first: bool, hop_bytes: u32) -> [u8; 4] {
    let bits = if hop_bytes == 3 {
        let before = if is_first { 0x7f } else { hop.before };
        before | hop.direction << 7 | hop.point << 10
    } else {
        let before = if is_first { 0xff } else { hop.before };
        before | hop.direction << 8 | hop.point << 11
    };
    bits.to_le_bytes()
}
