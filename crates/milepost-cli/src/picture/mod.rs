//! The picture of a query: the map, what was expanded in the order of its cost, the path, start and goals.

mod cells;
mod roads;

use crate::failure::Failure;
use crate::paint::{Canvas, Colour, mix};
use crate::world::World;
use milepost::{Scratch, StateId, files};
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
const GOAL: Colour = [0xe5, 0x2b, 0x20];
/// From the first state expanded to the last.
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

/// Draws a query and saves it as a PNG file.
pub(crate) fn save(path: &Path, world: &World, query: &Query<'_>) -> Result<(), Failure> {
    let canvas = match (world.grid(), world.graph()) {
        (Some(grid), _) => cells::draw(grid, world.shape.unwrap_or_default(), query),
        (_, Some(graph)) => roads::draw(graph, query),
        _ => return check(world),
    };
    Ok(files::save(path, &canvas.png(path)?)?)
}

/// What was asked and what came of it.
pub(crate) struct Query<'a> {
    /// What the search left there is drawn, and the path.
    pub(crate) scratch: &'a Scratch,
    pub(crate) start: StateId,
    pub(crate) goals: &'a [StateId],
    /// The corners of the path pulled straight, if that is to be drawn.
    pub(crate) straight: Option<&'a [StateId]>,
}

impl Query<'_> {
    /// Every state that was expanded, with the colour of its cost.
    fn expanded(&self) -> impl Iterator<Item = (StateId, Colour)> {
        let search = self.scratch.search();
        let cost = |state| search.cost(state).map_or(0, |cost| cost.units());
        let dearest = search.closed().map(cost).max().unwrap_or(0).max(1);
        search.closed().map(move |state| (state, heat(cost(state) as f32 / dearest as f32)))
    }

    /// Draws path, start and goals over whatever is there; `middle` says where states are.
    fn draw_path(&self, canvas: &mut Canvas, radius: f32, middle: impl Fn(StateId) -> (f32, f32)) {
        let mut draw = |corners: &[StateId], strokes: [(f32, Colour); 2]| {
            for (radius, colour) in strokes {
                for leg in corners.windows(2) {
                    canvas.line(middle(leg[0]), middle(leg[1]), radius, colour);
                }
            }
        };
        let cells = self.scratch.path().waypoints();
        match self.straight {
            None => draw(cells, [(radius + 1.0, EDGE), (radius, PATH)]),
            Some(corners) => {
                draw(cells, [(0.5 * radius + 0.5, EDGE), (0.5 * radius, mix(PATH, FREE, 0.5))]);
                draw(corners, [(radius + 1.0, EDGE), (radius, PATH)]);
            }
        }
        let mut mark = |state: StateId, colour: Colour| {
            canvas.disc(middle(state), 2.2 * radius + 5.0, EDGE);
            canvas.disc(middle(state), 2.2 * radius + 3.0, colour);
        };
        self.goals.iter().for_each(|goal| mark(*goal, GOAL));
        mark(self.start, START);
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
