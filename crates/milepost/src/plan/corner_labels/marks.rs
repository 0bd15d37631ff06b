//! Distances from landmarks, sixteen side by side. Functions of their own: inside loops the compiler would split the lanes.

use crate::index::corner_labels::{LANDMARKS, MOST_MARK};

type Marks = [i16; LANDMARKS];

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
    #[inline(never)]
    pub(super) fn grow(&mut self, marks: &Marks, units: i16) {
        for (landmark, &mark) in marks.iter().enumerate() {
            self.least[landmark] = self.least[landmark].min(mark + units);
            self.greatest[landmark] = self.greatest[landmark].max(mark - units);
        }
    }

    /// How far a corner is at least from the end, by way of one of its first corners. Corners y and x differ by no more
    /// from a landmark than from each other, so `|m(x) - m(y)| + d >= max(m(x) - greatest, least - m(x))`. Marks and costs
    /// are rounded down, each by less than a unit: one unit less is never too much.
    #[inline(never)]
    pub(super) fn apart(&self, marks: &Marks) -> u64 {
        let mut apart = [0; LANDMARKS];
        for (landmark, &mark) in marks.iter().enumerate() {
            let (least, greatest) = (self.least[landmark], self.greatest[landmark]);
            apart[landmark] = mark.saturating_sub(greatest).max(least.saturating_sub(mark));
        }
        apart.into_iter().fold(1, i16::max) as u64 - 1
    }
}
