//! Whether a hierarchy of corners pays on a map.
//!
//! It pays where corners are few and see few others. Where obstacles are scattered at random nearly every second cell is a
//! corner, and a path turns at every few steps: there is no hierarchy in that. The decision depends on the map alone, not
//! on the machine.

use super::graph::CornerEdges;
use super::sights::{Blocks, Corners, sights};
use crate::build::{BuildError, SILENT};
use crate::index::IndexKind;
use crate::space::{Grid, SpaceKind};

/// Corners that are tried before the others.
const SAMPLE: usize = 64;

/// Pairs of corners of which one sees the other, beyond which nothing is built.
const MOST_PAIRS: u64 = 24_000_000;

/// Blocks that corners are seen from, in all, beyond which nothing is built.
const MOST_SEEN: u64 = 24_000_000;

/// Corners in a hundred free cells, and neighbours of a corner in the graph, beyond which together there is no hierarchy.
/// (A narrow maze has many corners with few neighbours each.)
const MOST_CORNERS_PERCENT: usize = 15;
const MOST_NEIGHBOURS: usize = 3;

/// Maps with fewer corners are served whatever they look like.
const FEW_CORNERS: usize = 500;

pub(super) fn refuse(why: String) -> BuildError {
    BuildError::DoesNotPay { kind: IndexKind::CORNER_HIERARCHY, why }
}

/// Pairs, in all and of a corner, up to which it takes little to find out whether a hierarchy can be built: contraction takes
/// long where many corners see each other.
const LITTLE: u64 = 500_000;
const LITTLE_OF_A_CORNER: u64 = 48;

/// Refuses maps whose corners, going by a sample, see too many others.
pub(super) fn check(grid: &Grid, corners: &Corners, blocks: Blocks) -> Result<(), BuildError> {
    let (pairs, seen) = pairs_and_seen(grid, corners, blocks);
    if pairs > MOST_PAIRS || seen > MOST_SEEN {
        let (count, cells) = (corners.places.len(), grid.states());
        return Err(refuse(format!(
            "{count} of its {cells} free cells are corners, and they see each other about {pairs} times"
        )));
    }
    Ok(())
}

/// Whether a hierarchy is built soon.
pub(super) fn is_little(grid: &Grid, corners: &Corners, blocks: Blocks) -> bool {
    let (pairs, seen) = pairs_and_seen(grid, corners, blocks);
    pairs.max(seen) <= LITTLE && pairs <= LITTLE_OF_A_CORNER * corners.places.len() as u64
}

/// How many pairs of corners see each other, and from how many blocks corners are seen, going by a sample.
fn pairs_and_seen(grid: &Grid, corners: &Corners, blocks: Blocks) -> (u64, u64) {
    let count = corners.places.len();
    let chosen: Vec<u32> =
        (0..SAMPLE.min(count)).map(|number| (number * count / SAMPLE.min(count)) as u32).collect();
    let sample = sights(grid, corners, blocks, &chosen, SILENT, 0);
    let of_all = |sampled: usize| sampled as u64 * count as u64 / (chosen.len() as u64).max(1);
    (of_all(sample.pairs.len()), of_all(sample.seen_from.len()))
}

/// Refuses maps whose corners are many and have many neighbours.
pub(super) fn check_graph(grid: &Grid, edges: &CornerEdges) -> Result<(), BuildError> {
    let (corners, cells) = (edges.len(), grid.states() as usize);
    let ends: usize = edges.iter().map(Vec::len).sum();
    if corners > FEW_CORNERS
        && corners * 100 > cells * MOST_CORNERS_PERCENT
        && ends > corners * MOST_NEIGHBOURS
    {
        let (percent, each) = (corners * 100 / cells.max(1), ends / corners);
        return Err(refuse(format!(
            "{corners} of its {cells} free cells are corners ({percent} %), each next to {each} others"
        )));
    }
    Ok(())
}

/// Edges that a hierarchy of so many corners may have.
pub(super) fn most_edges(corners: usize) -> usize {
    1000 + 40 * corners
}
