//! What a search knows about the few corners that it has come to: a small table with open addressing.

use serde::{Deserialize, Serialize, Serializer};

/// A corner, from one of both sides, and how it was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Label {
    pub(crate) key: u32,
    pub(crate) g: u32,
    pub(crate) parent: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Of the search that wrote it; slots of older ones are empty.
    epoch: u32,
    label: Label,
}

/// Labels by their keys. Saved as a list in the order of the keys, so that the same labels are the same bytes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<Label>")]
pub(crate) struct Labels {
    /// A power of two, or none. At least a quarter is empty.
    slots: Vec<Slot>,
    epoch: u32,
    count: usize,
}

impl Labels {
    /// Forgets all labels.
    pub(crate) fn clear(&mut self) {
        if self.epoch == u32::MAX {
            self.slots.fill(Slot::default());
            self.epoch = 0;
        }
        self.epoch += 1;
        self.count = 0;
    }

    /// Makes room for so many labels.
    pub(crate) fn reserve(&mut self, count: usize) {
        let slots = (count + count / 2).max(16);
        if self.slots.len() < slots {
            let labels: Vec<Label> = self.iter().collect();
            self.slots = vec![Slot::default(); slots.next_power_of_two()];
            self.epoch = 1;
            self.count = 0;
            labels.into_iter().for_each(|label| self.set(label));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// All labels, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Label> {
        self.slots.iter().filter(|slot| slot.epoch == self.epoch).map(|slot| slot.label)
    }

    #[inline]
    fn place(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b1) >> 8) as usize & mask;
        while self.slots[place].epoch == self.epoch && self.slots[place].label.key != key {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    pub(crate) fn get(&self, key: u32) -> Option<Label> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.place(key)];
        (slot.epoch == self.epoch).then_some(slot.label)
    }

    #[inline]
    pub(crate) fn set(&mut self, label: Label) {
        if (self.count + 1) * 4 > self.slots.len() * 3 {
            self.reserve((self.count + 1) * 2);
        }
        let place = self.place(label.key);
        self.count += usize::from(self.slots[place].epoch != self.epoch);
        self.slots[place] = Slot { epoch: self.epoch, label };
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut sorted: Vec<Label> = self.iter().collect();
        sorted.sort_unstable();
        sorted.serialize(to)
    }
}

impl TryFrom<Vec<Label>> for Labels {
    type Error = &'static str;

    fn try_from(sorted: Vec<Label>) -> Result<Labels, &'static str> {
        if !sorted.is_sorted_by(|a, b| a.key < b.key) {
            return Err("labels are out of order");
        }
        let mut labels = Labels::default();
        labels.clear();
        sorted.into_iter().for_each(|label| labels.set(label));
        Ok(labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use std::collections::HashMap;

    #[test]
    fn labels_are_those_of_a_map() {
        let mut rng = Rng::new(5);
        let mut labels = Labels::default();
        for _ in 0..20 {
            labels.clear();
            let mut plain = HashMap::new();
            for _ in 0..500 {
                let label = Label { key: rng.below(400), g: rng.below(9), parent: rng.below(400) };
                labels.set(label);
                plain.insert(label.key, label);
                let key = rng.below(400);
                assert_eq!(labels.get(key), plain.get(&key).copied());
            }
            assert_eq!(labels.len(), plain.len());
        }
    }
}
