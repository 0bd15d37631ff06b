//! Which planner is expected to answer first on an atlas.

use super::{PLANNERS, PlannerEntry, Query};
use crate::index::{Atlas, Figure};
use crate::space::Space;

/// [`Atlas::fastest`].
pub(crate) fn fastest(atlas: &Atlas) -> &'static PlannerEntry {
    fastest_of(atlas, |_| true)
}

/// The fastest exact planner that an atlas allows and that does not refuse this query.
pub(crate) fn fastest_for(atlas: &Atlas, query: &Query<'_>) -> &'static PlannerEntry {
    fastest_of(atlas, |entry| query.overlay.is_none() || entry.planner.obeys_overlays())
}

/// Whether the states of the fastest planner's paths, walked from one to the next, cost as little as any such walk: not on a mesh, where
/// it passes portals.
pub(crate) fn fastest_is_optimal_from_state_to_state(space: &Space) -> bool {
    space.as_mesh().is_none()
}

/// Planners whose work was counted come first, by the time that is expected of them; then the others. The registry's order
/// decides between equals.
fn fastest_of(atlas: &Atlas, answers: impl Fn(&PlannerEntry) -> bool) -> &'static PlannerEntry {
    // On a mesh paths begin and end at points: planners on centres run by name.
    let is_mesh = atlas.space().as_mesh().is_some();
    let preferred = PLANNERS.iter().filter(|entry| {
        entry.preference.is_some() && answers(entry) && (!is_mesh || entry.planner.passes_portals())
    });
    let allowed = preferred.filter(|entry| entry.planner.refusal(atlas).is_none());
    let counted = allowed.map(|entry| (entry, atlas.figure(entry.name).zip(entry.unit_on(atlas.space()))));
    let first = counted.min_by(|(one, one_counted), (two, two_counted)| {
        let by_time = match (*one_counted, *two_counted) {
            (Some(one), Some(two)) => Figure::compare_times(one, two),
            (one, two) => one.is_none().cmp(&two.is_none()),
        };
        by_time.then(one.preference.cmp(&two.preference))
    });
    // Every space is searched by A*, so there is one.
    first.map_or(&PLANNERS[0], |(entry, _)| entry)
}
