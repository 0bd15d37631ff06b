//! Grids: squares in rows, or hexagons, of whose rows every other one lies half a cell to the right.

use super::{BLOCKED, COMFORTABLE, FREE, LARGEST, Query};
use crate::paint::{Canvas, Colour, mix};
use milepost::{Grid, Point, Rule, StateId};

/// Ground of the largest weight.
const HEAVY: Colour = [0x7a, 0x5c, 0x2e];
/// From one row of hexagons to the next, in widths of a cell.
const HEX_ROW: f64 = 0.866_025_403_784_438_6;
/// The height of a hexagon that stands on its tip, in widths of a cell.
const HEX_HEIGHT: f64 = 1.154_700_538_379_251_5;
/// Hexagons at least this wide have a seam around them.
const SEAM_FROM: f32 = 6.0;

/// Draws a query on a grid.
pub(super) fn draw(grid: &Grid, query: &Query<'_>) -> Canvas {
    let layout = Layout::new(grid);
    let (width, height) = layout.size();
    let mut canvas = Canvas::new(width, height, BLOCKED);
    for state in grid.free_states() {
        layout.cell(&mut canvas, grid.point(state), ground(grid.weight(state)));
    }
    for (state, colour) in query.expanded() {
        layout.cell(&mut canvas, grid.point(state), colour);
    }
    let middle = |state: StateId| layout.middle(grid.point(state));
    query.draw_path(&mut canvas, layout.zoom.line_radius(), middle);
    canvas
}

/// The colour of a free cell: the heavier, the darker.
fn ground(weight: u8) -> Colour {
    let share = f32::from(weight.max(1)).ln() / 255_f32.ln();
    mix(FREE, HEAVY, share.sqrt())
}

/// Where cells are on the picture.
struct Layout {
    zoom: Zoom,
    width: u32,
    height: u32,
    is_hex: bool,
}

impl Layout {
    fn new(grid: &Grid) -> Layout {
        let (width, height) = (grid.width(), grid.height());
        let is_hex = grid.rule() == Rule::Hex;
        // Half a cell more, for the rows on the right.
        let zoom = Zoom::new(width.saturating_add(u32::from(is_hex)), height);
        Layout { zoom, width, height, is_hex }
    }

    fn size(&self) -> (u32, u32) {
        if !self.is_hex {
            return (self.zoom.pixels(self.width), self.zoom.pixels(self.height));
        }
        let pixels = |cells: f64| ((cells * self.zoom.cell()).ceil() as u32).max(1);
        let half = if self.height > 1 { 0.5 } else { 0.0 };
        (pixels(f64::from(self.width) + half), pixels(f64::from(self.height - 1) * HEX_ROW + HEX_HEIGHT))
    }

    fn middle(&self, Point { x, y }: Point) -> (f32, f32) {
        if !self.is_hex {
            return (self.zoom.middle(x), self.zoom.middle(y));
        }
        let column = x as f64 + if y % 2 == 1 { 1.0 } else { 0.5 };
        let row = y as f64 * HEX_ROW + HEX_HEIGHT / 2.0;
        ((column * self.zoom.cell()) as f32, (row * self.zoom.cell()) as f32)
    }

    fn cell(&self, canvas: &mut Canvas, at: Point, colour: Colour) {
        if !self.is_hex {
            return canvas.square(self.zoom.left(at.x), self.zoom.left(at.y), self.zoom.grow, colour);
        }
        let (middle, width) = (self.middle(at), self.zoom.cell() as f32);
        if width < 2.0 {
            return canvas.square(middle.0 as u32, middle.1 as u32, self.zoom.grow, colour);
        }
        if width < SEAM_FROM {
            return canvas.hexagon(middle, width, colour);
        }
        canvas.hexagon(middle, width, mix(colour, BLOCKED, 0.15));
        canvas.hexagon(middle, width - (width / 12.0).clamp(1.0, 3.0), colour);
    }
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

    /// Pixels of a cell, or its share of one.
    fn cell(self) -> f64 {
        f64::from(self.grow) / f64::from(self.shrink)
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
    fn hexagons_stay_on_the_picture() {
        for (width, height) in [(1, 1), (1, 2), (7, 5), (40, 30), (1, 300), (5000, 3)] {
            let grid = Grid::new(width, height, Rule::Hex, |_, _| true).expect("a small map");
            let layout = Layout::new(&grid);
            let size = layout.size();
            assert!(size.0 <= LARGEST && size.1 <= LARGEST, "{size:?}");
            for at in grid.free_states().map(|state| grid.point(state)) {
                let (x, y) = layout.middle(at);
                assert!(x >= 0.0 && y >= 0.0 && x <= size.0 as f32 && y <= size.1 as f32, "{at}");
            }
        }
    }

    #[test]
    fn heavy_ground_is_dark() {
        assert_eq!([ground(1), ground(255)], [FREE, HEAVY]);
        assert!(ground(3)[0] < ground(2)[0] && ground(2)[0] < FREE[0]);
    }
}
