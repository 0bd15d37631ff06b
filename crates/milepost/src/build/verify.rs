//! Proves what an index says against its map: every jump, every hop.
//!
//! Opening a file checks that reading it is safe. This checks that what it says can be walked: a jump over a wall, a hop
//! between two cells that do not see each other, a jump point that is none are all found. Whether the ways are also the
//! shortest is for samples to tell, since proving that takes as long as building.

use super::{BuildError, figures, jump_table};
use crate::core::debug_as_sentence;
use crate::index::jump_table::Square;
use crate::index::jumps::{Entry, Jumps};
use crate::index::{Atlas, JumpBounds, JumpTable, PackedCell, Section};
use crate::space::{Grid, SpaceKind};
use thiserror::Error;

/// Something in an index that the map does not allow.
///
/// Shown by [`verify`].
#[derive(Clone, PartialEq, Eq, Error)]
#[error("section `{section}`: {what}; build the file anew: milepost build MAP --index LIST -o FILE")]
pub struct VerifyError {
    /// The name of the section.
    pub section: &'static str,
    /// What is wrong.
    pub what: String,
}

debug_as_sentence!(VerifyError);

/// Proves every section of an atlas against its map, and figures against what planners take.
///
/// ```
/// use milepost::build::{VerifyError, verify};
/// use milepost::{Atlas, Grid, Indexes, Rule};
///
/// let grid = Grid::new(30, 20, Rule::Octile, |x, y| x % 7 != 3 || y % 5 == 1)?;
/// let atlas = Atlas::build(&grid, Indexes::standard())?;
/// let proof: Result<(), VerifyError> = verify(&atlas); // every leg, label and move against the map
/// assert_eq!(proof, Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(atlas: &Atlas) -> Result<(), VerifyError> {
    for section in atlas.sections() {
        let kind = section.key().kind;
        let wrong = |what| VerifyError { section: kind.name(), what };
        super::registry::prove(atlas, section).map_err(wrong)?;
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
