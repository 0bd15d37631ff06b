//! Proves that the records of a case base can be walked, and that every state has a centre nearby.

use super::compress::cost_to_neighbour;
use super::walker::Walker;
use crate::core::{Cost, StateId};
use crate::index::Section;
use crate::index::case_base::CaseBase;
use crate::index::case_base::nearest::{Place, place_on};
use crate::space::Space;

/// Every leg of every record is one that an agent climbs, at the cost told, and what is looked up by place stands in the
/// order of places.
pub(in crate::build) fn verify(space: &Space, section: &Section) -> Result<(), String> {
    let base = CaseBase::new(section);
    // Not the jump table of the file, which may be wrong too.
    let walker = Walker::on(space, None);
    for record in 0..base.records() as u32 {
        let (start, end) = base.ends(record);
        let walked = verify_legs(space, &walker, start, base.subgoals(record), end)
            .map_err(|(from, to)| format!("record {record} leads from {from} to {to}, where no walk does"))?;
        let (cost, told) = (walked.units().div_ceil(1 << base.cost_shift()), base.cost(record));
        if u64::from(told) != cost {
            return Err(format!(
                "record {record} is said to cost {told}, and the walk along it costs {cost}"
            ));
        }
    }
    for region in 0..base.regions() as u32 {
        for (leg, ..) in base.legs(region) {
            let (start, end) = (base.centre(region), base.leg_end(leg));
            verify_legs(space, &walker, start, base.leg_subgoals(leg), end).map_err(|(from, to)| {
                format!("region {region} leads from {from} to {to}, where no walk does")
            })?;
        }
    }
    let Some(grid) = space.as_grid() else { return Ok(()) };
    let record = |number: usize| {
        let (start, end) = base.ends(number as u32);
        place_on(grid, start, end)
    };
    let centre = |number: usize| place_on(grid, base.centre(number as u32), base.centre(number as u32));
    if !is_tree(base.records(), &record) || !is_tree(base.regions(), &centre) {
        return Err("records or centres are not in the order of their places".to_owned());
    }
    Ok(())
}

/// What the walk costs, or between which two states there is none.
fn verify_legs(
    space: &Space,
    walker: &Walker<'_>,
    start: StateId,
    subgoals: &[u32],
    end: StateId,
) -> Result<Cost, (StateId, StateId)> {
    let (mut from, mut walked) = (start, Cost::ZERO);
    for to in subgoals.iter().map(|&subgoal| StateId::new(subgoal)).chain([end]) {
        let leg = cost_to_neighbour(space, walker, from, to);
        let leg = leg.or_else(|| walker.climb(from, to, space.states())).ok_or((from, to))?;
        walked = walked.saturating_add(leg);
        from = to;
    }
    Ok(walked)
}

/// Whether places stand in the order of a k-d tree: those before the middle are not greater on its axis, those behind not
/// less.
fn is_tree(count: usize, place: &impl Fn(usize) -> Place) -> bool {
    let mut parts = vec![(0, count, 0)];
    while let Some((begin, end, axis)) = parts.pop() {
        if begin + 1 >= end {
            continue;
        }
        let middle = usize::midpoint(begin, end);
        let node = place(middle)[axis];
        let is_sound = (begin..middle).all(|number| place(number)[axis] <= node)
            && (middle + 1..end).all(|number| place(number)[axis] >= node);
        if !is_sound {
            return false;
        }
        parts.push((begin, middle, (axis + 1) % 4));
        parts.push((middle + 1, end, (axis + 1) % 4));
    }
    true
}
