//! A hash map of the states that a small search has come to, one search after another: it is emptied in O(1).
//!
//! Open addressing: a key that finds its slot taken goes to the next free one. Slots know the search that wrote them, by its
//! epoch; those of older searches are free.
//!
//! # Guarantees
//! At most three quarters of the slots are taken. After warm-up nothing is allocated. What is in the map does not depend on
//! the order of insertions; [`EpochMap::sorted`] tells it in one order. For agents whose steps must not move what they
//! remember there is the [`RadixMap`](super::RadixMap).

use super::zeroed::zeroed;
use zerocopy::FromZeros;

/// A map from keys to values, both small.
#[derive(Clone, Debug)]
pub(crate) struct EpochMap<K, V> {
    /// A power of two, or none.
    slots: Vec<Slot<K, V>>,
    /// Above [`UNUSED`] where there are slots.
    epoch: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug, FromZeros)]
struct Slot<K, V> {
    epoch: u32,
    key: K,
    value: V,
}

/// The epoch of slots that no search has written: room for many is zeroed memory.
const UNUSED: u32 = 0;

impl<K, V> Default for EpochMap<K, V> {
    fn default() -> EpochMap<K, V> {
        EpochMap { slots: Vec::new(), epoch: UNUSED + 1, len: 0 }
    }
}

impl<K: Copy + Eq + FromZeros + Into<u64>, V: Copy + FromZeros> EpochMap<K, V> {
    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == UNUSED {
            self.slots.as_mut_slice().zero();
            self.epoch = UNUSED + 1;
        }
    }

    /// Makes room for so many keys.
    pub(crate) fn reserve(&mut self, count: usize) {
        let slots = EpochMap::<K, V>::slots_for(count);
        if self.slots.len() < slots {
            let fresh = zeroed(slots);
            let old = std::mem::replace(self, EpochMap { slots: fresh, ..EpochMap::default() });
            old.iter().for_each(|(key, value)| self.set(key, value));
        }
    }

    /// Slots of a map with room for so many keys.
    fn slots_for(count: usize) -> usize {
        (count + count / 2).max(16).next_power_of_two()
    }

    /// Memory that a map holds for which there was made room for so many keys once, and no more.
    pub(crate) fn bytes_for(count: usize) -> usize {
        EpochMap::<K, V>::slots_for(count) * size_of::<Slot<K, V>>()
    }

    /// The value of a key, if it has one.
    #[inline]
    pub(crate) fn get(&self, key: K) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot(key)];
        (slot.epoch == self.epoch).then_some(slot.value)
    }

    /// Gives a key a value.
    #[inline]
    pub(crate) fn set(&mut self, key: K, value: V) {
        let slot = self.slot_with_room(key);
        self.len += usize::from(self.slots[slot].epoch != self.epoch);
        self.slots[slot] = Slot { epoch: self.epoch, key, value };
    }

    /// The value of a key; if it has none, `new` is its value from now on, and `None` is the answer.
    #[inline]
    pub(crate) fn get_or_set(&mut self, key: K, new: V) -> Option<V> {
        let slot = self.slot_with_room(key);
        if self.slots[slot].epoch == self.epoch {
            return Some(self.slots[slot].value);
        }
        self.len += 1;
        self.slots[slot] = Slot { epoch: self.epoch, key, value: new };
        None
    }

    /// Keys with a value.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All entries, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, V)> {
        self.slots.iter().filter(|slot| slot.epoch == self.epoch).map(|slot| (slot.key, slot.value))
    }

    /// All entries, in the order of their keys.
    pub(crate) fn sorted(&self) -> Vec<(K, V)> {
        let mut entries: Vec<(K, V)> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| (*key).into());
        entries
    }

    /// Memory held, without the map itself.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<K, V>>()
    }

    /// The slot of a key, or the free one where it belongs, after there was made room for one more.
    #[inline]
    fn slot_with_room(&mut self, key: K) -> usize {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.reserve((self.len + 1) * 2);
        }
        self.slot(key)
    }

    /// The slot of a key, or the free one where it belongs.
    #[inline]
    fn slot(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(key.into()) as usize & mask;
        while self.slots[slot].epoch == self.epoch && self.slots[slot].key != key {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Spreads keys that are near each other, as states are; and what is in their upper halves, as the rows of squares are.
#[inline]
fn hash(key: u64) -> u32 {
    let key = (key as u32).wrapping_add(((key >> 32) as u32).wrapping_mul(0x27d4_eb2f));
    key.wrapping_mul(0x9e37_79b1) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::HashMap;

    #[test]
    fn an_epoch_map_holds_what_a_plain_map_does_also_when_the_epoch_wraps() {
        let mut rng = Rng::new(5);
        let mut map = EpochMap::default();
        for round in 0..60 {
            match round {
                30 => map = EpochMap { epoch: u32::MAX - 5, ..EpochMap::default() },
                50 => map = EpochMap::default(),
                _ => map.clear(),
            }
            let mut plain = HashMap::new();
            assert_eq!((map.get(7), map.len()), (None, 0));
            if round % 7 == 0 {
                map.reserve(rng.below(1000) as usize);
            }
            for _ in 0..rng.below(800) {
                // States, and squares by row and column.
                let mut draw = || u64::from(rng.below(20)) << 32 | u64::from(rng.below(20));
                let (key, other, third) = (draw(), draw(), draw());
                let value = rng.below(9);
                map.set(key, value);
                plain.insert(key, value);
                assert_eq!(map.get(other), plain.get(&other).copied());
                assert_eq!(map.get_or_set(third, value), plain.get(&third).copied());
                plain.entry(third).or_insert(value);
                assert_eq!(map.len(), plain.len());
            }
            let mut sorted: Vec<(u64, u32)> = plain.into_iter().collect();
            sorted.sort_unstable();
            assert_eq!(map.sorted(), sorted);
            assert!(map.bytes() <= 16 * (6 * sorted.len() + 16).max(2048));
        }
    }
}
