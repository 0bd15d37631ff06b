//! Meshes of random maps are asked where places are, what is nearest, how far lines lead and where moves and paths end; cells of
//! the maps answer the same in whole numbers.

use crate::mesh_making::{World, area_in_cell};
use milepost::space::{MeshPoint, SpaceKind};
use milepost::{Atlas, Budget, NavMesh, Outcome, Planner, Position, Query, Rng, Scratch, StateId, plan};
use milepost_maps::mesh::make::mesh;

/// How many maps: they take about a second. A few where `MILEPOST_QUICK` asks for a quick answer.
fn rounds() -> u32 {
    if std::env::var_os("MILEPOST_QUICK").is_some() { 100 } else { 2000 }
}

/// Places are whole multiples of 1/64 of a cell: floats and whole numbers both hold them.
const PART: i64 = 64;

type At = [i64; 2];
type Cell = [i64; 2];

/// The free cells of a map, and which of them are joined by edges.
struct Cells {
    width: i64,
    height: i64,
    /// The component of each cell; none where it is blocked.
    component: Vec<Option<usize>>,
}

impl Cells {
    fn new(world: &World) -> Cells {
        let (width, height) = (i64::from(world.map.width()), i64::from(world.map.height()));
        let is_free = |[x, y]: Cell| {
            (0..width).contains(&x) && (0..height).contains(&y) && world.map.is_passable(x as u32, y as u32)
        };
        let mut cells = Cells { width, height, component: vec![None; (width * height) as usize] };
        for number in 0..cells.component.len() {
            let mut stack = vec![[number as i64 % width, number as i64 / width]];
            while let Some(cell) = stack.pop() {
                if is_free(cell) && cells.component_of(cell).is_none() {
                    cells.component[(cell[1] * width + cell[0]) as usize] = Some(number);
                    stack.extend(beside(cell));
                }
            }
        }
        cells
    }

    fn component_of(&self, [x, y]: Cell) -> Option<usize> {
        let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if is_inside { self.component[(y * self.width + x) as usize] } else { None }
    }

    fn free(&self) -> impl Iterator<Item = Cell> + '_ {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| [x, y]));
        all.filter(|&cell| self.component_of(cell).is_some())
    }

    /// The free cells that hold a place, borders included.
    fn holding(&self, at: At) -> Vec<Cell> {
        let holds = |cell: &Cell| (0..2).all(|axis| (0..=PART).contains(&(at[axis] - PART * cell[axis])));
        self.free().filter(holds).collect()
    }

    /// How far the nearest free cell is that is accepted.
    fn distance(&self, at: At, accept: impl Fn(Cell) -> bool) -> f64 {
        let from = |cell: Cell| {
            let off = |axis: usize| {
                let low = PART * cell[axis];
                (low - at[axis]).max(at[axis] - low - PART).max(0) as f64
            };
            off(0).hypot(off(1)) / PART as f64
        };
        self.free().filter(|&cell| accept(cell)).map(from).fold(f64::INFINITY, f64::min)
    }

    /// The cells that a straight line comes to from these on, through edges that it meets.
    fn along(&self, first: Vec<Cell>, from: At, to: At) -> Vec<Cell> {
        let mut seen = first;
        let mut next = 0;
        while let Some(&cell) = seen.get(next) {
            next += 1;
            for other in beside(cell) {
                let corner =
                    |pick: fn(i64, i64) -> i64| [0, 1].map(|axis| PART * pick(cell[axis], other[axis]));
                // The shared edge begins at the greater of both corners, and is as long as a cell.
                let low = corner(i64::max);
                let along = if cell[0] == other[0] { [PART, 0] } else { [0, PART] };
                let high = [low[0] + along[0], low[1] + along[1]];
                if self.component_of(other).is_some() && !seen.contains(&other) && meets(from, to, low, high)
                {
                    seen.push(other);
                }
            }
        }
        seen
    }

    /// Whether a straight line leads over free cells and the edges between them.
    fn is_clear(&self, first: Vec<Cell>, from: At, to: At) -> bool {
        let ends = self.holding(to);
        self.along(first, from, to).iter().any(|cell| ends.contains(cell))
    }

    /// The share of a straight line that lies before the point where it leaves the last of these cells.
    fn reach(&self, first: Vec<Cell>, from: At, to: At) -> f64 {
        let leaving = |cell: Cell| {
            let share = |axis: usize| {
                let way = (to[axis] - from[axis]) as f64;
                let low = (PART * cell[axis] - from[axis]) as f64;
                let beyond = if way > 0.0 { low + PART as f64 } else { low };
                if way == 0.0 { 1.0 } else { beyond / way }
            };
            share(0).min(share(1)).clamp(0.0, 1.0)
        };
        self.along(first, from, to).into_iter().map(leaving).fold(0.0, f64::max)
    }
}

