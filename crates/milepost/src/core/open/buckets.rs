//! Buckets in front of a small heap: entries far from the minimum cost one write, only those near it are sorted.
//!
//! Bucket `b` holds the keys `f` with `f >> shift == b`. Entries of the current bucket and of those before it sit
//! in a [`Heap`]; the next [`RING`] - 1 buckets are linked lists in a ring; anything beyond waits in `far`. When
//! the heap runs empty, the next bucket that holds anything becomes current and is made a heap. So the sequence
//! is exactly that of one large heap, whatever keys are pushed in whatever order: a key below the current bucket
//! (an estimate that is not consistent) joins the heap.
//!
//! A bucket as wide as the cheapest edge would make unsorted buckets final for Dijkstra's keys; for A*'s keys,
//! which may stay equal from step to step, it would not. Sorting the current one makes the width a question of
//! speed alone.

use super::{Entry, Heap, KeyRange, OpenList};

/// Buckets in the ring; a power of two.
const RING: u64 = 1024;
const _: () = assert!(RING.is_power_of_two() && RING >= 64);
const WORDS: usize = RING as usize / 64;

/// A step of the cheapest cost spans 2 to this power buckets. From 16 to 256 of them the speed differs by less
/// than 5 % on real maps; fewer make the heap larger, more leave the ring too soon.
const BUCKETS_PER_STEP_LOG2: u32 = 5;

/// End of a linked list.
const NIL: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Slot {
    entry: Entry,
    next: u32,
}

/// The bucket queue.
#[derive(Clone, Debug)]
pub struct Buckets {
    shift: u32,
    /// All entries in `near` have buckets at most this; all others have greater ones.
    current: u64,
    near: Heap,
    /// `heads[b % RING]` starts the list of bucket `b` for `current < b < current + RING`, if `filled` says so.
    heads: Box<[u32; RING as usize]>,
    filled: [u64; WORDS],
    slots: Vec<Slot>,
    free: u32,
    /// Entries of buckets `current + RING` and beyond.
    far: Vec<Entry>,
    /// Least bucket in `far`.
    far_first: u64,
    len: usize,
}

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets {
            shift: 0,
            current: 0,
            near: Heap::default(),
            heads: Box::new([NIL; RING as usize]),
            filled: [0; WORDS],
            slots: Vec::new(),
            free: NIL,
            far: Vec::new(),
            far_first: u64::MAX,
            len: 0,
        }
    }
}

impl Buckets {
    /// Makes room for so many entries, and writes to it. It must be reset then.
    pub(crate) fn warm(&mut self, entries: usize) {
        let entry = Entry { f: u64::MAX, tie_and_state: u64::MAX };
        self.slots.resize(self.slots.len().max(entries), Slot { entry, next: NIL });
        self.far.resize(self.far.len().max(entries), entry);
        self.near.warm(entries);
    }

    #[inline(always)]
    fn push_ring(&mut self, bucket: u64, entry: Entry) {
        let ring = (bucket % RING) as usize;
        let (word, bit) = (ring / 64, 1_u64 << (ring % 64));
        let next = if self.filled[word] & bit == 0 { NIL } else { self.heads[ring] };
        self.filled[word] |= bit;
        self.heads[ring] = if self.free == NIL {
            self.slots.push(Slot { entry, next });
            (self.slots.len() - 1) as u32
        } else {
            let at = self.free;
            let slot = &mut self.slots[at as usize];
            self.free = slot.next;
            *slot = Slot { entry, next };
            at
        };
    }

    #[cold]
    fn push_far(&mut self, bucket: u64, entry: Entry) {
        self.far_first = self.far_first.min(bucket);
        self.far.push(entry);
    }

    /// The first bucket after the current one that has a list.
    fn next_in_ring(&self) -> Option<u64> {
        let start = ((self.current + 1) % RING) as usize;
        for step in 0..=WORDS {
            let word = (start / 64 + step) % WORDS;
            let mut bits = self.filled[word];
            if step == 0 {
                bits &= u64::MAX << (start % 64);
            } else if step == WORDS {
                bits &= !(u64::MAX << (start % 64));
            }
            if bits != 0 {
                let ring = (word * 64) as u64 + u64::from(bits.trailing_zeros());
                return Some(self.current + 1 + (ring + RING - start as u64) % RING);
            }
        }
        None
    }

    /// Makes the next bucket that holds anything current. The heap is empty.
    fn advance(&mut self) {
        let next = self.next_in_ring().unwrap_or(u64::MAX).min(self.far_first);
        if next == u64::MAX {
            return;
        }
        self.current = next;
        if self.far_first.saturating_sub(next) < RING {
            self.bring_far_near();
        }
        let ring = (next % RING) as usize;
        let (word, bit) = (ring / 64, 1_u64 << (ring % 64));
        if self.filled[word] & bit == 0 {
            return;
        }
        self.filled[word] &= !bit;
        let (slots, head) = (&self.slots, self.heads[ring]);
        let mut at = head;
        let mut last = head;
        self.near.fill(std::iter::from_fn(|| {
            let slot = slots.get(at as usize)?;
            last = at;
            at = slot.next;
            Some(slot.entry)
        }));
        // The whole list goes to the free list.
        self.slots[last as usize].next = self.free;
        self.free = head;
    }

    /// Moves entries of `far` that the ring now covers into it.
    #[cold]
    fn bring_far_near(&mut self) {
        self.far_first = u64::MAX;
        let mut far = std::mem::take(&mut self.far);
        far.retain(|entry| {
            let bucket = entry.f >> self.shift;
            if bucket - self.current < RING {
                self.push_ring(bucket, *entry);
                return false;
            }
            self.far_first = self.far_first.min(bucket);
            true
        });
        self.far = far;
    }
}

impl OpenList for Buckets {
    fn reset(&mut self, keys: KeyRange) {
        self.shift = keys.cheapest.units().max(1).ilog2().saturating_sub(BUCKETS_PER_STEP_LOG2);
        self.current = 0;
        self.near.reset(keys);
        self.filled = [0; WORDS];
        self.slots.clear();
        self.free = NIL;
        self.far.clear();
        self.far_first = u64::MAX;
        self.len = 0;
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        let bucket = entry.f >> self.shift;
        if self.len == 0 {
            self.current = bucket;
        }
        self.len += 1;
        if bucket <= self.current {
            self.near.push(entry);
        } else if bucket - self.current < RING {
            self.push_ring(bucket, entry);
        } else {
            self.push_far(bucket, entry);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Entry> {
        if self.near.is_empty() {
            self.advance();
        }
        let entry = self.near.pop()?;
        self.len -= 1;
        Some(entry)
    }

    fn put_back(&mut self, entry: Entry) {
        self.len += 1;
        self.near.push(entry);
    }

    fn len(&self) -> usize {
        self.len
    }

    fn entries(&self) -> Vec<Entry> {
        let mut all = self.near.as_slice().to_vec();
        for ring in (0..RING as usize).filter(|ring| self.filled[ring / 64] >> (ring % 64) & 1 == 1) {
            let mut at = self.heads[ring];
            while let Some(slot) = self.slots.get(at as usize) {
                all.push(slot.entry);
                at = slot.next;
            }
        }
        all.extend_from_slice(&self.far);
        all
    }

    fn bytes(&self) -> usize {
        self.near.bytes()
            + size_of_val(&*self.heads)
            + self.slots.capacity() * size_of::<Slot>()
            + self.far.capacity() * size_of::<Entry>()
    }
}
