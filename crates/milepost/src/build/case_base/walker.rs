//! Whether one climbs from a state to another, without looking at every step where a jump table says what lies ahead.
//!
//! A climb on octile ground goes diagonally towards its goal while it can, then straight. The table knows how many of these
//! steps are free, so a run of them takes one look; only where the next step is blocked the climb itself decides. A test
//! holds it against the climb.

use crate::core::{Budget, Climb, Cost, StateId};
use crate::index::{Atlas, JumpTable, Jumps, PackedCell};
use crate::space::{Climber, Grid, Space, SpaceKind};

/// Climbs on a space.
#[derive(Clone, Copy)]
pub(super) struct Walker<'a> {
    climber: Climber<'a>,
    table: Option<(&'a Grid, JumpTable<'a>)>,
}

impl<'a> Walker<'a> {
    /// On the space of an atlas, which has a jump table if it can have one.
    pub(super) fn new(atlas: &'a Atlas) -> Walker<'a> {
        Walker::on(atlas.space(), atlas.jump_table())
    }

    pub(super) fn on(space: &'a Space, table: Option<JumpTable<'a>>) -> Walker<'a> {
        Walker { climber: Climber::new(space), table: space.as_grid().zip(table) }
    }

    /// Figure 7: whether a climb of at most `cap` steps reaches `to`.
    pub(super) fn reaches(&self, from: StateId, to: StateId, cap: u32) -> bool {
        self.climb(from, to, cap).is_some()
    }

    /// What a climb of at most `cap` steps costs; `None` if it does not reach `to`.
    pub(super) fn climb(&self, from: StateId, to: StateId, cap: u32) -> Option<Cost> {
        let budget = &mut Budget::unlimited();
        let Some((grid, table)) = self.table else {
            return match self.climber.climb(from, to, cap, budget, |_| {}) {
                Climb::Reached { cost, .. } => Some(cost),
                Climb::Stuck(_) | Climb::Capped(_) => None,
            };
        };
        let (mut at, goal, mut left) = (from, PackedCell::of(grid, to), i64::from(cap));
        let mut walked = Cost::ZERO;
        loop {
            let cell = PackedCell::of(grid, at);
            let run = cell.run_to(goal);
            let (direction, steps) = match run.diagonal {
                0 => (run.straight_direction, run.straight),
                diagonal => (run.diagonal_direction, diagonal),
            };
            let free = if steps == 0 { 0 } else { table.clear_steps(cell, direction, steps) };
            if i64::from(free) > left {
                return None;
            }
            left -= i64::from(free);
            let scale = grid.scale();
            let step = if run.diagonal > 0 { scale.diagonal() } else { scale.straight() };
            walked = Cost::new(walked.units() + step * u64::from(free.unsigned_abs()));
            at = table.state(if free > 0 { cell.ahead(direction, free) } else { cell });
            if at == to {
                return Some(walked);
            }
            if free > 0 && free == steps {
                continue;
            }
            // A wall: one step as the climb takes it.
            let mut next = at;
            if left <= 0 {
                return None;
            }
            match self.climber.climb(at, to, 1, budget, |state| next = state) {
                Climb::Reached { cost, .. } => return Some(Cost::new(walked.units() + cost.units())),
                Climb::Capped(_) if next != at => {
                    walked = Cost::new(walked.units() + self.climber.estimate(at, next).units());
                    (at, left) = (next, left - 1);
                }
                Climb::Stuck(_) | Climb::Capped(_) => return None,
            }
        }
    }

    /// Names the states that a move leads to.
    pub(super) fn successors(&self, state: StateId, visit: impl FnMut(StateId)) {
        self.climber.successors(state, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{SILENT, build};
    use crate::core::Rng;
    use crate::index::IndexKind;
    use crate::space::Rule;

    #[test]
    fn a_walker_gets_where_a_climb_gets() {
        let mut rng = Rng::new(93);
        let mut reached = [0_u32; 2];
        for round in 0..120 {
            let rule = [Rule::Octile, Rule::Octile14][round % 2];
            let (width, height, density) = (1 + rng.below(20), 1 + rng.below(20), rng.below(40));
            let grid = Grid::new(width, height, rule, |_, _| rng.below(100) >= density).expect("a small map");
            let states: Vec<StateId> = grid.free_states().collect();
            let atlas = build(&Atlas::new(grid), IndexKind::JUMP_TABLE, SILENT).expect("a table");
            let (quick, plain) = (Walker::new(&atlas), Walker::on(atlas.space(), None));
            for (from, to) in states.iter().flat_map(|from| states.iter().map(move |to| (*from, *to))) {
                let cap = if rng.chance(1, 3) { rng.below(12) } else { 1000 };
                let expected = plain.climb(from, to, cap);
                assert_eq!(quick.climb(from, to, cap), expected, "{rule}: {from} to {to} in {cap}");
                reached[usize::from(expected.is_some())] += 1;
            }
        }
        assert!(reached.iter().all(|&count| count > 10_000), "{reached:?}");
    }
}
