//! Paths over the leaves of a tree, pulled straight.
//!
//! The path first runs from cell to cell: from where it begins to a cell beside each face that it crosses, through the face to
//! the cell behind it, and on to where it ends. Where it crosses a face it keeps to the straight line between the crossings before and
//! after, as far as the face reaches. Greedily, from the last corner kept, it is then followed as long as the corner sees it.
//!
//! # Guarantees
//! No segment touches a blocked cell, not even at a corner. In three dimensions a segment is held to touch every cell of the
//! boxes around its parts, one for each layer of cells that it crosses: a corner may be kept that need not be.

use super::Graph;
use super::tree::Tree;
use crate::core::{Position, StateId};
use crate::space::SpaceKind;

/// A place in half cells.
type Halves = [i64; 3];

impl Graph {
    /// Where the path over these leaves of a tree turns when it is pulled straight between two places inside the first and the
    /// last one, both included. Coordinates are in cells: the centre of cell 3,4 is 3.5,4.5. Empty where the graph is no tree
    /// or there are no leaves.
    ///
    /// Neighbouring leaves of the path that share no face are joined by an edge that was added: there it goes from centre to
    /// centre.
    pub fn pulled(&self, leaves: &[StateId], from: Position, to: Position) -> Vec<Position> {
        let mut points = Vec::new();
        if let Some(tree) = &self.data.tree {
            let is_flat = tree.extent.is_flat();
            let halves = |at: Position| {
                [at.x, at.y, if is_flat { 0.0 } else { at.z }].map(|value| (2.0 * value).round() as i64)
            };
            Pulling { graph: self, tree }.pull(leaves, (halves(from), halves(to)), &mut points);
        }
        points
    }
}

struct Pulling<'a> {
    graph: &'a Graph,
    tree: &'a Tree,
}

