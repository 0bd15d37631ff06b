//! Hub labels at the corners of a map, and for every cell the corners at which a path from there can turn first.
//!
//! # Layout
//! docs/index-format.md describes the arrays. A label is a list of entries, each a hub, how far it is, and the next corner
//! on the way; two corners on a shortest path have a hub in common that lies on one. Where labels would be too many a
//! contraction hierarchy of the corners stands there instead, and is searched; where lists of first corners would be too many a query
//! looks for them itself.

mod broken;
mod check;
mod word;

pub(crate) use broken::{Broken, ProofRule};
pub(crate) use word::{Fields, LabelEntry, Word, bits_of};

pub(crate) use super::step_costs::StepCosts;

use super::numbers::Numbers;
use crate::index::{Atlas, Facts, IndexKind, Section};
use crate::space::{Cell, Grid};
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What the numbers of the other arrays mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Header {
    /// What steps cost.
    pub(crate) costs: StepCosts,
    /// No entry of a label is farther away.
    pub(crate) farthest: u64,
    /// Bytes of an entry of a label: 8 or 16, or 0 where there are no labels.
    pub(crate) entry_bytes: u32,
    /// How the bits of an entry are shared out.
    pub(crate) hub_bits: u32,
    pub(crate) place_bits: u32,
    pub(crate) turn_bits: u32,
    /// Bytes of a corner in a list: 2 or 4, or 0 where there are no lists.
    pub(crate) list_bytes: u32,
    /// Distances from landmarks are counted in `2^mark_shift`.
    pub(crate) mark_shift: u32,
}

/// Landmarks that every corner knows its distance from.
pub(crate) const LANDMARKS: usize = 16;

/// Distances from landmarks are at most this.
pub(crate) const MOST_MARK: i16 = 0x3fff;

/// What a query knows of a corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Corner {
    pub(crate) column: u32,
    pub(crate) row: u32,
    /// Its first entry, or its first edge where there are no labels; they end where those of the next corner begin.
    pub(crate) first: u32,
    /// The entries for side 0 end before the second of these, those for side 1 begin at the first.
    pub(crate) halves: [u32; 2],
    /// Its first turn.
    pub(crate) first_turn: u32,
    /// Distances from the landmarks.
    pub(crate) marks: [i16; LANDMARKS],
}

impl Corner {
    #[inline(always)]
    pub(crate) fn cell(&self) -> Cell {
        (self.column, self.row)
    }
}

/// A corner that a cell lists, and which entries of its label a path can go on with that comes from there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Listed(pub(crate) u32);

impl Listed {
    /// All entries.
    pub(crate) const ALL: u32 = 2;
    /// None: no other corner follows.
    pub(crate) const NO_OTHER: u32 = 3;

    pub(crate) const fn new(corner: u32, side: u32) -> Listed {
        Listed(corner << 2 | side)
    }

    #[inline(always)]
    pub(crate) const fn corner(self) -> u32 {
        self.0 >> 2
    }

    #[inline(always)]
    pub(crate) const fn side(self) -> u32 {
        self.0 & 3
    }
}

/// Where a path turns next: a corner, and whether that one sees the last, not the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct NextCorner(u32);

impl NextCorner {
    #[inline(always)]
    pub(crate) const fn corner(self) -> u32 {
        self.0 >> 1
    }