fn beside([x, y]: Cell) -> [Cell; 4] {
    [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]]
}

/// Whether a segment meets an edge that is parallel to an axis.
fn meets(from: At, to: At, low: At, high: At) -> bool {
    let overlaps =
        |axis: usize| from[axis].min(to[axis]) <= high[axis] && low[axis] <= from[axis].max(to[axis]);
    let side =
        |at: At| ((to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])).signum();
    overlaps(0) && overlaps(1) && side(low) * side(high) <= 0
}

fn position(at: At) -> Position {
    Position::new(at[0] as f64 / PART as f64, at[1] as f64 / PART as f64, f64::NAN)
}

/// The place in parts of a cell, if it is one that floats hold exactly.
fn parts(at: Position) -> Option<At> {
    let whole = [at.x, at.y].map(|value| value * PART as f64);
    let is_exact = whole.iter().all(|value| value.fract() == 0.0);
    is_exact.then(|| whole.map(|value| value as i64))
}

/// A random place: often a vertex, the middle of an edge, of a cell, on a border of cells, or just beyond the map.
fn random_place(mesh: &NavMesh, cells: &Cells, rng: &mut Rng) -> At {
    let vertex = |rng: &mut Rng| {
        let at = mesh.vertices()[rng.below(mesh.vertices().len() as u32) as usize];
        [at.x as i64 * PART, at.y as i64 * PART]
    };
    let along = |rng: &mut Rng, size: i64, step: i64| {
        i64::from(rng.below(((size + 2) * PART / step) as u32)) * step - PART
    };
    match rng.below(6) {
        0 => vertex(rng),
        1 => {
            // A point of an edge of a polygon.
            let polygon = mesh.polygon(StateId::new(rng.below(mesh.polygon_count())));
            let place = rng.below(polygon.len() as u32) as usize;
            let [a, b] = [polygon[place], polygon[(place + 1) % polygon.len()]]
                .map(|vertex| mesh.vertices()[vertex as usize])
                .map(|at| [at.x as i64 * PART, at.y as i64 * PART]);
            let part = i64::from(1 + rng.below(3));
            [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part / 4)
        }
        2 => [along(rng, cells.width, PART / 2), along(rng, cells.height, PART / 2)],
        3 => [along(rng, cells.width, PART), along(rng, cells.height, 1)],
        4 => [along(rng, cells.width, 1), along(rng, cells.height, PART)],
        _ => [along(rng, cells.width, 1), along(rng, cells.height, 1)],
    }
}

/// The corners of a polygon in cells.
fn outline(mesh: &NavMesh, polygon: StateId) -> Vec<[f64; 2]> {
    mesh.polygon(polygon)
        .iter()
        .map(|&vertex| mesh.vertices()[vertex as usize])
        .map(|at| [at.x, at.y])
        .collect()
}

/// Whether a polygon holds a place, its border included.
fn holds(mesh: &NavMesh, polygon: StateId, at: At) -> bool {
    let corners: Vec<At> =
        outline(mesh, polygon).iter().map(|at| at.map(|value| value as i64 * PART)).collect();
    (0..corners.len()).all(|place| {
        let (a, b) = (corners[place], corners[(place + 1) % corners.len()]);
        (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) >= 0
    })
}

/// The cells that hold a place and that a polygon reaches into.
fn cells_of(mesh: &NavMesh, cells: &Cells, polygon: StateId, at: At) -> Vec<Cell> {
    let corners = outline(mesh, polygon);
    let mut holding = cells.holding(at);
    holding.retain(|cell| area_in_cell(&corners, cell[0] as f64, cell[1] as f64) > 1e-9);
    holding
}

#[derive(Default)]
struct Counts {
    found: u32,
    clear: u32,
    cut: u32,
    moved: u32,
    paths: u32,
}

