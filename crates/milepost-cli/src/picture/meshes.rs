//! Meshes: polygons, dearer ground darker, with thin lines for portals and strong ones for walls, and their numbers where there is room.

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

/// How coordinates become pixels.
pub(super) struct Layout {
    left: f64,
    top: f64,
    /// Pixels of a unit.
    scale: f64,
    width: u32,
    height: u32,
}

impl Layout {
    pub(super) fn new(mesh: &NavMesh, format: Format) -> Layout {
        let (low, high) = mesh.bounds();
        let (wide, tall) = (high.x - low.x, high.y - low.y);
        let larger = wide.max(tall);
        let scale = if larger > 0.0 { (f64::from(format.comfortable) - 2.0 * MARGIN) / larger } else { 1.0 };
        let pixels = |size: f64| (size * scale + 2.0 * MARGIN).ceil() as u32;
        Layout { left: low.x, top: low.y, scale, width: pixels(wide), height: pixels(tall) }
    }

    /// Pixels from side to side, and from top to bottom.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Draws a scene on a mesh with this layout.
    pub(super) fn draw(&self, mesh: &NavMesh, scene: &Scene<'_>, surface: &mut dyn Surface) {
        surface.rectangle((0, 0), self.size(), WALL);
        let polygons = || (0..mesh.polygon_count()).map(StateId::new);
        let corners = |polygon: StateId| -> Vec<(f32, f32)> {
            mesh.polygon(polygon).iter().map(|&vertex| self.place(mesh.vertices()[vertex as usize])).collect()
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
                    Some(beyond) if beyond > polygon => surface.line(from, to, 0.5, FOG_EDGE),
                    Some(_) => {}
                    None => surface.line(from, to, 1.0, WALL_EDGE),
                }
            }
        }
        let room = f64::from(self.width) * f64::from(self.height) / f64::from(mesh.polygon_count().max(1));
        for polygon in polygons().filter(|_| room > ROOM) {
            let (number, (x, y)) = (polygon.number().to_string(), self.place(mesh.centre(polygon)));
            let half = LETTER * number.len() as u32 / 2;
            let at = ((x as u32).saturating_sub(half), (y as u32).saturating_sub(LETTER / 2));
            surface.text(at, LETTER, &number, WALL_EDGE);
        }
        let middle = |state: StateId| mesh.position(state).map(|at| self.place(at));
        scene.draw_points(surface, 2.5, |at| self.place(at), middle);
    }

    fn place(&self, at: Position) -> (f32, f32) {
        let pixel = |at: f64, first: f64| ((at - first) * self.scale + MARGIN) as f32;
        (pixel(at.x, self.left), pixel(at.y, self.top))
    }
}
