//! The benchmark on navigation meshes: `astar-bounds` over portals, pulled by the funnel, against the exact any-angle search of `polyanya`;
//! and against the paths of a grid, where a scenario of the same map is given.

use milepost::build::{SILENT, add_index};
use milepost::index::IndexKind;
use milepost::plan::Astar;
use milepost::space::{MeshPoint, SpaceKind};
use milepost::{
    AnyPlanner, Atlas, Budget, NavMesh, Outcome, Planner, Position, Query, Rng, Scratch, StateId, catalog,
};
use polyanya::{Mesh, Polygon, Vertex};
use std::path::Path;
use std::time::{Duration, Instant};

/// Passes over the problems; of a query's times the best counts.
const PASSES: usize = 3;
/// Coordinates are multiples of this: floats of 32 bits hold them.
const STEP: f64 = 1.0 / 16.0;
/// Lengths that differ by less differ by rounding: the peer's points are floats of 32 bits.
const ROUNDING: f64 = 1e-6;
/// A path of the mesh may be so much longer than that of the grid.
const GRID_TOLERANCE: f64 = 1e-4;
/// What floats may be off in [`is_covered`]: of coordinates below 1,000, and of shares.
const COVER_TOLERANCE: f64 = 1e-9;
/// Problems of a kind that are listed.
const LISTED: usize = 20;

/// What a benchmark measured.
pub(crate) struct Row {
    map: String,
    queries: usize,
    plain_us: f64,
    ours_us: f64,
    theirs_us: f64,
    /// How much longer our paths are than the peer's, in percent, in increasing order.
    excess: Vec<f64>,
    /// Problems that one of the two does not solve.
    unsolved: [usize; 2],
    /// Problems with another cost than that of plain A*.
    other_costs: usize,
    /// Paths with a segment that leaves the mesh, and those longer than the way over the middles of portals.
    outside: usize,
    longer_than_middles: usize,
    /// Problems where our path is shorter than the peer's.
    shorter: Vec<Shorter>,
    grid: Option<Grid>,
}

/// A problem where our path is shorter than the peer's, which finds the shortest: one of them is wrong.
struct Shorter {
    ends: (Position, Position),
    ours: f64,
    theirs: f64,
    /// Whether our path keeps to the mesh by [`is_covered`]: then the peer's is not the shortest.
    is_proof: bool,
}

impl std::fmt::Display for Shorter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shorter { ends: (from, to), ours, theirs, is_proof } = self;
        let verdict = if *is_proof { "the peer's is not the shortest" } else { "OURS LEAVES THE MESH" };
        let (from, to) = ((from.x, from.y), (to.x, to.y));
        write!(f, "{from:?} to {to:?}: {ours:.7}, the peer's {theirs:.7}: {verdict}")
    }
}

/// Against the paths of a grid.
struct Grid {
    lines: usize,
    unsolved: usize,
    longer: Vec<String>,
}

/// The same mesh as the peer has it: each vertex with the polygons around it, in order, and walls between them.
fn peer(mesh: &NavMesh) -> Result<Mesh, String> {
    let states = || (0..mesh.polygon_count()).map(StateId::new);
    let beyond: Vec<Vec<Option<StateId>>> =
        states().map(|polygon| mesh.neighbours(polygon).collect()).collect();
    let mut around: Vec<Vec<(StateId, usize)>> = vec![Vec::new(); mesh.vertices().len()];
    for polygon in states() {
        for (place, &vertex) in mesh.polygon(polygon).iter().enumerate() {
            around[vertex as usize].push((polygon, place));
        }
    }
    let at = |vertex: u32| mesh.vertices()[vertex as usize];
    let vertex = |(number, around): (usize, &Vec<(StateId, usize)>)| {
        let here = at(number as u32);
        let mut starts: Vec<(StateId, usize)> = around
            .iter()
            .copied()
            .filter(|&(polygon, place)| beyond[polygon.index()][place].is_none())
            .collect();
        let has_wall = !starts.is_empty();
        if !has_wall {
            starts.extend(around.first());
        }
        let angle = |&(polygon, place): &(StateId, usize)| {
            let corners = mesh.polygon(polygon);
            let next = at(corners[(place + 1) % corners.len()]);
            (next.y - here.y).atan2(next.x - here.x)
        };
        starts.sort_by(|one, two| angle(one).total_cmp(&angle(two)));
        let mut polygons = Vec::new();
        for start in starts {
            let (mut polygon, mut place) = start;
            loop {
                polygons.push(polygon.number());
                let corners = mesh.polygon(polygon).len();
                let Some(next) = beyond[polygon.index()][(place + corners - 1) % corners] else { break };
                let Some(there) = mesh.polygon(next).iter().position(|&vertex| vertex as usize == number)
                else {
                    break;
                };
                (polygon, place) = (next, there);
                if polygon == start.0 {
                    break;
                }
            }
            if has_wall {
                polygons.push(u32::MAX);
            }
        }
        Vertex::new(glam::Vec2::new(here.x as f32, here.y as f32), polygons)
    };
    let vertices = around.iter().enumerate().map(vertex).collect();
    let polygon = |polygon: StateId| {
        let is_dead_end = beyond[polygon.index()].iter().flatten().count() <= 1;
        Polygon::new(mesh.polygon(polygon).to_vec(), is_dead_end)
    };
    Mesh::new(vertices, states().map(polygon).collect())
        .map_err(|error| format!("the peer refuses the mesh: {error:?}"))
}

