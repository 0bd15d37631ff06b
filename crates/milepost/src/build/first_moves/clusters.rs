//! Sources of a block that are near each other, and what they do towards jump points.
//!
//! Distances of neighbours differ little: for a cluster of cells within `R` of a centre `x0`, `d(x,a) - d(x0,a) + R` lies
//! between 0 and `2R` for every jump point `a`, so that 64 of them side by side are a few vectors of 16-bit numbers.
//! Beside them lie the moves `m` of each cell `x` that are optimal towards `a`: `c(m) + d(x+m,a) = d(x,a)`.
//!
//! # Symbols
//! `x0` the centre, `R` the radius, `a` a jump point, `d` distances.

use super::blocks::Block;
use super::distances::Distances;
use super::sets::LaneSets;
use crate::index::PackedCell;
use crate::index::first_moves::rows::LANES;
use crate::space::Grid;

/// A difference of distances: 16 bits where costs are small, else 32.
pub(super) trait Offset: Copy + Ord + Send + Sync + 'static {
    /// `R` is at most this: four times as much must fit.
    const MOST_RADIUS: u32;
    const ZERO: Self;
    const FARTHEST: Self;

    fn of(value: u32) -> Self;

    fn plus(self, other: Self) -> Self;
}

impl Offset for u16 {
    const MOST_RADIUS: u32 = u16::MAX as u32 / 4;
    const ZERO: u16 = 0;
    const FARTHEST: u16 = u16::MAX;

    #[inline(always)]
    fn of(value: u32) -> u16 {
        value as u16
    }

    #[inline(always)]
    fn plus(self, other: u16) -> u16 {
        self.wrapping_add(other)
    }
}

impl Offset for u32 {
    const MOST_RADIUS: u32 = u32::MAX / 16;
    const ZERO: u32 = 0;
    const FARTHEST: u32 = u32::MAX;

    #[inline(always)]
    fn of(value: u32) -> u32 {
        value
    }

    #[inline(always)]
    fn plus(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
}

/// An offset for each source.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Offsets<T>(pub(super) [T; LANES]);

/// Sources near each other, the centre first: their lanes and cells.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) radius: u32,
    pub(super) sources: Vec<(usize, u32)>,
}

/// Cuts a block into clusters: around the cell that is nearest to its middle, then around what is left.
pub(super) fn clusters<T: Offset>(distances: &Distances<'_>, block: &Block) -> Vec<Cluster> {
    let graph = &distances.graph;
    let mut left: Vec<(usize, u32)> = block.used().collect();
    let mut clusters = Vec::new();
    let from_middle = |cell: u32| {
        let packed = distances.packed_cell(cell);
        let aside = |at: u32| ((at & 7) as i32 * 2 - 7).pow(2);
        (aside(packed.column()) + aside(packed.row()), cell)
    };
    while let Some(&centre) = left.iter().min_by_key(|source| from_middle(source.1)) {
        // Distances inside the block.
        let mut near = [u32::MAX; LANES];
        let square = |packed: PackedCell| (packed.column() >> 3, packed.row() >> 3);
        let inside = |packed: PackedCell| ((packed.row() & 7) << 3 | packed.column() & 7) as usize;
        let middle = distances.packed_cell(centre.1);
        near[inside(middle)] = 0;
        let mut stack = vec![middle];
        while let Some(packed) = stack.pop() {
            for direction in directions(graph.grid, packed) {
                let there = packed.ahead(direction, 1);
                let distance = near[inside(packed)] + step(distances, direction);
                let is_nearer = square(there) == square(middle) && distance < near[inside(there)];
                if is_nearer && distance <= T::MOST_RADIUS {
                    near[inside(there)] = distance;
                    stack.push(there);
                }
            }
        }
        let distance = |source: &(usize, u32)| near[inside(distances.packed_cell(source.1))];
        let mut sources = vec![centre];
        sources.extend(left.iter().filter(|source| **source != centre && distance(source) < u32::MAX));
        left.retain(|source| distance(source) == u32::MAX);
        let radius = sources.iter().map(distance).max().unwrap_or(0);
        clusters.push(Cluster { radius, sources });
    }
    clusters
}

pub(super) fn directions(grid: &Grid, packed: PackedCell) -> impl Iterator<Item = usize> {
    let allowed = grid.directions(packed.state(grid.stride())).bits();
    (0..8).filter(move |direction| allowed >> direction & 1 == 1)
}

#[inline(always)]
fn step(distances: &Distances<'_>, direction: usize) -> u32 {
    let costs = distances.graph.costs;
    if direction % 2 == 1 { costs.diagonal } else { costs.straight }
}

/// No neighbour.
const NO_NEIGHBOUR: u8 = u8::MAX;

/// What the sources of a cluster do towards jump points.
pub(super) struct Tables<T> {
    pub(super) radius: u32,
    pub(super) sources: Vec<(usize, u32)>,
    /// `d(x0,a)`.
    pub(super) base: Vec<u32>,
    /// `d(x,a) - d(x0,a) + R`.
    pub(super) offsets: Vec<Offsets<T>>,
    /// Optimal moves towards `a`; anything in lanes that are not of this cluster.
    pub(super) moves: Vec<LaneSets>,
    /// By target, which of the cells of the halo it sees, those of the cluster first.
    pub(super) seen: Vec<u128>,
    /// The targets for which that is not zero.
    touched: Vec<u32>,
    /// The cells of the cluster and their neighbours.
    pub(super) halo: Vec<u32>,
    /// For each source and direction its neighbour in the halo.
    pub(super) neighbours: Vec<[u8; 8]>,
    pub(super) idle: LaneSets,
    /// Distances from each cell of the halo to all jump points.
    rows: Vec<u32>,
}

