//! Convex polygons from triangles: the longest edge that can go, goes first.
//!
//! # Paper
//! S. Hertel, K. Mehlhorn: Fast Triangulation of the Plane with Respect to Simple Polygons, Information and Control 64, 1985,
//! take edges out of a triangulation as long as all polygons stay convex.
//!
//! # Deviations
//! 1. The longest edge is tried first, of equally long ones the one with the lower numbers.
//! 2. A vertex on a straight side stays: another polygon may have a corner there.
//!
//! Every test is a sign of whole numbers.

use std::collections::HashMap;

/// A corner of cells.
pub(super) type Corner = [i64; 2];

/// Twice the area of a triangle, positive if c is to the left of the way from a to b where y leads upwards.
pub(super) fn orient(a: Corner, b: Corner, c: Corner) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Merges polygons whose labels are equal, all counter-clockwise, and returns those that are left with their labels, in the order of their
/// first triangles.
pub(super) fn merge(corners: &[Corner], polygons: Vec<Vec<u32>>, labels: &[u32]) -> Vec<(Vec<u32>, u32)> {
    let mut owners: HashMap<(u32, u32), usize> = HashMap::new();
    let mut edges = Vec::new();
    for (number, polygon) in polygons.iter().enumerate() {
        for (place, &from) in polygon.iter().enumerate() {
            let to = polygon[(place + 1) % polygon.len()];
            owners.insert((from, to), number);
            if from < to {
                let (a, b) = (corners[from as usize], corners[to as usize]);
                let square = (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2);
                edges.push((std::cmp::Reverse(square), from, to));
            }
        }
    }
    edges.sort_unstable();
    let mut merged: Vec<Option<Vec<u32>>> = polygons.into_iter().map(Some).collect();
    let mut roots: Vec<usize> = (0..merged.len()).collect();
    for (_, from, to) in edges {
        let (Some(&one), Some(&other)) = (owners.get(&(from, to)), owners.get(&(to, from))) else { continue };
        let (one, other) = (root(&mut roots, one), root(&mut roots, other));
        if one == other || labels[one] != labels[other] {
            continue;
        }
        let (Some(left), Some(right)) = (&merged[one], &merged[other]) else { continue };
        let Some(union) = joined(corners, (left, right), (from, to)) else { continue };
        // The lower number stays, so that the order does.
        let (kept, gone) = (one.min(other), one.max(other));
        (merged[kept], merged[gone], roots[gone]) = (Some(union), None, kept);
    }
    merged.into_iter().zip(labels).filter_map(|(polygon, &label)| Some((polygon?, label))).collect()
}

fn root(roots: &mut [usize], mut of: usize) -> usize {
    while roots[of] != of {
        roots[of] = roots[roots[of]];
        of = roots[of];
    }
    of
}

/// Two polygons without the edge between them, if what is left is convex: `left` has the edge from `from` to `to`, `right` the other way
/// round.
fn joined(corners: &[Corner], (left, right): (&[u32], &[u32]), (from, to): (u32, u32)) -> Option<Vec<u32>> {
    let place = |polygon: &[u32], vertex: u32| polygon.iter().position(|&at| at == vertex);
    let (begin, other) = (place(left, to)?, place(right, from)?);
    // From `to` round the left one to `from`, then round the right one back to before `to`.
    let mut union: Vec<u32> = (0..left.len()).map(|step| left[(begin + step) % left.len()]).collect();
    union.extend((1..right.len() - 1).map(|step| right[(other + step) % right.len()]));
    let turn = |place: usize| {
        let count = union.len();
        let at = |place: usize| corners[union[place % count] as usize];
        orient(at(place + count - 1), at(place), at(place + 1))
    };
    (turn(0) >= 0 && turn(left.len() - 1) >= 0).then_some(union)
}
