//! Graphs: thin lines for edges, discs for states with a colour.

use super::{COMFORTABLE, FREE, Scene};
use crate::paint::{Canvas, Colour};
use milepost::space::SpaceKind;
use milepost::{Graph, Point, StateId};

const ROAD: Colour = [0xb4, 0xb2, 0xac];
const NODE: Colour = [0x8c, 0x8b, 0x87];
/// Pixels around the outermost nodes.
const MARGIN: f64 = 24.0;

/// Draws a scene on a graph with coordinates.
pub(super) fn draw(graph: &Graph, scene: &Scene<'_>) -> Canvas {
    let layout = Layout::new(graph);
    let mut canvas = Canvas::new(layout.width, layout.height, FREE);
    let middle = |state: StateId| layout.place(graph.point(state));
    for edge in graph.edges() {
        canvas.line(middle(edge.from), middle(edge.to), 0.5, ROAD);
    }
    let radius = layout.node_radius(graph.states());
    if radius > 1.5 {
        graph.free_states().for_each(|node| canvas.disc(middle(node), 0.45 * radius, NODE));
    }
    for &(state, colour) in &scene.shaded {
        canvas.disc(middle(state), radius, colour);
    }
    scene.draw_line(&mut canvas, (0.7 * radius).clamp(1.6, 4.0), middle);
    canvas
}

/// How coordinates become pixels.
struct Layout {
    left: i64,
    top: i64,
    /// Pixels of a unit.
    scale: f64,
    width: u32,
    height: u32,
}

impl Layout {
    fn new(graph: &Graph) -> Layout {
        let points = || graph.free_states().map(|node| graph.point(node));
        let range = |along: fn(Point) -> i64| {
            let values = || points().map(along);
            (values().min().unwrap_or(0), values().max().unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (range(|at| at.x), range(|at| at.y));
        let (wide, high) = ((right - left) as f64, (bottom - top) as f64);
        let larger = wide.max(high);
        let scale = if larger > 0.0 { (f64::from(COMFORTABLE) - 2.0 * MARGIN) / larger } else { 1.0 };
        let pixels = |size: f64| (size * scale + 2.0 * MARGIN).ceil() as u32;
        Layout { left, top, scale, width: pixels(wide), height: pixels(high) }
    }

    fn place(&self, at: Point) -> (f32, f32) {
        let pixel = |at: i64, first: i64| ((at - first) as f64 * self.scale + MARGIN) as f32;
        (pixel(at.x, self.left), pixel(at.y, self.top))
    }

    /// As large as leaves room between nodes.
    fn node_radius(&self, nodes: u32) -> f32 {
        let room = f64::from(self.width) * f64::from(self.height) / f64::from(nodes.max(1));
        (0.25 * room.sqrt()).clamp(0.7, 7.0) as f32
    }
}
