//! Tells of a query over labels, as far as it has come: the corners that its ends begin with, and the way over the hub.

use super::graph::Climb;
use super::{Found, LabelQuery};
use crate::core::{EventKind, Watch};
use crate::index::CornerLabels as Index;
use crate::space::{Cell, Grid};

impl LabelQuery {
    /// Tells what has happened since it was asked last.
    pub(crate) fn tell(&self, index: &Index<'_>, grid: &Grid, watch: &mut Watch) {
        let id = |cell: Cell| grid.geometry().state(cell).number();
        let ends = self.candidates.each_ref().map(|candidates| id(candidates.end));
        for (side, candidates) in self.candidates.iter().enumerate() {
            let count = candidates.weighed();
            for place in watch.told.candidates[side]..count {
                let cost = index.cost_in_space(candidates.costs()[place], grid);
                watch.tell(EventKind::Hop, id(candidates.cell(place)), ends[side], cost);
            }
            watch.told.candidates[side] = count;
        }
        if self.search.reached() > 0 {
            let graph = Climb::new(index, &self.candidates);
            self.search.tell(
                &graph,
                |corner| id(index.corner(corner).cell()),
                ends,
                |cost| index.cost_in_space(cost, grid),
                watch,
            );
        }
        // The way from the start to the hub, and that from the goal.
        for side in [0, 1] {
            let mut from = ends[side];
            let legs = self.chains[side].legs();
            for (place, leg) in legs.iter().enumerate() {
                let to = id(leg.to);
                if place >= watch.told.legs[side] {
                    watch.tell(EventKind::Hop, to, from, 0);
                }
                from = to;
            }
            watch.told.legs[side] = watch.told.legs[side].max(legs.len());
        }
        if let (Found::Over(corner), 0) = (self.found, watch.told.legs[0]) {
            watch.tell(EventKind::Hop, id(corner), ends[0], 0);
            watch.tell(EventKind::Hop, ends[1], id(corner), 0);
            watch.told.legs[0] = 1;
        }
    }
}