fn ask(mesh: &NavMesh, cells: &Cells, rng: &mut Rng, counts: &mut Counts) {
    let (from, to) = (random_place(mesh, cells, rng), random_place(mesh, cells, rng));
    let said = format!("{from:?} -> {to:?} in parts of a cell");
    // Where a place is.
    let found = mesh.polygons_at(position(from));
    let expected: Vec<StateId> =
        (0..mesh.polygon_count()).map(StateId::new).filter(|&polygon| holds(mesh, polygon, from)).collect();
    assert_eq!(found, expected, "{said}");
    assert_eq!(found.is_empty(), cells.holding(from).is_empty(), "{said}");
    // What is nearest, everywhere and in a component.
    let distance = |near: MeshPoint, to: At| {
        let to = position(to);
        assert!(mesh.polygons_at(near.at).contains(&near.polygon), "{said}: {near:?}");
        (near.at.x - to.x).hypot(near.at.y - to.y)
    };
    let near = mesh.nearest(position(to)).expect("free cells");
    assert!((distance(near, to) - cells.distance(to, |_| true)).abs() < 1e-6, "{said}: {near:?}");
    let drawn = mesh.sampler(|_| true).draw(rng).expect("free cells");
    let island = cells.component_of([drawn.at.x.floor() as i64, drawn.at.y.floor() as i64]);
    let component = mesh.component(drawn.polygon).expect("it is free");
    // A point that was drawn from a border may lie in a cell beside it.
    if let Some(island) = island.filter(|_| drawn.at.x.fract() != 0.0 && drawn.at.y.fract() != 0.0) {
        let near = mesh.nearest_in_component(position(to), component).expect("it has polygons");
        assert_eq!(mesh.component(near.polygon), Some(component), "{said}");
        let least = cells.distance(to, |cell| cells.component_of(cell) == Some(island));
        assert!((distance(near, to) - least).abs() < 1e-6, "{said}: {near:?}");
    }
    let Some(&polygon) = found.get(rng.below(found.len().max(1) as u32) as usize) else { return };
    counts.found += 1;
    // How far a line leads.
    let start = MeshPoint { polygon, at: position(from) };
    let first = cells_of(mesh, cells, polygon, from);
    let island = cells.component_of(first[0]);
    let cast = mesh.ray_cast(start, position(to)).expect("the polygon holds the place");
    let is_clear = cells.is_clear(first.clone(), from, to);
    assert_eq!(cast.is_clear, is_clear, "{said}");
    let whole = position(to);
    let length = (whole.x - start.at.x).hypot(whole.y - start.at.y);
    let led = (cast.end.at.x - start.at.x).hypot(cast.end.at.y - start.at.y);
    let expected = length * if is_clear { 1.0 } else { cells.reach(first.clone(), from, to) };
    assert!((led - expected).abs() < 1e-4, "{said}: {led}, not {expected}");
    (counts.clear, counts.cut) = (counts.clear + u32::from(is_clear), counts.cut + u32::from(!is_clear));
    // Where a move along the surface ends.
    let moved = mesh.move_along(start, position(to)).expect("the polygon holds the place");
    let off = distance(moved, to);
    assert_eq!(mesh.component(moved.polygon), mesh.component(polygon), "{said}");
    assert!(off <= length + 1e-6 && off <= length - expected + 1e-4, "{said}: {off}");
    let (sure, possible) = [-1e-6, 1e-6]
        .map(|margin| nearest_of_move(mesh, polygon, position(from), position(to), margin))
        .into();
    assert!(possible - 1e-4 <= off && off <= sure + 1e-4, "{said}: {off} between {possible} and {sure}");
    let least = cells.distance(to, |cell| cells.component_of(cell) == island);
    assert!(off >= least - 1e-6, "{said}: {off}, no place of the component is nearer than {least}");
    counts.moved += 1;
}

/// How near one comes to a place over polygons that are joined by portals in the circle around the move, drawn larger by a margin.
fn nearest_of_move(mesh: &NavMesh, polygon: StateId, from: Position, to: Position, margin: f64) -> f64 {
    let middle = [(from.x + to.x) / 2.0, (from.y + to.y) / 2.0];
    let radius = (to.x - from.x).hypot(to.y - from.y) / 2.0 + margin;
    let (mut seen, mut next, mut least) = (vec![polygon], 0, f64::INFINITY);
    while let Some(&polygon) = seen.get(next) {
        next += 1;
        let corners = outline(mesh, polygon);
        let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
        let side = |a: &[f64; 2], b: &[f64; 2]| (b[0] - a[0]) * (to.y - a[1]) - (b[1] - a[1]) * (to.x - a[0]);
        let off = match edges().all(|(a, b)| side(a, b) >= 0.0) {
            true => 0.0,
            false => edges().map(|(a, b)| to_segment([to.x, to.y], *a, *b)).fold(f64::INFINITY, f64::min),
        };
        least = least.min(off);
        for ((a, b), beyond) in edges().zip(mesh.neighbours(polygon)) {
            if let Some(beyond) = beyond.filter(|beyond| !seen.contains(beyond))
                && to_segment(middle, *a, *b) <= radius
            {
                seen.push(beyond);
            }
        }
    }
    least
}

