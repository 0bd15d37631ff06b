//! Figures: what planners took on random problems, counted when a file was built. They are no index: no
//! planner reads them, and the front chooses the fastest planner by them.

use std::cmp::Ordering;

/// What one planner took on random problems of a space, in units of work.
///
/// ```
/// use milepost::build::{SILENT, add_index, with_figures};
/// use milepost::index::{Figure, IndexKind};
/// use milepost::{Atlas, Grid, Rule};
///
/// let atlas = Atlas::new(Grid::new(30, 30, Rule::Octile, |x, y| x % 7 != 3 || y % 5 == 1)?);
/// let built = add_index(&atlas, IndexKind::JUMP_TABLE, SILENT, None)?;
/// assert!(built.figures().is_empty()); // not counted yet
/// let counted = with_figures(&built);
/// for Figure { planner, problems, units } in counted.figures() {
///     println!("{planner} took {units} units for {problems} problems");
/// }
/// assert!(!counted.figures().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The name of the planner.
    pub planner: String,
    /// Problems that it solved, at least one.
    pub problems: u32,
    /// Units that it took for all of them.
    pub units: u64,
}

impl Figure {
    /// Longer names have no room in a file.
    pub(crate) const LONGEST_NAME: usize = 32;

    /// Whether a planner may be called so: letters, digits and hyphens.
    pub(crate) fn is_name(name: &[u8]) -> bool {
        let is_fine = |&letter: &u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
        !name.is_empty() && name.len() <= Figure::LONGEST_NAME && name.iter().all(is_fine)
    }

    /// Units of a problem on average.
    pub fn mean_units(&self) -> f64 {
        self.units as f64 / f64::from(self.problems)
    }

    /// Nanoseconds that a problem is expected to take, if a unit takes so many picoseconds.
    pub fn expected_nanoseconds(&self, unit_picoseconds: u32) -> f64 {
        self.mean_units() * f64::from(unit_picoseconds) / 1000.0
    }

    /// Which of two planners is expected to be the faster one: exactly, since integers decide.
    pub(crate) fn compare_times(
        (one, one_unit): (&Figure, u32),
        (two, two_unit): (&Figure, u32),
    ) -> Ordering {
        // Below 2^64 * 2^32 * 2^32: there is no overflow, whatever a file says.
        let time = |of: &Figure, unit: u32, problems: u32| {
            u128::from(of.units) * u128::from(unit) * u128::from(problems)
        };
        time(one, one_unit, two.problems).cmp(&time(two, two_unit, one.problems))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_compared_exactly_also_where_they_are_as_large_as_can_be() {
        let figure = |problems, units| Figure { planner: "any".to_owned(), problems, units };
        let (most, nearly) = (figure(u32::MAX, u64::MAX), figure(u32::MAX, u64::MAX - 1));
        assert_eq!(Figure::compare_times((&most, u32::MAX), (&nearly, u32::MAX)), Ordering::Greater);
        assert_eq!(Figure::compare_times((&most, u32::MAX), (&most, u32::MAX)), Ordering::Equal);
        // 30 units of 2 in one problem and 60 units of 1 are the same; 59 of 3 in three problems are less.
        assert_eq!(Figure::compare_times((&figure(1, 30), 2), (&figure(1, 60), 1)), Ordering::Equal);
        assert_eq!(Figure::compare_times((&figure(3, 59), 3), (&figure(1, 60), 1)), Ordering::Less);
    }
}
