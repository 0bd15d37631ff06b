//! Proves what an index says against its map: every jump, every hop.
//!
//! Opening a file checks that reading it is safe. This checks that what it says can be walked: a jump over a wall, a hop
//! between two cells that do not see each other, a jump point that is none are all found. Whether the ways are also the
//! shortest is for samples to tell, since proving that takes as long as building.

use super::jump_points::flat::FlatTable;
use super::jump_points::reach::leg_costs;
use super::jump_rows::leaving;
use super::{BuildError, figures, jump_table};
use crate::index::jump_rows::{is_sampled, samples_of};
use crate::index::jump_table::Square;
use crate::index::jumps::{Entry, Jumps};
use crate::index::{Atlas, JumpBounds, JumpRows, JumpTable, PackedCell, Section};
use crate::space::{Grid, SpaceKind};
use thiserror::Error;

/// Something in an index that the map does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("section `{section}`: {what}; build the file anew: milepost build MAP --index LIST -o FILE")]
pub struct VerifyError {
    /// The name of the section.
    pub section: &'static str,
    /// What is wrong.
    pub what: String,
}

/// Proves every section of an atlas against its map, and figures against what planners take.
pub fn verify(atlas: &Atlas) -> Result<(), VerifyError> {
    for section in atlas.sections() {
        let kind = section.key().kind;
        let wrong = |what| VerifyError { section: kind.name(), what };
        (super::registry::builder(kind).verify)(atlas, section).map_err(wrong)?;
    }
    figures::verify(atlas).map_err(|what| VerifyError { section: "figures", what })
}

/// The table is cheap to build: it must be the same.
pub(super) fn verify_table(grid: &Grid, section: &Section) -> Result<(), String> {
    let built = jump_table::build(grid).map_err(|error: BuildError| error.to_string())?;
    let built = Section::open(section.key(), built).map_err(|corruption| corruption.to_string())?;
    if let Some(index) = first_difference(built.array::<Square>(0), section.array(0)) {
        return Err(format!("square {index} of 8 x 8 cells does not match the map"));
    }
    if let Some(index) = first_difference(built.array::<Entry>(1), section.array(1)) {
        return Err(format!("the jumps of cell number {index} do not match the map"));
    }
    if built.bytes() != section.bytes() {
        return Err("the links between jump points do not match the map".to_owned());
    }
    Ok(())
}

fn first_difference<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
    if a.len() != b.len() {
        return Some(a.len().min(b.len()));
    }
    a.iter().zip(b).position(|(a, b)| a != b)
}

/// Jump points are where they should be; rows name hops that are there; every hop is a leg that can be walked, and
/// leaves in the direction that it says.
pub(super) fn verify_rows(grid: &Grid, table: &JumpTable<'_>, rows: &JumpRows<'_>) -> Result<(), String> {
    verify_points(grid, table, |point| rows.cell_of(point))?;
    let costs = leg_costs(grid, &FlatTable::new(grid, table), rows.packed_cells).map(|(costs, _)| costs);
    if costs != Some(rows.header.costs) {
        return Err(format!("steps cost {:?}, expected {costs:?}", rows.header.costs));
    }
    if !is_sampled(grid.states(), rows.header.line_shift) {
        return Err(format!("the unit of samples is too small: {}", rows.header.line_shift));
    }
    for point in 0..rows.points.len() as u32 {
        if rows.point(point).unbeaten != grid.corner(table.state(rows.cell_of(point))).unbeaten {
            return Err(format!("the walls around jump point {point} are others"));
        }
        let row = rows.point(point);
        let next_hop = rows.points.get(point as usize + 1).map_or(rows.hop_count(), |next| next.first_hop);
        let hops = next_hop
            .checked_sub(row.first_hop)
            .ok_or_else(|| format!("hops of {point} end before they begin"))?;
        verify_hops(table, rows, point, hops)?;
        verify_lines(rows, point, hops)?;
    }
    Ok(())
}

/// The lines of a row follow each other, as do the runs in them, samples find them, and runs name hops that are there.
fn verify_lines(rows: &JumpRows<'_>, point: u32, hops: u32) -> Result<(), String> {
    let (row, mut before) = (rows.point(point), None);
    let lines = rows.lines_of(row);
    if (usize::from(row.stride), row.samples) != samples_of(lines, rows.header.line_shift) {
        return Err(format!("the samples of jump point {point} do not match its row"));
    }
    for line in lines {
        if before.is_some_and(|before| line.begin <= before) || (before.is_none() && line.begin != 0) {
            return Err(format!("a line of jump point {point} begins at {}", line.begin));
        }
        before = Some(line.begin);
        let named = line.named_hops();
        let named = named.ok_or_else(|| format!("runs of jump point {point} do not follow each other"))?;
        if let Some(hop) = named.iter().find(|&&hop| u32::from(hop) >= hops) {
            return Err(format!("the row of jump point {point} names hop {hop} of {hops}"));
        }
    }
    Ok(())
}

/// The jump points of the map, and no others, are where they should be.
fn verify_points(
    grid: &Grid,
    table: &JumpTable<'_>,
    place: impl Fn(u32) -> PackedCell,
) -> Result<(), String> {
    for state in grid.free_states() {
        let packed = PackedCell::of(grid, state);
        if table.is_jump_point(packed) && place(table.jump_point(packed)) != packed {
            return Err(format!("jump point {} is not at {}", table.jump_point(packed), grid.point(state)));
        }
    }
    Ok(())
}

/// Jump points are where they should be, and every edge is a leg that can be walked.
pub(super) fn verify_bounds(
    grid: &Grid,
    table: &JumpTable<'_>,
    bounds: &JumpBounds<'_>,
) -> Result<(), String> {
    verify_points(grid, table, |point| bounds.cell_of(point))?;
    for point in 0..bounds.points() as u32 {
        let at = bounds.cell_of(point);
        for edge in bounds.edges(point) {
            let there = bounds.cell_of(edge.point);
            if at == there || !table.is_direct(there, at) {
                return Err(format!(
                    "the edge from jump point {point} to {} leads through a wall",
                    edge.point
                ));
            }
        }
    }
    Ok(())
}

fn verify_hops(table: &JumpTable<'_>, rows: &JumpRows<'_>, point: u32, hops: u32) -> Result<(), String> {
    let at = rows.cell_of(point);
    for number in 0..hops {
        let hop = rows.hop(rows.point(point).first_hop, number);
        let there = rows.cell_of(hop.point);
        let (from, direction) = if rows.is_first(hop.before) {
            (at, leaving(at, there) as u32)
        } else if hop.before < number {
            let before = rows.hop(rows.point(point).first_hop, hop.before);
            (rows.cell_of(before.point), before.direction)
        } else {
            return Err(format!("hop {number} of jump point {point} comes after hop {}", hop.before));
        };
        if from == there || !table.is_direct(there, from) {
            return Err(format!("hop {number} of jump point {point} leads through a wall"));
        }
        if direction != hop.direction {
            return Err(format!("hop {number} of jump point {point} leaves in direction {direction}"));
        }
    }
    Ok(())
}