    #[inline(always)]
    pub(crate) const fn sees(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A block has 4 x 4 squares of 4 x 4 cells; a square has one list.
const BLOCK_SHIFT: u32 = 4;

/// Blocks in a row of a grid, and how many there are.
pub(crate) fn blocks_of(grid: &Grid) -> (usize, usize) {
    let columns = (grid.width() as usize >> BLOCK_SHIFT) + 1;
    (columns, columns * ((grid.height() as usize >> BLOCK_SHIFT) + 1))
}

/// The block of a cell, the square there, and the cell's bit in masks of it.
#[inline(always)]
pub(crate) fn square_of(blocks_in_row: usize, (column, row): Cell) -> (usize, usize, u32) {
    let block = (row >> BLOCK_SHIFT) as usize * blocks_in_row + (column >> BLOCK_SHIFT) as usize;
    (block, (row & 12 | column >> 2 & 3) as usize, (row & 3) << 2 | column & 3)
}

const NO_HEADER: Header = Header {
    costs: StepCosts { straight: 1, diagonal: 1 },
    farthest: 0,
    entry_bytes: 0,
    hub_bits: 0,
    place_bits: 0,
    turn_bits: 0,
    list_bytes: 0,
    mark_shift: 0,
};

/// The labels, ready to be read. Every method returns something, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornerLabels<'a> {
    pub(crate) header: Header,
    /// With one more behind the last, where everything ends.
    corners: &'a [Corner],
    turns: &'a [u32],
    /// Of one kind or the other.
    entries: (&'a [u64], &'a [u128]),
    blocks: &'a [u32],
    starts: &'a [u32],
    listed: Numbers<'a>,
    masks: &'a [u16],
    targets: &'a [u32],
    middles: &'a [u32],
    /// The lower and upper halves; of the upper ones there are none where all are 0.
    excesses: [&'a [u32]; 2],
}

/// Instead of the middle of an edge that is a leg.
pub(crate) const NO_MIDDLE: u32 = u32::MAX;

impl Atlas {
    /// The labels of corners, if they have been worked out.
    #[inline(always)]
    pub(crate) fn corner_labels(&self) -> Option<CornerLabels<'_>> {
        self.section(IndexKind::CORNER_LABELS).map(CornerLabels::new)
    }
}

impl<'a> CornerLabels<'a> {
    #[inline(always)]
    pub(crate) fn new(section: &'a Section) -> CornerLabels<'a> {
        let arrays = section.reader();
        let header: Header = arrays.array(0).first().copied().unwrap_or(NO_HEADER);
        let mut index = CornerLabels {
            header,
            corners: arrays.array(1),
            turns: arrays.array(3),
            entries: (&[], &[]),
            blocks: arrays.array(4),
            starts: arrays.array(5),
            listed: Numbers::of(arrays, 6, header.list_bytes),
            masks: arrays.array(7),
            targets: &[],
            middles: &[],
            excesses: [&[], &[]],
        };
        match header.entry_bytes {
            8 => index.entries.0 = arrays.array(2),
            // Edges stand where there are no labels.
            0 => {
                (index.targets, index.middles) = (arrays.array(8), arrays.array(9));
                index.excesses = [arrays.array(10), arrays.array(11)];
            }
            _ => index.entries.1 = arrays.array(2),
        }
        index
    }

    /// How many corners there are.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.corners.len().saturating_sub(1)
    }

    #[inline(always)]
    pub(crate) fn corner(&self, number: u32) -> &'a Corner {
        const NONE: &Corner =
            &Corner { column: 0, row: 0, first: 0, halves: [0; 2], first_turn: 0, marks: [0; LANDMARKS] };
        self.corners.get(number as usize).unwrap_or(NONE)
    }

