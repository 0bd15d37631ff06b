//! What a step may still do, in units.

/// Components that one unit pays for, as a unit pays for a state that is expanded with eight successors.
const COMPONENTS: u8 = 8;

/// Units that are left.
#[derive(Debug)]
pub(super) struct Meter {
    left: u64,
    /// Components that are paid for.
    paid: u8,
}

impl Meter {
    pub(super) fn new(left: u64) -> Meter {
        Meter { left, paid: 0 }
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes a unit for something new, which may look at a few components for it.
    #[inline]
    #[must_use]
    pub(super) fn begin(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.paid = COMPONENTS;
        true
    }

    /// Whether one more component can be looked at.
    #[inline]
    #[must_use]
    pub(super) fn component(&mut self) -> bool {
        if self.paid == 0 && !self.begin() {
            return false;
        }
        self.paid -= 1;
        true
    }
}
