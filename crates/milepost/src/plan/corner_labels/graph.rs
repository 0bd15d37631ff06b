//! Where there are no labels: a search up a hierarchy of the corners, from the first corners of both ends.
//!
//! **L9** ([`contract`](crate::build)): contraction keeps every true pair a true pair of what is left. So of the shortest ways
//! between the two corners of a true pair one climbs to its highest corner, or through the core, and then descends, and
//! [the search](crate::plan::parts::corner_search) finds its cost: edges stand for legal ways of their cost, and its estimate,
//! the octile distance or what landmarks say of d_G, exceeds on no such way what is left of it.

use super::candidates::Candidates;
use super::marks::Span;
use crate::index::CornerLabels as Index;
use crate::plan::parts::corner_search::Upward;
use crate::space::Cell;
use std::ops::Range;

/// The edges of corners between two ends.
pub(super) struct Climb<'a> {
    index: Index<'a>,
    ends: [Cell; 2],
    spans: [&'a Span; 2],
}

impl<'a> Climb<'a> {
    pub(super) fn new(index: &Index<'a>, candidates: &'a [Candidates; 2]) -> Climb<'a> {
        let [from, to] = candidates;
        Climb { index: *index, ends: [from.end, to.end], spans: [&from.span, &to.span] }
    }
}

impl Upward for Climb<'_> {
    #[inline(always)]
    fn edges(&self, corner: u32) -> Range<u32> {
        self.index.edges(corner)
    }

    #[inline(always)]
    fn target(&self, edge: u32) -> u32 {
        self.index.target(edge)
    }

    #[inline(always)]
    fn cost(&self, corner: u32, edge: u32) -> u64 {
        self.index.edge_cost(corner, edge)
    }

    #[inline(always)]
    fn rest(&self, side: usize, corner: u32) -> u64 {
        let corner = self.index.corner(corner);
        let octile = self.index.header.costs.octile(corner.cell(), self.ends[1 - side]);
        octile.max(self.spans[1 - side].apart(&corner.marks) << self.index.header.mark_shift)
    }
}
