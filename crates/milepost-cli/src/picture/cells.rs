//! Grids: squares in rows, hexagons, of whose rows every other one lies half a cell to the right or of whose columns every
//! other one lies half a cell down, or rhombi, whose rows run to the lower right and whose columns run to the lower left.

use super::palette::{FOG_EDGE, GROUND, HEAVY, JUMP, OUTSIDE, WALL, WALL_EDGE};
use super::surface::{Colour, Surface, mix};
use super::{Format, Scene};
use milepost::space::SpaceKind;
use milepost::{Grid, HexLayout, Point, StateId};
use milepost_maps::tiled::{Shape, Stagger};

/// How much of a search's colour covers heavy ground, which shows through.
const SEARCH_COVER: f32 = 0.4;
/// Squares at least this wide have edges where they are walls.
const EDGE_FROM: u32 = 2;
/// From one row of hexagons (or column) to the next, in widths of a cell.
const HEX_ROW: f64 = 0.866_025_403_784_438_6;
/// From tip to tip of a hexagon, in widths of a cell from side to side.
const HEX_HEIGHT: f64 = 1.154_700_538_379_251_5;
/// Hexagons and rhombi at least this wide have a seam around them.
const SEAM_FROM: f32 = 6.0;

impl Layout {
    /// Draws a scene on a grid with this layout.
    pub(super) fn draw(&self, grid: &Grid, scene: &Scene<'_>, surface: &mut dyn Surface) {
        let wall = self.wall();
        if let Tiling::Rhombi { stagger, .. } = self.tiling {
            surface.rectangle((0, 0), self.size(), OUTSIDE);
            for at in grid.all_cells().map(|state| grid.point(state)) {
                // Positions of a lattice that are no cells of the map are left out.
                if stagger.is_none_or(|stagger| stagger.cell(at.x as u32, at.y as u32).is_some()) {
                    self.cell(surface, at, wall);
                }
            }
        } else {
            surface.rectangle((0, 0), self.size(), wall);
        }
        let colour = |state| if grid.is_free(state) { ground(grid.weight(state)) } else { wall };
        for state in grid.free_states() {
            self.cell(surface, grid.point(state), colour(state));
        }
        if let Some(sight) = &scene.sight {
            for state in grid.all_cells() {
                let colour = sight.colour(state, grid.is_free(state), colour(state));
                self.cell(surface, grid.point(state), colour);
            }
        }
        for &(state, shade) in &scene.shaded {
            let cover = if grid.weight(state) > 1 { SEARCH_COVER } else { 1.0 };
            self.cell(surface, grid.point(state), mix(colour(state), shade, cover));
        }
        if self.has_edges() {
            self.draw_edges(grid, scene, surface);
        }
        let middle = |state: StateId| self.middle(grid.point(state));
        let radius = self.line_radius();
        for (from, to) in scene.jumps(grid) {
            surface.line(middle(from), middle(to), (0.2 * radius).max(0.5), JUMP);
            surface.diamond(middle(to), (0.9 * radius).max(2.0), JUMP);
        }
        scene.draw_line(surface, radius, middle);
    }

    /// What walls are drawn in: where they have no edges, in the colour of those.
    pub(super) fn wall(&self) -> Colour {
        if self.has_edges() || self.zoom.cell() as f32 >= SEAM_FROM { WALL } else { WALL_EDGE }
    }

    fn has_edges(&self) -> bool {
        matches!(self.tiling, Tiling::Squares) && self.zoom.grow >= EDGE_FROM
    }

    /// A thin line inside walls wherever free ground is beside them.
    fn draw_edges(&self, grid: &Grid, scene: &Scene<'_>, surface: &mut dyn Surface) {
        let (grow, thin) = (self.zoom.grow, (self.zoom.grow / 6).clamp(1, 3));
        for state in grid.all_cells().filter(|state| !grid.is_free(*state)) {
            let Point { x, y, .. } = grid.point(state);
            let (left, top) = (self.zoom.left(x), self.zoom.left(y));
            let is_seen = scene.sight.as_ref().is_none_or(|sight| sight.has_seen(state));
            let colour = if is_seen { WALL_EDGE } else { FOG_EDGE };
            let far = grow - thin;
            for ((over, down), at, size) in [
                ((-1, 0), (left, top), (thin, grow)),
                ((1, 0), (left + far, top), (thin, grow)),
                ((0, -1), (left, top), (grow, thin)),
                ((0, 1), (left, top + far), (grow, thin)),
            ] {
                let beside = grid.state_at(Point::new(x + over, y + down));
                if beside.is_some_and(|beside| grid.is_free(beside)) {
                    surface.rectangle(at, size, colour);
                }
            }
        }
    }
}

/// The colour of a free cell: the heavier, the darker.
pub(super) fn ground(weight: u8) -> Colour {
    let share = f32::from(weight.max(1)).ln() / 255_f32.ln();
    mix(GROUND, HEAVY, share.sqrt())
}

