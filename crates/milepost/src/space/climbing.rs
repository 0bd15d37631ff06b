//! Hill climbing on any space: greedy walks from one state towards another, and the distances that guide them.
//!
//! The walk is [`core::climb`](crate::core::climb), which looks at all successors of every state. On grids where
//! straight and diagonal steps have two costs the step it takes is mostly known beforehand: a step keeps cost + estimate
//! as low as can be if and only if it goes diagonally towards the goal while both coordinates differ, or straight along
//! the longer one; and of the two the diagonal one has the lower estimate. So one look at the eight cells around is
//! enough where one of them is allowed, and only elsewhere all successors are weighed. A test holds both against each
//! other.
//!
//! # Guarantees
//! The same walk as [`core::climb`](crate::core::climb), one unit for each step. Estimates do not know of links: a climb
//! takes one where that pays, but does not look for any, so that nothing depends on how many there are. No walk leaves the
//! strong component of its goal.

use super::goal::Target;
use super::visitor::Within;
use super::{
    Direction, FullMoves, Graph, GraphMoves, GraphTargets, Grid, GridGeometry, GridMetric, GridMoves, Metric,
    OctileMetric, Space, SpaceKind,
};
use crate::core::{Budget, Climb, Cost, StateId, climb};

/// Greedy walks on one space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climber<'a> {
    space: &'a Space,
    moves: MovesAndMetric<'a>,
}

#[derive(Clone, Copy, Debug)]
// One of them is on the stack of a climb: it needs no box.
#[allow(clippy::large_enum_variant)]
enum MovesAndMetric<'a> {
    /// Straight and diagonal steps, each at one cost.
    Octile(&'a Grid, GridMoves<'a>, OctileMetric),
    /// Steps of one cost.
    Uniform(&'a Grid, GridMoves<'a>, GridMetric),
    /// Weights or links.
    Rough(&'a Grid, FullMoves<'a>, GridMetric),
    Graph(&'a Graph, GraphMoves<'a>),
}

impl Grid {
    /// The tightest estimate of the rule at the least weight, from the coordinates alone.
    pub(crate) fn metric(&self) -> GridMetric {
        let (scale, cheapest) = (self.scale(), self.cheapest());
        let tightest = super::Heuristic::tightest(self.rule());
        GridMetric::new(tightest, self.rule(), scale.straight() * cheapest, scale.diagonal() * cheapest)
    }
}

impl<'a> Climber<'a> {
    /// Walks on this space.
    pub(crate) fn new(space: &'a Space) -> Climber<'a> {
        let moves = match space {
            Space::Graph(graph) => MovesAndMetric::Graph(graph, graph.moves()),
            Space::Mesh(mesh) => MovesAndMetric::Graph(mesh.centres(), mesh.centres().moves()),
            Space::Grid(grid) => match grid.metric() {
                GridMetric::Octile(metric) if grid.is_plain() => {
                    MovesAndMetric::Octile(grid, grid.moves(), metric)
                }
                metric if grid.is_plain() => MovesAndMetric::Uniform(grid, grid.moves(), metric),
                metric => MovesAndMetric::Rough(grid, grid.full_moves(), metric),
            },
        };
        Climber { space, moves }
    }

    /// Walks from one state towards another, both free, for at most `cap` steps and as far as the budget goes. `follow` is
    /// told each state entered.
    #[inline]
    pub(crate) fn climb(
        &self,
        from: StateId,
        to: StateId,
        cap: u32,
        budget: &mut Budget,
        follow: impl FnMut(StateId),
    ) -> Climb {
        match &self.moves {
            MovesAndMetric::Octile(grid, moves, metric) => {
                let goal = Target::over_open_ground(grid.geometry(), to, *metric);
                climb_octile(moves, *grid.geometry(), &goal, (from, to), cap, budget, follow)
            }
            MovesAndMetric::Uniform(grid, moves, metric) => climb(
                moves,
                &Target::over_open_ground(grid.geometry(), to, *metric),
                from,
                cap,
                budget,
                follow,
            ),
            MovesAndMetric::Rough(grid, moves, metric) => {
                let moves = &self.turning(*moves, to);
                climb(
                    moves,
                    &Target::over_open_ground(grid.geometry(), to, *metric),
                    from,
                    cap,
                    budget,
                    follow,
                )
            }
            MovesAndMetric::Graph(graph, moves) => {
                let moves = &self.turning(*moves, to);
                climb(moves, &GraphTargets::new(graph, &[to], true), from, cap, budget, follow)
            }
        }
    }

    /// Names the states that a move leads to.
    #[inline]
    pub(crate) fn successors(&self, state: StateId, mut visit: impl FnMut(StateId)) {
        use crate::core::Expander;
        match &self.moves {
            MovesAndMetric::Octile(_, moves, _) => moves.expand(state, None, |next, _| visit(next)),
            MovesAndMetric::Uniform(_, moves, _) => moves.expand(state, None, |next, _| visit(next)),
            MovesAndMetric::Rough(_, moves, _) => moves.expand(state, None, |next, _| visit(next)),
            MovesAndMetric::Graph(_, moves) => moves.expand(state, None, |next, _| visit(next)),
        };
    }

    /// The moves that stay in the strong component of a state.
    fn turning<E>(&self, moves: E, state: StateId) -> Within<'a, E> {
        let component = if self.space.has_one_way_moves() { self.space.component(state) } else { None };
        Within { moves, space: &**self.space, component }
    }

