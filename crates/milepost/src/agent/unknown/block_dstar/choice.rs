//! Which of the next components by which the way costs the same is gone to.
//!
//! There are many such ties, since every step costs one of two numbers. An agent that breaks them by the order of directions
//! walks 2 to 4 % farther.

use super::blocks::{BelievedGrid, Component, ComponentId};
use super::meter::Meter;
use super::refine::Field;
use super::search::{DStar, step_cost};
use std::cmp::Reverse;

impl DStar {
    /// Whether a field leads to a component that was chosen from this one as it is now.
    pub(super) fn has_chosen(&self, field: Option<&Field>) -> bool {
        let start = &self.components[self.start];
        field.is_some_and(|field| {
            field.route.block == self.blocks.at(start.block) && field.route.cells == start.cells
        })
    }

    /// Of the neighbours by which the settled cost is the same, chooses the one to go by: one with a known wall, since
    /// an agent that goes along a wall finds its end; of those the nearest to the line to the goal. As far as the units go.
    pub(super) fn choose(&mut self, believed: BelievedGrid<'_>, meter: &mut Meter) {
        let start = self.components[self.start];
        if !start.successor.is_some() {
            return;
        }
        let (from, goal) = (self.blocks.at(start.block), self.target.0);
        let rank = |search: &DStar, component: &Component| {
            let aside = distance_from_line(search.blocks.at(component.block), from, goal);
            (component.cells != u64::MAX, Reverse(aside))
        };
        let mut best = (rank(self, &self.components[start.successor]), start.successor);
        for direction in 0..8 {
            let Some(block) = self.blocks.next(believed.geometry, start.block, direction) else { continue };
            let mut next = self.blocks.first(block);
            while next.is_some() {
                if !meter.component() {
                    return;
                }
                let (component, record) = (next, &self.components[next]);
                next = record.next;
                let is_settled = record.g == record.rhs && record.successor != ComponentId::UNKNOWN;
                if is_settled
                    && record.g + step_cost(direction) == start.rhs
                    && rank(self, record) > best.0
                    && self.blocks.are_joined(believed, &start, record.cells, direction)
                {
                    best = (rank(self, record), component);
                }
            }
        }
        self.components[self.start].successor = best.1;
    }
}

/// How far a block beside another one lies from the line to a third: the area between the two ways there.
fn distance_from_line((x, y): (u32, u32), from: (u32, u32), to: (u32, u32)) -> u64 {
    let offset = |a: u32, b: u32| i64::from(a) - i64::from(b);
    let area = offset(x, to.0) * offset(from.1, to.1) - offset(y, to.1) * offset(from.0, to.0);
    area.unsigned_abs()
}
