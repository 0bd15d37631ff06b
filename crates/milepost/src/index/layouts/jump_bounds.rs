//! Boxes at jump points: for each way from one jump point to the next, the cells that it may lead to.
//!
//! # Layout
//! docs/index-format.md describes the arrays. An *edge* leads from a jump point to another one that sees it (by
//! diagonal steps, then straight ones); only edges that begin a shortest path to some cell are there. The box of an
//! edge holds all cells to which the builder's shortest path begins with it, and a few more.

use super::packed_cell::PackedCell;
use super::small_box::SmallBox;
use crate::index::{Atlas, Corruption, IndexKind, JumpTable, Section};
use crate::space::Grid;
use std::ops::Range;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What the numbers of the other arrays mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Header {
    /// Boxes are in units of `2^box_shift` columns and rows.
    pub(crate) box_shift: u32,
    pub(crate) zero: [u32; 3],
}

/// A jump point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Node {
    /// Its edges begin here and end where those of the next one begin.
    pub(crate) first_edge: u32,
    /// The cells that see it.
    pub(crate) seen: SmallBox,
}

/// A way to the next jump point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Edge {
    pub(crate) point: u32,
    pub(crate) goals: SmallBox,
}

/// The boxes, ready to be read. Every method returns something, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpBounds<'a> {
    pub(crate) header: Header,
    packed_cells: &'a [PackedCell],
    nodes: &'a [Node],
    edges: &'a [Edge],
}

const NO_HEADER: Header = Header { box_shift: 0, zero: [0; 3] };

impl Atlas {
    /// Boxes of goals at jump points, if they have been worked out.
    #[inline]
    pub(crate) fn jump_bounds(&self) -> Option<JumpBounds<'_>> {
        self.section(IndexKind::JUMP_BOUNDS).map(JumpBounds::new)
    }
}

impl<'a> JumpBounds<'a> {
    #[inline]
    pub(crate) fn new(section: &'a Section) -> JumpBounds<'a> {
        JumpBounds {
            header: section.array(0).first().copied().unwrap_or(NO_HEADER),
            packed_cells: section.array(1),
            nodes: section.array(2),
            edges: section.array(3),
        }
    }

    /// Whether a section can hold the boxes of a grid: lengths, and that all numbers point to something.
    pub(crate) fn check(grid: &Grid, table: &JumpTable<'_>, section: &Section) -> Result<(), Corruption> {
        let header = section.exactly::<Header>(0, 1)?[0];
        let corruption = |what: &str, found: String| Err(Corruption::at(0, what, found));
        if header.zero != [0; 3] || header.box_shift > 8 {
            return corruption("a header of known units", format!("{header:?}"));
        }
        let points = table.jump_points();
        let packed_cells = section.exactly::<PackedCell>(1, points)?;
        if let Some(cell) = packed_cells.iter().find(|cell| !cell.is_free_on(grid)) {
            return corruption("jump points on free cells", format!("{cell:?}"));
        }
        let nodes = section.exactly::<Node>(2, points + 1)?;
        let edges = section.array::<Edge>(3);
        if nodes.windows(2).any(|pair| pair[0].first_edge > pair[1].first_edge)
            || nodes.last().is_some_and(|last| last.first_edge as usize != edges.len())
        {
            return corruption("edges in the order of their jump points", "others".to_owned());
        }
        if let Some(edge) = edges.iter().find(|edge| edge.point as usize >= points) {
            return corruption("edges to jump points that are there", format!("one to {}", edge.point));
        }
        Ok(())
    }

    /// How many jump points there are.
    #[inline]
    pub(crate) fn points(&self) -> usize {
        self.packed_cells.len()
    }

    #[inline(always)]
    pub(crate) fn cell_of(&self, point: u32) -> PackedCell {
        self.packed_cells.get(point as usize).copied().unwrap_or_default()
    }

    /// Where the edges of a jump point are.
    #[inline(always)]
    pub(crate) fn edge_range(&self, point: u32) -> Range<usize> {
        let first = |point: usize| self.nodes.get(point).map_or(0, |node| node.first_edge as usize);
        first(point as usize)..first(point as usize + 1)
    }

    /// Some edges.
    #[inline(always)]
    pub(crate) fn edges_in(&self, range: Range<usize>) -> &'a [Edge] {
        self.edges.get(range).unwrap_or(&[])
    }

    /// The edges of a jump point.
    #[inline(always)]
    pub(crate) fn edges(&self, point: u32) -> &'a [Edge] {
        self.edges_in(self.edge_range(point))
    }

    /// A cell in the units of boxes.
    #[inline(always)]
    pub(crate) fn unit(&self, cell: PackedCell) -> (u8, u8) {
        SmallBox::unit(cell, self.header.box_shift)
    }

    /// Whether a cell may see a jump point. The box spares most of the looks over the table.
    #[inline(always)]
    pub(crate) fn may_see(&self, from: PackedCell, point: u32) -> bool {
        self.nodes.get(point as usize).is_some_and(|node| node.seen.holds(self.unit(from)))
    }
}
