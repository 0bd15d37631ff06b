//! Sixteen sources at a time, on all threads.

use super::Study;
use super::flood::Flood;
use super::lanes::LANES;
use super::pull::Puller;
use super::words::Word;
use crate::build::Progress;
use crate::core::vectors::with_vectors;
use pulp::{Simd, WithSimd};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is worked out for each source.
pub(crate) trait PerSource: Sync {
    type Part: Send;

    /// The parts of a batch of at most sixteen sources; `None` if some source is too much for the index. To be inlined
    /// always: it is compiled for the machine's vectors.
    fn batch<W: Word, S: Simd>(
        &self,
        simd: S,
        study: &Study<'_>,
        sources: Range<u32>,
        flood: &mut Flood<W>,
        puller: &mut Puller<W>,
    ) -> Option<Vec<Self::Part>>;
}

/// How many batches all sources make.
pub(crate) fn count(study: &Study<'_>) -> u32 {
    (study.points.len() as u32).div_ceil(LANES as u32)
}

/// Some batches, spread over the map.
pub(crate) fn spread(study: &Study<'_>, some: u32) -> Vec<u32> {
    let all = count(study);
    let some = some.min(all);
    (0..some).map(|index| (u64::from(index) * u64::from(all) / u64::from(some)) as u32).collect()
}

/// The parts of some batches, in their order, with any number of threads.
pub(crate) fn run<P: PerSource>(
    work: &P,
    study: &Study<'_>,
    batches: &[u32],
    progress: Progress<'_>,
) -> Option<Vec<Vec<P::Part>>> {
    if study.is_narrow {
        run_with::<P, u32>(work, study, batches, progress)
    } else {
        run_with::<P, u64>(work, study, batches, progress)
    }
}

/// One batch.
struct Batch<'a, P, W> {
    work: &'a P,
    study: &'a Study<'a>,
    sources: Range<u32>,
    flood: &'a mut Flood<W>,
    puller: &'a mut Puller<W>,
}

impl<P: PerSource, W: Word> WithSimd for Batch<'_, P, W> {
    type Output = Option<Vec<P::Part>>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Option<Vec<P::Part>> {
        self.work.batch(simd, self.study, self.sources, self.flood, self.puller)
    }
}

fn run_with<P: PerSource, W: Word>(
    work: &P,
    study: &Study<'_>,
    batches: &[u32],
    progress: Progress<'_>,
) -> Option<Vec<Vec<P::Part>>> {
    let points = study.points.len() as u32;
    let (done, all) = (AtomicU64::new(0), batches.len() as u64);
    progress(0, all);
    batches
        .par_iter()
        .map_init(
            || (Flood::<W>::new(study), Puller::<W>::new()),
            |(flood, puller), &batch| {
                let sources = batch * LANES as u32..((batch + 1) * LANES as u32).min(points);
                let parts = with_vectors(Batch { work, study, sources, flood, puller });
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
                parts
            },
        )
        .collect()
}