    /// All corners.
    pub(crate) fn corners(&self) -> &'a [Corner] {
        &self.corners[..self.count()]
    }

    /// Its entries, or its edges where there are no labels.
    #[inline(always)]
    pub(crate) fn range(&self, corner: u32) -> Range<usize> {
        self.corner(corner).first as usize..self.corner(corner + 1).first as usize
    }

    /// The entries of all labels, in words of their size.
    #[inline]
    pub(crate) fn entries<W: Word>(&self) -> &'a [W] {
        W::of(self.entries)
    }

    #[inline(always)]
    pub(crate) fn fields(&self) -> Fields {
        let Header { hub_bits, place_bits, turn_bits, .. } = self.header;
        Fields { hub: hub_bits, place: place_bits, turn: turn_bits }
    }

    /// The entries that a path can go on with at a listed corner.
    #[inline(always)]
    pub(crate) fn half(&self, listed: Listed) -> Range<usize> {
        let (corner, end) = (self.corner(listed.corner()), self.corner(listed.corner() + 1).first);
        // Differences that count or not: the side is nothing that a processor could guess.
        let if_side = |side: u32, difference: u32| difference.wrapping_mul(u32::from(listed.side() == side));
        let first = corner.first.wrapping_add(if_side(1, corner.halves[0].wrapping_sub(corner.first)));
        let end = end.wrapping_sub(if_side(0, end.wrapping_sub(corner.halves[1])));
        let (first, end) = (first as usize, end as usize);
        first..end
    }

    /// The same; of a corner that leads to no other the entry of itself, which is the last of the middle.
    #[inline(always)]
    pub(crate) fn half_or_hub(&self, listed: Listed) -> Range<usize> {
        if listed.side() != Listed::NO_OTHER {
            return self.half(listed);
        }
        let end = self.corner(listed.corner()).halves[1] as usize;
        end.saturating_sub(1)..end
    }

    /// Where a turn of a corner leads, given the corner's first.
    #[inline(always)]
    pub(crate) fn turn(&self, first_turn: u32, turn: u32) -> NextCorner {
        NextCorner(self.turns.get((first_turn + turn) as usize).copied().unwrap_or(0))
    }

    /// Turns that a corner has.
    pub(crate) fn turns(&self, corner: u32) -> u32 {
        self.corner(corner + 1).first_turn.saturating_sub(self.corner(corner).first_turn)
    }

    /// The list of a cell's square, and the cell's bit in its masks.
    #[inline(always)]
    pub(crate) fn list(&self, grid: &Grid, cell: Cell) -> (Range<usize>, u32) {
        let (block, square, bit) = square_of(blocks_of(grid).0, cell);
        let place = self.blocks.get(block).copied().unwrap_or(0) as usize * 16 + square;
        match self.starts.get(place..) {
            Some(&[first, end, ..]) => (first as usize..end as usize, bit),
            _ => (0..0, bit),
        }
    }

    /// Writes the members of part of a list that a cell has, by its bit, where there is room for all of the part; how many
    /// they are.
    #[inline(always)]
    pub(crate) fn members(&self, list: Range<usize>, bit: u32, keys: &mut [u32]) -> usize {
        let masks = self.masks.get(list.clone()).unwrap_or(&[]);
        match self.listed {
            Numbers::Narrow(numbers) => select(numbers.get(list).unwrap_or(&[]), masks, bit, keys),
            Numbers::Wide(numbers) => select(numbers.get(list).unwrap_or(&[]), masks, bit, keys),
        }
    }

    /// The edges of a corner where there are no labels: those that lead up, or all of a corner that was never contracted.
    #[inline(always)]
    pub(crate) fn edges(&self, corner: u32) -> Range<u32> {
        self.corner(corner).first..self.corner(corner + 1).first
    }

    /// Where an edge leads.
    #[inline(always)]
    pub(crate) fn target(&self, edge: u32) -> u32 {
        self.targets.get(edge as usize).copied().unwrap_or(0)
    }

    /// The corner that an edge of it and another one replace this edge; `None` if it is a leg.
    #[inline]
    pub(crate) fn middle(&self, edge: u32) -> Option<u32> {
        self.middles.get(edge as usize).copied().filter(|&middle| middle != NO_MIDDLE)
    }

    /// What an edge of a corner costs.
    #[inline(always)]
    pub(crate) fn edge_cost(&self, corner: u32, edge: u32) -> u64 {
        let [low, high] = self.excesses.map(|half| half.get(edge as usize).copied().unwrap_or(0));
        let (here, there) = (self.corner(corner).cell(), self.corner(self.target(edge)).cell());
        self.header.costs.octile(here, there).saturating_add(u64::from(high) << 32 | u64::from(low))
    }

    /// The edge from one corner to another, if the first has it. Halves the edges again and again.
    pub(crate) fn edge_to(&self, corner: u32, target: u32) -> Option<u32> {
        let edges = self.edges(corner);
        let targets = self.targets.get(edges.start as usize..edges.end as usize)?;
        targets.binary_search(&target).ok().map(|place| edges.start + place as u32)
    }

    /// The edges from one corner to two others. The first few are all looked at, without a guess where they are.
    #[inline]
    pub(crate) fn edges_to(&self, corner: u32, others: [u32; 2]) -> [Option<u32>; 2] {
        const FEW: usize = 24;
        let edges = self.edges(corner);
        let targets = self.targets.get(edges.start as usize..edges.end as usize).unwrap_or(&[]);
        if targets.len() > FEW {
            return others.map(|other| self.edge_to(corner, other));
        }
        let mut found = [u32::MAX; 2];
        for (place, &target) in targets.iter().enumerate() {
            for (found, other) in found.iter_mut().zip(others) {
                *found = if target == other { place as u32 } else { *found };
            }
        }
        found.map(|place| (place != u32::MAX).then(|| edges.start + place))
    }

    /// The corner at a cell, where there are no lists: corners are in the order of their cells there.
    pub(crate) fn corner_at(&self, (column, row): Cell) -> Option<u32> {
        let place = self.corners().binary_search_by_key(&(row, column), |corner| (corner.row, corner.column));
        place.ok().map(|place| place as u32)
    }

    /// Bits that the largest sum of a query takes.
    #[inline]
    pub(crate) fn sum_bits(&self, grid: &Grid) -> u32 {
        sum_bits(self.header.costs, self.header.farthest, grid)
    }

    /// The cost of a path in the units of the space.
    pub(crate) fn cost_in_space(&self, cost: u64, grid: &Grid) -> u64 {
        self.header.costs.to_space(cost, grid.geometry().scale())
    }

    /// Entries of labels, and bytes by what they are for.
    pub(crate) fn facts(&self) -> Facts {
        let (header, count) = (&self.header, self.count());
        let lengths = (0..count as u32).map(|corner| self.range(corner).len());
        let (all, largest) = (lengths.clone().sum::<usize>(), lengths.max().unwrap_or(0));
        let [entries, largest] = if header.entry_bytes > 0 { [all, largest] } else { [0, 0] };
        let lists = self.listed.len() * (header.list_bytes as usize + 2);
        let arrays = [self.targets, self.middles, self.excesses[0], self.excesses[1]];
        let bytes_of_edges: usize = arrays.into_iter().map(size_of_val).sum();
        vec![
            ("corners", count as f64),
            ("entries", entries as f64),
            ("mean label", entries as f64 / count.max(1) as f64),
            ("largest label", largest as f64),
            ("edges", self.targets.len() as f64),
            ("bytes of corners", size_of_val(self.corners) as f64),
            ("bytes of labels", (entries * header.entry_bytes as usize + size_of_val(self.turns)) as f64),
            ("bytes of lists", (size_of_val(self.blocks) + size_of_val(self.starts) + lists) as f64),
            ("bytes of edges", bytes_of_edges as f64),
        ]
    }
}

