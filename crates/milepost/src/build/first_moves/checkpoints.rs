//! Parts of a build that are kept, so that a build that was stopped can go on.
//!
//! A part is the rows of some blocks that follow each other: key, rows, checksum. The key says which map, rule and layout
//! the part belongs to, and is part of its name: parts of other builds may lie beside it and are never mistaken for it.

use super::PART;
use super::blocks::Plan;
use super::pack::PackedRow;
use crate::build::{BuildError, CheckpointStore};
use crate::index::first_moves::rows::RowHead;
use crate::index::{Atlas, IndexKind};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Counts changes of how parts are laid out or worked out.
const LAYOUT: u32 = 2;

/// The parts of one build.
pub(super) struct Checkpoints<'a> {
    store: &'a dyn CheckpointStore,
    key: u64,
}

impl<'a> Checkpoints<'a> {
    pub(super) fn new(store: &'a dyn CheckpointStore, plan: &Plan<'_>) -> Checkpoints<'a> {
        let mut hasher = Xxh3::new();
        for number in [Atlas::FORMAT_VERSION, LAYOUT, plan.form, plan.space.states(), PART as u32] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&plan.space.hash().to_le_bytes());
        if let Some(grid) = plan.space.as_grid() {
            hasher.update(grid.rule().name().as_bytes());
        }
        Checkpoints { store, key: hasher.digest() }
    }

    fn name(&self, part: usize) -> String {
        format!("{}-{:016x}-{part:06}.part", IndexKind::FIRST_MOVES, self.key)
    }

    /// The rows of a part, if it was kept; an error if it cannot be read.
    pub(super) fn load(&self, part: usize, blocks: usize) -> Result<Option<Vec<PackedRow>>, BuildError> {
        let name = self.name(part);
        let unreadable = |what: String| BuildError::PartUnreadable { name: name.clone(), what };
        let Some(bytes) = self.store.load(&name).map_err(unreadable)? else { return Ok(None) };
        let rows = self.read(&bytes, part).filter(|rows| rows.len() == blocks);
        rows.map(Some).ok_or(BuildError::PartDamaged { name })
    }

    pub(super) fn save(&self, part: usize, rows: &[PackedRow]) -> Result<(), BuildError> {
        let mut bytes = Vec::new();
        bytes.extend(self.key.to_le_bytes());
        bytes.extend((part as u64).to_le_bytes());
        for row in rows {
            for number in [row.words.len() as u32, row.head.begin, row.head.shape] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(row.words.iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        let name = self.name(part);
        self.store.save(&name, &bytes).map_err(|what| BuildError::PartUnwritable { name, what })
    }

    /// The rows in the bytes of a part; `None` if they are not what was saved.
    fn read(&self, bytes: &[u8], part: usize) -> Option<Vec<PackedRow>> {
        let (bytes, checksum) = bytes.split_last_chunk::<8>()?;
        if u64::from_le_bytes(*checksum) != xxh3_64(bytes) {
            return None;
        }
        let (key, bytes) = bytes.split_first_chunk::<8>()?;
        let (number, mut bytes) = bytes.split_first_chunk::<8>()?;
        if (u64::from_le_bytes(*key), u64::from_le_bytes(*number)) != (self.key, part as u64) {
            return None;
        }
        let mut rows = Vec::new();
        while !bytes.is_empty() {
            let mut number = || {
                let (number, rest) = bytes.split_first_chunk::<4>()?;
                bytes = rest;
                Some(u32::from_le_bytes(*number))
            };
            let (count, begin, shape) = (number()?, number()?, number()?);
            let (words, rest) = bytes.split_at_checked(2 * count as usize)?;
            bytes = rest;
            let words = words.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]])).collect();
            rows.push(PackedRow { words, head: RowHead { begin, shape } });
        }
        Some(rows)
    }
}
