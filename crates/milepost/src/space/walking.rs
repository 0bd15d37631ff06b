//! A space as somebody sees it who walks to a goal from state to state: its moves and its tightest estimate, whatever
//! kind of space it is.

use super::{GraphTargets, Grid, Heuristic, OctileMetric, OtherMetric, Space, Target};
use crate::core::{Cost, Expander, Goal, KeyRange, StateId};

/// Something to be done with the moves and the estimate of a space.
pub(crate) trait OnGround {
    /// What comes of it.
    type Answer;

    /// Does it.
    fn walk<E: Expander, G: Goal>(self, expander: &E, goal: &G) -> Self::Answer;
}

/// Which moves are seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// All of them.
    All,
    /// Those that stay in the strong component of the goal: whoever is there, and keeps to them, can always turn round.
    Component,
}

impl Space {
    /// Does something with the moves of this space and its tightest estimate of the cost to a free state.
    pub(crate) fn on_ground<W: OnGround>(&self, goal: StateId, scope: Scope, work: W) -> W::Answer {
        let component = self.component_within(goal, scope);
        match self {
            Space::Grid(grid) if grid.is_plain() => on_metric(grid, &grid.moves(), goal, work),
            Space::Grid(grid) => {
                on_metric(grid, &Within { moves: grid.full_moves(), space: self, component }, goal, work)
            }
            Space::Graph(graph) => {
                let moves = Within { moves: graph.moves(), space: self, component };
                work.walk(&moves, &GraphTargets::new(graph, &[goal], true))
            }
        }
    }

    /// The strong component that a scope keeps to. Where all moves lead both ways, none leaves a component.
    pub(super) fn component_within(&self, goal: StateId, scope: Scope) -> Option<u32> {
        match scope {
            Scope::Component if self.has_one_way_moves() => self.component(goal),
            _ => None,
        }
    }

    /// Whether there may be moves that cannot be undone.
    pub(crate) fn has_one_way_moves(&self) -> bool {
        match self {
            Space::Grid(grid) => !grid.links().is_empty(),
            Space::Graph(_) => true,
        }
    }

    /// Units that no expansion of a state exceeds.
    pub(crate) fn widest_expansion(&self) -> u64 {
        let ways = match self {
            Space::Grid(grid) => 8 + grid.most_links(),
            Space::Graph(graph) => graph.most_edges(),
        };
        if ways > 8 { ways.into() } else { 1 }
    }

    /// Units that it takes to know the estimate of a goal: links are looked at one by one.
    pub(crate) fn goal_units(&self) -> u64 {
        self.as_grid().map_or(0, |grid| grid.links().len() as u64)
    }
}

fn on_metric<E: Expander, W: OnGround>(grid: &Grid, moves: &E, goal: StateId, work: W) -> W::Answer {
    let (scale, cheapest) = (grid.scale(), grid.cheapest());
    let (straight, diagonal) = (scale.straight() * cheapest, scale.diagonal() * cheapest);
    match OtherMetric::new(Heuristic::tightest(grid.rule()), grid.rule(), straight) {
        Some(metric) if !grid.rule().is_octile() => {
            work.walk(moves, &Target::new(grid, goal, metric, scale.one()))
        }
        _ => {
            let metric = OctileMetric::new(straight, diagonal);
            work.walk(moves, &Target::new(grid, goal, metric, scale.one()))
        }
    }
}

/// Moves that stay in one strong component, if one is given.
pub(crate) struct Within<'a, E> {
    pub(super) moves: E,
    pub(super) space: &'a Space,
    pub(super) component: Option<u32>,
}

impl<E: Expander> Expander for Within<'_, E> {
    fn id_bound(&self) -> usize {
        self.moves.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.moves.keys()
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        self.moves.expand(state, parent, |child, cost| {
            if self.component.is_none() || self.space.component(child) == self.component {
                visit(child, cost);
            }
        })
    }
}