    /// How far one state seems to be from another.
    #[inline]
    pub(crate) fn estimate(&self, from: StateId, to: StateId) -> Cost {
        use crate::core::Goal;
        let between = |grid: &Grid, metric: GridMetric| {
            Cost::new(metric.distance(grid.column_and_row(from), grid.column_and_row(to)))
        };
        match &self.moves {
            MovesAndMetric::Octile(grid, _, metric) => between(grid, GridMetric::Octile(*metric)),
            MovesAndMetric::Uniform(grid, _, metric) => between(grid, *metric),
            MovesAndMetric::Rough(grid, _, metric) => between(grid, *metric),
            MovesAndMetric::Graph(graph, _) => GraphTargets::new(graph, &[to], true).estimate(from),
        }
    }
}

fn climb_octile(
    moves: &GridMoves<'_>,
    geometry: GridGeometry,
    goal: &Target<OctileMetric>,
    (from, to): (StateId, StateId),
    cap: u32,
    budget: &mut Budget,
    mut follow: impl FnMut(StateId),
) -> Climb {
    let (to_column, to_row) = geometry.cell(to);
    let offset = |state: StateId| {
        let (column, row) = geometry.cell(state);
        (i64::from(to_column) - i64::from(column), i64::from(to_row) - i64::from(row))
    };
    let (mut state, (mut columns, mut rows)) = (from, offset(from));
    let (mut cost, mut steps) = (Cost::ZERO, 0);
    while (columns, rows) != (0, 0) {
        if steps == cap {
            return Climb::Capped(state);
        }
        let (across, down) = (columns.signum(), rows.signum());
        let allowed = moves.allowed(state);
        // Straight along the longer coordinate; nothing where both are equal.
        let straight = match columns.abs().cmp(&rows.abs()) {
            std::cmp::Ordering::Greater => Direction::towards(across, 0),
            std::cmp::Ordering::Less => Direction::towards(0, down),
            std::cmp::Ordering::Equal => None,
        };
        let diagonal = Direction::towards(across, down).filter(|direction| direction.is_diagonal());
        let may = |direction: &Direction| allowed.contains(*direction);
        let Some(direction) = diagonal.filter(may).or(straight.filter(may)) else {
            // In the way of a wall: all successors are weighed.
            let mut next = state;
            match climb(moves, goal, state, 1, budget, |entered| next = entered) {
                Climb::Reached { cost: step, .. } => {
                    follow(next);
                    return Climb::Reached { cost: cost.saturating_add(step), steps: steps + 1 };
                }
                Climb::Capped(_) if next != state => {
                    let step = geometry.direction(state, next);
                    cost = cost.saturating_add(step.map_or(Cost::ZERO, |step| geometry.step_cost(step)));
                    state = next;
                    (columns, rows) = offset(state);
                    steps += 1;
                    follow(state);
                    continue;
                }
                ended => return ended,
            }
        };
        if !budget.take() {
            return Climb::Capped(state);
        }
        state = geometry.neighbour(state, direction);
        cost = cost.saturating_add(geometry.step_cost(direction));
        let (across, down) = direction.offset();
        (columns, rows) = (columns - across, rows - down);
        steps += 1;
        follow(state);
    }
    Climb::Reached { cost, steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::space::Rule;

    /// Both walks, with every state entered and every unit taken.
    #[test]
    fn climbing_by_sight_is_climbing_by_weighing_all_successors() {
        let mut rng = Rng::new(91);
        let mut reached = 0;
        for round in 0..400 {
            let rule = [Rule::Octile, Rule::Octile14, Rule::OctileCutting][round % 3];
            let (width, height, density) = (1 + rng.below(12), 1 + rng.below(12), rng.below(45));
            let grid = Grid::new(width, height, rule, |_, _| rng.below(100) >= density).expect("a small map");
            let space = Space::from(grid.clone());
            let climber = Climber::new(&space);
            let states: Vec<StateId> = grid.free_states().collect();
            for (from, to) in states.iter().flat_map(|from| states.iter().map(move |to| (*from, *to))) {
                let cap = if rng.chance(1, 4) { rng.below(6) } else { 1000 };
                let units = if rng.chance(1, 4) { u64::from(rng.below(6)) } else { 1000 };
                let goal = Target::over_open_ground(
                    grid.geometry(),
                    to,
                    OctileMetric::new(grid.scale().straight(), grid.scale().diagonal()),
                );
                let (mut plain, mut quick) = (Vec::new(), Vec::new());
                let mut budgets = [Budget::units(units), Budget::units(units)];
                let expected =
                    climb(&grid.moves(), &goal, from, cap, &mut budgets[0], |state| plain.push(state));
                let found = climber.climb(from, to, cap, &mut budgets[1], |state| quick.push(state));
                assert_eq!((found, &quick), (expected, &plain), "{rule}: {from} to {to}");
                assert_eq!(budgets[0].spent(), budgets[1].spent());
                reached += u32::from(matches!(found, Climb::Reached { .. }));
            }
        }
        assert!(reached > 100_000, "{reached}");
    }
}
