//! Quadtrees and octrees as graphs: a leaf is a square or a cube of free cells and a node, an edge joins two leaves that share
//! a face.
//!
//! An edge costs the distance between the centres of its leaves. The straight line between them stays inside both: where a
//! leaf of half side `h` lies on a face of one of half side `H`, their centres are at most `H - h` apart along the face, and
//! the line crosses the face at most `(H - h) h / (H + h) < h` from the middle of the smaller one.
//!
//! Leaves are numbered in the order of their Morton codes (Z-order), so that the leaf of a cell is found by halving.

use super::{Edge, GraphError, NodePosition};
use crate::core::StateId;

/// A square, or in three dimensions a cube, of free cells.
///
/// Shown by [`Extent`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    /// Its first column: a multiple of the size.
    pub x: u32,
    /// Its first row.
    pub y: u32,
    /// Its lowest layer; 0 in a quadtree.
    pub z: u32,
    /// Cells along each side: a power of two.
    pub size: u32,
}

impl Leaf {
    /// Twice its centre: a whole number.
    fn middle(self, is_flat: bool) -> NodePosition {
        let twice = |low: u32| (2 * low + self.size) as i32;
        NodePosition { x: twice(self.x), y: twice(self.y), z: if is_flat { 0 } else { twice(self.z) } }
    }

    pub(super) fn low(self) -> [i64; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
    }
}

/// How many cells a tree divides.
///
/// ```
/// use milepost::{Extent, Graph, Leaf};
///
/// // An octree of voxels, one of which is blocked. `Graph::quadtree` divides a grid.
/// let graph = Graph::octree(Extent { width: 4, height: 4, depth: 4 }, &[[0, 0, 0]])?;
/// let leaf = graph.leaf_at([3, 3, 3]).expect("free");
/// assert_eq!(graph.leaves()[leaf.index()], Leaf { x: 2, y: 2, z: 2, size: 2 });
/// assert_eq!(graph.leaf_at([0, 0, 0]), None);
/// # Ok::<(), milepost::GraphError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extent {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Layers; 0 on the plane, where the tree is a quadtree.
    pub depth: u32,
}

impl Extent {
    /// No side is longer than this: distances between neighbouring leaves fit 32 bits, and codes 64.
    pub const MOST: u32 = 1 << 16;

    /// Whether the tree is a quadtree.
    pub const fn is_flat(&self) -> bool {
        self.depth == 0
    }

    /// Dimensions.
    pub(super) fn dimensions(&self) -> usize {
        if self.is_flat() { 2 } else { 3 }
    }

    fn sides(&self) -> [u32; 3] {
        [self.width, self.height, self.depth.max(1)]
    }

    fn check(&self) -> Result<(), GraphError> {
        let is_right = |side: u32| (1..=Extent::MOST).contains(&side);
        let Extent { width, height, depth } = *self;
        if is_right(width) && is_right(height) && depth <= Extent::MOST {
            return Ok(());
        }
        Err(GraphError::Extent { width, height, depth })
    }

    /// Whether a cell lies inside.
    pub fn holds(&self, [x, y, z]: [i64; 3]) -> bool {
        let sides = self.sides();
        [x, y, z].iter().zip(sides).all(|(at, side)| (0..i64::from(side)).contains(at))
    }

    /// The Morton code of a cell inside: the bits of its coordinates in turn, those of x lowest.
    fn code(&self, [x, y, z]: [u32; 3]) -> u64 {
        match self.is_flat() {
            true => every_second(x) | every_second(y) << 1,
            false => every_third(x) | every_third(y) << 1 | every_third(z) << 2,
        }
    }

    /// How many codes the cells of a leaf of this size take.
    fn codes(&self, size: u32) -> u64 {
        u64::from(size).pow(self.dimensions() as u32)
    }
}

