//! Graphs: thin lines for edges, discs for states with a colour.

use super::palette::{ACCENT, FOG_EDGE, GROUND, WALL_EDGE};
use super::surface::Surface;
use super::{Format, Scene};
use milepost::space::SpaceKind;
use milepost::{Graph, Position, StateId};

/// Pixels around the outermost nodes.
const MARGIN: f64 = 24.0;

impl Layout {
    /// Draws a scene on a graph with this layout.
    pub(super) fn draw(&self, graph: &Graph, scene: &Scene<'_>, surface: &mut dyn Surface) {
        surface.rectangle((0, 0), self.size(), GROUND);
        let middle = |state: StateId| self.place(graph.position(state).unwrap_or_default());
        for edge in graph.edges() {
            surface.line(middle(edge.from), middle(edge.to), 0.5, FOG_EDGE);
        }
        let radius = self.node_radius(graph.states());
        let is_seen = |node| scene.sight.as_ref().is_none_or(|sight| sight.has_seen(node));
        if radius > 1.5 || scene.sight.is_some() {
            for node in graph.free_states().filter(|node| is_seen(*node)) {
                surface.disc(middle(node), (0.45 * radius).max(0.7), WALL_EDGE);
            }
        }
        for &(state, _) in &scene.shaded {
            // Dots in the colours of areas would be too faint.
            surface.disc(middle(state), radius, ACCENT);
        }
        scene.draw_line(surface, (0.7 * radius).clamp(1.6, 4.0), middle);
    }
}

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
    pub(super) fn new(graph: &Graph, format: Format) -> Layout {
        let points = || graph.free_states().filter_map(|node| graph.position(node));
        let range = |along: fn(Position) -> f64| {
            let values = || points().map(along);
            let (low, high) = (values().reduce(f64::min), values().reduce(f64::max));
            (low.unwrap_or(0.0), high.unwrap_or(0.0))
        };
        let ((left, right), (top, bottom)) = (range(|at| at.x), range(|at| at.y));
        let (wide, high) = (right - left, bottom - top);
        let larger = wide.max(high);
        let scale = if larger > 0.0 { (f64::from(format.comfortable) - 2.0 * MARGIN) / larger } else { 1.0 };
        let pixels = |size: f64| (size * scale + 2.0 * MARGIN).ceil() as u32;
        Layout { left, top, scale, width: pixels(wide), height: pixels(high) }
    }

    /// Pixels from side to side, and from top to bottom.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn place(&self, at: Position) -> (f32, f32) {
        let pixel = |at: f64, first: f64| ((at - first) * self.scale + MARGIN) as f32;
        (pixel(at.x, self.left), pixel(at.y, self.top))
    }

    /// As large as leaves room between nodes.
    fn node_radius(&self, nodes: u32) -> f32 {
        let room = f64::from(self.width) * f64::from(self.height) / f64::from(nodes.max(1));
        (0.25 * room.sqrt()).clamp(0.7, 7.0) as f32
    }
}
