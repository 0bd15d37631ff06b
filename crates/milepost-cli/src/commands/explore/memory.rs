//! What all tabs together hold, and how much that may be.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Together the maps, runs and indexes of all tabs take at most about so much.
const LIMIT: usize = 4 << 30;

/// The sum over all tabs.
#[derive(Default)]
pub(super) struct Memory(AtomicUsize);

impl Memory {
    /// Why nothing more is opened or run, if that is so.
    pub(super) fn refusal(&self) -> Option<String> {
        let held = self.0.load(Ordering::Relaxed);
        (held > LIMIT).then(|| {
            let gib = |bytes: usize| bytes as f64 / f64::from(1 << 30);
            format!(
                "The explorer's tabs hold {:.1} GiB together, and {:.0} GiB is their limit",
                gib(held),
                gib(LIMIT)
            )
        })
    }
}

/// The share of one tab; it goes when the tab goes.
pub(super) struct Share<'a> {
    memory: &'a Memory,
    held: usize,
}

impl<'a> Share<'a> {
    pub(super) fn new(memory: &'a Memory) -> Self {
        Share { memory, held: 0 }
    }

    /// The tab holds so much now.
    pub(super) fn set(&mut self, held: usize) {
        self.memory.0.fetch_add(held, Ordering::Relaxed);
        self.memory.0.fetch_sub(self.held, Ordering::Relaxed);
        self.held = held;
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tab_held_is_free_again_once_it_has_gone() {
        let memory = Memory::default();
        let mut one = Share::new(&memory);
        let mut other = Share::new(&memory);
        one.set(LIMIT);
        assert_eq!(memory.refusal(), None);
        other.set(LIMIT / 2);
        assert_eq!(
            memory.refusal().as_deref(),
            Some("The explorer's tabs hold 6.0 GiB together, and 4 GiB is their limit")
        );
        drop(one);
        assert_eq!(memory.refusal(), None);
    }
}
