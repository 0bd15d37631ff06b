//! Floors of a mesh: polygons that lie over each other are drawn side by side.

use milepost::{NavMesh, Position, StateId};

/// On which floor each polygon is drawn. No two polygons of a floor lie over each other.
pub(super) struct Floors {
    of_polygon: Vec<u32>,
    count: u32,
}

impl Floors {
    /// The lowest polygons come first. A polygon stays on the floor of a neighbour that has one, unless another one is in its
    /// place there; then it comes to the first floor where there is room.
    pub(super) fn new(mesh: &NavMesh) -> Floors {
        let polygons = mesh.polygon_count();
        if !mesh.has_heights() {
            return Floors { of_polygon: vec![0; polygons as usize], count: 1 };
        }
        let outlines: Vec<Outline> =
            (0..polygons).map(|polygon| Outline::new(mesh, StateId::new(polygon))).collect();
        let mut order: Vec<u32> = (0..polygons).collect();
        order.sort_by(|&one, &two| {
            let height = |polygon: u32| outlines[polygon as usize].height;
            height(one).total_cmp(&height(two)).then(one.cmp(&two))
        });
        let mut shelves = Shelves::new(mesh);
        let mut of_polygon = vec![u32::MAX; polygons as usize];
        for polygon in order {
            let outline = &outlines[polygon as usize];
            let placed = |neighbour: StateId| of_polygon[neighbour.index()];
            let beside = mesh.neighbours(StateId::new(polygon)).flatten().map(placed);
            let beside = beside.filter(|&floor| floor != u32::MAX).min();
            let has_room = |&floor: &u32| !shelves.is_taken(floor, outline, &outlines);
            let floor = beside.filter(has_room).or_else(|| (0..).find(has_room)).unwrap_or(0);
            shelves.put(floor, polygon, outline);
            of_polygon[polygon as usize] = floor;
        }
        let count = of_polygon.iter().max().map_or(1, |last| last + 1);
        Floors { of_polygon, count }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The floor of a polygon.
    pub(super) fn of(&self, polygon: StateId) -> u32 {
        self.of_polygon.get(polygon.index()).copied().unwrap_or(0)
    }

    /// The floors of the polygons that hold a place; the first one where none does.
    pub(super) fn at(&self, mesh: &NavMesh, at: Position) -> Vec<u32> {
        if self.count == 1 {
            return vec![0];
        }
        let mut floors: Vec<u32> = mesh.polygons_at(at).into_iter().map(|polygon| self.of(polygon)).collect();
        floors.sort_unstable();
        floors.dedup();
        if floors.is_empty() { vec![0] } else { floors }
    }
}

/// A polygon seen from above.
struct Outline {
    corners: Vec<Position>,
    /// Mean of its corners.
    height: f64,
    low: [f64; 2],
    high: [f64; 2],
    /// Polygons that overlap by no more than this only touch.
    hair: f64,
}

impl Outline {
    fn new(mesh: &NavMesh, polygon: StateId) -> Outline {
        let corners: Vec<Position> =
            mesh.polygon(polygon).iter().map(|&vertex| mesh.vertices()[vertex as usize]).collect();
        let over = |pick: fn(f64, f64) -> f64, first: f64| {
            corners.iter().fold([first, first], |[x, y], at| [pick(x, at.x), pick(y, at.y)])
        };
        Outline {
            height: corners.iter().map(|at| at.z).sum::<f64>() / corners.len().max(1) as f64,
            low: over(f64::min, f64::INFINITY),
            high: over(f64::max, f64::NEG_INFINITY),
            hair: mesh.unit_and_step().1,
            corners,
        }
    }

    /// Whether an edge of this polygon has all of another one on its outer side.
    fn parts_from(&self, other: &Outline) -> bool {
        let edges = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        edges.into_iter().any(|(a, b)| {
            let (x, y) = (b.x - a.x, b.y - a.y);
            let hair = self.hair * x.hypot(y);
            other.corners.iter().all(|at| x * (at.y - a.y) - y * (at.x - a.x) <= hair)
        })
    }

