//! From the entries of labels to ways that can be walked: entries that are longer than the distance go, as far as that shows,
//! and the others name the farthest corner on the way that a leg leads to.
//!
//! **L11**: a canonical entry's next corner n lies on a shortest way, so (n, h) is canonical, in L(n), and shorter by oct(v, n):
//! going through the entries of a hub from the nearest outward never drops a canonical entry (the second test meets only
//! entries longer than the distance), and every entry that stays has one that stays at its next corner, of the right
//! length: following it writes a legal path of its length. ∎

use super::graph::Corners;
use super::labels::Labels;
use super::turns::leaving;
use crate::build::parallel;
use crate::core::Csr;
use crate::index::corner_labels::StepCosts;
use crate::space::Direction;

/// How an entry of a label that stays goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) next: u32,
    /// The next corner sees this one, not this one the next.
    pub(super) is_seen: bool,
    /// The direction in which the leg leaves.
    pub(super) first: Direction,
    /// The entry of the same hub at the next corner; of the hub itself, this one.
    pub(super) ahead: u32,
}

/// What is known of a corner while the entries of one hub are gone through.
#[derive(Clone, Copy)]
struct Kept {
    hub: u32,
    entry: u32,
    next: u32,
    distance: u64,
}

/// The ways of all entries; `None` for those that go.
pub(super) fn ways(corners: &Corners<'_>, labels: &Labels, costs: StepCosts) -> Vec<Option<Way>> {
    let count = corners.count();
    let entries = (0..count as u32)
        .flat_map(|corner| labels.range(corner).map(move |entry| (entry, corner)))
        .map(|(entry, corner)| {
            (labels.entries[entry].hub, (labels.entries[entry].distance, corner, entry as u32))
        });
    let mut by_hub = Csr::sorted(count, entries);
    by_hub.sort_lists();
    // What other hubs left there names them.
    let room = || vec![Kept { hub: u32::MAX, entry: 0, next: 0, distance: 0 }; count];
    let of_hub = |kept: &mut Vec<Kept>, hub: usize| -> Vec<(u32, Way)> {
        let mut found = Vec::new();
        for &(distance, corner, entry) in by_hub.list(hub) {
            let way = way(corners, labels, costs, kept, hub as u32, (distance, corner, entry));
            found.extend(way.map(|way| (entry, way)));
        }
        found
    };
    let found: Vec<Vec<(u32, Way)>> = parallel::map_with(count, room, of_hub);
    let mut ways = vec![None; labels.entries.len()];
    for (entry, way) in found.into_iter().flatten() {
        ways[entry as usize] = Some(way);
    }
    ways
}

/// The way of one entry, those nearer to the hub being known.
fn way(
    corners: &Corners<'_>,
    labels: &Labels,
    costs: StepCosts,
    kept: &mut [Kept],
    hub: u32,
    (distance, corner, entry): (u64, u32, u32),
) -> Option<Way> {
    let here = corners.cell(corner);
    if distance == 0 {
        kept[corner as usize] = Kept { hub, entry, next: corner, distance };
        return Some(Way { next: corner, is_seen: false, first: Direction::North, ahead: entry });
    }
    let sight = &corners.sight;
    let leg = |to: u32| costs.octile(here, corners.cell(to));
    let mut next = labels.entries[entry as usize].next;
    let at_next = kept[next as usize];
    if at_next.hub != hub || at_next.distance + leg(next) != distance {
        return None;
    }
    if at_next.distance > 0 {
        let beyond = at_next.next;
        let is_shortcut = leg(beyond) < distance - kept[beyond as usize].distance;
        if is_shortcut && sight.sees_either_way(here, corners.cell(beyond)) {
            return None;
        }
    }
    let mut is_seen = !sight.sees(here, corners.cell(next));
    // As far as one leg leads.
    while kept[next as usize].distance > 0 {
        let beyond = kept[next as usize].next;
        if distance - kept[beyond as usize].distance != leg(beyond) {
            break;
        }
        let sees = sight.sees(here, corners.cell(beyond));
        if !sees && !sight.sees(corners.cell(beyond), here) {
            break;
        }
        (next, is_seen) = (beyond, !sees);
    }
    kept[corner as usize] = Kept { hub, entry, next, distance };
    let first = leaving(here, corners.cell(next), is_seen);
    Some(Way { next, is_seen, first, ahead: kept[next as usize].entry })
}
