//! Meshes made from random maps: polygons cover the free cells and nothing else, and neighbours are right.

use milepost::{MeshParts, NavMesh, Rng};
use milepost_maps::TileMap;
use milepost_maps::mesh::make::{Keep, MakeError, Options, mesh};
use milepost_maps::mesh::{cells, json, polyanya};
use std::collections::{HashMap, HashSet};

/// How many maps: some hundreds, a few where `MILEPOST_QUICK` asks for a quick answer, 2,000 where `MILEPOST_NIGHT` has the time.
fn rounds() -> usize {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    if is_set("MILEPOST_NIGHT") {
        2000
    } else if is_set("MILEPOST_QUICK") {
        40
    } else {
        300
    }
}

pub(crate) struct World {
    pub(crate) map: TileMap,
    weights: Vec<u8>,
    keep: Vec<Keep>,
}

impl World {
    pub(crate) fn random(rng: &mut Rng, side: u32) -> World {
        let (width, height) = (1 + rng.below(side), 1 + rng.below(side));
        let mut map = TileMap::filled(width, height, b'.').unwrap();
        let density = rng.below(60);
        let kinds = 1 + rng.below(3);
        let mut weights = vec![1; (width * height) as usize];
        for y in 0..height {
            for x in 0..width {
                let number = (y * width + x) as usize;
                if rng.below(100) < density {
                    map.set(x, y, b'@').unwrap();
                }
                weights[number] = 1 + rng.below(kinds) as u8;
            }
        }
        let keep = (0..rng.below(3)).map(|_| {
            let (x, y) = (rng.below(width), rng.below(height));
            Keep { x, y, width: 1 + rng.below(width - x), height: 1 + rng.below(height - y) }
        });
        let keep = keep.collect();
        World { map, weights, keep }
    }

    pub(crate) fn options(&self, is_unmerged: bool) -> Options<'_> {
        Options { weights: Some(&self.weights), keep: &self.keep, is_unmerged }
    }

    /// What a cell belongs to; `None` where it is blocked or outside.
    fn label(&self, x: i64, y: i64) -> Option<(u8, usize)> {
        let (width, height) = (i64::from(self.map.width()), i64::from(self.map.height()));
        if x < 0 || y < 0 || x >= width || y >= height || !self.map.is_passable(x as u32, y as u32) {
            return None;
        }
        let is_in = |keep: &Keep| {
            let inside = |at: i64, low: u32, size: u32| (0..i64::from(size)).contains(&(at - i64::from(low)));
            inside(x, keep.x, keep.width) && inside(y, keep.y, keep.height)
        };
        let kept = self.keep.iter().rposition(is_in).map_or(0, |place| place + 1);
        Some((self.weights[(y * width + x) as usize], kept))
    }
}

fn corner(parts: &MeshParts, vertex: u32) -> [i64; 2] {
    let at = parts.vertices[vertex as usize];
    [at.x as i64, at.y as i64]
}

/// Twice the area of a loop.
fn double_area(points: &[[i64; 2]]) -> i64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

