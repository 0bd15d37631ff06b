//! Agents that make one move at a time, each within a bound that they state, and take a new goal on their way.

use milepost::agent::SpaceLimits;
use milepost::{Atlas, Budget, Rule, Scratch, Step, catalog};
use milepost_maps::{Kind, generate};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::new(generate(Kind::Rooms, 60, 40, 3)?.grid(Rule::Octile)?);
    let free: Vec<_> = atlas.space().free_states().collect();
    let (from, first, second) = (free[0], free[free.len() / 2], free[free.len() - 1]);

    let kind = catalog::agent("lss-lrta:32")?;
    println!("a step takes at most {:?} units", kind.limits(SpaceLimits::PLAIN).max_units);
    let mut agent = atlas.agent("lss-lrta:32", from, first)?;
    let (mut scratch, mut moves) = (Scratch::new(), 0);
    loop {
        let mut frame = Budget::units(200);
        match agent.step(&atlas, &mut scratch, &mut frame) {
            Step::Move(_) => moves += 1,
            Step::Thinking => {}
            Step::Arrived if agent.goal() == first => {
                println!("at the first goal after {moves} moves");
                agent.retarget(second);
            }
            end => {
                println!("{end:?} after {moves} moves");
                assert_eq!(end, Step::Arrived);
                return Ok(());
            }
        }
    }
}
