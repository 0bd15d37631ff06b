//! What an index would take, before it is built.

use super::{BuildError, registry};
use crate::index::{Atlas, IndexKind, IndexSpec};

/// What building an index would take.
///
/// Shown by [`estimate`](estimate()).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The index.
    pub kind: IndexKind,
    /// Bytes of its section, within 1.3 times.
    pub bytes: u64,
    /// Seconds on this machine with the threads of the current pool, within 2 times.
    pub seconds: f64,
    /// Jump points of the map, for indexes that are built over them.
    pub jump_points: Option<u32>,
    /// Bytes of the same without compression, one for each pair of states, for indexes that have something for each.
    pub raw_bytes: Option<u64>,
    /// Memory that building takes, where it is much more than the index.
    pub memory: Option<u64>,
}

impl Estimate {
    /// An index whose making takes no memory to speak of.
    pub(super) fn new(kind: IndexKind, bytes: u64, seconds: f64, jump_points: Option<u32>) -> Estimate {
        Estimate { kind, bytes, seconds, jump_points, raw_bytes: None, memory: None }
    }
}

/// Estimates an index alone, without those that it is read together with. What is small is built; of what is large a
/// sample is, and timed: as much as a bound on counted work allows. It begins as [`build`](super::build()) does and refuses what
/// that refuses.
///
/// ```
/// use milepost::build::{Estimate, estimate};
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Grid, Rule};
///
/// let atlas = Atlas::new(Grid::new(60, 40, Rule::Octile, |x, y| x % 7 != 3 || y % 9 == 4)?);
/// let Estimate { bytes, seconds, .. } = estimate(&atlas, IndexKind::FIRST_MOVES)?;
/// println!("about {bytes} bytes, in about {seconds:.1} s on this machine");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimate(atlas: &Atlas, index: impl Into<IndexSpec>) -> Result<Estimate, BuildError> {
    registry::estimate(atlas, index.into())
}
