//! Pictures: the map, and on it a query (what was expanded in the order of its cost, the path) or a journey (the trail,
//! subgoals, and where the agent was more than once), start and goals.

mod cells;
mod roads;

use crate::failure::Failure;
use crate::paint::{Canvas, Colour, mix};
use crate::world::World;
use milepost::{Scratch, StateId, files};
use std::collections::BTreeMap;
use std::path::Path;

/// Maps are drawn as large as fits into this, but a cell takes at least a pixel ...
const COMFORTABLE: u32 = 1536;
/// ... unless the map is larger than this: then a pixel takes several cells.
const LARGEST: u32 = 4096;

const FREE: Colour = [0xf4, 0xf1, 0xea];
const BLOCKED: Colour = [0x2e, 0x33, 0x3d];
/// Around a map that is no rectangle on the picture.
const OUTSIDE: Colour = [0x12, 0x14, 0x19];
const PATH: Colour = [0xd8, 0x1b, 0x60];
const EDGE: Colour = [0xff, 0xff, 0xff];
const START: Colour = [0x1b, 0xa0, 0x4b];
const SUBGOAL: Colour = [0x6a, 0x3d, 0x9a];
const GOAL: Colour = [0xe5, 0x2b, 0x20];
/// From the first state expanded to the last, or from two visits to the most.
const HEAT: [Colour; 4] = [[0x3b, 0x4c, 0xc0], [0x2a, 0x9d, 0xb5], [0x8f, 0xd1, 0x74], [0xfd, 0xe7, 0x4c]];

/// Refuses a world that cannot be drawn.
pub(crate) fn check(world: &World) -> Result<(), Failure> {
    if world.graph().is_none_or(|graph| graph.has_positions()) {
        return Ok(());
    }
    let message = format!(
        "{} cannot be drawn: its nodes have no coordinates; expected a file {}.co beside it",
        world.name, world.name
    );
    Err(Failure::usage("not_for_this_map", message))
}

/// Draws a scene and saves it as a PNG file.
pub(crate) fn save(path: &Path, world: &World, scene: &Scene<'_>) -> Result<(), Failure> {
    let canvas = match (world.grid(), world.graph()) {
        (Some(grid), _) => cells::draw(grid, world.shape.unwrap_or_default(), scene),
        (_, Some(graph)) => roads::draw(graph, scene),
        _ => return check(world),
    };
    Ok(files::save_whole(path, &canvas.png(path)?)?)
}

/// What is drawn on a map.
pub(crate) struct Scene<'a> {
    /// States with colours of their own.
    shaded: Vec<(StateId, Colour)>,
    /// The path or trail; between two of its states it runs straight.
    line: &'a [StateId],
    /// The corners of the path pulled straight, if that is to be drawn.
    straight: Option<&'a [StateId]>,
    /// Where an agent headed for on its way.
    subgoals: &'a [StateId],
    start: StateId,
    goals: &'a [StateId],
}

impl<'a> Scene<'a> {
    /// What a query has left in its scratch: every state that was expanded, with the colour of its cost, and the path.
    pub(crate) fn of_query(scratch: &'a Scratch, start: StateId, goals: &'a [StateId]) -> Scene<'a> {
        let search = scratch.search();
        let cost = |state| search.cost(state).map_or(0, |cost| cost.units());
        let dearest = search.closed().map(cost).max().unwrap_or(0).max(1);
        let shade = |state| (state, heat(cost(state) as f32 / dearest as f32));
        let shaded = search.closed().map(shade).collect();
        Scene { shaded, line: scratch.path().waypoints(), straight: None, subgoals: &[], start, goals }
    }

    /// The same with the path also pulled straight, if it could be.
    pub(crate) fn with_straight(self, corners: Option<&'a [StateId]>) -> Scene<'a> {
        Scene { straight: corners, ..self }
    }

    /// The same with the places that an agent headed for on its way.
    pub(crate) fn with_subgoals(self, subgoals: &'a [StateId]) -> Scene<'a> {
        Scene { subgoals, ..self }
    }

    /// Where an agent went, from its start on, and which states it came to more than once.
    pub(crate) fn of_journey(trail: &'a [StateId], start: StateId, goals: &'a [StateId]) -> Scene<'a> {
        let mut visits: BTreeMap<StateId, u32> = BTreeMap::new();
        for state in trail {
            *visits.entry(*state).or_default() += 1;
        }
        let most = visits.values().copied().max().unwrap_or(0).max(3);
        // A few visits more matter where there are few.
        let share = |visits: u32| ((visits - 1) as f32).ln() / ((most - 1) as f32).ln();
        let often = visits.into_iter().filter(|(_, visits)| *visits > 1);
        let shaded = often.map(|(state, visits)| (state, heat(share(visits)))).collect();
        Scene { shaded, line: trail, straight: None, subgoals: &[], start, goals }
    }

    /// Draws the line, start and goals over whatever is there; `middle` says where states are.
    fn draw_line(&self, canvas: &mut Canvas, radius: f32, middle: impl Fn(StateId) -> (f32, f32)) {
        let mut draw = |corners: &[StateId], strokes: [(f32, Colour); 2]| {
            for (radius, colour) in strokes {
                for leg in corners.windows(2) {
                    canvas.line(middle(leg[0]), middle(leg[1]), radius, colour);
                }
            }
        };
        match self.straight {
            None => draw(self.line, [(radius + 1.0, EDGE), (radius, PATH)]),
            Some(corners) => {
                draw(self.line, [(0.5 * radius + 0.5, EDGE), (0.5 * radius, mix(PATH, FREE, 0.5))]);
                draw(corners, [(radius + 1.0, EDGE), (radius, PATH)]);
            }
        }
        let mut mark = |state: StateId, radius: f32, colour: Colour| {
            canvas.disc(middle(state), radius + 2.0, EDGE);
            canvas.disc(middle(state), radius, colour);
        };
        let (small, large) = (1.2 * radius + 1.0, 2.2 * radius + 3.0);
        self.subgoals.iter().for_each(|subgoal| mark(*subgoal, small, SUBGOAL));
        self.goals.iter().for_each(|goal| mark(*goal, large, GOAL));
        mark(self.start, large, START);
    }
}

fn heat(share: f32) -> Colour {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let below = (place as usize).min(HEAT.len() - 2);
    mix(HEAT[below], HEAT[below + 1], place - below as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_goes_from_the_first_colour_to_the_last() {
        assert_eq!([heat(0.0), heat(1.0), heat(2.0)], [HEAT[0], HEAT[3], HEAT[3]]);
    }
}
