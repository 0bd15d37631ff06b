//! Distances from landmarks, sixteen side by side. All are copied before any is worked out, so that the compiler sees lanes.

use crate::index::corner_labels::{LANDMARKS, MOST_MARK};
use std::array::from_fn;

/// How far a corner is from each landmark.
pub(super) type Marks = [i16; LANDMARKS];

/// For each landmark, between what distances from it a path from or to an end passes at its first corner, its own way
/// there included: the greatest `m(y) - d` and the least `m(y) + d` over the first corners y at cost d.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    least: Marks,
    greatest: Marks,
}

impl Default for Span {
    fn default() -> Span {
        Span { least: [i16::MAX; LANDMARKS], greatest: [i16::MIN; LANDMARKS] }
    }
}

/// A cost in units of marks, rounded down. What is farther counts as the farthest: that loosens bounds.
#[inline(always)]
pub(super) fn units(cost: u64, shift: u32) -> i16 {
    (cost >> shift).min(MOST_MARK as u64) as i16
}

impl Span {
    /// One more first corner.
    #[inline(always)]
    pub(super) fn grow(&mut self, marks: &Marks, units: i16) {
        let (marks, Span { least, greatest }) = (*marks, *self);
        self.least = from_fn(|landmark| least[landmark].min(marks[landmark].wrapping_add(units)));
        self.greatest = from_fn(|landmark| greatest[landmark].max(marks[landmark].wrapping_sub(units)));
    }

    /// How far a corner is at least from the end, by way of one of its first corners. Corners y and x differ by no more
    /// from a landmark than from each other, so `|m(x) - m(y)| + d >= max(m(x) - greatest, least - m(x))`. Marks and costs
    /// are rounded down, each by less than a unit: one unit less is never too much.
    #[inline(always)]
    pub(super) fn apart(&self, marks: &Marks) -> u64 {
        let marks = *marks;
        let apart: Marks = from_fn(|landmark| {
            let (mark, least, greatest) = (marks[landmark], self.least[landmark], self.greatest[landmark]);
            mark.saturating_sub(greatest).max(least.saturating_sub(mark))
        });
        apart.into_iter().fold(1, i16::max) as u64 - 1
    }
}
