//! Why there is no path between two states, and which states nearby are better ones to ask for.

use super::{Place, Reach, Space};
use crate::core::StateId;
use std::fmt;

/// Why no path leads from a start to any of some goals, and where one could begin or end instead. Its text is a sentence.
///
/// ```
/// use milepost::space::{NoPath, NoPathReason};
/// use milepost::{Grid, Point, Rule, Space};
///
/// let grid = Grid::from_ascii("..@.", Rule::Octile)?;
/// let cell = |x| grid.state_at(Point::new(x, 0)).expect("inside the map");
/// let why: NoPath = Space::from(&grid).why_no_path(cell(0), &[cell(3)]).expect("a wall lies between");
/// assert_eq!(why.reason, NoPathReason::OtherComponent);
/// assert_eq!(why.nearest, Some(cell(1))); // as near as one gets
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoPath {
    /// Why not.
    pub reason: NoPathReason,
    /// For a blocked start the free state nearest to it; if the goals alone are blocked, the free state nearest to the
    /// first of them; else, of the states that can be reached, the one nearest to a goal. Nearest by the rule's distance
    /// on an empty map, on graphs as the crow flies; among equals the least id. For an end beyond a grid the free cell nearest
    /// to that one. `None` where nothing is free, and on graphs without coordinates.
    pub nearest: Option<StateId>,
    /// If start and goals are blocked, the free state nearest to the first goal.
    pub nearest_goal: Option<StateId>,
}

/// Why no path leads from a start to any of some goals. Its text is a sentence.
///
/// Shown by [`NoPath`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPathReason {
    /// The start is no free state; a goal is.
    StartBlocked,
    /// The start is a free state; no goal is.
    GoalBlocked,
    /// Neither the start nor any goal is a free state.
    BothBlocked,
    /// No row of moves joins the start to a free goal, in whichever direction they are made.
    OtherComponent,
    /// Moves join them, but some of them lead the other way only.
    OneWay,
    /// The start is a point beyond the cells of the grid.
    StartOutside,
    /// The start is a free cell; the goals are points beyond the cells of the grid.
    GoalOutside,
}

impl NoPathReason {
    /// A stable word for programs.
    pub const fn name(self) -> &'static str {
        match self {
            NoPathReason::StartBlocked => "start_blocked",
            NoPathReason::GoalBlocked => "goal_blocked",
            NoPathReason::BothBlocked => "both_blocked",
            NoPathReason::OtherComponent => "other_component",
            NoPathReason::OneWay => "one_way",
            NoPathReason::StartOutside => "start_outside",
            NoPathReason::GoalOutside => "goal_outside",
        }
    }
}

impl fmt::Display for NoPathReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NoPathReason::StartBlocked => "the start is blocked",
            NoPathReason::GoalBlocked => "the goal is blocked",
            NoPathReason::BothBlocked => "the start and the goal are blocked",
            NoPathReason::OtherComponent => {
                "no way leads to the goal: nothing joins its part of the map to the start's"
            }
            NoPathReason::OneWay => "moves that lead one way only keep the start from the goal",
            NoPathReason::StartOutside => "the start lies outside the map",
            NoPathReason::GoalOutside => "the goal lies outside the map",
        })
    }
}

impl fmt::Display for NoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(out)
    }
}

