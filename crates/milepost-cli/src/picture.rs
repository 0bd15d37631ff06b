//! The picture of a query: the map, what was expanded in the order of its cost, the path, start and goals.

use crate::failure::Failure;
use crate::paint::{Canvas, Colour, mix};
use milepost::{Grid, Point, Scratch, StateId, files};
use std::path::Path;

/// Maps are drawn as large as fits into this, but a cell takes at least a pixel ...
const COMFORTABLE: u32 = 1536;
/// ... unless the map is larger than this: then a pixel takes several cells.
const LARGEST: u32 = 4096;

const FREE: Colour = [0xf4, 0xf1, 0xea];
const BLOCKED: Colour = [0x2e, 0x33, 0x3d];
const PATH: Colour = [0xd8, 0x1b, 0x60];
const EDGE: Colour = [0xff, 0xff, 0xff];
const START: Colour = [0x1b, 0xa0, 0x4b];
const GOAL: Colour = [0xe5, 0x2b, 0x20];
/// From the first state expanded to the last.
const HEAT: [Colour; 4] = [[0x3b, 0x4c, 0xc0], [0x2a, 0x9d, 0xb5], [0x8f, 0xd1, 0x74], [0xfd, 0xe7, 0x4c]];

/// Draws what a query left in its scratch and saves it as a PNG file.
pub(crate) fn save(
    path: &Path,
    grid: &Grid,
    scratch: &Scratch,
    start: StateId,
    goals: &[StateId],
) -> Result<(), Failure> {
    let bytes = draw(grid, scratch, start, goals).png(path)?;
    Ok(files::save(path, &bytes)?)
}

fn draw(grid: &Grid, scratch: &Scratch, start: StateId, goals: &[StateId]) -> Canvas {
    let zoom = Zoom::new(grid.width(), grid.height());
    let mut canvas = Canvas::new(zoom.pixels(grid.width()), zoom.pixels(grid.height()), BLOCKED);
    let mut cell = |state: StateId, colour: Colour| {
        let Point { x, y } = grid.point(state);
        canvas.square(zoom.left(x), zoom.left(y), zoom.grow, colour);
    };
    for state in grid.free_states() {
        cell(state, FREE);
    }
    let search = scratch.search();
    let cost = |state| search.cost(state).map_or(0, |cost| cost.units());
    let dearest = search.closed().map(cost).max().unwrap_or(0).max(1);
    for state in search.closed() {
        cell(state, heat(cost(state) as f32 / dearest as f32));
    }

    let middle = |state: &StateId| {
        let Point { x, y } = grid.point(*state);
        (zoom.middle(x), zoom.middle(y))
    };
    let radius = zoom.line_radius();
    for (radius, colour) in [(radius + 1.0, EDGE), (radius, PATH)] {
        for leg in scratch.path().waypoints().windows(2) {
            canvas.line(middle(&leg[0]), middle(&leg[1]), radius, colour);
        }
    }
    let mut mark = |state: &StateId, colour: Colour| {
        canvas.disc(middle(state), 2.2 * radius + 5.0, EDGE);
        canvas.disc(middle(state), 2.2 * radius + 3.0, colour);
    };
    goals.iter().for_each(|goal| mark(goal, GOAL));
    mark(&start, START);
    canvas
}

fn heat(share: f32) -> Colour {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let below = (place as usize).min(HEAT.len() - 2);
    mix(HEAT[below], HEAT[below + 1], place - below as f32)
}

/// How cells become pixels: each as many pixels wide as fit, or several of them one pixel.
#[derive(Clone, Copy, Debug)]
struct Zoom {
    /// Pixels of a cell.
    grow: u32,
    /// Cells of a pixel; 1 unless `grow` is 1.
    shrink: u32,
}

impl Zoom {
    fn new(width: u32, height: u32) -> Zoom {
        let larger = width.max(height).max(1);
        Zoom { grow: (COMFORTABLE / larger).max(1), shrink: larger.div_ceil(LARGEST) }
    }

    fn pixels(self, cells: u32) -> u32 {
        (cells * self.grow).div_ceil(self.shrink)
    }

    fn left(self, cell: i64) -> u32 {
        (cell * i64::from(self.grow) / i64::from(self.shrink)) as u32
    }

    fn middle(self, cell: i64) -> f32 {
        (cell as f32 + 0.5) * self.grow as f32 / self.shrink as f32
    }

    fn line_radius(self) -> f32 {
        (self.grow as f32 * 0.22).clamp(1.6, 8.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_neither_tiny_nor_huge() {
        for larger in [1, 2, 49, 320, 511, 768, 769, 1024, 4096, 4097, 65_000, 4_000_000] {
            let pixels = Zoom::new(larger, 1).pixels(larger);
            assert!((512..=4096).contains(&pixels), "{larger} cells are {pixels} pixels");
        }
    }

    #[test]
    fn heat_goes_from_the_first_colour_to_the_last() {
        assert_eq!([heat(0.0), heat(1.0), heat(2.0)], [HEAT[0], HEAT[3], HEAT[3]]);
    }
}
