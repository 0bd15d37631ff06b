//! A table from numbers to small values whose memory follows what is in it, one page after another: for what agents
//! remember of a few states of a large map.
//!
//! A page has eight groups of eight slots, and room for sixteen pages below it. A key belongs to the group that its
//! first bits name; if that is full in a page, it goes to the page below that its next four bits name. Nothing is ever
//! moved, so a write costs at most one new page, and no write costs more than another.
//!
//! # Guarantees
//! Keys are mixed one to one, and at the sixteenth page on its way a key shares its group with at most one other: so
//! every key finds a slot, after 16 pages at most (a million keys lie about 5 deep). A table is emptied in O(1): pages
//! of an older epoch count as empty, and are used again.

/// Slots of a page, one bit each in a word.
const SLOTS: usize = 64;
const GROUP: usize = 8;
const BELOW: usize = 16;
/// Four bits of a key at each page.
const DEEPEST: u32 = u64::BITS / 4;

/// The table.
#[derive(Clone, Debug)]
pub(crate) struct HashPages<V> {
    top: Option<Box<Page<V>>>,
    epoch: u32,
    len: u64,
    pages: usize,
}

#[derive(Clone, Debug)]
struct Page<V> {
    epoch: u32,
    /// Bit n: slot n is taken, if the page is of the table's epoch.
    taken: u64,
    keys: [u64; SLOTS],
    values: [V; SLOTS],
    below: [Option<Box<Page<V>>>; BELOW],
}

impl<V: Copy + Default> Page<V> {
    fn new(epoch: u32) -> Page<V> {
        Page {
            epoch,
            taken: 0,
            keys: [0; SLOTS],
            values: [V::default(); SLOTS],
            below: [const { None }; BELOW],
        }
    }

    /// The slot of a key in its group, and a free slot there.
    #[inline]
    fn find(&self, mixed: u64) -> (Option<usize>, Option<usize>) {
        let group = group(mixed);
        let taken = self.taken >> group & ((1 << GROUP) - 1);
        // All eight at once, without a branch for each.
        let equal =
            (0..GROUP).fold(0, |equal, slot| equal | u64::from(self.keys[group + slot] == mixed) << slot);
        let slot = |bits: u64| (bits != 0).then(|| group + bits.trailing_zeros() as usize);
        (slot(equal & taken), slot(!taken & ((1 << GROUP) - 1)))
    }
}

/// The first slot of a key's group.
fn group(mixed: u64) -> usize {
    (mixed >> 61) as usize * GROUP
}

/// Which page below a key goes to from a page this deep.
fn turn(mixed: u64, depth: u32) -> usize {
    (mixed >> (4 * depth % u64::BITS)) as usize % BELOW
}

/// Mixes a key one to one: each step can be undone.
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = (key ^ key >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key ^ key >> 32
}

impl<V> Default for HashPages<V> {
    fn default() -> HashPages<V> {
        HashPages { top: None, epoch: 0, len: 0, pages: 0 }
    }
}

impl<V: Copy + Default> HashPages<V> {
    /// What one write allocates at most.
    pub(crate) const PAGE_BYTES: usize = size_of::<Page<V>>();

