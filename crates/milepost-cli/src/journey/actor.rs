//! An agent for tests, which does as it is told.

use crate::world::World;
use milepost::agent::{Limits, View};
use milepost::plan::Refusal;
use milepost::{Agent, Budget, Overlay, Point, Rule, Scratch, StateId, Step};
use milepost_maps::TileMap;
use std::sync::Arc;

/// A row of five cells.
pub(crate) fn row() -> World {
    let map = TileMap::from_ascii(".....").expect("a good drawing");
    World::new("row.map".as_ref(), &map, Rule::Octile).expect("a small map")
}

/// The cell in a column of the row.
pub(crate) fn cell(world: &World, x: i64) -> StateId {
    world.atlas.state_at(Point::new(x, 0)).expect("inside")
}

/// What to do in a step.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    /// Go to this column.
    Go(i64),
    /// Say this.
    Say(Step),
}

/// An agent that does as it is told, step by step: where to go or what to say, and the units that it takes.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    script: Vec<(Step, u64)>,
    at: StateId,
    goal: StateId,
    searches: u64,
}

impl Agent for Actor {
    fn step_in(&mut self, _: View<'_>, _: &mut Scratch, budget: &mut Budget) -> Step {
        let (step, units) = if self.script.is_empty() { (Step::NoPath, 0) } else { self.script.remove(0) };
        budget.charge(units);
        self.searches += u64::from(units > 1);
        if let Step::Move(to) = step {
            self.at = to;
        }
        step
    }

    fn put_overlay(&mut self, _: Option<Arc<Overlay>>) -> Result<(), Refusal> {
        Err(Refusal::Overlay)
    }

    fn retarget(&mut self, goal: StateId) {
        self.goal = goal;
    }

    fn name(&self) -> &'static str {
        "actor"
    }

    fn state(&self) -> StateId {
        self.at
    }

    fn goal(&self) -> StateId {
        self.goal
    }

    fn subgoal(&self) -> Option<StateId> {
        None
    }

    fn limits(&self) -> Limits {
        Limits { min_units: 1, max_units: Some(9), max_thinking: 2 }
    }

    fn limits_in(&self, _: View<'_>) -> Limits {
        self.limits()
    }

    fn page_bytes(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        100 + self.script.len()
    }

    fn remembered(&self) -> u64 {
        self.searches
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn to_bytes(&self) -> Vec<u8> {
        Vec::new()
    }

    fn boxed(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

impl Actor {
    /// Stands in the first cell of the row and wants to be in the last. Steps of more than one unit are searches.
    pub(crate) fn new(world: &World, script: &[(Act, u64)]) -> Actor {
        let spell = |&(act, units): &(Act, u64)| match act {
            Act::Go(x) => (Step::Move(cell(world, x)), units),
            Act::Say(step) => (step, units),
        };
        let script = script.iter().map(spell).collect();
        Actor { script, at: cell(world, 0), goal: cell(world, 4), searches: 0 }
    }
}