/// Which members a cell has is nothing that a processor could guess: it is found out by bits.
#[inline(always)]
fn select<N: Copy + Into<u32>>(numbers: &[N], masks: &[u16], bit: u32, keys: &mut [u32]) -> usize {
    let mut count = 0;
    for (numbers, masks) in numbers.chunks(64).zip(masks.chunks(64)) {
        let mut places = having(masks, bit);
        while places != 0 {
            let number = numbers.get(places.trailing_zeros() as usize);
            if let (Some(key), Some(&number)) = (keys.get_mut(count), number) {
                *key = number.into();
            }
            count += 1;
            places &= places - 1;
        }
    }
    count.min(keys.len())
}

/// Which of at most 64 masks have a bit, a bit each. Four masks are one word, and one product brings their bits together: no two
/// of the bits that it adds up stand at one place.
#[inline(always)]
fn having(masks: &[u16], bit: u32) -> u64 {
    const EACH: u64 = 0x0001_0001_0001_0001;
    const TOGETHER: u64 = 1 << 60 | 1 << 45 | 1 << 30 | 1 << 15;
    let together = |[a, b, c, d]: [u64; 4]| {
        ((a | b << 16 | c << 32 | d << 48) >> bit & EACH).wrapping_mul(TOGETHER) >> 60
    };
    let (fours, rest) = masks.as_chunks::<4>();
    let mut last = [0; 4];
    last.iter_mut().zip(rest).for_each(|(last, &mask)| *last = mask.into());
    let all = fours.iter().rev().fold(0, |all, four| all << 4 | together(four.map(u64::from)));
    all | together(last) << (4 * fours.len() % 64)
}

/// Bits that the largest sum of a query takes: a leg, two entries, a leg.
pub(crate) fn sum_bits(costs: StepCosts, farthest: u64, grid: &Grid) -> u32 {
    let across = costs.of_steps(grid.width(), grid.height());
    bits_of(farthest.saturating_add(across).saturating_mul(2))
}

/// The number of a query takes at least so many bits in what it writes down for a hub.
const LEAST_QUERY_BITS: u32 = 8;

/// Whether entries of these fields and sums of so many bits fit words of a kind, beside the number of any of so many entries.
pub(crate) fn fits<W: Word>(fields: Fields, sum_bits: u32, entries: usize) -> bool {
    fields.below() + sum_bits <= W::BITS && sum_bits + bits_of(entries as u64) + LEAST_QUERY_BITS <= W::BITS
}

#[cfg(test)]
mod tests {
    use super::{having, select};
    use crate::core::Rng;

    #[test]
    fn members_are_those_whose_masks_have_the_bit() {
        let mut rng = Rng::new(3);
        for round in 0..3000 {
            let count = if round < 65 { round } else { rng.below(200) as usize };
            let masks: Vec<u16> =
                (0..count).map(|_| rng.below(1 << 16) as u16 & rng.below(1 << 16) as u16).collect();
            let numbers: Vec<u16> = (0..count).map(|_| rng.below(1 << 16) as u16).collect();
            let bit = rng.below(16);
            let has = |mask: u16| mask >> bit & 1 == 1;
            let first = masks.iter().take(64).enumerate();
            let bits = first.fold(0, |bits, (place, &mask)| bits | u64::from(has(mask)) << place);
            assert_eq!(having(&masks[..count.min(64)], bit), bits, "{masks:?}, bit {bit}");
            let members = numbers.iter().zip(&masks).filter(|(_, mask)| has(**mask));
            let members: Vec<u32> = members.map(|(&number, _)| number.into()).collect();
            let mut keys = vec![0; count];
            let found = select(&numbers, &masks, bit, &mut keys);
            assert_eq!(keys[..found], members[..], "{masks:?}, bit {bit}");
        }
    }
}
