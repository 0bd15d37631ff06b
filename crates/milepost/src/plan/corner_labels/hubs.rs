//! What a query writes down for each hub: the least way from the goal's side, in words that older queries cannot be mistaken
//! for new ones in, so that nothing is ever cleared.

use crate::index::corner_labels::{Fields, Word, bits_of};

/// For each hub, and for numbers behind the last up to a power of two, a word: the number of the query, which falls from query to query, then the length of the way, then the
/// entry of a label that it was read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Hubs<W> {
    words: Vec<W>,
    /// Bits below the number of the query.
    shift: u32,
    /// Queries that are left until the words are cleared.
    queries_left: u64,
}

/// The words of one query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout<W> {
    /// Bits of the number of an entry.
    entry_bits: u32,
    shift: u32,
    /// The number of the query, in its place.
    base: W,
    fields: Fields,
}

/// The best way so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Best<W> {
    /// Its length, and the entry of the goal's side.
    sum: W,
    /// The candidate of the start, and the entry of its label.
    pub(super) candidate: u32,
    pub(super) entry: u32,
}

impl<W: Word> Hubs<W> {
    /// A new query over so many hubs and entries.
    #[inline(always)]
    pub(super) fn begin(&mut self, hubs: usize, sum_bits: u32, entries: usize, fields: Fields) -> Layout<W> {
        let entry_bits = bits_of(entries as u64);
        let shift = sum_bits + entry_bits;
        if self.shift != shift || self.words.len() < hubs || self.queries_left == 0 {
            self.clear(hubs, shift);
        }
        self.queries_left -= 1;
        Layout { entry_bits, shift, base: W::from_number(self.queries_left).up(shift), fields }
    }

    #[cold]
    fn clear(&mut self, hubs: usize, shift: u32) {
        let most = (1_u64 << (W::BITS - shift).min(32)) - 1;
        self.queries_left = most - 1;
        self.shift = shift;
        self.words.clear();
        // As many as there are numbers of their bits, so that a number needs no comparison.
        let words = hubs.max(1).next_power_of_two();
        // No way that is added to it makes this one of the current query.
        self.words.resize(words, W::from_number(most).up(shift));
    }

    /// Writes down entries of the label of a corner that costs this much to go to from the goal.
    #[inline(always)]
    pub(super) fn enter(&mut self, layout: &Layout<W>, entries: &[W], first: usize, cost: u64) {
        let Layout { entry_bits, base, fields, .. } = *layout;
        let (mask, below) = (fields.hub_mask(), fields.below());
        let Some(last) = self.words.len().checked_sub(1) else { return };
        let mut add = base.plus(W::from_number(cost).up(entry_bits)).plus(W::from_number(first as u64));
        for &entry in entries {
            let word = &mut self.words[(entry.low() & mask) as usize & last];
            *word = (*word).min(add.plus(entry.down(below).up(entry_bits)));
            add = add.plus(W::from_number(1));
        }
    }

    /// Reads entries of the label of a candidate of the start.
    #[inline(always)]
    pub(super) fn read(
        &self,
        layout: &Layout<W>,
        entries: &[W],
        first: usize,
        (candidate, cost): (usize, u64),
        best: &mut Best<W>,
    ) {
        let Layout { entry_bits, base, fields, .. } = *layout;
        let (mask, below) = (fields.hub_mask(), fields.below());
        let Some(last) = self.words.len().checked_sub(1) else { return };
        let add = W::from_number(cost).up(entry_bits).minus(base);
        for (place, &entry) in entries.iter().enumerate() {
            let word = self.words[(entry.low() & mask) as usize & last];
            let sum = word.plus(add).plus(entry.down(below).up(entry_bits));
            if sum < best.sum {
                *best = Best { sum, candidate: candidate as u32, entry: (first + place) as u32 };
            }
        }
    }

    /// An entry as it was written down, with its distance from the end, if it is the nearest of its hub.
    #[inline(always)]
    pub(super) fn nearest(&self, layout: &Layout<W>, entry: W, place: usize) -> Option<W> {
        let hub = entry.low() & ((1 << layout.fields.hub) - 1);
        let word = self.words.get(hub as usize)?.minus(layout.base);
        let is_own = word.low() & ((1 << layout.entry_bits) - 1) == place as u64;
        let distance = word.down(layout.entry_bits);
        is_own.then(|| W::from_number(hub).plus(distance.up(layout.fields.below())))
    }

    /// The least sum of what was written down and a label of [nearest](Hubs::nearest) entries.
    #[inline(always)]
    pub(super) fn least(&self, layout: &Layout<W>, label: &[W]) -> Option<u64> {
        let (none, mut best) = (layout.none(), layout.none());
        self.read(layout, label, 0, (0, 0), &mut best);
        (best.sum < none.sum).then(|| layout.cost(&best))
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>()
    }
}

impl<W: Word> Layout<W> {
    /// Instead of a way: longer than all.
    pub(super) fn none(&self) -> Best<W> {
        Best { sum: W::from_number(1).up(self.shift), candidate: 0, entry: u32::MAX }
    }

    /// A way of this length that leads over no hub.
    pub(super) fn without_hub(&self, cost: u64) -> Best<W> {
        Best { sum: W::from_number(cost).up(self.entry_bits), candidate: 0, entry: u32::MAX }
    }

    pub(super) fn cost(&self, best: &Best<W>) -> u64 {
        best.sum.down(self.entry_bits).low()
    }

    /// The entry of the goal's side.
    pub(super) fn goal_entry(&self, best: &Best<W>) -> usize {
        (best.sum.low() & ((1 << self.entry_bits) - 1)) as usize
    }
}
