//! The test bed: a deliberately simple oracle, seeded random maps, and the real maps where there are any.
//!
//! The oracle shares nothing with the library but the letters of a map: its own rule, its own queue, costs in
//! floating point.
// Each test file uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use milepost::core::Rng;
use milepost::maps::TileMap;
use milepost::{Atlas, Point, Rule, StateId};
use std::path::PathBuf;

/// Two lengths that are equal but for rounding.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// Dijkstra's algorithm in its plainest form: look at all open cells, take the nearest, relax its neighbours.
/// `factor` is what crossing a cell costs. Unreachable cells are infinitely far away.
pub fn distances(map: &TileMap, rule: Rule, start: (i64, i64), factor: impl Fn(i64, i64) -> f64) -> Vec<f64> {
    let (width, height) = (i64::from(map.width()), i64::from(map.height()));
    let free =
        |x: i64, y: i64| x >= 0 && y >= 0 && x < width && y < height && map.is_passable(x as u32, y as u32);
    let index = |x: i64, y: i64| (y * width + x) as usize;
    let mut distance = vec![f64::INFINITY; (width * height) as usize];
    let mut done = vec![false; distance.len()];
    distance[index(start.0, start.1)] = 0.0;
    loop {
        let open = (0..distance.len()).filter(|&i| !done[i] && distance[i].is_finite());
        let Some(nearest) = open.min_by(|&a, &b| distance[a].total_cmp(&distance[b])) else {
            return distance;
        };
        done[nearest] = true;
        let (x, y) = (nearest as i64 % width, nearest as i64 / width);
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let is_diagonal = dx != 0 && dy != 0;
            let blocked_corner = is_diagonal && !(free(x + dx, y) && free(x, y + dy));
            if (dx, dy) == (0, 0) || !free(x + dx, y + dy) || blocked_corner && rule != Rule::OctileCutting {
                continue;
            }
            let diagonal = if rule == Rule::Octile14 { 1.4 } else { std::f64::consts::SQRT_2 };
            let base = if is_diagonal { diagonal } else { 1.0 };
            let cost = base * (factor(x, y) + factor(x + dx, y + dy)) / 2.0;
            let next = index(x + dx, y + dy);
            distance[next] = distance[next].min(distance[nearest] + cost);
        }
    }
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
