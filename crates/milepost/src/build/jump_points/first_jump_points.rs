//! The first jump points of a cell, without those that another one makes needless.

use super::flat::FlatTable;
use crate::index::jumps::{Ahead, Jumps};
use crate::index::{LegCosts, PackedCell};

/// A jump point and what the run to it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    pub(crate) point: u32,
    pub(crate) cost: u32,
}

/// Finds first jump points, with room to work in.
#[derive(Debug)]
pub(crate) struct FirstJumpPoints<'a> {
    table: &'a FlatTable,
    legs: LegCosts,
    ahead: Vec<Ahead>,
}

impl<'a> FirstJumpPoints<'a> {
    pub(crate) fn new(table: &'a FlatTable, legs: LegCosts) -> FirstJumpPoints<'a> {
        FirstJumpPoints { table, legs, ahead: Vec::new() }
    }

    /// Appends the first jump points of a cell. One is left out if a way over another one is as short: both lie in the
    /// same octant, the other one by no more steps of either kind, and the run between them is free.
    #[inline(always)]
    pub(crate) fn append(&mut self, from: PackedCell, list: &mut Vec<Leg>) {
        let FirstJumpPoints { table, legs, ahead } = self;
        ahead.clear();
        table.first_jump_points(
            from,
            #[inline(always)]
            |point| ahead.push(point),
        );
        for (index, point) in ahead.iter().enumerate() {
            // In the order of visits, those of an octant come with rising diagonal steps, straight ones first.
            let mut is_needless = false;
            for other in &ahead[..if point.diagonal > 0 { index } else { 0 }] {
                is_needless |= other.arrival == point.arrival
                    && (other.diagonal == 0 || other.diagonal_direction == point.diagonal_direction)
                    && other.straight <= point.straight
                    && (table.is_direct(other.at, point.at) || table.is_direct(point.at, other.at));
                if is_needless {
                    break;
                }
            }
            if !is_needless {
                list.push(Leg { point: table.cell(point.at).point, cost: point.cost(*legs) });
            }
        }
    }
}