impl Space {
    /// Why no path leads from a start to any of these goals; `None` if one does. Takes time in proportion to the map:
    /// a question for after the answer [`Unreachable`](crate::Outcome::Unreachable), not for every frame. A place that no polygon
    /// of a mesh holds counts as blocked.
    ///
    /// ```
    /// use milepost::space::NoPathReason;
    /// use milepost::{Grid, Point, Rule, Space};
    ///
    /// let space = Space::from(Grid::from_ascii("..@.", Rule::Octile)?);
    /// let cell = |x| space.as_grid().and_then(|grid| grid.state_at(Point::new(x, 0))).expect("inside");
    /// let why = space.why_no_path(cell(0), &[cell(3)]).expect("a wall lies between");
    /// assert_eq!((why.reason, why.nearest), (NoPathReason::OtherComponent, Some(cell(1))));
    /// assert_eq!(space.why_no_path(cell(0), &[cell(1)]), None);
    /// let why = space.why_no_path((0, 0), &[(9, 9)]).expect("it lies beyond the map");
    /// assert_eq!((why.reason, why.nearest), (NoPathReason::GoalOutside, Some(cell(3))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn why_no_path<P: Into<Place> + Copy>(&self, start: impl Into<Place>, goals: &[P]) -> Option<NoPath> {
        let (start, places) = (start.into(), goals.iter().map(|&goal| goal.into()));
        let goals: Vec<StateId> = places.clone().flat_map(|goal| self.states_at(goal)).collect();
        let starts = self.states_at(start);
        let outside = |reason, nearest| Some(NoPath { reason, nearest, nearest_goal: None });
        if let Some(nearest) = self.nearest_if_outside(start) {
            return outside(NoPathReason::StartOutside, nearest);
        }
        if starts.iter().any(|&start| self.is_free(start))
            && places.clone().all(|goal| self.nearest_if_outside(goal).is_some())
            && let Some(nearest) = places.clone().find_map(|goal| self.nearest_if_outside(goal))
        {
            return outside(NoPathReason::GoalOutside, nearest);
        }
        let reason = |&start: &StateId| self.why_no_path_between_states(start, &goals);
        // Of the polygons that hold a point one may have a path where another has none.
        let reasons: Option<Vec<NoPath>> = starts.iter().map(reason).collect();
        reasons.and_then(|reasons| reasons.first().copied())
    }

    /// If a place is a point beyond the cells of a grid, the free cell nearest to it.
    fn nearest_if_outside(&self, place: Place) -> Option<Option<StateId>> {
        let (grid, point) = (self.as_grid()?, place.cell()?);
        grid.state_at(point).is_none().then(|| grid.nearest_free(point))
    }

    /// The states that a place may mean; where it means none, none that there is.
    fn states_at(&self, place: Place) -> Vec<StateId> {
        let mut states = Vec::new();
        self.write_states_at(place, &mut states);
        if states.is_empty() {
            states.push(StateId::NONE);
        }
        states
    }

    fn why_no_path_between_states(&self, start: StateId, goals: &[StateId]) -> Option<NoPath> {
        let free = |state: StateId| self.is_free(state);
        let nearest_free = |state: StateId| self.nearest_of(&[state], &free);
        let first_goal = || goals.first().and_then(|&goal| nearest_free(goal));
        let blocked = |reason, nearest, nearest_goal| Some(NoPath { reason, nearest, nearest_goal });
        match (free(start), goals.iter().any(|&goal| free(goal))) {
            (false, true) => return blocked(NoPathReason::StartBlocked, nearest_free(start), None),
            (true, false) => return blocked(NoPathReason::GoalBlocked, first_goal(), None),
            (false, false) => {
                return blocked(NoPathReason::BothBlocked, nearest_free(start), first_goal());
            }
            (true, true) if goals.iter().any(|&goal| self.reach(start, goal) == Reach::Always) => {
                return None;
            }
            (true, true) => {}
        }
        let (mut marks, mut stack) = (Vec::new(), Vec::new());
        self.mark_reachable(start, &mut marks, &mut stack);
        let is_reached = |state: StateId| self.part(state).is_some_and(|part| marks[part]);
        if goals.iter().any(|&goal| is_reached(goal)) {
            return None;
        }
        let weak = WeakComponents::new(self);
        let is_joined = |goal: &StateId| weak.join(self, start, *goal);
        let reason =
            if goals.iter().any(is_joined) { NoPathReason::OneWay } else { NoPathReason::OtherComponent };
        Some(NoPath { reason, nearest: self.nearest_of(goals, &is_reached), nearest_goal: None })
    }

    /// The accepted state nearest to any of these, if it can be told.
    fn nearest_of(&self, states: &[StateId], accept: &dyn Fn(StateId) -> bool) -> Option<StateId> {
        let has_place = |state: &&StateId| {
            state.index() < self.id_bound()
                && self.as_graph().is_none_or(|graph| graph.node_position(**state).is_some())
        };
        let mut nearest = Vec::new();
        let found = states.iter().filter(has_place).filter_map(|&state| {
            let distance = self.nearest_where(state, accept, &mut nearest)?;
            nearest.first().map(|&least| (distance, least))
        });
        found.min().map(|(_, state)| state)
    }
}

