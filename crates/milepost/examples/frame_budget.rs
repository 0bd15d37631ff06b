//! A query that is answered in slices: each frame spends a few units of work on it, and the path is the one that a single
//! call would have given.

use milepost::{Atlas, Budget, Outcome, PlanJob, Query, Rule, Scratch, catalog};
use milepost_maps::{Kind, generate};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::new(generate(Kind::Caves, 120, 80, 7)?.grid(Rule::Octile)?);
    let free: Vec<_> = atlas.space().free_states().collect();
    let (from, to) = (free[0], free[free.len() - 1]);

    // While the level is loaded: no frame waits for the system to hand out memory.
    let mut scratch = Scratch::new();
    scratch.warm(&atlas);
    let mut job = PlanJob::new(catalog::planner("astar")?, &Query::new(from, to), scratch);
    let mut frames = 0;
    let outcome = loop {
        frames += 1;
        // What this frame can spend: the unit is a state expanded, never a time.
        match job.advance(&atlas, &mut Budget::units(500)) {
            Outcome::OutOfBudget => continue,
            outcome => break outcome,
        }
    };
    let turns = job.path().points().len();
    println!("{outcome:?} after {frames} frames, {turns} turning points");
    assert!(frames > 1, "a small budget takes several frames");
    Ok(())
}
