//! An agent of one's own: its file says what it is called, what it remembers, what a step takes, and which move comes next.
//! Everything else (position, budgets, saves, edits, unknown terrain) is the chassis'. A crate of one's own needs `serde` with its feature
//! `derive`, since agents can be saved.

use milepost::agent::{
    About, Agent as _, Algorithm, Chassis, Decision, Limits, Memory, Situation, SpaceLimits, Terrain, View,
};
use milepost::search::{Expander, Goal};
use milepost::{Atlas, Budget, Cost, Grid, Rule, Scratch, StateId, Step};
use serde::{Deserialize, Serialize};

/// Goes where the goal seems nearest, but not back to where it has just been.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Downhill;

/// The state before this one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Before(Option<StateId>);

impl Memory for Before {
    /// A save that was forged may hold any number.
    fn is_sound(&mut self, terrain: Terrain<'_>, _at: StateId, _goal: StateId) -> bool {
        self.0.is_none_or(|before| terrain.is_state(before))
    }
}

impl Algorithm for Downhill {
    const ABOUT: About = About {
        name: "downhill",
        summary: "goes where the goal seems nearest, and never straight back",
        guarantee: "none",
        memory: "the state before",
        by_sight: true,
        ..About::USUAL
    };
    const DEFAULT: Downhill = Downhill;
    type Memory = Before;

    fn limits(&self, space: SpaceLimits) -> Limits {
        // One expansion.
        let units = u64::from(space.expansion + space.goal);
        Limits { min_units: units, max_units: Some(units), max_thinking: 0 }
    }

    fn decide(&self, before: &mut Before, here: &mut Situation<'_>) -> Decision {
        let problem = here.towards(here.goal);
        here.budget.charge(here.expansion_units());
        let mut best: Option<(Cost, StateId)> = None;
        problem.expand(here.at, None, |next, cost| {
            let f = (cost + problem.estimate(next), next);
            if before.0 != Some(next) && best.is_none_or(|best| f < best) {
                best = Some(f);
            }
        });
        before.0 = Some(here.at);
        best.map_or(Decision::NoPath, |(_, next)| Decision::Move(next))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::new(Grid::from_ascii("..........\n....@@....\n..........", Rule::Octile)?);
    let free: Vec<_> = atlas.space().free_states().collect();
    let mut agent = Chassis::new(Downhill, View::Map(&atlas), free[10], free[17]);
    let (mut scratch, mut moves) = (Scratch::new(), 0);
    while let Step::Move(_) = agent.step(&atlas, &mut scratch, &mut Budget::units(10)) {
        moves += 1;
        // Saved and restored in between, it makes the same moves.
        agent = Chassis::restore(&agent.to_bytes(), View::Map(&atlas))?;
    }
    println!("{} moves", moves);
    assert_eq!(agent.state(), free[17]);
    Ok(())
}
