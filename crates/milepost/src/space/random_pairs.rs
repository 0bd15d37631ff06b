//! Random problems: the start uniform over the states, the goal uniform over the others of its strong component, in the order
//! in which the seed gives them.

use super::Space;
use crate::core::{Rng, StateId};

/// Draws pairs of different states of one strong component, so that each can be reached from the other. States that are
/// alone in their component are never drawn: nothing can be asked about them.
///
/// ```
/// use milepost::space::RandomPairs;
/// use milepost::{Atlas, Grid, Outcome, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::from_ascii("...@..\n...@..", Rule::Octile)?);
/// let mut pairs = RandomPairs::new(atlas.space(), 7).expect("some states can reach each other");
/// let mut scratch = Scratch::new();
/// for _ in 0..100 {
///     let (start, goal) = pairs.draw();
///     assert!(matches!(atlas.path(start, goal, &mut scratch), Outcome::Found { .. }));
/// }
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomPairs {
    /// The states that may be drawn, component by component.
    states: Vec<StateId>,
    /// Where each component ends in `states`.
    ends: Vec<u32>,
    rng: Rng,
}

impl RandomPairs {
    /// The pairs that a seed gives; `None` if no two states can reach each other.
    pub fn new(space: &Space, seed: u64) -> Option<RandomPairs> {
        let sizes = space.component_sizes();
        let mut ends: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut next: Vec<u32> = Vec::with_capacity(sizes.len());
        let mut total = 0;
        for &size in &sizes {
            next.push(total);
            total += if size > 1 { size } else { 0 };
            ends.push(total);
        }
        if total == 0 {
            return None;
        }
        let mut states = vec![StateId::NONE; total as usize];
        for state in space.free_states() {
            if let Some(component) = space.component(state).map(|component| component as usize)
                && sizes[component] > 1
            {
                states[next[component] as usize] = state;
                next[component] += 1;
            }
        }
        Some(RandomPairs { states, ends, rng: Rng::new(seed) })
    }

    /// The next pair: a start and a goal.
    pub fn draw(&mut self) -> (StateId, StateId) {
        let start = self.rng.below(self.states.len() as u32);
        // The component that the start lies in: empty ones end where they begin, so none of them is found.
        let component = self.ends.partition_point(|end| *end <= start);
        let begin = if component == 0 { 0 } else { self.ends[component - 1] };
        let size = self.ends[component] - begin;
        // Any of the others: the start's own place is skipped.
        let goal = begin + self.rng.below(size - 1);
        let goal = goal + u32::from(goal >= start);
        (self.states[start as usize], self.states[goal as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Grid, Rule};

    fn space(drawing: &str) -> Space {
        Grid::from_ascii(drawing, Rule::Octile).expect("a good drawing").into()
    }

    #[test]
    fn pairs_lie_in_one_component_and_all_of_them_come() {
        // A lone cell, a pair, another lone cell, and three in a row: 2 + 6 ordered pairs.
        let space = space(
            ".@..@
             @@@@@
             .@...",
        );
        let mut pairs = RandomPairs::new(&space, 1).expect("there are pairs");
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..10_000 {
            *seen.entry(pairs.draw()).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 8);
        for ((start, goal), count) in seen {
            assert_ne!(start, goal);
            assert_eq!(space.component(start), space.component(goal));
            // Starts are uniform over five cells, goals over one or two others.
            let expected = if space.point(start).y == 0 { 2_000 } else { 1_000 };
            assert!((expected - 200..expected + 200).contains(&count), "{count} of {expected}");
        }
    }

    #[test]
    fn a_map_of_lone_cells_has_no_pairs() {
        assert!(RandomPairs::new(&space(".@.\n@.@"), 0).is_none());
        assert!(RandomPairs::new(&space("@@"), 0).is_none());
    }
}
