//! Meshes: floors that lie over each other side by side; polygons, dearer ground darker, with thin lines for portals and strong ones for walls, and their numbers where there is room.

use super::floors::Floors;
use super::palette::{FOG_EDGE, GROUND, HEAVY, WALL, WALL_EDGE};
use super::surface::{Surface, mix};
use super::{Format, Scene};
use milepost::space::SpaceKind;
use milepost::{NavMesh, Position, StateId};

/// Pixels around the outermost vertices.
const MARGIN: f64 = 24.0;

/// Pixels that a polygon has on average where numbers are written.
const ROOM: f64 = 2500.0;

/// Pixels of a letter of a number.
const LETTER: u32 = 8;

/// How coordinates become pixels: every floor has a panel of its own.
pub(super) struct Layout {
    floors: Floors,
    left: f64,
    top: f64,
    /// Pixels of a unit.
    scale: f64,
    /// Pixels from a panel to the next one, and from top to bottom.
    panel: u32,
    height: u32,
}

impl Layout {
    pub(super) fn new(mesh: &NavMesh, format: Format) -> Layout {
        let (low, high) = mesh.bounds();
        let (wide, tall) = (high.x - low.x, high.y - low.y);
        let floors = Floors::new(mesh);
        // A panel is as large as is comfortable, and all of them together no wider than pictures may be.
        let panels = f64::from(floors.count());
        let room = |size: u32, panels: f64| f64::from(size) / panels - 2.0 * MARGIN;
        let fitting =
            |length: f64, room: f64| if length > 0.0 { room.max(1.0) / length } else { f64::INFINITY };
        let comfortable = fitting(wide.max(tall), room(format.comfortable, 1.0));
        let scale = comfortable.min(fitting(wide, room(format.largest.max(format.comfortable), panels)));
        let scale = if scale.is_finite() { scale } else { 1.0 };
        let pixels = |size: f64| (size * scale + 2.0 * MARGIN).ceil() as u32;
        Layout { floors, left: low.x, top: low.y, scale, panel: pixels(wide), height: pixels(tall) }
    }

    /// Pixels from side to side, and from top to bottom.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.panel * self.floors.count(), self.height)
    }

    /// Draws a scene on a mesh with this layout.
    pub(super) fn draw(&self, mesh: &NavMesh, scene: &Scene<'_>, surface: &mut dyn Surface) {
        surface.rectangle((0, 0), self.size(), WALL);
        let polygons = || (0..mesh.polygon_count()).map(StateId::new);
        let corners = |polygon: StateId| -> Vec<(f32, f32)> {
            let floor = self.floors.of(polygon);
            let corners = mesh.polygon(polygon).iter().map(|&vertex| mesh.vertices()[vertex as usize]);
            corners.map(|at| self.place(floor, at)).collect()
        };
        for polygon in polygons().filter(|&polygon| mesh.is_free(polygon)) {
            // Ground that costs ten times as much and more is darkest.
            let dear = ((f64::from(mesh.polygon_cost(polygon)) / 100.0).log10()).clamp(0.0, 1.0);
            surface.polygon(&corners(polygon), mix(GROUND, HEAVY, dear as f32));
        }
        for polygon in polygons().filter(|&polygon| mesh.is_free(polygon)) {
            let corners = corners(polygon);
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            for ((&from, &to), beyond) in edges.zip(mesh.neighbours(polygon)) {
                match beyond.filter(|&beyond| mesh.is_free(beyond)) {
                    Some(beyond) if beyond < polygon && self.floors.of(beyond) == self.floors.of(polygon) => {
                    }
                    Some(_) => surface.line(from, to, 0.5, FOG_EDGE),
                    None => surface.line(from, to, 1.0, WALL_EDGE),
                }
            }
        }
        let (width, height) = self.size();
        let room = f64::from(width) * f64::from(height) / f64::from(mesh.polygon_count().max(1));
        for polygon in polygons().filter(|_| room > ROOM) {
            let (number, (x, y)) =
                (polygon.number().to_string(), self.place(self.floors.of(polygon), mesh.centre(polygon)));
            let half = LETTER * number.len() as u32 / 2;
            let at = ((x as u32).saturating_sub(half), (y as u32).saturating_sub(LETTER / 2));
            surface.text(at, LETTER, &number, WALL_EDGE);
        }
        for floor in (0..self.floors.count()).filter(|_| self.floors.count() > 1) {
            let left = self.panel * floor;
            surface.text((left + LETTER, LETTER), LETTER, &format!("floor {}", floor + 1), GROUND);
            if floor > 0 {
                surface.line((left as f32, 0.0), (left as f32, self.height as f32), 1.0, GROUND);
            }
        }
        let floors = |at: Position| self.floors.at(mesh, at);
        // A leg whose ends have no floor in common is seen on both.
        let legs = |from: Position, to: Position| {
            let (here, there) = (floors(from), floors(to));
            let mut seen: Vec<u32> =
                here.iter().copied().filter(|floor| there.contains(floor)).take(1).collect();
            if seen.is_empty() {
                seen = vec![here[0], there[0]];
            }
            seen.into_iter().map(|floor| [self.place(floor, from), self.place(floor, to)]).collect()
        };
        let middle = |state: StateId| mesh.position(state).map(|at| self.place(self.floors.of(state), at));
        scene.draw_points(surface, 2.5, legs, |at| self.place(floors(at)[0], at), middle);
    }

    fn place(&self, floor: u32, at: Position) -> (f32, f32) {
        let pixel = |at: f64, first: f64| ((at - first) * self.scale + MARGIN) as f32;
        (pixel(at.x, self.left) + (self.panel * floor) as f32, pixel(at.y, self.top))
    }
}
