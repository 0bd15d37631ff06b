//! Tells of a search from both ends, as far as it has come: which corners it has reached since, and expanded.

use super::{CornerSearch, UNSURE, Upward};
use crate::core::{EventKind, Watch, Way};
use std::collections::HashSet;

impl CornerSearch {
    /// Tells what has happened since it was asked last. `id` is the state of a corner, `ends` are those of both ends, and
    /// `cost` is a cost of the graph in the units of the space.
    pub(crate) fn tell(
        &self,
        graph: &impl Upward,
        id: impl Fn(u32) -> u32,
        ends: [u32; 2],
        cost: impl Fn(u64) -> u64,
        watch: &mut Watch,
    ) {
        if watch.told.corners.is_empty() && self.reached() > 0 {
            // Both ends are where a side begins.
            for (side, end) in ends.into_iter().enumerate() {
                watch.note(side, end, Way { g: 0, h: 0, from: end, is_closed: true });
                watch.tell(EventKind::Open, end, end, 0);
                watch.tell(EventKind::Close, end, end, 0);
            }
        }
        for side in [0, 1] {
            let mut labels = self.labels[side].sorted();
            labels.sort_by_key(|(corner, label)| (label.g, *corner));
            let open: HashSet<u32> = self.open[side].iter().map(|entry| entry.0.corner & !UNSURE).collect();
            for (corner, label) in labels {
                let from = if label.parent == corner { ends[side] } else { id(label.parent) };
                let (g, h) = (cost(label.g), cost(graph.rest(side, corner)));
                let is_closed = !open.contains(&corner);
                watch.note(side, id(corner), Way { g, h, from, is_closed });
                let known = watch.told.corners.get(&(side, corner)).copied();
                if known.is_none_or(|(g, _)| label.g < g) {
                    let f = cost(label.g.saturating_add(graph.rest(side, corner)));
                    let kind = if known.is_some() { EventKind::Better } else { EventKind::Open };
                    watch.tell(EventKind::Jump, id(corner), from, f);
                    watch.tell(kind, id(corner), from, f);
                }
                let was_closed = known.is_some_and(|(g, is_closed)| is_closed && g == label.g);
                if is_closed && !was_closed {
                    watch.tell(EventKind::Close, id(corner), from, cost(label.g));
                }
                watch.told.corners.insert((side, corner), (label.g, is_closed));
            }
        }
    }
}
