//! The test bed: a deliberately simple oracle, seeded random maps, and the real maps where there are any.
//!
//! The oracle shares nothing with the library but the letters of a map: its own rule, its own queue, costs in
//! floating point.
// Each test file uses its own part of this.
#![allow(dead_code, unreachable_pub)]

mod catalog_planners;
pub mod journeys;
pub mod journeys_by_sight;
pub mod saves;
pub mod tampered;

pub use catalog_planners::catalog_planners;

use milepost::Rng;
use milepost::build::{SILENT, add_index, with_figures};
use milepost::space::{MeshLinkEnd, MeshPoint};
use milepost::{AnyPlanner, Atlas, MeshLink, NavMesh, Point, Rule, StateId};
use milepost_maps::TileMap;
use milepost_maps::mesh::make::{Options, mesh};
use std::path::PathBuf;

/// How many random cases a test of many looks at: all of them, or a few where `MILEPOST_QUICK` asks for a quick answer.
pub fn rounds<T: TryFrom<u32>>(all: u32) -> T {
    let rounds = if std::env::var_os("MILEPOST_QUICK").is_some() { all.div_ceil(8) } else { all };
    T::try_from(rounds).ok().expect("a small number")
}

/// Two lengths that are equal but for rounding.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// Dijkstra's algorithm in its plainest form on any graph: look at all open nodes, take the nearest, relax its edges.
/// Unreachable nodes are infinitely far away.
pub fn plain_dijkstra(nodes: usize, start: usize, edges: impl Fn(usize) -> Vec<(usize, f64)>) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; nodes];
    let mut done = vec![false; nodes];
    distance[start] = 0.0;
    loop {
        let open = (0..nodes).filter(|&i| !done[i] && distance[i].is_finite());
        let Some(nearest) = open.min_by(|&a, &b| distance[a].total_cmp(&distance[b])) else {
            return distance;
        };
        done[nearest] = true;
        for (next, cost) in edges(nearest) {
            distance[next] = distance[next].min(distance[nearest] + cost);
        }
    }
}

/// The distances from a cell of a map. `factor` is what crossing a cell costs.
pub fn distances(map: &TileMap, rule: Rule, start: (i64, i64), factor: impl Fn(i64, i64) -> f64) -> Vec<f64> {
    distances_with_links(map, rule, start, factor, &[])
}

/// A link from one cell to another, with its cost.
pub type OracleLink = ((i64, i64), (i64, i64), f64);

/// As [`distances`] on a map with one-way links.
pub fn distances_with_links(
    map: &TileMap,
    rule: Rule,
    start: (i64, i64),
    factor: impl Fn(i64, i64) -> f64,
    links: &[OracleLink],
) -> Vec<f64> {
    let (width, height) = (i64::from(map.width()), i64::from(map.height()));
    let free =
        |x: i64, y: i64| x >= 0 && y >= 0 && x < width && y < height && map.is_passable(x as u32, y as u32);
    let index = |x: i64, y: i64| (y * width + x) as usize;
    plain_dijkstra((width * height) as usize, index(start.0, start.1), |node| {
        let (x, y) = (node as i64 % width, node as i64 / width);
        let mut edges = Vec::new();
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let is_diagonal = dx != 0 && dy != 0;
            let both_beside = free(x + dx, y) && free(x, y + dy);
            let (allowed, diagonal) = match rule {
                Rule::Octile14 => (!is_diagonal || both_beside, 1.4),
                Rule::OctileCutting => (true, std::f64::consts::SQRT_2),
                Rule::Octile14Cutting => (true, 1.4),
                Rule::Four => (!is_diagonal, 1.0),
                // Odd rows lie half a cell to the right, or even ones; odd columns half a cell down, or even ones.
                Rule::Hex => (!is_diagonal || (dx == 1) == (y % 2 == 1), 1.0),
                Rule::HexEvenR => (!is_diagonal || (dx == 1) == (y % 2 == 0), 1.0),
                Rule::HexOddQ => (!is_diagonal || (dy == 1) == (x % 2 == 1), 1.0),
                Rule::HexEvenQ => (!is_diagonal || (dy == 1) == (x % 2 == 0), 1.0),
                _ => (!is_diagonal || both_beside, std::f64::consts::SQRT_2),
            };
            if (dx, dy) != (0, 0) && free(x + dx, y + dy) && allowed {
                let base = if is_diagonal { diagonal } else { 1.0 };
                edges.push((index(x + dx, y + dy), base * (factor(x, y) + factor(x + dx, y + dy)) / 2.0));
            }
        }
        for &(_, (to_x, to_y), cost) in links.iter().filter(|link| link.0 == (x, y)) {
            if free(to_x, to_y) {
                edges.push((index(to_x, to_y), cost));
            }
        }
        edges
    })
}

