//! Expands the state that seems nearest to the goal, whatever it has cost to get there.
//!
//! # Paper
//! J. Doran, D. Michie: Experiments with the graph traverser program, Proceedings of the Royal Society A 294, 1966; as told
//! by S. Russell, P. Norvig, Artificial intelligence: a modern approach, section "Greedy best-first search". It is
//! [A*](super::astar) with the key `f = h`.
//!
//! # Symbols
//! `h` estimate, `f = h` key.
//!
//! # Guarantees
//! Complete: each state is expanded once at most, and the search ends with the open list. No bound on the cost of the path.
//! Few expansions where little is in the way, and a long detour where the estimate leads into a dead end.
//!
//! # Deviations
//! None. The children cost nothing while the search runs, so that `g` is zero everywhere, the first way found to a state
//! stays, and keys are estimates; what the path costs is added up when it is written.

use super::{Outcome, Planner, Task};
use crate::core::{Cost, Expander, Goal, KeyRange, StateId};
use crate::space::{SearchSpec, SlotExpander, Space, SpaceVisitor, Successors};

/// Greedy best-first search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Greedy;

impl Planner for Greedy {
    fn advance(&self, task: &mut Task<'_>) -> Outcome {
        let (space, overlay) = (task.space(), task.query.overlay);
        // The targets are read while the scratch is written to. Canonical children would not do: those left out are
        // children of cheapest ways alone.
        let targets = std::mem::take(&mut task.scratch.targets);
        let (successors, heuristic) = (Successors::All, space.tightest_heuristic());
        let spec = SearchSpec { successors, overlay, ..SearchSpec::new(&targets, heuristic) };
        let outcome = space.visit(&spec, Run { targets: targets.len(), task });
        task.scratch.targets = targets;
        outcome
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }
}

/// A search whose children and estimate the space chooses.
struct Run<'a, 't> {
    task: &'a mut Task<'t>,
    targets: usize,
}

impl SpaceVisitor for Run<'_, '_> {
    type Answer = Outcome;

    fn visit<E: SlotExpander, G: Goal>(self, children: &E, h: &G) -> Outcome {
        self.task.best_first(&Free(children), h, self.targets, false, None)
    }
}

/// The same children at no cost.
struct Free<'a, E>(&'a E);

impl<E: Expander> Expander for Free<'_, E> {
    fn id_bound(&self) -> usize {
        self.0.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.0.keys()
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        self.0.expand(state, parent, |child, _| visit(child, Cost::ZERO))
    }
}
