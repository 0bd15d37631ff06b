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

use super::frame::Frame;
use super::goal::Target;
use super::walking::Within;
use super::{
    FullMoves, Graph, GraphMoves, GraphTargets, Grid, GridMoves, Metric, OctileMetric, OtherMetric, Space,
};
use crate::core::{Budget, Climb, Cost, StateId, climb};

/// Greedy walks on one space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climber<'a> {
    space: &'a Space,
    ground: Ground<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Ground<'a> {
    /// Straight and diagonal steps, each at one cost.
    Octile(&'a Grid, GridMoves<'a>, OctileMetric),
    /// Steps of one cost.
    Uniform(&'a Grid, GridMoves<'a>, OtherMetric),
    /// Weights or links.
    Rough(&'a Grid, FullMoves<'a>, AnyMetric),
    Graph(&'a Graph, GraphMoves<'a>),
}

/// The tightest estimate of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyMetric {
    Octile(OctileMetric),
    Other(OtherMetric),
    /// Nothing is known.
    None,
}

impl Metric for AnyMetric {
    #[inline]
    fn distance(&self, from: (u32, u32), to: (u32, u32)) -> u64 {
        match self {
            AnyMetric::Octile(metric) => metric.distance(from, to),
            AnyMetric::Other(metric) => metric.distance(from, to),
            AnyMetric::None => 0,
        }
    }
}

impl AnyMetric {
    /// The distance.
    #[inline]
    pub(crate) fn between(&self, from: (u32, u32), to: (u32, u32)) -> u64 {
        self.distance(from, to)
    }

    /// No two cells that are at least so many columns and rows apart are nearer than this.
    #[inline]
    pub(crate) fn least(&self, columns: u32, rows: u32) -> u64 {
        match self {
            // Rows of hexagons lean: a step changes each coordinate by at most one, and perhaps both.
            AnyMetric::Other(metric @ OtherMetric::Hex(_)) => metric.distance((0, 0), (columns.max(rows), 0)),
            metric => metric.distance((0, 0), (columns, rows)),
        }
    }
}

impl Grid {
    /// The tightest estimate of the rule at the least weight, from the coordinates alone.
    pub(crate) fn metric(&self) -> AnyMetric {
        let (scale, cheapest) = (self.scale(), self.cheapest());
        let (straight, diagonal) = (scale.straight() * cheapest, scale.diagonal() * cheapest);
        if self.rule().is_octile() {
            return AnyMetric::Octile(OctileMetric::new(straight, diagonal));
        }
        let tightest = super::Heuristic::tightest(self.rule());
        OtherMetric::new(tightest, self.rule(), straight).map_or(AnyMetric::None, AnyMetric::Other)
    }
}

impl<'a> Climber<'a> {
    /// Walks on this space.
    pub(crate) fn new(space: &'a Space) -> Climber<'a> {
        let ground = match space {
            Space::Graph(graph) => Ground::Graph(graph, graph.moves()),
            Space::Grid(grid) => match grid.metric() {
                AnyMetric::Octile(metric) if grid.is_plain() => Ground::Octile(grid, grid.moves(), metric),
                AnyMetric::Other(metric) if grid.is_plain() => Ground::Uniform(grid, grid.moves(), metric),
                metric => Ground::Rough(grid, grid.full_moves(), metric),
            },
        };
        Climber { space, ground }
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
        match &self.ground {
            Ground::Octile(grid, moves, metric) => {
                let goal = Target::over_open_ground(grid.frame(), to, *metric);
                climb_octile(moves, grid.frame(), &goal, (from, to), cap, budget, follow)
            }
            Ground::Uniform(grid, moves, metric) => {
                climb(moves, &Target::over_open_ground(grid.frame(), to, *metric), from, cap, budget, follow)
            }
            Ground::Rough(grid, moves, metric) => {
                let moves = &self.turning(*moves, to);
                climb(moves, &Target::over_open_ground(grid.frame(), to, *metric), from, cap, budget, follow)
            }
            Ground::Graph(graph, moves) => {
                let moves = &self.turning(*moves, to);
                climb(moves, &GraphTargets::new(graph, &[to], true), from, cap, budget, follow)
            }
        }
    }

    /// Names the states that a move leads to.
    #[inline]
    pub(crate) fn successors(&self, state: StateId, mut visit: impl FnMut(StateId)) {
        use crate::core::Expander;
        match &self.ground {
            Ground::Octile(_, moves, _) => moves.expand(state, None, |next, _| visit(next)),
            Ground::Uniform(_, moves, _) => moves.expand(state, None, |next, _| visit(next)),
            Ground::Rough(_, moves, _) => moves.expand(state, None, |next, _| visit(next)),
            Ground::Graph(_, moves) => moves.expand(state, None, |next, _| visit(next)),
        };
    }

    /// The moves that stay in the strong component of a state.
    fn turning<E>(&self, moves: E, state: StateId) -> Within<'a, E> {
        let component = if self.space.has_one_way_moves() { self.space.component(state) } else { None };
        Within { moves, space: self.space, component }
    }

    /// How far one state seems to be from another.
    #[inline]
    pub(crate) fn estimate(&self, from: StateId, to: StateId) -> Cost {
        use crate::core::Goal;
        let between = |grid: &Grid, metric: AnyMetric| {
            Cost::new(metric.distance(grid.column_and_row(from), grid.column_and_row(to)))
        };
        match &self.ground {
            Ground::Octile(grid, _, metric) => between(grid, AnyMetric::Octile(*metric)),
            Ground::Uniform(grid, _, metric) => between(grid, AnyMetric::Other(*metric)),
            Ground::Rough(grid, _, metric) => between(grid, *metric),
            Ground::Graph(graph, _) => GraphTargets::new(graph, &[to], true).estimate(from),
        }
    }
}

/// The direction of a step by (columns, rows), each -1, 0 or 1, as 3 * (rows + 1) + columns + 1.
const TOWARDS: [u8; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];

fn climb_octile(
    moves: &GridMoves<'_>,
    frame: Frame,
    goal: &Target<OctileMetric>,
    (from, to): (StateId, StateId),
    cap: u32,
    budget: &mut Budget,
    mut follow: impl FnMut(StateId),
) -> Climb {
    let (to_column, to_row) = frame.column_and_row(to);
    let offset = |state: StateId| {
        let (column, row) = frame.column_and_row(state);
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
        let may = |across: i64, down: i64| {
            let direction = TOWARDS[(3 * (down + 1) + across + 1) as usize];
            allowed >> direction & 1 == 1
        };
        // Straight along the longer coordinate; nothing where both are equal.
        let straight = match columns.abs().cmp(&rows.abs()) {
            std::cmp::Ordering::Greater => (across, 0),
            std::cmp::Ordering::Less => (0, down),
            std::cmp::Ordering::Equal => (0, 0),
        };
        let step = if across != 0 && down != 0 && may(across, down) {
            (across, down)
        } else if straight != (0, 0) && may(straight.0, straight.1) {
            straight
        } else {
            // In the way of a wall: all successors are weighed.
            let mut next = state;
            match climb(moves, goal, state, 1, budget, |entered| next = entered) {
                Climb::Reached { cost: step, .. } => {
                    follow(next);
                    return Climb::Reached { cost: cost.saturating_add(step), steps: steps + 1 };
                }
                Climb::Capped(_) if next != state => {
                    cost = cost.saturating_add(moves.step_cost(state, next));
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
        state = moves.beside(state, step);
        cost = cost.saturating_add(moves.base_cost(step.0 != 0 && step.1 != 0));
        (columns, rows) = (columns - step.0, rows - step.1);
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
                    grid.frame(),
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
