//! One problem, answered in four ways, side by side: by A* with all that it expands, by the best planner that reads no index, by
//! the fastest planner of all, and by an agent that sees only its surroundings.

use crate::agents;
use crate::args::Sight;
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::journey::course::{Course, Track};
use crate::names;
use crate::numbers::{count, counted};
use crate::picture::{self, Panel, Scene, Seen};
use crate::world::World;
use milepost::plan::Astar;
use milepost::{Atlas, Budget, Planner, Query, Scratch, StateId};
use std::path::Path;

/// Draws it.
pub(super) fn save(path: &Path, world: &World, (start, goal): (StateId, StateId)) -> Result<(), Failure> {
    let goals = [goal];
    let plain = Atlas::new(world.space().clone());
    let simple = names::fastest(&plain, false)?;
    let fastest = names::fastest(&world.atlas, false)?;
    let astar = Astar::default();
    let answers: [(String, &dyn Planner); 3] = [
        ("A*".to_owned(), &astar),
        (simple.name.clone(), &*simple.planner),
        (fastest.name.clone(), &*fastest.planner),
    ];
    let mut scratches = [Scratch::new(), Scratch::new(), Scratch::new()];
    for ((_, planner), scratch) in answers.iter().zip(&mut scratches) {
        planner.plan(&world.atlas, &Query::new(start, goal), scratch, &mut Budget::unlimited());
    }
    let mut panels: Vec<Panel<'_>> = answers
        .iter()
        .zip(&scratches)
        .map(|((name, planner), scratch)| Panel {
            title: name.clone(),
            note: format!(
                "cost {}, {} expanded{}",
                world.show_cost(scratch.path().cost_f64(), 1),
                count(scratch.search().expanded()),
                if planner.needs().is_empty() { "" } else { ", with an index" }
            ),
            scene: Scene::of_query(world, scratch, (start, &goals), true),
        })
        .collect();

    let sight = Sight::Radius(1);
    let named = agents::best(world, Some(sight), false)?;
    let course = Course::new(world.clone(), Schedule::default())?;
    let (mut track, mut walked) = (Track::default(), Scratch::new());
    let follow = |_: &agents::Shown<'_>, agent: &dyn milepost::Agent| track.follow(agent);
    let ended = course.travel(&named, (start, goal), super::MAX_MOVES, &mut walked, follow)?;
    let moves = ended.journey.moves;
    track.take(ended);
    let shown = named.shown(world);
    let seen =
        track.agent.as_ref().and_then(|agent| Seen::by(&**agent, shown.view(), world.space().id_bound()));
    panels.push(Panel {
        title: format!("{}, sees its neighbours", named.name),
        note: format!("cost {}, {}", world.show_cost(track.cost, 1), counted(moves, "move")),
        scene: Scene::of_journey(&track.trail, (start, &goals), true).with_sight(seen),
    });
    picture::save_board(path, world, &panels)
}