fn to_segment(at: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    let share = (((at[0] - a[0]) * x + (at[1] - a[1]) * y) / (x * x + y * y)).clamp(0.0, 1.0);
    (a[0] + x * share - at[0]).hypot(a[1] + y * share - at[1])
}

/// A path is found if and only if both places touch one component, and no segment of it leaves the free cells.
fn ask_for_path(
    atlas: &Atlas,
    mesh: &NavMesh,
    cells: &Cells,
    rng: &mut Rng,
    scratch: &mut Scratch,
    counts: &mut Counts,
) {
    let (from, to) = (random_place(mesh, cells, rng), random_place(mesh, cells, rng));
    let said = format!("{from:?} -> {to:?} in parts of a cell");
    let islands = |at: At| -> Vec<Option<usize>> {
        cells.holding(at).into_iter().map(|cell| cells.component_of(cell)).collect()
    };
    let is_joined = islands(from).iter().any(|island| islands(to).contains(island));
    let query = Query::new(position(from), position(to));
    let outcome = plan::Astar::default().plan(atlas, &query, scratch, &mut Budget::unlimited());
    assert_eq!(matches!(outcome, Outcome::Found { .. }), is_joined, "{said}: {outcome:?}");
    if !is_joined {
        return;
    }
    let points = scratch.path().points();
    // The cells that the line has come to, and those around a corner of it that are joined to them there.
    let mut here = cells.holding(from);
    for leg in points.windows(2) {
        let (Some(a), Some(b)) = (parts(leg[0]), parts(leg[1])) else {
            panic!("{said}: a path turns at {leg:?}, no vertex and no middle of a portal");
        };
        let ends = cells.holding(b);
        here = cells.along(here, a, b);
        here.retain(|cell| ends.contains(cell));
        assert!(!here.is_empty(), "{said}: {a:?} to {b:?} leaves the free cells");
        here = cells.along(here, b, b);
    }
    let pulled = scratch.path().pulled_cost().expect("pulled over portals");
    // Places that are not on the lattice of the mesh are rounded where costs are measured: by 1/32 of a cell at each end.
    let rounding = 2.0 * 255.0 * std::f64::consts::SQRT_2 / 32.0;
    assert!(pulled <= scratch.path().cost_f64() + rounding, "{said}");
    counts.paths += 1;
}

#[test]
fn places_lines_moves_and_paths_on_meshes_of_random_maps_are_those_of_their_cells() {
    let mut rng = Rng::new(2212);
    let (mut counts, mut scratch) = (Counts::default(), Scratch::new());
    for round in 0..rounds() {
        let world = World::random(&mut rng, if round % 4 == 0 { 16 } else { 9 });
        if world.map.passable_cells() == 0 {
            continue;
        }
        let cells = Cells::new(&world);
        let mesh = mesh(&world.map, &world.options(round % 8 == 7)).expect("free cells");
        let mesh = NavMesh::from_parts(mesh).expect("a mesh");
        for polygon in mesh.free_states() {
            let inside =
                |cell: &Cell| area_in_cell(&outline(&mesh, polygon), cell[0] as f64, cell[1] as f64) > 1e-9;
            let islands: Vec<Option<usize>> =
                cells.free().filter(inside).map(|cell| cells.component_of(cell)).collect();
            for other in mesh.free_states().take(3) {
                let is_same = cells
                    .free()
                    .filter(|cell| {
                        area_in_cell(&outline(&mesh, other), cell[0] as f64, cell[1] as f64) > 1e-9
                    })
                    .any(|cell| islands.contains(&cells.component_of(cell)));
                assert_eq!(mesh.component(polygon) == mesh.component(other), is_same, "{polygon} {other}");
            }
        }
        let atlas = Atlas::new(mesh.clone());
        for _ in 0..24 {
            ask(&mesh, &cells, &mut rng, &mut counts);
            ask_for_path(&atlas, &mesh, &cells, &mut rng, &mut scratch, &mut counts);
        }
    }
    let least = 4 * rounds();
    let Counts { found, clear, cut, moved, paths } = counts;
    assert!(
        found.min(moved) > 2 * least && clear.min(cut).min(paths) > least / 4,
        "{found} {clear} {cut} {moved} {paths}"
    );
}