/// A* along edges whose box of goals holds the goal.
fn bounded() -> Result<AnyPlanner, String> {
    catalog::planner("astar-bounds").map_err(|error| error.to_string())
}

fn distance(a: Position, b: Position) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

fn length(points: &[Position]) -> f64 {
    points.windows(2).map(|leg| distance(leg[0], leg[1])).sum()
}

/// Whether all segments of a line keep to the mesh.
fn keeps_to_mesh(mesh: &NavMesh, points: &[Position]) -> bool {
    points.windows(2).all(|leg| {
        let from = Position { z: f64::NAN, ..leg[0] };
        let is_clear = |polygon: StateId| {
            mesh.ray_cast(MeshPoint { polygon, at: from }, leg[1]).is_some_and(|cast| cast.is_clear)
        };
        mesh.polygons_at(from).into_iter().any(is_clear)
    })
}

/// Whether a line keeps to the mesh, without a question to the mesh but which polygons are neighbours: each polygon cuts a share
/// out of a segment, by its edges in floats, and shares of neighbours that touch lead from its beginning to its end.
fn is_covered(mesh: &NavMesh, points: &[Position]) -> bool {
    points.windows(2).all(|leg| {
        let (from, to) = (leg[0], leg[1]);
        let shares: Vec<Option<(f64, f64)>> = (0..mesh.polygon_count())
            .map(|polygon| share_in(mesh, StateId::new(polygon), from, to))
            .collect();
        let begins = |polygon: &usize| shares[*polygon].is_some_and(|(first, _)| first <= COVER_TOLERANCE);
        let mut open: Vec<usize> = (0..shares.len()).filter(begins).collect();
        let mut is_seen = vec![false; shares.len()];
        while let Some(polygon) = open.pop() {
            let Some((first, last)) = shares[polygon].filter(|_| !is_seen[polygon]) else { continue };
            is_seen[polygon] = true;
            if last >= 1.0 - COVER_TOLERANCE {
                return true;
            }
            let touches = |next: &usize| {
                let touches =
                    |(one, other)| one <= last + COVER_TOLERANCE && other >= first - COVER_TOLERANCE;
                shares[*next].is_some_and(touches)
            };
            let beyond = mesh.neighbours(StateId::new(polygon as u32)).flatten().map(StateId::index);
            open.extend(beyond.filter(touches));
        }
        false
    })
}

/// The shares of a segment between which it lies in a polygon.
fn share_in(mesh: &NavMesh, polygon: StateId, from: Position, to: Position) -> Option<(f64, f64)> {
    let corners: Vec<Position> =
        mesh.polygon(polygon).iter().map(|&vertex| mesh.vertices()[vertex as usize]).collect();
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (place, a) in corners.iter().enumerate() {
        let b = corners[(place + 1) % corners.len()];
        let (along, up) = (b.x - a.x, b.y - a.y);
        let beside = |at: Position| (along * (at.y - a.y) - up * (at.x - a.x)) / along.hypot(up);
        // To the left of an edge is inside.
        let (start, end) = (beside(from) + COVER_TOLERANCE, beside(to) + COVER_TOLERANCE);
        match (start >= 0.0, end >= 0.0) {
            (true, true) => {}
            (true, false) => last = last.min(start / (start - end)),
            (false, true) => first = first.max(start / (start - end)),
            (false, false) => return None,
        }
    }
    (first <= last).then_some((first, last))
}