/// Where cells are on the picture.
pub(super) struct Layout {
    zoom: Zoom,
    width: u32,
    height: u32,
    tiling: Tiling,
}

/// What lies beside what.
#[derive(Clone, Copy)]
enum Tiling {
    Squares,
    Hexagons(HexLayout),
    /// `left` and `top` are the least x - y and x + y of the map, `wide` and `high` how many of them there are: half
    /// cells to the right, and half cells down.
    Rhombi {
        left: i64,
        top: i64,
        wide: i64,
        high: i64,
        stagger: Option<Stagger>,
    },
}

impl Tiling {
    fn new(grid: &Grid, shape: Shape) -> Tiling {
        if let Some(layout) = grid.rule().hexagons() {
            return Tiling::Hexagons(layout);
        }
        let stagger = match shape {
            Shape::Square | Shape::Hexagon(_) => return Tiling::Squares,
            Shape::Rhombus => None,
            Shape::Staggered(stagger) => Some(stagger),
        };
        // The outermost cells are among these, shifted rows or columns included.
        let ends = |size: u32| [0, 1.min(size - 1), size.saturating_sub(2), size - 1];
        let corners: Vec<(u32, u32)> = match stagger {
            None => {
                let (right, bottom) = (grid.width() - 1, grid.height() - 1);
                vec![(0, 0), (right, 0), (0, bottom), (right, bottom)]
            }
            Some(stagger) => ends(stagger.rows)
                .into_iter()
                .flat_map(|y| ends(stagger.columns).map(|x| stagger.lattice(x, y)))
                .collect(),
        };
        let range = |along: fn(i64, i64) -> i64| {
            let values = || corners.iter().map(|(x, y)| along(i64::from(*x), i64::from(*y)));
            let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
            (least, most - least + 1)
        };
        let ((left, wide), (top, high)) = (range(|x, y| x - y), range(|x, y| x + y));
        Tiling::Rhombi { left, top, wide, high, stagger }
    }
}

impl Layout {
    /// Of a grid whose cells have this shape.
    pub(super) fn new(grid: &Grid, shape: Shape, format: Format) -> Layout {
        let (width, height) = (grid.width(), grid.height());
        let tiling = Tiling::new(grid, shape);
        let cells = |halves: i64, of: i64| u32::try_from((halves + of) / of).unwrap_or(u32::MAX);
        let zoom = match tiling {
            Tiling::Squares => Zoom::new(width, height, format),
            // Half a cell more, for the rows on the right, or for the columns further down.
            Tiling::Hexagons(layout) if layout.shifts_rows() => {
                Zoom::new(width.saturating_add(1), height, format)
            }
            Tiling::Hexagons(_) => Zoom::new(width, height.saturating_add(1), format),
            // Half as high as wide.
            Tiling::Rhombi { wide, high, .. } => Zoom::new(cells(wide, 2), cells(high, 4), format),
        };
        Layout { zoom, width, height, tiling }
    }

    /// Pixels from side to side, and from top to bottom.
    pub(super) fn size(&self) -> (u32, u32) {
        let pixels = |cells: f64| ((cells * self.zoom.cell()).ceil() as u32).max(1);
        match self.tiling {
            Tiling::Squares => (self.zoom.pixels(self.width), self.zoom.pixels(self.height)),
            Tiling::Hexagons(layout) => {
                let (cells, rows) = turned(layout, (self.width, self.height));
                let half = if rows > 1 || layout.shifts_even() { 0.5 } else { 0.0 };
                let rows = f64::from(rows - 1) * HEX_ROW + HEX_HEIGHT;
                turned(layout, (pixels(f64::from(cells) + half), pixels(rows)))
            }
            Tiling::Rhombi { wide, high, .. } => {
                (pixels((wide + 1) as f64 / 2.0), pixels((high + 1) as f64 / 4.0))
            }
        }
    }

    fn middle(&self, Point { x, y }: Point) -> (f32, f32) {
        let pixels = |cells: f64| (cells * self.zoom.cell()) as f32;
        match self.tiling {
            Tiling::Squares => (self.zoom.middle(x), self.zoom.middle(y)),
            Tiling::Hexagons(layout) => {
                let (along, row) = turned(layout, (x as f64, y as f64));
                let along = along + if layout.shifts(x, y) { 1.0 } else { 0.5 };
                turned(layout, (pixels(along), pixels(row * HEX_ROW + HEX_HEIGHT / 2.0)))
            }
            Tiling::Rhombi { left, top, .. } => {
                (pixels((x - y - left + 1) as f64 / 2.0), pixels((x + y - top + 1) as f64 / 4.0))
            }
        }
    }