/// Memory that a thread takes, for the two clusters that a block has at most of the time.
pub(super) fn bytes<T: Offset>(distances: &Distances<'_>) -> u64 {
    let (points, cells) = (distances.points(), distances.graph.cells.len());
    let of_point = size_of::<Offsets<T>>() + size_of::<LaneSets>() + 101 * size_of::<u32>();
    2 * (points * of_point + cells * size_of::<u128>()) as u64
}

/// Jump points that are worked on together.
const CHUNK: usize = 32;

impl<T: Offset> Tables<T> {
    pub(super) fn new(distances: &Distances<'_>) -> Tables<T> {
        let points = distances.points();
        Tables {
            radius: 0,
            sources: Vec::new(),
            base: vec![0; points],
            offsets: vec![Offsets([T::ZERO; LANES]); points],
            moves: vec![LaneSets::ANY; points],
            seen: vec![0; distances.graph.cells.len()],
            touched: Vec::new(),
            halo: Vec::new(),
            neighbours: Vec::new(),
            idle: LaneSets::ANY,
            rows: Vec::new(),
        }
    }

    /// Bits of the cells of the halo that are sources.
    #[inline(always)]
    pub(super) fn own(&self) -> u128 {
        (1 << self.sources.len()) - 1
    }

    /// Works the tables of a cluster out.
    #[inline(always)]
    pub(super) fn load(&mut self, distances: &Distances<'_>, cluster: &Cluster) {
        self.find_halo(distances, cluster);
        self.see(distances);
        let points = distances.points();
        self.rows.resize(self.halo.len() * points, 0);
        if points == 0 {
            return;
        }
        for (&cell, row) in self.halo.iter().zip(self.rows.chunks_exact_mut(points)) {
            distances.distances_of_cell(cell, row);
        }
        self.base.copy_from_slice(&self.rows[..points]);
        if self.sources.len() < LANES {
            self.moves.fill(self.idle);
            self.offsets.fill(Offsets([T::ZERO; LANES]));
        }
        for first in (0..points).step_by(CHUNK) {
            for source in 0..self.sources.len() {
                self.fill(distances, source, first, CHUNK.min(points - first));
            }
        }
    }

    /// The offsets and moves of one source towards some jump points.
    #[inline(always)]
    fn fill(&mut self, distances: &Distances<'_>, source: usize, first: usize, count: usize) {
        let points = distances.points();
        let row = |cell: usize| &self.rows[cell * points + first..][..count];
        let (own, lane) = (row(source), self.sources[source].0);
        let mut tight = [0_u32; CHUNK];
        for direction in 0..8 {
            let neighbour = self.neighbours[source][direction];
            if neighbour != NO_NEIGHBOUR {
                let step = step(distances, direction);
                for ((tight, &there), &here) in tight.iter_mut().zip(row(usize::from(neighbour))).zip(own) {
                    *tight |= if there + step == here { 1 << direction } else { 0 };
                }
            }
        }
        let entries = self.moves[first..].iter_mut().zip(&mut self.offsets[first..]);
        let values = own.iter().zip(&self.base[first..]).zip(&tight);
        for ((moves, offsets), ((&here, &base), &tight)) in entries.zip(values) {
            moves.0[lane] = tight as u16;
            offsets.0[lane] = T::of((here + self.radius).wrapping_sub(base));
        }
    }

    fn find_halo(&mut self, distances: &Distances<'_>, cluster: &Cluster) {
        self.radius = cluster.radius;
        self.sources.clone_from(&cluster.sources);
        self.halo.clear();
        self.halo.extend(cluster.sources.iter().map(|source| source.1));
        self.idle = LaneSets::ANY;
        self.neighbours.clear();
        for &(lane, cell) in &cluster.sources {
            self.idle.0[lane] = 0;
            let mut neighbours = [NO_NEIGHBOUR; 8];
            for (direction, neighbour) in neighbours.iter_mut().enumerate() {
                let Some(there) = distances.neighbour(cell, direction) else { continue };
                let place = self.halo.iter().position(|&cell| cell == there).unwrap_or_else(|| {
                    self.halo.push(there);
                    self.halo.len() - 1
                });
                *neighbour = place as u8;
            }
            self.neighbours.push(neighbours);
        }
    }

    /// Which targets see which cells of the halo.
    #[inline(always)]
    fn see(&mut self, distances: &Distances<'_>) {
        self.touched.drain(..).for_each(|cell| self.seen[cell as usize] = 0);
        for (place, &cell) in self.halo.iter().enumerate() {
            let mut mark = |target: u32| {
                let seen = &mut self.seen[target as usize];
                if *seen == 0 {
                    self.touched.push(target);
                }
                *seen |= 1 << place;
            };
            mark(cell);
            distances.seeing(cell, mark);
        }
    }
}
