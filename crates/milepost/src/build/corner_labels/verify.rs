//! Proves labels against their map: corners are corners, every leg of a label and of a list can be walked, edges too; and, for
//! a sample of pairs of cells, that the path is a shortest one. What a distance in a label adds up to is checked on opening.

use super::graph::{Corners, TautGraph};
use super::largest_and_farthest;
use crate::build::parallel;
use crate::core::{Budget, Rng};
use crate::index::corner_labels::{Broken, CornerLabels as Labels, Listed, StepCosts};
use crate::index::{Atlas, LegCosts, Section};
use crate::plan::{CornerLabels, Jps, Planner, Query, Scratch};
use crate::space::{Cell, Grid, SpaceKind};

/// Pairs of cells whose paths are compared.
const SAMPLE: usize = 64;

pub(in crate::build) fn verify(atlas: &Atlas, grid: &Grid, section: &Section) -> Result<(), String> {
    let index = Labels::new(section);
    let corners = Corners::of(grid, Broken::NONE);
    verify_corners(&corners, &index)?;
    let coarse = StepCosts::from(LegCosts::COARSE);
    let graph = TautGraph::new(&corners, coarse);
    let (costs, _) = super::costs_for(grid, coarse, largest_and_farthest(&graph).1);
    if costs != index.header.costs {
        return Err(format!("steps cost {:?}, expected {costs:?}", index.header.costs));
    }
    let count = index.count() as u32;
    parallel::try_each(count as usize, |corner| {
        let corner = corner as u32;
        let here = index.corner(corner).cell();
        (0..index.turns(corner)).try_for_each(|turn| {
            let next = index.turn(index.corner(corner).first_turn, turn);
            let there = index.corner(next.corner()).cell();
            let sees =
                if next.sees() { corners.sight.sees(there, here) } else { corners.sight.sees(here, there) };
            if sees && here != there {
                Ok(())
            } else {
                Err(format!("turn {turn} of corner {corner} leads through a wall"))
            }
        })?;
        let mut edges = if index.header.entry_bytes == 0 { index.edges(corner) } else { 0..0 };
        let leads_through_a_wall = |&edge: &u32| {
            let there = index.corner(index.target(edge)).cell();
            index.middle(edge).is_none() && !corners.sight.sees_either_way(here, there)
        };
        match edges.find(leads_through_a_wall) {
            Some(edge) => {
                Err(format!("the edge from corner {corner} to {} leads through a wall", index.target(edge)))
            }
            None => Ok(()),
        }
    })?;
    let cells: Vec<Cell> = grid.free_states().map(|state| grid.column_and_row(state)).collect();
    parallel::try_each(cells.len(), |cell| verify_list(grid, &corners, &index, cells[cell]))?;
    verify_paths(atlas, &cells)
}

/// The corners of the map, and no others, each once.
fn verify_corners(corners: &Corners<'_>, index: &Labels<'_>) -> Result<(), String> {
    let mut numbers = vec![u32::MAX; corners.count()];
    for (number, corner) in index.corners().iter().enumerate() {
        if !corners.runs.is_corner(corner.cell()) {
            return Err(format!("corner {number} is none"));
        }
        numbers[corners.number(corner.cell()) as usize] = number as u32;
    }
    match numbers.iter().position(|&number| number == u32::MAX) {
        Some(missing) => Err(format!("there is no corner at {:?}", corners.cells[missing])),
        None if index.count() != corners.count() => Err("a corner stands there twice".to_owned()),
        None => Ok(()),
    }
}

/// A cell sees all corners that it lists.
fn verify_list(grid: &Grid, corners: &Corners<'_>, index: &Labels<'_>, at: Cell) -> Result<(), String> {
    let (list, bit) = index.list(grid, at);
    let mut keys = Vec::new();
    index.members(list, bit, &mut keys);
    let blind = keys.iter().map(|&key| Listed(key).corner()).find(|&corner| {
        let there = index.corner(corner).cell();
        at == there || !corners.sight.sees(at, there)
    });
    match blind {
        Some(corner) => Err(format!("{at:?} lists corner {corner}, which it does not see")),
        None => Ok(()),
    }
}

/// Paths between some cells cost what jump point search finds.
fn verify_paths(atlas: &Atlas, cells: &[Cell]) -> Result<(), String> {
    let (grid, mut rng) = (atlas.space(), Rng::new(cells.len() as u64));
    let mut scratch = Scratch::new();
    let mut cost = |planner: &dyn Planner, query: &Query<'_>| {
        planner.plan(atlas, query, &mut scratch, &mut Budget::unlimited()).cost()
    };
    for _ in 0..SAMPLE.min(cells.len()) {
        let [from, to] = [0; 2].map(|_| cells[rng.below(cells.len() as u32) as usize]);
        let [from, to] =
            [from, to].map(|cell| atlas.space().as_grid().map(|grid| grid.geometry().state(cell)));
        let (Some(from), Some(to)) = (from, to) else { continue };
        let query = Query::new(from, to);
        let (found, expected) = (cost(&CornerLabels, &query), cost(&Jps { bounds: false }, &query));
        if found != expected {
            let ends = [from, to].map(|state| grid.point(state).to_string()).join(" to ");
            return Err(format!("a path from {ends} costs {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}
