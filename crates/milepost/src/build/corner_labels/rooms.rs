//! Rooms to work in that threads take and give back, so that large ones are made once for each thread.

use std::sync::{Mutex, PoisonError};

/// Rooms that are empty.
pub(super) struct Rooms<T, F> {
    free: Mutex<Vec<T>>,
    make: F,
}

impl<T, F: Fn() -> T> Rooms<T, F> {
    pub(super) fn new(make: F) -> Rooms<T, F> {
        Rooms { free: Mutex::new(Vec::new()), make }
    }

    /// Works in a room, which must be left as it was found.
    pub(super) fn within<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = free().pop();
        let mut room = taken.unwrap_or_else(&self.make);
        let result = work(&mut room);
        free().push(room);
        result
    }
}