/// Which parts of a space moves join, in whichever direction: sets with a leader each, the least part of its set.
struct WeakComponents {
    above: Vec<u32>,
}

impl WeakComponents {
    fn new(space: &Space) -> WeakComponents {
        let mut weak = WeakComponents { above: (0..space.parts() as u32).collect() };
        for part in 0..space.parts() {
            space.parts_after(part, &mut |next| {
                let (from, to) = (weak.leader(part as u32), weak.leader(next as u32));
                weak.above[from.max(to) as usize] = from.min(to);
            });
        }
        weak
    }

    /// The leader of a part's set; the way there is halved for the next question.
    fn leader(&mut self, mut part: u32) -> u32 {
        while self.above[part as usize] != part {
            let higher = self.above[self.above[part as usize] as usize];
            self.above[part as usize] = higher;
            part = higher;
        }
        part
    }

    /// Whether moves join two states.
    fn join(&self, space: &Space, one: StateId, other: StateId) -> bool {
        let leader = |state: StateId| {
            let mut part = space.part(state)? as u32;
            while self.above[part as usize] != part {
                part = self.above[part as usize];
            }
            Some(part)
        };
        matches!((leader(one), leader(other)), (Some(one), Some(other)) if one == other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Point, Rng};
    use crate::space::{Edge, Edit, Graph, Grid, NodePosition, Rule, SpaceKind};

    fn drawn(drawing: &str) -> Space {
        Grid::from_ascii(drawing, Rule::Octile).expect("a good drawing").into()
    }

    fn cell(space: &Space, x: i64, y: i64) -> StateId {
        space.as_grid().and_then(|grid| grid.state_at(Point::new(x, y))).expect("inside")
    }

    #[test]
    fn every_reason_comes_with_the_state_to_ask_for_instead() {
        let space = drawn(
            "..@.
             @.@@",
        );
        let at = |x, y| cell(&space, x, y);
        let why = |start, goals: &[StateId]| {
            let why = space.why_no_path(start, goals).expect("there is no path");
            (why.reason.name(), why.nearest, why.nearest_goal)
        };
        assert_eq!(why(at(0, 1), &[at(1, 1)]), ("start_blocked", Some(at(0, 0)), None));
        assert_eq!(why(at(0, 0), &[at(3, 1), at(2, 0)]), ("goal_blocked", Some(at(3, 0)), None));
        assert_eq!(why(at(0, 1), &[at(2, 1)]), ("both_blocked", Some(at(0, 0)), Some(at(1, 1))));
        assert_eq!(why(at(0, 0), &[at(3, 0)]), ("other_component", Some(at(1, 0)), None));
        assert_eq!(space.why_no_path(at(0, 0), &[at(3, 0), at(1, 1)]), None);
        assert_eq!(why(StateId::NONE, &[at(0, 0)]), ("start_blocked", None, None));
        assert_eq!(why(at(0, 0), &[]), ("goal_blocked", None, None));
        // A link out of the pocket joins both sides, but not this way round.
        let link = Edit::Link { from: Point::new(3, 0), to: Point::new(1, 1), cost: 1 };
        let space = space.edited(&[link]).expect("both are inside");
        let why = space.why_no_path(at(0, 0), &[at(3, 0)]).expect("there is no path");
        assert_eq!((why.reason.name(), why.nearest), ("one_way", Some(at(1, 0))));
        assert_eq!(space.why_no_path(at(3, 0), &[at(0, 0)]), None);
    }

    #[test]
    fn on_graphs_the_nearest_is_told_where_nodes_have_places() {
        let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 1 };
        let edges = [edge(1, 0), edge(1, 2), edge(2, 1), edge(3, 3)];
        let places = [0, 10, 20, 22].map(|x| NodePosition::new(x, 0));
        let state = StateId::new;
        for (places, nearest) in [(places.to_vec(), Some(state(0))), (Vec::new(), None)] {
            let space = Space::from(Graph::from_parts(vec![true; 4], &edges, places).expect("a graph"));
            let why = space.why_no_path(state(0), &[state(2)]).expect("an edge leads here, none away");
            assert_eq!((why.reason, why.nearest), (NoPathReason::OneWay, nearest));
            let why = space.why_no_path(state(0), &[state(3)]).expect("nothing leads there");
            assert_eq!((why.reason, why.nearest), (NoPathReason::OtherComponent, nearest));
        }
    }

