//! A planner of one's own: the path with the fewest moves, whatever the moves cost. It says where one can go and where one
//! wants to be; the search, budgets, slices and the path are the engine's.

use milepost::plan::Task;
use milepost::search::{Expander, Goal, KeyRange, Problem};
use milepost::{Atlas, Cost, Grid, Outcome, PlanJob, Planner, Point, Rule, Space, StateId};
use milepost::{Budget, Query, Scratch};
use std::sync::Arc;

/// Every move costs one, and nothing is estimated.
#[derive(Debug)]
struct FewestMoves;

impl Planner for FewestMoves {
    fn advance(&self, task: &mut Task<'_>) -> Outcome {
        let targets = task.targets().to_vec();
        let moves = EachCostsOne(task.problem(targets[0]));
        task.search(&moves, &OneOf(targets))
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }
}

struct EachCostsOne<'a>(Problem<'a>);

impl Expander for EachCostsOne<'_> {
    fn id_bound(&self) -> usize {
        self.0.id_bound()
    }

    fn keys(&self) -> KeyRange {
        KeyRange { cheapest: Cost::new(1), bound: Cost::new(self.id_bound() as u64) }
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        self.0.expand(state, parent, |child, _| visit(child, Cost::new(1)))
    }
}

struct OneOf(Vec<StateId>);

impl Goal for OneOf {
    fn is_reached(&self, state: StateId) -> bool {
        self.0.contains(&state)
    }

    fn estimate(&self, _: StateId) -> Cost {
        Cost::ZERO
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The way through the middle is short, but every cell of it costs nine.
    let grid = Grid::new(9, 5, Rule::Four, |_, _| true)?;
    let grid = grid.with_weights(|x, y| if y == 2 && x > 0 && x < 8 { 9 } else { 1 })?;
    let atlas = Atlas::new(grid);
    let cell = |x, y| atlas.state_at(Point::new(x, y)).ok_or("outside the map");
    let moves = |planner: Arc<dyn Planner>| -> Result<usize, &str> {
        let mut job = PlanJob::new(planner, &Query::new(cell(0, 2)?, cell(8, 2)?), Scratch::new());
        while job.advance(&atlas, &mut Budget::units(10)) == Outcome::OutOfBudget {}
        Ok(atlas.space().cells(job.path()).len() - 1)
    };
    let (fewest, cheapest) = (moves(Arc::new(FewestMoves))?, moves(milepost::catalog::planner("astar")?)?);
    println!("{fewest} moves, where the cheapest path takes {cheapest}");
    assert_eq!((fewest, cheapest), (8, 10));
    Ok(())
}