/// The bits of a number below 2^16 with one zero between any two of them.
fn every_second(value: u32) -> u64 {
    let mut bits = u64::from(value);
    for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// The same with two zeros.
fn every_third(value: u32) -> u64 {
    let mut bits = u64::from(value);
    let masks = [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ];
    for (shift, mask) in masks {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// Units of one cell in the costs of trees.
pub(super) const UNITS: u32 = 1 << 16;

/// The leaves of a graph that is a tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) extent: Extent,
    /// One for each node, in the order of their codes.
    pub(super) leaves: Vec<Leaf>,
}

impl Tree {
    /// Refuses leaves that are none of such a tree, overlap, or stand in another order.
    pub(super) fn new(extent: Extent, leaves: Vec<Leaf>) -> Result<Tree, GraphError> {
        extent.check()?;
        if leaves.len() as u64 >= u64::from(u32::MAX) {
            return Err(GraphError::TooLarge { nodes: leaves.len() as u64, edges: 0 });
        }
        let mut next = 0;
        for (number, leaf) in leaves.iter().enumerate() {
            let wrong = |expected| GraphError::Leaf { leaf: StateId::new(number as u32), expected };
            let size = leaf.size;
            if !size.is_power_of_two() || size > Extent::MOST {
                return Err(wrong("a size that is a power of two"));
            }
            let low = [leaf.x, leaf.y, leaf.z];
            if extent.is_flat() && leaf.z != 0 {
                return Err(wrong("no layer but 0 in a quadtree"));
            }
            if low.iter().any(|at| !at.is_multiple_of(size)) {
                return Err(wrong("coordinates that are multiples of the size"));
            }
            let sides = extent.sides();
            let ends = low.iter().zip(sides).take(extent.dimensions());
            if ends.into_iter().any(|(low, side)| low.checked_add(size).is_none_or(|end| end > side)) {
                return Err(wrong("a leaf inside the tree"));
            }
            let code = extent.code(low);
            if code < next {
                return Err(wrong("leaves in Z-order that do not overlap"));
            }
            next = code + extent.codes(size);
        }
        Ok(Tree { extent, leaves })
    }

    /// The leaves of all cells that are not among the blocked ones; `None` if there are more than `most`.
    pub(super) fn divide(extent: Extent, blocked: &[[u32; 3]], most: usize) -> Option<Vec<Leaf>> {
        let inside = blocked.iter().filter(|cell| extent.holds(cell.map(i64::from)));
        let mut codes: Vec<u64> = inside.map(|&cell| extent.code(cell)).collect();
        codes.sort_unstable();
        codes.dedup();
        let root = extent.sides().into_iter().take(extent.dimensions()).max().unwrap_or(1);
        let mut division = Division { extent, leaves: Vec::new(), most };
        let root = Leaf { x: 0, y: 0, z: 0, size: root.next_power_of_two() };
        division.divide(root, &codes).then_some(division.leaves)
    }

    /// Where the nodes lie: twice the centres of the leaves.
    pub(super) fn positions(&self) -> Vec<NodePosition> {
        self.leaves.iter().map(|leaf| leaf.middle(self.extent.is_flat())).collect()
    }

    /// Both ways between leaves that share a face.
    pub(super) fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (number, leaf) in self.leaves.iter().enumerate() {
            for axis in 0..self.extent.dimensions() {
                for (step, is_forward) in [(i64::from(leaf.size), true), (-1, false)] {
                    let mut beside = leaf.low();
                    beside[axis] += step;
                    let Some(other) = self.leaf_at(beside) else { continue };
                    // Of two neighbours the smaller one finds the larger one; of equal ones, the first.
                    let other_size = self.leaves[other.index()].size;
                    if other_size > leaf.size || other_size == leaf.size && is_forward {
                        let (from, to, cost) =
                            (StateId::new(number as u32), other, self.distance(number, other.index()));
                        edges.extend([Edge { from, to, cost }, Edge { from: to, to: from, cost }]);
                    }
                }
            }
        }
        edges
    }

    /// The distance between the centres of two neighbours in units, rounded up.
    fn distance(&self, one: usize, other: usize) -> u32 {
        let is_flat = self.extent.is_flat();
        let (a, b) = (self.leaves[one].middle(is_flat), self.leaves[other].middle(is_flat));
        let square = |a: i32, b: i32| u128::from(a.abs_diff(b)).pow(2);
        let squares = square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z);
        // Positions are in half cells.
        let wide = squares * u128::from(UNITS / 2).pow(2);
        let root = wide.isqrt();
        (root + u128::from(root * root < wide)).min(u128::from(u32::MAX)) as u32
    }

    /// The leaf that holds a cell, whether it is a node or not.
    pub(super) fn leaf_at(&self, cell: [i64; 3]) -> Option<StateId> {
        if !self.extent.holds(cell) {
            return None;
        }
        let code = self.extent.code(cell.map(|at| at as u32));
        let low = |leaf: &Leaf| self.extent.code([leaf.x, leaf.y, leaf.z]);
        let number = self.leaves.partition_point(|leaf| low(leaf) <= code).checked_sub(1)?;
        let leaf = &self.leaves[number];
        (code - low(leaf) < self.extent.codes(leaf.size)).then(|| StateId::new(number as u32))
    }
}

/// A tree while it is divided.
struct Division {
    extent: Extent,
    leaves: Vec<Leaf>,
    most: usize,
}

impl Division {
    /// Adds the leaves of a part of the tree whose blocked cells have these codes; false if there are too many.
    fn divide(&mut self, part: Leaf, blocked: &[u64]) -> bool {
        let dimensions = self.extent.dimensions();
        let low = part.low();
        let sides = self.extent.sides();
        let is_outside = (0..dimensions).any(|axis| low[axis] >= i64::from(sides[axis]));
        if is_outside || blocked.len() as u64 == self.extent.codes(part.size) {
            return true;
        }
        let is_inside =
            (0..dimensions).all(|axis| low[axis] + i64::from(part.size) <= i64::from(sides[axis]));
        if blocked.is_empty() && is_inside {
            self.leaves.push(part);
            return self.leaves.len() <= self.most;
        }
        let half = part.size / 2;
        let mut rest = blocked;
        for child in 0..1_u32 << dimensions {
            let at = |low: u32, axis: u32| low + half * (child >> axis & 1);
            let leaf = Leaf { x: at(part.x, 0), y: at(part.y, 1), z: at(part.z, 2), size: half };
            let end = self.extent.code([leaf.x, leaf.y, leaf.z]) + self.extent.codes(half);
            let (own, others) = rest.split_at(rest.partition_point(|&code| code < end));
            if !self.divide(leaf, own) {
                return false;
            }
            rest = others;
        }
        true
    }
}
