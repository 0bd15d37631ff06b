//! Sixteen sources at a time, on all threads.

use super::JumpPointGraph;
use super::flood::Flood;
use super::lanes::LANES;
use super::packed_distances::DistanceWord;
use super::propagate::FirstHopLabeller;
use crate::build::{Progress, parallel};
use crate::core::vectors::with_vectors;
use pulp::{Simd, WithSimd};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is worked out for each source.
pub(crate) trait PerSource: Sync {
    type Part: Send;

    /// The parts of a batch of at most sixteen sources; `None` if some source is too much for the index. To be inlined
    /// always: it is compiled for the machine's vectors.
    fn batch<W: DistanceWord, S: Simd>(
        &self,
        simd: S,
        graph: &JumpPointGraph<'_>,
        sources: Range<u32>,
        flood: &mut Flood<W>,
        labeller: &mut FirstHopLabeller<W>,
    ) -> Option<Vec<Self::Part>>;
}

/// How many batches all sources make.
pub(crate) fn count(graph: &JumpPointGraph<'_>) -> u32 {
    (graph.points.len() as u32).div_ceil(LANES as u32)
}

/// Some batches, spread over the map.
pub(crate) fn spread(graph: &JumpPointGraph<'_>, some: u32) -> Vec<u32> {
    let all = count(graph);
    let some = some.min(all);
    (0..some).map(|index| (u64::from(index) * u64::from(all) / u64::from(some)) as u32).collect()
}

/// The parts of some batches, in their order, with any number of threads.
pub(crate) fn run<P: PerSource>(
    work: &P,
    graph: &JumpPointGraph<'_>,
    batches: &[u32],
    progress: Progress<'_>,
) -> Option<Vec<Vec<P::Part>>> {
    if graph.is_narrow() {
        run_with::<P, u32>(work, graph, batches, progress)
    } else {
        run_with::<P, u64>(work, graph, batches, progress)
    }
}

/// One batch.
struct Batch<'a, P, W> {
    work: &'a P,
    graph: &'a JumpPointGraph<'a>,
    sources: Range<u32>,
    flood: &'a mut Flood<W>,
    labeller: &'a mut FirstHopLabeller<W>,
}

impl<P: PerSource, W: DistanceWord> WithSimd for Batch<'_, P, W> {
    type Output = Option<Vec<P::Part>>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Option<Vec<P::Part>> {
        self.work.batch(simd, self.graph, self.sources, self.flood, self.labeller)
    }
}

fn run_with<P: PerSource, W: DistanceWord>(
    work: &P,
    graph: &JumpPointGraph<'_>,
    batches: &[u32],
    progress: Progress<'_>,
) -> Option<Vec<Vec<P::Part>>> {
    let points = graph.points.len() as u32;
    let (done, all) = (AtomicU64::new(0), batches.len() as u64);
    progress(0, all);
    let room = || (Flood::<W>::new(graph), FirstHopLabeller::<W>::new());
    let parts = parallel::try_map_with(batches.len(), room, |(flood, labeller), number| {
        let batch = batches[number];
        let sources = batch * LANES as u32..((batch + 1) * LANES as u32).min(points);
        let parts = with_vectors(Batch { work, graph, sources, flood, labeller });
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
        parts.ok_or(())
    });
    parts.ok()
}