/// Random problems within components, at points that floats of 32 bits hold.
fn problems(mesh: &NavMesh, count: usize) -> Vec<(Position, Position)> {
    let (all, mut rng) = (mesh.sampler(|_| true), Rng::new(22));
    let mut point = || loop {
        let Some(drawn) = all.draw(&mut rng) else { return None };
        let round = |value: f64| (value / STEP).round() * STEP;
        let at = Position::new(round(drawn.at.x), round(drawn.at.y), f64::NAN);
        let component = mesh.polygons_at(at).first().and_then(|&polygon| mesh.component(polygon));
        if let Some(component) = component {
            return Some((at, component));
        }
    };
    let mut problems = Vec::new();
    while problems.len() < count {
        let (Some((from, one)), Some((to, other))) = (point(), point()) else { break };
        if one == other {
            problems.push((from, to));
        }
    }
    problems
}

/// Both engines on the same random problems in turn.
pub(crate) fn benchmark(path: &Path, scenario: Option<&Path>, queries: usize) -> Result<Row, String> {
    let mesh = milepost_maps::open_mesh(path).map_err(|error| error.to_string())?;
    let index = IndexKind::GOAL_BOUNDS;
    let atlas =
        add_index(&Atlas::new(mesh.clone()), index, SILENT, None).map_err(|error| error.to_string())?;
    let theirs = peer(&mesh)?;
    let problems = problems(&mesh, queries);
    let mut row = Row {
        map: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        queries: problems.len(),
        plain_us: 0.0,
        ours_us: 0.0,
        theirs_us: 0.0,
        excess: Vec::new(),
        unsolved: [0; 2],
        other_costs: 0,
        outside: 0,
        longer_than_middles: 0,
        shorter: Vec::new(),
        grid: None,
    };
    let mut scratch = Scratch::new();
    let (plain, bounded) = (Astar::default(), bounded()?);
    let mut times = vec![[Duration::MAX; 3]; problems.len()];
    for pass in 0..PASSES {
        for (&(from, to), times) in problems.iter().zip(&mut times) {
            let query = Query::new(from, to);
            let clock = Instant::now();
            let expected = plain.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited()).cost();
            times[0] = times[0].min(clock.elapsed());
            let clock = Instant::now();
            let outcome = bounded.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
            times[1] = times[1].min(clock.elapsed());
            let place = |at: Position| glam::Vec2::new(at.x as f32, at.y as f32);
            let clock = Instant::now();
            let found = theirs.path(place(from), place(to));
            times[2] = times[2].min(clock.elapsed());
            if pass == 0 {
                row.other_costs += usize::from(outcome.cost() != expected);
                row.judge(&mesh, (from, to), outcome, &scratch, found.map(|found| found.path));
            }
        }
    }
    let mean = |which: usize| {
        times.iter().map(|times| times[which].as_secs_f64()).sum::<f64>() * 1e6 / times.len().max(1) as f64
    };
    (row.plain_us, row.ours_us, row.theirs_us) = (mean(0), mean(1), mean(2));
    row.excess.sort_by(f64::total_cmp);
    row.grid = scenario.map(|scenario| against_grid(&atlas, scenario, &mut scratch)).transpose()?;
    Ok(row)
}

/// Every line of a scenario of the map that the mesh was made from: its cells are squares of one unit.
fn against_grid(atlas: &Atlas, scenario: &Path, scratch: &mut Scratch) -> Result<Grid, String> {
    let problems = milepost_maps::read_scenario(scenario).map_err(|error| error.to_string())?;
    let planner = bounded()?;
    let mut grid = Grid { lines: problems.len(), unsolved: 0, longer: Vec::new() };
    for problem in &problems {
        let middle = |(x, y): (u32, u32)| Position::new(f64::from(x) + 0.5, f64::from(y) + 0.5, f64::NAN);
        let query = Query::new(middle(problem.start), middle(problem.goal));
        let outcome = planner.plan(atlas, &query, scratch, &mut Budget::unlimited());
        if !matches!(outcome, Outcome::Found { .. }) {
            grid.unsolved += 1;
            continue;
        }
        let (length, listed) = (length(scratch.path().points()), problem.length.value());
        if length > listed + GRID_TOLERANCE {
            let ends = (problem.start, problem.goal);
            grid.longer
                .push(format!("line {}: {ends:?}: {length:.4}, on the grid {listed:.4}", problem.line));
        }
    }
    Ok(grid)
}

