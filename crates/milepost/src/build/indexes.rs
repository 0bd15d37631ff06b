//! Which indexes an atlas is built with.

use super::registry;
use crate::index::{Atlas, IndexKind, IndexSpec};
use crate::plan::{PLANNERS, PlannerEntry, Refusal};
use crate::space::Space;

/// The indexes that an atlas is built with: some that the caller names, or the standard ones of its space.
///
/// ```
/// use milepost::index::IndexKind;
/// use milepost::{Grid, Indexes, Rule, Space};
///
/// let space = Space::from(Grid::from_ascii("...\n...", Rule::Octile)?);
/// assert_eq!(Indexes::standard().on(&space), [IndexKind::CORNER_LABELS.into()]);
/// let named = Indexes::from(vec![IndexKind::FIRST_MOVES.into(), IndexKind::LANDMARKS.into()]);
/// assert_eq!(named.on(&space).len(), 2);
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Indexes {
    /// None for the standard ones.
    named: Option<Vec<IndexSpec>>,
}

/// Indexes that take a flood from every state are standard on spaces with no more states than this: there they take seconds,
/// and elsewhere up to hours.
const MOST_FLOODS: u32 = 30_000;

impl Indexes {
    /// What a game ships if its author has no reason for anything else: the index of the exact planner that touches the fewest
    /// states, of those that work on the space and whose index can be built there for sure. On maps where paths can jump that is
    /// `corner-labels`; on others, and on graphs, `first-moves` or else `goal-bounds`, where there are at most 30,000 states.
    /// Else there is none: what is left takes hours.
    pub const fn standard() -> Indexes {
        Indexes { named: None }
    }

    /// Which they are on this space.
    pub fn on(&self, space: &Space) -> Vec<IndexSpec> {
        self.named.clone().unwrap_or_else(|| standard_on(&Atlas::new(space.clone())))
    }
}

/// What the first planner in the registry's order reads of those that could work here.
fn standard_on(bare: &Atlas) -> Vec<IndexSpec> {
    let is_small = bare.space().states() <= MOST_FLOODS;
    let is_quick = |index: &IndexSpec| is_small || !index.kind.entry().floods;
    let could_work = |entry: &&PlannerEntry| match entry.planner.refusal(bare) {
        None => true,
        Some(Refusal::NoIndex(_)) => {
            let needs = entry.planner.needs();
            needs.iter().all(is_quick) && needs.iter().all(|index| registry::is_sure(bare, *index))
        }
        Some(_) => false,
    };
    let mut preferred: Vec<&PlannerEntry> =
        PLANNERS.iter().filter(|entry| entry.preference.is_some()).collect();
    preferred.sort_unstable_by_key(|entry| entry.preference);
    let first = preferred.into_iter().find(could_work);
    first.map_or_else(Vec::new, |entry| entry.planner.needs().to_vec())
}

impl From<IndexSpec> for Indexes {
    fn from(index: IndexSpec) -> Indexes {
        Indexes::from(vec![index])
    }
}

impl From<IndexKind> for Indexes {
    fn from(kind: IndexKind) -> Indexes {
        Indexes::from(IndexSpec::from(kind))
    }
}

impl From<Vec<IndexSpec>> for Indexes {
    fn from(named: Vec<IndexSpec>) -> Indexes {
        Indexes { named: Some(named) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::BuildError;
    use crate::core::{Point, StateId};
    use crate::space::{Edge, Edit, Graph, Grid, Rule, SpaceKind};

    fn yard(side: u32, rule: Rule) -> Grid {
        Grid::new(side, side, rule, |x, y| (x * 5 + y * 3) % 11 != 0).unwrap()
    }

    fn names(space: impl Into<Space>) -> Vec<String> {
        Indexes::standard().on(&space.into()).iter().map(IndexSpec::to_string).collect()
    }

    #[test]
    fn what_is_standard_is_for_the_space_and_can_be_built() -> Result<(), BuildError> {
        for rule in Rule::ALL {
            let expected = if rule.has_strict_corners() { "corner-labels" } else { "first-moves" };
            let grid = yard(12, rule);
            assert_eq!(names(&grid), [expected], "{rule}");
            let atlas = Atlas::build(&grid, Indexes::standard())?;
            assert_eq!(atlas.fastest().name, expected, "{rule}");
            // Weights and links are for first moves.
            let weighted = grid.with_weights(|x, y| 1 + ((x + y) % 3) as u8).unwrap();
            let link = Edit::Link { from: Point::new(1, 1), to: Point::new(10, 10), cost: 3 };
            for space in [weighted, grid.edited(&[link]).unwrap()] {
                assert_eq!(names(&space), ["first-moves"], "{rule}");
                assert_eq!(
                    Atlas::build(&space, Indexes::standard())?.fastest().name,
                    "first-moves",
                    "{rule}"
                );
            }
        }
        let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 5 };
        let graph = Graph::from_edges(4, &[edge(1, 2), edge(2, 3), edge(3, 1)], Vec::new()).unwrap();
        assert_eq!(names(&graph), ["first-moves"]);
        assert!(Atlas::build(&graph, Indexes::standard())?.has(IndexKind::FIRST_MOVES));
        Ok(())
    }

    #[test]
    fn what_would_take_hours_is_never_standard() {
        assert_eq!(names(yard(200, Rule::Octile)), ["corner-labels"]);
        // So many that moves may be too various for a table.
        assert!(yard(160, Rule::Hex).states() < MOST_FLOODS);
        assert_eq!(names(yard(160, Rule::Hex)), ["goal-bounds"]);
        assert!(yard(200, Rule::Hex).states() > MOST_FLOODS);
        assert_eq!(names(yard(200, Rule::Hex)), [""; 0]);
        let nothing = Grid::new(3, 3, Rule::Octile, |_, _| false).unwrap();
        assert_eq!(names(nothing), ["corner-labels"]);
    }

    #[test]
    fn indexes_that_are_named_are_built_with_what_they_need() {
        let named = vec![IndexKind::JUMP_BOUNDS.into(), IndexSpec::new(IndexKind::REGIONS, 2)];
        let atlas = Atlas::build(yard(12, Rule::Octile), named).unwrap();
        let built: Vec<String> = atlas.sections().iter().map(|part| part.index().to_string()).collect();
        assert_eq!(built, ["jump-table", "jump-bounds", "regions:2"]);
        let refused = Atlas::build(yard(12, Rule::Hex), IndexKind::JUMP_TABLE).map(drop);
        assert!(matches!(refused, Err(BuildError::NotForThisSpace { .. })), "{refused:?}");
    }
}
