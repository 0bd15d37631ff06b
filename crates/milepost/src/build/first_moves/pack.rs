//! Packs rows into words, as [`rows`](crate::index::first_moves::rows) describes them.

use super::coder::Row;
use crate::build::BuildError;
use crate::index::IndexKind;
use crate::index::first_moves::rows::{GUARD, RowHead};

/// Runs of a bucket, on average, above which buckets are halved.
const RUNS_OF_BUCKET: usize = 4;

/// Bits of pattern numbers beyond which a row is long.
const MOST_ID_BITS: u32 = 12;

/// A row in words. Its head counts from the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PackedRow {
    pub(crate) words: Vec<u16>,
    pub(crate) head: RowHead,
}

/// Packs one row towards `targets` targets; `None` if it has more of something than there are numbers for.
pub(super) fn pack(row: &Row, targets: u32) -> Option<PackedRow> {
    let last = targets.checked_sub(1)?;
    let id_bits = usize::BITS - (row.patterns.len() - 1).leading_zeros();
    let has_wide_patterns = row.quarters.len() > 256;
    if row.quarters.len() > usize::from(u16::MAX).min(RowHead::MOST_QUARTERS) || id_bits > 24 {
        return None;
    }
    let buckets = |low: u32| (last >> low) as usize + 1;
    // Bits of numbers inside a bucket, of those that there are for them and for a pattern.
    let low_of = |bits: u32| {
        let mut low = bits.saturating_sub(id_bits).min(30);
        while low > 4 && row.runs.len() > RUNS_OF_BUCKET * buckets(low) {
            low -= 1;
        }
        low
    };
    let fits = |low: u32| buckets(low) + 1 + row.runs.len() <= usize::from(u16::MAX);
    let is_long = id_bits > MOST_ID_BITS || !fits(low_of(16));
    let bits = if is_long { 32 } else { 16 };
    let low = low_of(bits);
    let id_bits = bits - low;
    let mut words = Vec::new();
    let of_pattern = if has_wide_patterns { 4 } else { 2 };
    // The directory begins at a multiple of four words.
    let unused = row.patterns.len() * of_pattern % 4;
    words.resize(if unused == 0 { 0 } else { 4 - unused }, 0);
    for pattern in row.patterns.iter().rev() {
        let [a, b, c, d] = pattern.map(|quarter| quarter as u16);
        if has_wide_patterns {
            words.extend([a, b, c, d]);
        } else {
            words.extend([a | b << 8, c | d << 8]);
        }
    }
    for &quarter in row.quarters.iter().rev() {
        words.extend([quarter, quarter >> 16, quarter >> 32, quarter >> 48].map(|part| part as u16));
    }
    let begin = (words.len() / 4) as u32;
    let mut push = |number: u32| {
        words.push(number as u16);
        if is_long {
            words.push((number >> 16) as u16);
        }
    };
    let mut before = 0;
    for bucket in 0..=buckets(low) as u64 {
        while row.runs.get(before).is_some_and(|run| u64::from(run.0) < bucket << low) {
            before += 1;
        }
        push((buckets(low) + 1 + before) as u32);
    }
    for &(first, id) in &row.runs {
        push(((u64::from(first) % (1 << low)) << id_bits) as u32 | id);
    }
    words.resize(words.len().next_multiple_of(4), 0);
    let flags = u32::from(is_long) << 10 | u32::from(has_wide_patterns) << 11;
    let shape = id_bits | flags | (row.quarters.len() as u32) << 12;
    Some(PackedRow { words, head: RowHead { begin, shape } })
}

/// Puts rows one after another: heads by the places that they are given, and words.
pub(super) fn join(
    rows: impl Iterator<Item = (usize, PackedRow)>,
    places: usize,
) -> Result<(Vec<RowHead>, Vec<u16>), BuildError> {
    let (mut heads, mut words) = (vec![RowHead::default(); places], Vec::new());
    for (place, row) in rows {
        let begin = (words.len() / 4) as u64 + u64::from(row.head.begin);
        let begin = u32::try_from(begin).map_err(|_| too_many())?;
        heads[place] = RowHead { begin, ..row.head };
        words.extend_from_slice(&row.words);
    }
    words.resize(words.len() + GUARD, 0);
    Ok((heads, words))
}

/// There are more runs than numbers.
pub(super) fn too_many() -> BuildError {
    let why = "its moves are too different to be compressed".to_owned();
    BuildError::DoesNotPay { kind: IndexKind::FIRST_MOVES, why }
}