    /// Whether two polygons lie over each other: convex ones do unless an edge of one parts them.
    fn overlaps(&self, other: &Outline) -> bool {
        let apart = |axis: usize| self.high[axis] <= other.low[axis] || other.high[axis] <= self.low[axis];
        !apart(0) && !apart(1) && !self.parts_from(other) && !other.parts_from(self)
    }
}

/// The polygons of each floor, by the squares of the plane that they reach into.
struct Shelves {
    origin: [f64; 2],
    /// The side of a square.
    side: f64,
    across: usize,
    floors: Vec<Vec<Vec<u32>>>,
}

impl Shelves {
    fn new(mesh: &NavMesh) -> Shelves {
        let (low, high) = mesh.bounds();
        let across = (f64::from(mesh.polygon_count()).sqrt().ceil() as usize).clamp(1, 256);
        let side = ((high.x - low.x).max(high.y - low.y) / across as f64).max(f64::MIN_POSITIVE);
        Shelves { origin: [low.x, low.y], side, across, floors: Vec::new() }
    }

    fn squares(&self, outline: &Outline) -> impl Iterator<Item = usize> + use<> {
        let place = |at: f64, axis: usize| {
            (((at - self.origin[axis]) / self.side).max(0.0) as usize).min(self.across - 1)
        };
        let [columns, rows] =
            [0, 1].map(|axis| place(outline.low[axis], axis)..=place(outline.high[axis], axis));
        let across = self.across;
        rows.flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }

    fn is_taken(&self, floor: u32, outline: &Outline, outlines: &[Outline]) -> bool {
        let Some(squares) = self.floors.get(floor as usize) else { return false };
        self.squares(outline)
            .any(|square| squares[square].iter().any(|&other| outlines[other as usize].overlaps(outline)))
    }

    fn put(&mut self, floor: u32, polygon: u32, outline: &Outline) {
        while self.floors.len() <= floor as usize {
            self.floors.push(vec![Vec::new(); self.across * self.across]);
        }
        for square in self.squares(outline) {
            self.floors[floor as usize][square].push(polygon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hall, a ramp beside it, a landing, and a gallery that leads back over the hall.
    fn gallery() -> NavMesh {
        let at = Position::new;
        let hall =
            [at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(4.0, 2.0, 0.0), at(4.0, 4.0, 0.0), at(0.0, 4.0, 0.0)];
        let above =
            [at(6.0, 0.0, 3.0), at(6.0, 2.0, 3.0), at(8.0, 0.0, 3.0), at(8.0, 4.0, 3.0), at(6.0, 4.0, 3.0)];
        let ends = [at(2.0, 2.0, 3.0), at(2.0, 4.0, 3.0)];
        let polygons = vec![vec![10, 6, 9, 11], vec![5, 7, 8, 9, 6], vec![1, 5, 6, 2], vec![0, 1, 2, 3, 4]];
        NavMesh::new([&hall[..], &above, &ends].concat(), polygons, &[]).expect("two floors")
    }

    #[test]
    fn polygons_over_each_other_are_on_different_floors_and_those_beside_each_other_on_one() {
        let mesh = gallery();
        let floors = Floors::new(&mesh);
        assert_eq!((&floors.of_polygon[..], floors.count()), (&[1, 0, 0, 0][..], 2), "the lowest come first");
        assert_eq!(floors.at(&mesh, Position::new(3.0, 3.0, 3.0)), [1]);
        assert_eq!(floors.at(&mesh, Position::new(3.0, 3.0, f64::NAN)), [0]);
        assert_eq!(floors.at(&mesh, Position::new(6.0, 3.0, 3.0)), [0, 1], "where the gallery begins");
        let at = |x: f64, y: f64| Position::new(x, y, 0.0);
        let flat = NavMesh::new(vec![at(0.0, 0.0), at(2.0, 0.0), at(0.0, 2.0)], vec![vec![0, 1, 2]], &[]);
        assert_eq!(Floors::new(&flat.expect("a triangle")).count(), 1);
    }
}