impl Pulling<'_> {
    fn middle(&self, leaf: StateId) -> Halves {
        let at = self.graph.node_position(leaf).unwrap_or_default();
        [at.x.into(), at.y.into(), at.z.into()]
    }

    /// Adds the points of a path; while they are worked on they are in half cells.
    fn pull(&self, leaves: &[StateId], (from, to): (Halves, Halves), points: &mut Vec<Position>) {
        let mut begin = 0;
        while begin < leaves.len() {
            let joined = leaves[begin..].windows(2).take_while(|pair| self.face(pair[0], pair[1]).is_some());
            let end = begin + joined.count();
            let first = if begin == 0 { from } else { self.middle(leaves[begin]) };
            let last = if end + 1 == leaves.len() { to } else { self.middle(leaves[end]) };
            let place = points.len();
            self.cross(&leaves[begin..=end], (first, last), points);
            self.straighten(place, points);
            begin = end + 1;
        }
        for point in points {
            *point = Position::new(point.x / 2.0, point.y / 2.0, point.z / 2.0);
        }
    }

    /// Adds both ends and the cells on both sides of every face between them.
    fn cross(&self, leaves: &[StateId], (first, last): (Halves, Halves), points: &mut Vec<Position>) {
        let begin = points.len();
        points.push(position(first));
        for pair in leaves.windows(2) {
            let Some(face) = self.face(pair[0], pair[1]) else { continue };
            let [before, behind] = face.crossed(halves(points[points.len() - 1]), last);
            points.extend([position(before), position(behind)]);
        }
        points.push(position(last));
        for _ in 0..SWEEPS {
            for (number, pair) in leaves.windows(2).enumerate() {
                let Some(face) = self.face(pair[0], pair[1]) else { continue };
                let place = begin + 1 + 2 * number;
                let [before, behind] = face.crossed(halves(points[place - 1]), halves(points[place + 2]));
                (points[place], points[place + 1]) = (position(before), position(behind));
            }
        }
    }

    /// Leaves out what the corner before sees beyond.
    fn straighten(&self, begin: usize, points: &mut Vec<Position>) {
        let (mut kept, mut last) = (begin, points[begin]);
        for next in begin + 1..points.len() {
            let point = points[next];
            if !self.sees(halves(points[kept]), halves(point)) && last != points[kept] {
                kept += 1;
                points[kept] = last;
            }
            last = point;
        }
        if last != points[kept] {
            kept += 1;
            points[kept] = last;
        }
        points.truncate(kept + 1);
    }

    /// What two leaves share, seen from the first.
    fn face(&self, from: StateId, to: StateId) -> Option<Face> {
        let leaf = |state: StateId| self.tree.leaves.get(state.index()).copied();
        let (one, other) = (leaf(from)?, leaf(to)?);
        let (a, b) = (one.low(), other.low());
        let (a_size, b_size) = (i64::from(one.size), i64::from(other.size));
        let dimensions = self.tree.extent.dimensions();
        let mut face = Face { axis: usize::MAX, dimensions, before: 0, step: 0, low: [0; 3], high: [0; 3] };
        for axis in 0..dimensions {
            let (low, high) = (a[axis].max(b[axis]), (a[axis] + a_size).min(b[axis] + b_size));
            (face.low[axis], face.high[axis]) = (low, high - 1);
            if low < high {
                continue;
            }
            if low > high || face.axis != usize::MAX {
                return None;
            }
            let is_forward = a[axis] < b[axis];
            (face.axis, face.step) = (axis, if is_forward { 1 } else { -1 });
            face.before = if is_forward { low - 1 } else { low };
        }
        (face.axis != usize::MAX).then_some(face)
    }

    /// Whether the segment between two places touches free cells alone.
    fn sees(&self, from: Halves, to: Halves) -> bool {
        let along = |axis: usize| (to[axis] - from[axis]).abs();
        let main = (0..3).max_by_key(|&axis| (along(axis), 2 - axis)).unwrap_or(0);
        let (from, to) = if from[main] <= to[main] { (from, to) } else { (to, from) };
        let length = to[main] - from[main];
        if length == 0 {
            return true;
        }
        let dimensions = self.tree.extent.dimensions();
        let mut last = None;
        for slab in touched(from[main], to[main], 1) {
            let (enters, leaves) = (from[main].max(2 * slab), to[main].min(2 * slab + 2));
            let mut ranges = [0..=0, 0..=0, 0..=0];
            for axis in 0..dimensions {
                let at =
                    |main_at: i64| from[axis] * length + (main_at - from[main]) * (to[axis] - from[axis]);
                let (one, other) = (at(enters), at(leaves));
                ranges[axis] =
                    if axis == main { slab..=slab } else { touched(one.min(other), one.max(other), length) };
            }
            let [columns, rows, layers] = ranges;
            for z in layers {
                for y in rows.clone() {
                    for x in columns.clone() {
                        if !self.is_free([x, y, z], &mut last) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// Whether a cell lies in a leaf; the last one is asked first.
    fn is_free(&self, cell: [i64; 3], last: &mut Option<StateId>) -> bool {
        let holds = |state: StateId| {
            let leaf = self.tree.leaves[state.index()];
            let (low, size) = (leaf.low(), i64::from(leaf.size));
            let axes = 0..self.tree.extent.dimensions();
            axes.into_iter().all(|axis| (low[axis]..low[axis] + size).contains(&cell[axis]))
        };
        if last.is_some_and(holds) {
            return true;
        }
        *last = self.tree.leaf_at(cell).filter(|&leaf| self.graph.is_free(leaf));
        last.is_some()
    }
}

/// Crossings are put in order this often.
const SWEEPS: usize = 3;

/// The cells that are touched between two places along an axis, given in halves of cells times `scale`.
fn touched(low: i64, high: i64, scale: i64) -> std::ops::RangeInclusive<i64> {
    let cell = 2 * scale;
    (low + cell - 1).div_euclid(cell) - 1..=high.div_euclid(cell)
}

/// What two leaves share.
struct Face {
    /// Across this axis it lies.
    axis: usize,
    dimensions: usize,
    /// The cells before it, along that axis.
    before: i64,
    /// Where those behind it are.
    step: i64,
    /// The first and the last of its cells along the others.
    low: [i64; 3],
    high: [i64; 3],
}

impl Face {
    /// The middles of the cells before and behind it through which one comes closest to the straight line between two places.
    fn crossed(&self, from: Halves, to: Halves) -> [Halves; 2] {
        let plane = 2 * self.before + 1 + self.step;
        let (done, whole) = ((plane - from[self.axis]).abs(), (to[self.axis] - from[self.axis]).abs().max(1));
        let done = done.min(whole);
        let mut cell = [0; 3];
        for axis in 0..self.dimensions {
            // The cell in which the line crosses, or the nearest one that the face has.
            let at = from[axis] + (to[axis] - from[axis]) * done / whole;
            cell[axis] = 2 * at.div_euclid(2).clamp(self.low[axis], self.high[axis].max(self.low[axis])) + 1;
        }
        cell[self.axis] = 2 * self.before + 1;
        let mut behind = cell;
        behind[self.axis] += 2 * self.step;
        [cell, behind]
    }
}

fn position(at: Halves) -> Position {
    Position::new(at[0] as f64, at[1] as f64, at[2] as f64)
}

fn halves(at: Position) -> Halves {
    [at.x, at.y, at.z].map(|value| value as i64)
}
