//! Whether a section can hold the labels of a grid: lengths, that all numbers point to something, that every entry leads to
//! one that is nearer to its hub by just the leg between them, so that following it ends, at the hub, at the cost it says.

use super::{Corner, CornerLabels, Header, LANDMARKS, MOST_MARK, Word, blocks_of, fits, sum_bits};
use crate::index::{Corruption, Section};
use crate::space::Grid;

impl CornerLabels<'_> {
    pub(crate) fn check(grid: &Grid, section: &Section) -> Result<(), Corruption> {
        section.exactly::<Header>(0, 1)?;
        let check = Check { grid, section, index: CornerLabels::new(section) };
        check.header()?;
        check.corners()?;
        match check.index.header.entry_bytes {
            8 => check.labels::<u64>()?,
            16 => check.labels::<u128>()?,
            _ => check.edges()?,
        }
        check.lists()
    }
}

/// Edges cost less, so that no sum overflows.
const MOST_COST: u64 = 1 << 61;

struct Check<'a> {
    grid: &'a Grid,
    section: &'a Section,
    index: CornerLabels<'a>,
}

impl Check<'_> {
    fn fault<T>(
        &self,
        array: usize,
        offset: usize,
        expected: &str,
        found: impl ToString,
    ) -> Result<T, Corruption> {
        Err(Corruption::at(self.section.offset(array) + offset as u64, expected, found.to_string()))
    }

    fn header(&self) -> Result<(), Corruption> {
        let (header, rule) = (&self.index.header, self.grid.rule());
        let fields = [header.hub_bits, header.place_bits, header.turn_bits];
        if !header.costs.are_known(self.grid)
            || !rule.has_strict_corners()
            || !self.grid.is_plain()
            || !matches!(header.entry_bytes, 0 | 8 | 16)
            || !matches!(header.list_bytes, 0 | 2 | 4)
            || fields.iter().any(|&bits| bits > 32)
            || header.mark_shift > 63
        {
            return self.fault(0, 0, "costs and sizes that this program knows", format!("{header:?}"));
        }
        Ok(())
    }

    /// Corners on free cells, whose parts of other arrays follow each other.
    fn corners(&self) -> Result<(), Corruption> {
        let (index, header) = (&self.index, &self.index.header);
        let records = self.section.array::<Corner>(1);
        if records.is_empty() {
            return self.fault(1, 0, "a record behind the last corner", "none");
        }
        self.section.exactly::<Corner>(1, records.len())?;
        let size = size_of::<Corner>();
        if header.list_bytes > 0 && index.count() >= 1 << 30 || records.len() >= u32::MAX as usize {
            return self.fault(1, 0, "fewer corners than numbers", index.count());
        }
        for (number, corner) in index.corners().iter().enumerate() {
            let next = &records[number + 1];
            let (column, row) = corner.cell();
            let is_inside = column <= self.grid.width() && row <= self.grid.height();
            if !is_inside || !self.grid.has_free(column as i32, row as i32) {
                return self.fault(1, number * size, "corners on free cells", format!("{:?}", corner.cell()));
            }
            let is_ordered = header.list_bytes > 0
                || number + 1 == index.count()
                || (row, column) < (next.row, next.column);
            let [first, second] = corner.halves;
            let halves_fit =
                header.entry_bytes == 0 || corner.first <= first && first <= second && second <= next.first;
            if !is_ordered
                || corner.first > next.first
                || corner.first_turn > next.first_turn
                || !halves_fit
                || corner.marks.iter().any(|mark| !(0..=MOST_MARK).contains(mark))
            {
                return self.fault(
                    1,
                    number * size,
                    "corners whose parts follow each other",
                    format!("{corner:?}"),
                );
            }
        }
        let (first, last) = (&records[0], &records[index.count()]);
        if (first.first, first.first_turn) != (0, 0) || last.marks != [0; LANDMARKS] {
            return self.fault(1, 0, "corners whose parts begin at 0", format!("{first:?}"));
        }
        Ok(())
    }

    fn labels<W: Word>(&self) -> Result<(), Corruption> {
        let (index, header) = (&self.index, &self.index.header);
        let (count, end) = (index.count(), index.corner(index.count() as u32));
        let entries = self.section.exactly::<W>(2, end.first as usize)?;
        self.section.exactly::<u32>(3, end.first_turn as usize)?;
        (8..12).try_for_each(|array| self.section.exactly::<u32>(array, 0).map(drop))?;
        let (fields, sums) = (index.fields(), sum_bits(header.costs, header.farthest, self.grid));
        if !fits::<W>(fields, sums, entries.len()) {
            return self.fault(0, 0, "entries and sums that fit their words", format!("{header:?}"));
        }
        // By hub, the corner that it is.
        let mut owners = vec![u32::MAX; count];
        for corner in 0..count as u32 {
            for place in index.range(corner) {
                let entry = fields.read(entries[place]);
                let fault = |expected, found: u64| self.fault(2, place * size_of::<W>(), expected, found);
                if entry.hub as usize >= count || entry.distance > header.farthest {
                    return fault("hubs that are there", entry.hub.into());
                }
                if entry.distance == 0 {
                    let owner = &mut owners[entry.hub as usize];
                    if *owner != u32::MAX {
                        return fault("a hub that is one corner", entry.hub.into());
                    }
                    *owner = corner;
                    continue;
                }
                if entry.turn >= index.turns(corner) {
                    return fault("turns that are there", entry.turn.into());
                }
                let next = index.turn(index.corner(corner).first_turn, entry.turn).corner();
                if next as usize >= count {
                    return fault("turns that lead to corners", next.into());
                }
                let there = index.range(next);
                if entry.place as usize >= there.len() {
                    return fault("a place in the label of the next corner", entry.place.into());
                }
                let ahead = fields.read(entries[there.start + entry.place as usize]);
                let leg = header.costs.octile(index.corner(corner).cell(), index.corner(next).cell());
                if ahead.hub != entry.hub
                    || leg == 0
                    || ahead.distance.checked_add(leg) != Some(entry.distance)
                {
                    return fault("a distance that is the next corner's and the leg there", entry.distance);
                }
            }
        }
        Ok(())
    }

    /// Edges in the order of their ends, each a leg, or what two edges of its middle cost together: so they can be unpacked.
    fn edges(&self) -> Result<(), Corruption> {
        let (index, count) = (&self.index, self.index.count());
        let end = index.corner(count as u32);
        self.section.exactly::<u8>(2, 0)?;
        self.section.exactly::<u32>(3, end.first_turn as usize)?;
        (8..11).try_for_each(|array| self.section.exactly::<u32>(array, end.first as usize).map(drop))?;
        let upper = self.section.array::<u32>(11);
        self.section.exactly::<u32>(11, if upper.is_empty() { 0 } else { end.first as usize })?;
        for corner in 0..count as u32 {
            let mut before = None;
            for edge in index.edges(corner) {
                let fault = |array: usize, expected, found: u64| {
                    self.fault(array, 4 * edge as usize, expected, found)
                };
                let target = index.target(edge);
                if target as usize >= count
                    || target == corner
                    || before.is_some_and(|before| before >= target)
                {
                    return fault(8, "corners that are there and rise", target.into());
                }
                before = Some(target);
                let cost = index.edge_cost(corner, edge);
                if cost == 0 || cost >= MOST_COST {
                    return fault(10, "a cost that fits", cost);
                }
                let sum = match index.middle(edge) {
                    None => Some(
                        index.header.costs.octile(index.corner(corner).cell(), index.corner(target).cell()),
                    ),
                    Some(middle) if middle as usize >= count => None,
                    Some(middle) => [corner, target].into_iter().try_fold(0, |sum: u64, end| {
                        sum.checked_add(index.edge_cost(middle, index.edge_to(middle, end)?))
                    }),
                };
                if sum != Some(cost) {
                    return fault(9, "a leg, or a middle with two edges that cost the same together", cost);
                }
            }
        }
        Ok(())
    }

    fn lists(&self) -> Result<(), Corruption> {
        let (index, bytes) = (&self.index, self.index.header.list_bytes as usize);
        let has_lists = bytes > 0;
        let blocks = self.section.exactly::<u32>(4, if has_lists { blocks_of(self.grid).1 } else { 0 })?;
        let starts = self.section.array::<u32>(5);
        self.section.exactly::<u32>(5, starts.len())?;
        if has_lists && starts.len() % 16 != 1 || !has_lists && !starts.is_empty() || !starts.is_sorted() {
            return self.fault(5, 0, "beginnings of lists that rise", starts.len());
        }
        let most = starts.len() / 16;
        if let Some(at) = blocks.iter().position(|&block| block as usize >= most) {
            return self.fault(4, 4 * at, "blocks that are there", blocks[at]);
        }
        let members = starts.last().copied().unwrap_or(0) as usize;
        self.section.exactly::<u8>(6, members * bytes)?;
        self.section.exactly::<u16>(7, members)?;
        match index.listed.iter().position(|listed| listed >> 2 >= index.count() as u32) {
            Some(at) if has_lists => {
                self.fault(6, bytes * at, "corners that are there", index.listed.get(at))
            }
            _ => Ok(()),
        }
    }
}