    /// The value of a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<V> {
        let mixed = mix(key);
        let mut page = self.top.as_deref();
        for depth in 0..DEEPEST {
            let here = page.filter(|page| page.epoch == self.epoch)?;
            match here.find(mixed) {
                (Some(slot), _) => return Some(here.values[slot]),
                // Whatever has room here has nothing below.
                (None, Some(_)) => return None,
                (None, None) => page = here.below[turn(mixed, depth)].as_deref(),
            }
        }
        None
    }

    /// Gives a key a value.
    pub(crate) fn insert(&mut self, key: u64, value: V) {
        *self.entry(key) = value;
    }

    /// The value of a key, which is given the default if it has none.
    #[inline]
    pub(crate) fn entry(&mut self, key: u64) -> &mut V {
        let mixed = mix(key);
        let mut place = &mut self.top;
        let mut depth = 0;
        loop {
            let page = place.get_or_insert_with(|| {
                self.pages += 1;
                Box::new(Page::new(self.epoch))
            });
            if page.epoch != self.epoch {
                (page.epoch, page.taken) = (self.epoch, 0);
            }
            match page.find(mixed) {
                (Some(slot), _) => return &mut page.values[slot],
                (None, Some(slot)) => {
                    self.len += 1;
                    page.taken |= 1 << slot;
                    (page.keys[slot], page.values[slot]) = (mixed, V::default());
                    return &mut page.values[slot];
                }
                // There is a slot at the deepest page at last.
                (None, None) => place = &mut page.below[turn(mixed, depth)],
            }
            depth += 1;
        }
    }

    /// Empties the table in O(1) and keeps the pages, once in 2^32 times it gives them back.
    pub(crate) fn forget(&mut self) {
        self.len = 0;
        match self.epoch.checked_add(1) {
            Some(epoch) => self.epoch = epoch,
            None => *self = HashPages::default(),
        }
    }

    /// How many keys have a value.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.pages * Self::PAGE_BYTES
    }

    /// All keys and values, in the order of the keys.
    pub(crate) fn entries(&self) -> Vec<(u64, V)> {
        let mut entries = Vec::new();
        let mut pages: Vec<&Page<V>> = self.top.iter().map(AsRef::as_ref).collect();
        while let Some(page) = pages.pop() {
            if page.epoch == self.epoch {
                let taken = (0..SLOTS).filter(|slot| page.taken >> slot & 1 == 1);
                entries.extend(taken.map(|slot| (unmix(page.keys[slot]), page.values[slot])));
                pages.extend(page.below.iter().flatten().map(AsRef::as_ref));
            }
        }
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }
}

/// What was mixed. The multipliers are the inverses of those of [`mix`] modulo 2^64.
fn unmix(mixed: u64) -> u64 {
    let key = mixed ^ mixed >> 32;
    let key = key.wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
    let key = key ^ key >> 29 ^ key >> 58;
    let key = key.wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15));
    key ^ key >> 32
}

/// The inverse of an odd number modulo 2^64, by Newton's rule: each round doubles the bits that are right.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd; // right to three bits
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn a_table_holds_what_a_plain_map_holds_also_after_it_was_emptied() {
        let mut rng = Rng::new(91);
        let mut table = HashPages::default();
        for round in 0..40 {
            let mut plain = BTreeMap::new();
            for _ in 0..rng.below(5000) {
                let key = u64::from(rng.below(4000)) << (rng.below(2) * 32);
                let value = u64::from(rng.below(1000));
                plain.insert(key, value);
                table.insert(key, value);
                assert_eq!(table.get(key), Some(value));
            }
            assert_eq!(table.entries(), plain.into_iter().collect::<Vec<_>>(), "round {round}");
            assert_eq!(table.len(), table.entries().len() as u64);
            assert_eq!(table.get(5_000_000), None);
            table.forget();
            assert!(table.len() == 0 && table.entries().is_empty());
        }
    }

    #[test]
    fn a_write_takes_at_most_one_page_and_pages_are_used_again() {
        let mut table = HashPages::<u64>::default();
        assert_eq!(table.bytes(), 0);
        for key in 0..20_000 {
            let before = table.bytes();
            table.insert(key, key);
            assert!(table.bytes() <= before + HashPages::<u64>::PAGE_BYTES);
        }
        let bytes = table.bytes();
        table.forget();
        (0..20_000).for_each(|key| table.insert(key, key));
        assert_eq!(table.bytes(), bytes);
    }

    #[test]
    fn keys_that_agree_in_all_but_their_last_bits_find_a_slot_too() {
        let mut table = HashPages::default();
        let keys: Vec<u64> = (0..16).map(|last| unmix(0x0123_4567_89ab_cdef | last << 60)).collect();
        keys.iter().for_each(|&key| table.insert(key, key));
        assert!(keys.iter().all(|&key| table.get(key) == Some(key)));
    }
}
