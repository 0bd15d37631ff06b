//! Whether working anything out between jump points pays on a map. The decision depends on the map alone, not on the
//! machine.

use crate::build::BuildError;
use crate::index::JumpTable;
use crate::space::{Grid, SpaceKind};

/// Jump points in a hundred cells beyond which nothing is tried: a fifth of the map.
const MOST_PERCENT: u64 = 20;

/// Maps with fewer jump points are served whatever they look like.
pub(crate) const FEW: u64 = 1000;

/// Refuses maps of which too many cells are jump points.
pub(crate) fn check_share(
    grid: &Grid,
    table: &JumpTable<'_>,
    refuse: impl Fn(String) -> BuildError,
) -> Result<(), BuildError> {
    let (corners, cells) = (table.jump_points() as u64, u64::from(grid.states()));
    if corners * 100 > cells * MOST_PERCENT && corners > FEW {
        let percent = corners * 100 / cells.max(1);
        return Err(refuse(format!("{corners} of its {cells} free cells are corners ({percent} %)")));
    }
    Ok(())
}
