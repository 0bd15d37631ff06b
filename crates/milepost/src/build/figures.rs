//! Figures: random problems are put to the planners that compete in a file, and their work is counted.
//!
//! Which planner is the fastest depends on the map: where jumps are short a search that looks them up beats one that scans,
//! where they are long it does not. So a file says what each of them took, and `fastest` multiplies that with what a
//! unit of each planner's work takes.
//!
//! # Guarantees
//! Work is counted, not timed: the same bytes on every machine and with any number of threads. At most [`MOST_UNITS`] are
//! spent, so it takes a fraction of a second.

use crate::core::Budget;
use crate::index::{Atlas, Figure};
use crate::plan::{Outcome, PLANNERS, PlannerEntry, Query, Scratch};
use crate::space::RandomPairs;

/// Problems that every planner is given, as long as there are units left.
const MOST_PROBLEMS: u32 = 200;

/// Units that all planners together may spend.
const MOST_UNITS: u64 = 2_000_000;

/// The seed of the problems.
const SEED: u64 = 0;

/// The same atlas with the figures of its exact planners: of those that read its indexes, and of the one that reads none: on
/// grids the one that scans where others look up, elsewhere the plain search. Figures that it had are counted anew. Where fewer than two
/// compete there is nothing to choose from, and there are none.
///
/// Shown by [`Figure`](crate::index::Figure).
pub fn with_figures(atlas: &Atlas) -> Atlas {
    atlas.with_counted(count(atlas).unwrap_or_default())
}

fn count(atlas: &Atlas) -> Option<Box<[Figure]>> {
    let competes = |entry: &&PlannerEntry| {
        entry.unit_on(atlas.space()).is_some()
            && entry.planner.refusal(atlas).is_none()
            // On a mesh paths begin and end at points: planners on centres run by name.
            && (atlas.space().as_mesh().is_none() || entry.planner.passes_portals())
            && entry.planner.is_optimal(atlas.space())
    };
    let planners: Vec<&PlannerEntry> = PLANNERS.iter().filter(competes).collect();
    if planners.len() < 2 {
        return None;
    }
    let mut pairs = RandomPairs::new(atlas.space(), SEED)?;
    let (mut scratch, mut left) = (Scratch::new(), MOST_UNITS);
    let (mut problems, mut units) = (0, vec![0; planners.len()]);
    while problems < MOST_PROBLEMS {
        let (start, goal) = pairs.draw();
        let solve = |entry: &&PlannerEntry| {
            let mut budget = Budget::units(left);
            let outcome = entry.planner.plan(atlas, &Query::new(start, goal), &mut scratch, &mut budget);
            left = left.checked_sub(budget.spent())?;
            // There is a path; an index that lies may hide it.
            matches!(outcome, Outcome::Found { .. }).then_some(budget.spent())
        };
        // A problem counts if every planner has solved it: all have the same problems.
        let Some(spent) = planners.iter().map(solve).collect::<Option<Vec<u64>>>() else { break };
        units.iter_mut().zip(spent).for_each(|(units, spent)| *units += spent);
        problems += 1;
    }
    let figure =
        |(entry, units): (&&PlannerEntry, u64)| Figure { planner: entry.name.to_owned(), problems, units };
    let mut figures: Vec<Figure> = planners.iter().zip(units).map(figure).collect();
    figures.sort_by(|one, two| one.planner.cmp(&two.planner));
    (problems > 0).then(|| figures.into())
}

/// Figures are cheap to count: they must be the same. Of an atlas without them nothing is said.
pub(super) fn verify(atlas: &Atlas) -> Result<(), String> {
    if atlas.figures().is_empty() {
        return Ok(());
    }
    let expected = count(atlas).unwrap_or_default();
    let show = |of: &Figure| format!("`{}` took {} units for {} problems", of.planner, of.units, of.problems);
    match atlas.figures().iter().zip(&expected).find(|(found, expected)| found != expected) {
        Some((found, expected)) => Err(format!("{}, expected that {}", show(found), show(expected))),
        None if atlas.figures().len() == expected.len() => Ok(()),
        None => Err(format!("{} planners, expected {}", atlas.figures().len(), expected.len())),
    }
}