impl Row {
    fn judge(
        &mut self,
        mesh: &NavMesh,
        (from, to): (Position, Position),
        outcome: Outcome,
        scratch: &Scratch,
        found: Option<Vec<glam::Vec2>>,
    ) {
        let is_found = matches!(outcome, Outcome::Found { .. });
        self.unsolved[0] += usize::from(!is_found);
        self.unsolved[1] += usize::from(found.is_none());
        if !is_found {
            return;
        }
        let path = scratch.path();
        let ours = length(path.points());
        let is_on_mesh = keeps_to_mesh(mesh, path.points());
        self.outside += usize::from(!is_on_mesh);
        // Points lie on the lattice, so that costs are of these very ends; each edge of the search is rounded up.
        self.longer_than_middles +=
            usize::from(path.pulled_cost().is_none_or(|pulled| pulled > path.cost_f64() + 1e-9));
        let Some(found) = found else { return };
        let rest = found.iter().map(|at| Position::new(f64::from(at.x), f64::from(at.y), f64::NAN));
        let theirs = length(&std::iter::once(from).chain(rest).collect::<Vec<_>>());
        if theirs > 0.0 {
            self.excess.push(100.0 * (ours / theirs - 1.0));
        }
        if ours < theirs - ROUNDING {
            let is_proof = is_covered(mesh, path.points());
            self.shorter.push(Shorter { ends: (from, to), ours, theirs, is_proof });
        }
    }

    fn mean_excess(&self) -> f64 {
        self.excess.iter().sum::<f64>() / self.excess.len().max(1) as f64
    }

    fn excess_at(&self, percent: usize) -> f64 {
        let place = (self.excess.len() * percent / 100).min(self.excess.len().saturating_sub(1));
        self.excess.get(place).copied().unwrap_or(0.0)
    }

    /// How many times faster than the peer.
    pub(crate) fn ratio(&self) -> f64 {
        self.theirs_us / self.ours_us
    }

    /// The excesses over the peer's lengths, in percent.
    pub(crate) fn excess(&self) -> &[f64] {
        &self.excess
    }

    pub(crate) fn show(&self) {
        println!(
            "{:16} {:6} queries  astar {:7.1} us  astar-bounds {:6.2} us ({:4.1} times)  polyanya {:7.1} us ({:5.1} times)  longer: mean \
             {:.3} % p95 {:.2} % worst {:.2} %",
            self.map,
            self.queries,
            self.plain_us,
            self.ours_us,
            self.plain_us / self.ours_us,
            self.theirs_us,
            self.ratio(),
            self.mean_excess(),
            self.excess_at(95),
            self.excess_at(100)
        );
        println!(
            "                 unsolved {} and {}, other costs than A* {}, outside {}, longer than over middles {}, shorter than the peer {}",
            self.unsolved[0],
            self.unsolved[1],
            self.other_costs,
            self.outside,
            self.longer_than_middles,
            self.shorter.len()
        );
        let mut shorter: Vec<&Shorter> = self.shorter.iter().collect();
        shorter.sort_by(|one, two| (two.theirs - two.ours).total_cmp(&(one.theirs - one.ours)));
        for case in shorter.iter().take(LISTED) {
            println!("    shorter: {case}");
        }
        if let Some(grid) = &self.grid {
            println!(
                "                 against the grid: {} lines, {} longer, {} unsolved",
                grid.lines,
                grid.longer.len(),
                grid.unsolved
            );
            for case in grid.longer.iter().take(LISTED) {
                println!("    longer than on the grid: {case}");
            }
        }
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "mesh": self.map,
            "queries": self.queries,
            "astar_us": self.plain_us,
            "astar_bounds_us": self.ours_us,
            "polyanya_us": self.theirs_us,
            "ratio": self.ratio(),
            "mean_excess_percent": self.mean_excess(),
            "p95_excess_percent": self.excess_at(95),
            "worst_excess_percent": self.excess_at(100),
            "unsolved": self.unsolved[0],
            "polyanya_unsolved": self.unsolved[1],
            "other_costs": self.other_costs,
            "outside": self.outside,
            "longer_than_over_middles": self.longer_than_middles,
            "shorter": self.shorter.iter().map(Shorter::to_string).collect::<Vec<_>>(),
            "grid": self.grid.as_ref().map(|grid| serde_json::json!({
                "lines": grid.lines,
                "unsolved": grid.unsolved,
                "longer": grid.longer,
            })),
        })
    }
}

/// All meshes together.
pub(crate) fn show_means(rows: &[Row]) {
    if rows.len() < 2 {
        return;
    }
    let ratio = (rows.iter().map(|row| row.ratio().ln()).sum::<f64>() / rows.len() as f64).exp();
    let mut excess: Vec<f64> = rows.iter().flat_map(|row| row.excess()).copied().collect();
    excess.sort_by(f64::total_cmp);
    let mean = excess.iter().sum::<f64>() / excess.len().max(1) as f64;
    let p95 = excess.get(excess.len() * 95 / 100).copied().unwrap_or(0.0);
    println!(
        "{} meshes: {ratio:.1} times faster than polyanya (geometric mean); paths longer by {mean:.3} % on average, p95 {p95:.2} %",
        rows.len()
    );
}