fn check(world: &World, parts: &MeshParts) {
    let mut total = 0;
    let mut owners: HashMap<(u32, u32), usize> = HashMap::new();
    let mut used = HashSet::new();
    for (number, polygon) in parts.polygons.iter().enumerate() {
        let points: Vec<[i64; 2]> = polygon.iter().map(|&vertex| corner(parts, vertex)).collect();
        let count = points.len();
        for place in 0..count {
            let [a, b, c] = [place, place + 1, place + 2].map(|place| points[place % count]);
            let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
            assert!(turn >= 0, "polygon #{number} has a dent: {points:?}");
            let edge = (polygon[place], polygon[(place + 1) % count]);
            assert_eq!(owners.insert(edge, number), None, "an edge has two polygons on one side");
            used.insert(polygon[place]);
        }
        assert!(double_area(&points) > 0, "{points:?}");
        total += double_area(&points);
    }
    let free = i64::from(world.map.passable_cells());
    assert_eq!(total, 2 * free, "areas do not add up to the free cells");
    assert_eq!(used.len(), parts.vertices.len(), "a vertex is of no polygon");

    // Every cell is covered by polygons of its own label alone, once.
    let mut covered: HashMap<(i64, i64), f64> = HashMap::new();
    let mut labels = vec![HashSet::new(); parts.polygons.len()];
    for (number, polygon) in parts.polygons.iter().enumerate() {
        let points: Vec<[f64; 2]> =
            polygon.iter().map(|&vertex| corner(parts, vertex).map(|value| value as f64)).collect();
        let low = |axis: usize| points.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min) as i64;
        let high = |axis: usize| points.iter().map(|at| at[axis]).fold(0.0, f64::max) as i64;
        for y in low(1)..high(1) {
            for x in low(0)..high(0) {
                let area = area_in_cell(&points, x as f64, y as f64);
                if area > 1e-9 {
                    labels[number].insert(world.label(x, y));
                    *covered.entry((x, y)).or_default() += area;
                }
            }
        }
    }
    for (number, labels) in labels.iter().enumerate() {
        assert!(labels.len() == 1 && !labels.contains(&None), "polygon #{number}: {labels:?}");
        if let (Some(&area), Some(Some((weight, _)))) = (parts.areas.get(number), labels.iter().next()) {
            assert_eq!(parts.area_kinds[usize::from(area)].cost, 100 * u32::from(*weight));
        }
    }
    assert!(covered.values().all(|area| (area - 1.0).abs() < 1e-6), "cells are covered once");
    assert_eq!(covered.len() as i64, free);

    // An edge has a polygon on its other side unless a blocked cell is there.
    let mut joins: Vec<usize> = (0..parts.polygons.len()).collect();
    fn root(joins: &[usize], mut of: usize) -> usize {
        while joins[of] != of {
            of = joins[of];
        }
        of
    }
    for (&(from, to), &owner) in &owners {
        if let Some(&other) = owners.get(&(to, from)) {
            let (one, other) = (root(&joins, owner), root(&joins, other));
            joins[one.max(other)] = one.min(other);
            continue;
        }
        let (a, b) = (corner(parts, from), corner(parts, to));
        assert!(a[0] == b[0] || a[1] == b[1], "a slanted wall from {a:?} to {b:?}");
        let (dx, dy) = ((b[0] - a[0]).signum(), (b[1] - a[1]).signum());
        for step in 0..(b[0] - a[0]).abs().max((b[1] - a[1]).abs()) {
            // The cell to the right of the way, where y leads upwards: outside the polygon.
            let (x, y) = (2 * (a[0] + step * dx) + dx + dy, 2 * (a[1] + step * dy) + dy - dx);
            assert_eq!(world.label(x.div_euclid(2), y.div_euclid(2)), None, "{a:?} {b:?} {step}");
        }
    }
    let pieces = (0..joins.len()).filter(|&polygon| joins[polygon] == polygon).count();
    assert_eq!(pieces, four_connected(world), "cells that touch at a corner alone are not joined");
}

/// The area of a convex polygon inside a cell.
pub(crate) fn area_in_cell(points: &[[f64; 2]], x: f64, y: f64) -> f64 {
    let mut part = points.to_vec();
    for (axis, at, sign) in [(0, x, 1.0), (0, x + 1.0, -1.0), (1, y, 1.0), (1, y + 1.0, -1.0)] {
        let mut next = Vec::new();
        for place in 0..part.len() {
            let (a, b): ([f64; 2], [f64; 2]) = (part[place], part[(place + 1) % part.len()]);
            let (here, there) = ((a[axis] - at) * sign, (b[axis] - at) * sign);
            if here >= 0.0 {
                next.push(a);
            }
            if here * there < 0.0 {
                let share = here / (here - there);
                next.push([0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * share));
            }
        }
        part = next;
    }
    let next = part.iter().cycle().skip(1);
    part.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>().abs() / 2.0
}

fn four_connected(world: &World) -> usize {
    let (width, height) = (i64::from(world.map.width()), i64::from(world.map.height()));
    let mut seen = HashSet::new();
    let mut pieces = 0;
    for start in (0..width * height).map(|index| (index % width, index / width)) {
        let mut stack = vec![start];
        let mut is_new = false;
        while let Some((x, y)) = stack.pop() {
            if world.label(x, y).is_some() && seen.insert((x, y)) {
                is_new = true;
                stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
            }
        }
        pieces += usize::from(is_new);
    }
    pieces
}