/// A random map of at most `side` x `side` cells: open ground, scattered walls, or thick ones.
pub fn random_map(rng: &mut Rng, side: u32) -> TileMap {
    let (width, height) = (1 + rng.below(side), 1 + rng.below(side));
    let mut map = TileMap::filled(width, height, b'.').expect("a small map");
    let density = rng.below(50);
    for y in 0..height {
        for x in 0..width {
            if rng.below(100) < density {
                map.set(x, y, *b"@OTW".get(rng.below(4) as usize).unwrap_or(&b'@')).expect("inside");
            }
        }
    }
    // A few bars make corners and dead ends.
    for _ in 0..rng.below(4) {
        let (x, y, length, is_row) = (rng.below(width), rng.below(height), rng.below(side), rng.chance(1, 2));
        for step in 0..length {
            let (x, y) = if is_row { (x + step, y) } else { (x, y + step) };
            if x < width && y < height {
                map.set(x, y, b'T').expect("inside");
            }
        }
    }
    map
}

/// A map drawn in the test, rows separated by spaces.
pub fn drawn(drawing: &str, rule: Rule) -> Atlas {
    Atlas::new(
        TileMap::from_ascii(&drawing.replace(' ', "\n"))
            .expect("a well-drawn map")
            .grid(rule)
            .expect("a small map"),
    )
}

/// The atlas with every index that one of the planners reads. Each is built once, and those that cannot be built for
/// this space, or do not pay, are left out: their planners refuse.
pub fn indexed<'a>(mut atlas: Atlas, planners: impl IntoIterator<Item = &'a AnyPlanner>) -> Atlas {
    for planner in planners {
        for &kind in planner.needs() {
            if !atlas.has(kind)
                && let Ok(richer) = add_index(&atlas, kind, SILENT, None)
            {
                atlas = richer;
            }
        }
    }
    with_figures(&atlas)
}

/// The state in column x and row y.
pub fn cell(atlas: &Atlas, x: i64, y: i64) -> StateId {
    atlas.state_at(Point::new(x, y)).expect("inside the map")
}

/// The index of a state in the oracle's answer.
pub fn oracle_index(atlas: &Atlas, map: &TileMap, state: StateId) -> usize {
    let at = atlas.space().point(state);
    (at.y * i64::from(map.width()) + at.x) as usize
}

/// The folder of real maps, if `MILEPOST_MAPS` names one; a test that gets `None` says that it is skipped.
pub fn real_maps() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return None;
    };
    let folder = PathBuf::from(folder);
    let is_empty = folder.read_dir().map_or(true, |mut entries| entries.next().is_none());
    assert!(!is_empty, "MILEPOST_MAPS is set, but {} is missing or empty", folder.display());
    Some(folder)
}

/// The mesh of a map of cells.
pub fn mesh_of(map: &TileMap, options: &Options<'_>) -> NavMesh {
    NavMesh::from_parts(mesh(map, options).expect("free cells")).expect("a mesh")
}

/// A mesh of a few rooms.
pub fn small_mesh() -> NavMesh {
    let map = TileMap::from_ascii("....@.....\n.@@.@.@@@.\n.@.....@..\n.@@@@@.@@.\n......@...\n@@@@..@.@@")
        .expect("a drawing");
    mesh_of(&map, &Options::default())
}

/// The mesh of a random map of at most `side` x `side` cells, with ground of several costs, perhaps triangles alone, and a link or two.
pub fn random_mesh(rng: &mut Rng, side: u32) -> NavMesh {
    loop {
        let map = random_map(rng, side);
        let kinds = 1 + rng.below(3);
        let weights: Vec<u8> =
            (0..map.width() * map.height()).map(|_| 1 + 2 * rng.below(kinds) as u8).collect();
        let is_unmerged = rng.chance(1, 3);
        let Ok(mut parts) =
            mesh(&map, &Options { weights: Some(&weights), is_unmerged, ..Options::default() })
        else {
            continue;
        };
        let plain = NavMesh::from_parts(parts.clone()).expect("a mesh");
        let sampler = plain.sampler(|_| true);
        for _ in 0..rng.below(3) {
            let mut draw = || sampler.draw(rng).expect("free ground");
            let (from, to) = (draw(), draw());
            let end = |at: MeshPoint| MeshLinkEnd { at: at.at, polygon: Some(at.polygon.number()) };
            if from.polygon != to.polygon {
                let (cost, both_ways) = (1 + rng.below(500), rng.chance(1, 2));
                parts.links.push(MeshLink { from: end(from), to: end(to), cost, both_ways });
            }
        }
        return NavMesh::from_parts(parts).expect("a mesh with links");
    }
}
