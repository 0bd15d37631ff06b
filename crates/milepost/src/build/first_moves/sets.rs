//! Which symbols are right: a set for each of the 64 sources of a block.

use crate::index::first_moves::rows::LANES;

/// A set of symbols for each source, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct LaneSets(pub(crate) [u16; LANES]);

impl LaneSets {
    /// Any symbol will do.
    pub(crate) const ANY: LaneSets = LaneSets([u16::MAX; LANES]);

    /// Keeps what is in both.
    #[inline(always)]
    pub(crate) fn intersect(&mut self, other: &LaneSets) {
        for lane in 0..LANES {
            self.0[lane] &= other.0[lane];
        }
    }
}