    fn cell(&self, surface: &mut dyn Surface, at: Point, colour: Colour) {
        let dot = (self.zoom.grow, self.zoom.grow);
        if matches!(self.tiling, Tiling::Squares) {
            return surface.rectangle((self.zoom.left(at.x), self.zoom.left(at.y)), dot, colour);
        }
        let mut paint = |width, colour| match self.tiling {
            Tiling::Hexagons(layout) if layout.shifts_rows() => {
                surface.hexagon(self.middle(at), width, colour);
            }
            Tiling::Hexagons(_) => surface.lying_hexagon(self.middle(at), width, colour),
            _ => surface.rhombus(self.middle(at), width, colour),
        };
        let width = self.zoom.cell() as f32;
        if width < self.least() {
            let (x, y) = self.middle(at);
            return surface.rectangle((x as u32, y as u32), dot, colour);
        }
        if width < SEAM_FROM {
            return paint(width, colour);
        }
        paint(width, mix(colour, WALL_EDGE, if colour == WALL { 1.0 } else { 0.25 }));
        paint(width - (width / 12.0).clamp(1.0, 3.0), colour);
    }

    /// Narrower cells are no more than a dot.
    fn least(&self) -> f32 {
        if matches!(self.tiling, Tiling::Rhombi { .. }) { 4.0 } else { 2.0 }
    }

    fn line_radius(&self) -> f32 {
        // Rhombi are low.
        let share = if matches!(self.tiling, Tiling::Rhombi { .. }) { 0.12 } else { 0.22 };
        (self.zoom.grow as f32 * share).clamp(1.6, 8.0)
    }
}

/// Two sizes or coordinates, along the rows of hexagons first and then across; along the columns, where those are shifted.
/// And back.
fn turned<T>(layout: HexLayout, (x, y): (T, T)) -> (T, T) {
    if layout.shifts_rows() { (x, y) } else { (y, x) }
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
    fn new(width: u32, height: u32, format: Format) -> Zoom {
        let larger = width.max(height).max(1);
        Zoom { grow: (format.comfortable / larger).max(1), shrink: larger.div_ceil(format.largest) }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::Rule;

    #[test]
    fn pictures_are_neither_tiny_nor_huge() {
        for larger in [1, 2, 49, 320, 511, 768, 769, 1024, 4096, 4097, 65_000, 4_000_000] {
            let pixels = Zoom::new(larger, 1, Format::STILL).pixels(larger);
            assert!((512..=4096).contains(&pixels), "{larger} cells are {pixels} pixels");
        }
    }

    #[test]
    fn hexagons_and_rhombi_stay_on_the_picture() {
        let sizes = [(1, 1), (1, 2), (7, 5), (40, 30), (1, 300), (5000, 3)];
        let rules = HexLayout::ALL.map(HexLayout::rule).into_iter().chain([Rule::Four]);
        for ((width, height), rule) in rules.flat_map(|rule| sizes.map(|size| (size, rule))) {
            let grid = Grid::new(width, height, rule, |_, _| true).expect("a small map");
            let layout = Layout::new(&grid, Shape::Rhombus, Format::STILL);
            let size = layout.size();
            assert!(size.0 <= Format::STILL.largest && size.1 <= Format::STILL.largest, "{size:?}");
            for at in grid.free_states().map(|state| grid.point(state)) {
                let (x, y) = layout.middle(at);
                assert!(x >= 0.0 && y >= 0.0 && x <= size.0 as f32 && y <= size.1 as f32, "{at}");
            }
        }
    }

    #[test]
    fn staggered_cells_fill_the_picture_up_to_its_edges() {
        use milepost_maps::tiled::{Axis, Index};
        for (columns, rows) in [(1, 1), (1, 2), (2, 1), (3, 3), (9, 14), (14, 9)] {
            for (axis, index) in [(Axis::Rows, Index::Odd), (Axis::Columns, Index::Even)] {
                let stagger = Stagger { axis, index, columns, rows };
                let (width, height) = stagger.size();
                let grid =
                    Grid::new(width as u32, height as u32, Rule::Octile, |_, _| true).expect("a small map");
                let layout = Layout::new(&grid, Shape::Staggered(stagger), Format::STILL);
                let (wide, high) = layout.size();
                let half = layout.zoom.cell() as f32 / 2.0;
                let (mut least, mut most) = ((f32::MAX, f32::MAX), (0_f32, 0_f32));
                for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                    let (a, b) = stagger.lattice(x, y);
                    let at = layout.middle(Point::new(a.into(), b.into()));
                    least = (least.0.min(at.0 - half), least.1.min(at.1 - half / 2.0));
                    most = (most.0.max(at.0 + half), most.1.max(at.1 + half / 2.0));
                }
                assert_eq!(least, (0.0, 0.0), "{stagger:?}");
                assert!(
                    (most.0 - wide as f32).abs() <= 1.0 && (most.1 - high as f32).abs() <= 1.0,
                    "{stagger:?}"
                );
            }
        }
    }

    #[test]
    fn heavy_ground_is_dark() {
        assert_eq!([ground(1), ground(255)], [GROUND, HEAVY]);
        assert!(ground(3)[0] < ground(2)[0] && ground(2)[0] < GROUND[0]);
    }
}
