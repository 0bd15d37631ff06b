//! How much work a call may do: counted, never timed, so that the same input and budget give the same result on
//! every machine.

/// Work that may still be done, in units.
///
/// One unit is: a state taken from an open list and expanded (with at most 8 successors, else one unit per
/// successor) or recognised as stale; a greedy step; a record examined; a pointer followed; a 64-cell word or a
/// diagonal cell scanned. A loop asks [`Budget::take`] before each turn and stops when it says no.
///
/// ```
/// use milepost::{Atlas, Budget, Grid, Outcome, Point, Query, Rule, Scratch, catalog};
///
/// let atlas = Atlas::new(Grid::new(40, 40, Rule::Octile, |x, y| x != 20 || y == 39)?);
/// let query = Query::new(Point::new(0, 0), Point::new(39, 0));
/// let (astar, mut scratch) = (catalog::planner("astar")?, Scratch::new());
/// let mut frame = Budget::units(100);
/// assert_eq!(astar.plan(&atlas, &query, &mut scratch, &mut frame), Outcome::OutOfBudget);
/// assert_eq!(frame.spent(), 100);
/// // The next frame goes on where this one stopped.
/// let outcome = astar.resume(&atlas, &query, &mut scratch, &mut Budget::unlimited());
/// assert!(matches!(outcome, Outcome::Found { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    spent: u64,
}

impl Budget {
    /// As much as it takes.
    pub const fn unlimited() -> Budget {
        Budget { left: u64::MAX, spent: 0 }
    }

    /// This many units.
    pub const fn units(units: u64) -> Budget {
        Budget { left: units, spent: 0 }
    }

    /// Takes one unit, or says that none is left.
    #[inline]
    #[must_use]
    pub fn take(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.spent += 1;
        true
    }

    /// Charges work that turned out larger than the unit taken for it. What is left stops at zero; what was
    /// spent counts in full.
    #[inline]
    pub fn charge(&mut self, units: u64) {
        self.left = self.left.saturating_sub(units);
        self.spent += units;
    }

    /// Units that may still be spent.
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Units spent so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_gives_its_units_and_no_more() {
        let mut budget = Budget::units(3);
        assert!(budget.take() && budget.take() && budget.take());
        assert!(!budget.take());
        assert_eq!((budget.left(), budget.spent()), (0, 3));
    }

    #[test]
    fn a_charge_beyond_what_is_left_is_counted_in_full() {
        let mut budget = Budget::units(3);
        budget.charge(5);
        assert_eq!((budget.left(), budget.spent()), (0, 5));
        assert!(!budget.take());
    }
}