#[test]
fn polygons_of_random_maps_cover_the_free_cells_once_and_neighbours_are_right() {
    let mut rng = Rng::new(2211);
    for round in 0..rounds() {
        let world = World::random(&mut rng, if round % 4 == 0 { 24 } else { 12 });
        let made = mesh(&world.map, &world.options(round % 8 == 7));
        if world.map.passable_cells() == 0 {
            assert_eq!(made, Err(MakeError::NoFreeCell));
            continue;
        }
        let parts = made.unwrap();
        check(&world, &parts);
        NavMesh::from_parts(parts.clone()).unwrap();
        let again = polyanya::read(polyanya::write(&parts).unwrap().as_bytes()).unwrap();
        assert_eq!((&again.parts.vertices, &again.parts.polygons), (&parts.vertices, &parts.polygons));
        again.mesh().unwrap();
        assert_eq!(json::read(json::write(&parts).as_bytes()).unwrap().parts, parts);
        // And back.
        let back = cells::map(&parts, 1.0).unwrap();
        assert_eq!(back.origin, (0.0, 0.0));
        for (y, row) in (0..).zip(world.map.rows()) {
            for (x, _) in (0..).zip(row) {
                let is_free = back.map.tile(x, y).is_some() && back.map.is_passable(x, y);
                assert_eq!(is_free, world.map.is_passable(x, y), "{x},{y}");
            }
        }
        let halves = cells::map(&parts, 0.5).unwrap().map;
        assert_eq!(halves.passable_cells(), 4 * world.map.passable_cells());
    }
}

#[test]
fn a_square_that_reaches_beyond_the_mesh_is_no_free_cell() {
    let map = TileMap::from_ascii("....\n....\n..@@").unwrap();
    let parts = mesh(&map, &Options::default()).unwrap();
    let doubled = cells::map(&parts, 2.0).unwrap().map;
    assert_eq!((doubled.width(), doubled.height(), doubled.passable_cells()), (2, 2, 2));
    assert!(cells::map(&parts, 0.0).is_err() && cells::map(&parts, f64::NAN).is_err());
    assert!(cells::map(&parts, 1e-9).unwrap_err().to_string().contains("larger"));
}

#[test]
fn doors_are_polygons_of_their_own() {
    let map = TileMap::from_ascii("@@@@@@@\n@.....@\n@@@.@@@\n@.....@\n@@@@@@@").unwrap();
    let door = [Keep { x: 3, y: 2, width: 1, height: 1 }];
    let parts = mesh(&map, &Options { keep: &door, ..Options::default() }).unwrap();
    let is_door = |polygon: &&Vec<u32>| {
        let mut points: Vec<[i64; 2]> = polygon.iter().map(|&vertex| corner(&parts, vertex)).collect();
        points.sort_unstable();
        points == [[3, 2], [3, 3], [4, 2], [4, 3]]
    };
    assert_eq!(parts.polygons.iter().filter(is_door).count(), 1, "{:?}", parts.polygons);
    let outside = [Keep { x: 6, y: 0, width: 2, height: 1 }];
    let error = mesh(&map, &Options { keep: &outside, ..Options::default() }).unwrap_err();
    assert!(error.to_string().contains("6,0,2,1"), "{error}");
}

#[test]
fn areas_are_named_for_letters_or_weights() {
    let map = TileMap::from_ascii("..SS\n..GG").unwrap();
    let weights = [1, 1, 4, 4, 1, 1, 2, 2];
    let parts = mesh(&map, &Options { weights: Some(&weights), ..Options::default() }).unwrap();
    let names: Vec<(&str, u32)> =
        parts.area_kinds.iter().map(|area| (area.name.as_str(), area.cost)).collect();
    assert_eq!(names, [(".", 100), ("G", 200), ("S", 400)]);
    assert_eq!(parts.polygons.len(), 3);
    let weights = [3; 8];
    let parts = mesh(&map, &Options { weights: Some(&weights), ..Options::default() }).unwrap();
    assert_eq!((parts.area_kinds[0].name.as_str(), parts.polygons.len()), ("3", 1));
}