    #[test]
    fn reasons_and_nearest_states_agree_with_floods_on_random_graphs() {
        let mut rng = Rng::new(19);
        for _ in 0..300 {
            let nodes = 2 + rng.below(12);
            let edges: Vec<Edge> = (0..rng.below(2 * nodes))
                .map(|_| (StateId::new(rng.below(nodes)), StateId::new(rng.below(nodes))))
                .map(|(from, to)| Edge { from, to, cost: 1 })
                .collect();
            let is_node: Vec<bool> = (0..nodes).map(|_| rng.below(8) > 0).collect();
            let edges: Vec<Edge> = edges
                .into_iter()
                .filter(|edge| is_node[edge.from.index()] && is_node[edge.to.index()])
                .collect();
            let places = (0..nodes).map(|_| NodePosition::new(rng.below(99) as i32, 0)).collect();
            let graph = Graph::from_parts(is_node, &edges, places).expect("a small graph");
            let flood = |start: StateId, both_ways: bool| {
                let (mut seen, mut stack) = (vec![false; nodes as usize], vec![start]);
                while let Some(node) = stack.pop().filter(|node| graph.is_free(*node)) {
                    if !std::mem::replace(&mut seen[node.index()], true) {
                        let back = edges.iter().filter(|edge| both_ways && edge.to == node);
                        let on = edges.iter().filter(|edge| edge.from == node);
                        stack.extend(on.map(|edge| edge.to).chain(back.map(|edge| edge.from)));
                    }
                }
                seen
            };
            let space = Space::from(graph.clone());
            for (start, goal) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
                let (start, goal) = (StateId::new(start), StateId::new(goal));
                let seen = flood(start, false);
                let away = |state: &StateId| graph.point(*state).x.abs_diff(graph.point(goal).x);
                let reached = graph.free_states().filter(|state| seen[state.index()]);
                let nearest = reached.min_by_key(|state| (away(state), *state));
                let expected = match (graph.is_free(start), graph.is_free(goal)) {
                    (true, true) if seen[goal.index()] => None,
                    (true, true) if flood(start, true)[goal.index()] => Some(("one_way", nearest)),
                    (true, true) => Some(("other_component", nearest)),
                    (true, false) => Some(("goal_blocked", None)),
                    (false, true) => Some(("start_blocked", None)),
                    (false, false) => Some(("both_blocked", None)),
                };
                let why = space.why_no_path(start, &[goal]);
                assert_eq!(why.map(|why| why.reason.name()), expected.map(|(name, _)| name));
                if let (Some(why), Some((_, Some(nearest)))) = (why, expected) {
                    assert_eq!(why.nearest, Some(nearest), "{start} to {goal}");
                }
            }
        }
    }
}
