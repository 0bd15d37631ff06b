//! Proves a hierarchy of corners against its map: corners are corners, every edge costs what it stands for and can be
//! walked, and what a list calls seen is seen.

use crate::build::parallel;
use crate::index::Section;
use crate::index::corner_hierarchy::{CornerHierarchy, Through};
use crate::space::{Cell, Grid, SpaceKind};

pub(in crate::build) fn verify(grid: &Grid, section: &Section) -> Result<(), String> {
    let index = CornerHierarchy::new(section);
    let count = index.corners() as u32;
    for corner in 0..count {
        if !grid.is_corner(index.place(corner)) || index.corner_at(index.place(corner)) != Some(corner) {
            return Err(format!("corner {corner} is none"));
        }
    }
    let expected = grid.free_states().filter(|state| grid.corner(*state).arrivals != 0).count();
    if expected != index.corners() {
        return Err(format!("{count} corners, expected {expected}"));
    }
    parallel::try_each(count as usize, |corner| {
        let corner = corner as u32;
        index.edges(corner).try_for_each(|edge| verify_edge(grid, &index, corner, edge))
    })?;
    let states: Vec<Cell> = grid.free_states().map(|state| grid.column_and_row(state)).collect();
    parallel::try_each(states.len(), |state| verify_list(grid, &index, states[state]))
}

fn verify_edge(grid: &Grid, index: &CornerHierarchy<'_>, corner: u32, edge: u32) -> Result<(), String> {
    let target = index.target(edge);
    let (here, there) = (index.place(corner), index.place(target));
    let (excess, wall) = match index.through(edge) {
        Through::LowerSees => (Some(0), !grid.sees_by_run(here, there)),
        Through::UpperSees => (Some(0), !grid.sees_by_run(there, here)),
        Through::Middle(middle) => {
            let half = |end: u32| {
                let edge = index.edge_to(middle, end)?;
                Some(index.octile(index.place(middle), index.place(end)) + index.excess(edge))
            };
            let octile = index.octile(here, there);
            let cost = half(corner).and_then(|first| Some(first + half(target)?));
            (cost.and_then(|cost| cost.checked_sub(octile)), false)
        }
    };
    if wall {
        return Err(format!("the way from corner {corner} to {target} leads through a wall"));
    }
    if excess != Some(index.excess(edge)) {
        let found = index.excess(edge);
        return Err(format!(
            "the way from corner {corner} to {target} costs {found} more, expected {excess:?}"
        ));
    }
    Ok(())
}

/// A cell sees those corners of its list that all cells see, and one at least if there is one at which a path may turn.
fn verify_list(grid: &Grid, index: &CornerHierarchy<'_>, at: Cell) -> Result<(), String> {
    let list = index.list(grid, at);
    let sees = |corner: u32| at == index.place(corner) || grid.sees_by_run(at, index.place(corner));
    if let Some(number) = (0..list.sure).find(|&number| !sees(index.listed(list, number).0)) {
        return Err(format!("{at:?} does not see corner {number} of its list"));
    }
    let state = grid.geometry().state(at);
    let mut has_corner = false;
    if list.sure == 0 && !(0..list.len).any(|number| sees(index.listed(list, number).0)) {
        grid.corners_seen(state, false, |_| has_corner = true);
    }
    if has_corner {
        return Err(format!("{at:?} sees corners, but none of its list"));
    }
    Ok(())
}
