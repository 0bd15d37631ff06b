//! Tells of a search over a hierarchy of corners, as far as it has come.

use super::CornerQuery;
use crate::core::{EventKind, Watch};
use crate::index::CornerHierarchy as Index;
use crate::plan::parts::corner_search::Between;
use crate::space::{Cell, Grid, SpaceKind};

impl CornerQuery {
    /// Tells what has happened since it was asked last; once the path is known, its edges as they were unpacked.
    pub(crate) fn tell(&self, index: &Index<'_>, grid: &Grid, watch: &mut Watch) {
        let id = |cell: Cell| grid.geometry().state(cell).number();
        let graph = Between { index, ends: self.ends };
        self.search.tell(
            &graph,
            |corner| id(index.place(corner)),
            self.ends.map(id),
            |cost| index.costs.to_space(cost, grid.scale()),
            watch,
        );
        let mut from = id(self.ends[0]);
        for (place, run) in self.runs.iter().enumerate() {
            let to = id(run.to);
            if place >= watch.told.legs[0] {
                watch.tell(EventKind::Hop, to, from, 0);
            }
            from = to;
        }
        watch.told.legs[0] = self.runs.len();
    }
}
