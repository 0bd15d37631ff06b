//! The few figures of a run that a story tells.

use super::Benchmark;
use super::run::Run;

/// One planner or agent; what does not apply is none.
pub(crate) struct Summary {
    pub(crate) name: String,
    pub(crate) is_agent: bool,
    pub(crate) is_by_sight: bool,
    /// Bytes of the indexes that it reads, and what it took to build them.
    pub(crate) index_bytes: u64,
    pub(crate) build_seconds: Option<f64>,
    /// Microseconds of a query or journey, and of a move.
    pub(crate) mean_us: Option<f64>,
    pub(crate) us_per_move: Option<f64>,
    /// The units of the dearest step.
    pub(crate) max_work: Option<u64>,
    /// By how much paths are longer than the best, the mean.
    pub(crate) longer_percent: Option<f64>,
}

impl Summary {
    fn new(run: &Run) -> Summary {
        let journeys = run.journeys.as_ref();
        Summary {
            name: run.name.clone(),
            is_agent: journeys.is_some(),
            is_by_sight: run.is_by_sight,
            index_bytes: run.index_bytes,
            build_seconds: run.build_seconds,
            mean_us: run.times.mean,
            us_per_move: journeys.and_then(|journeys| journeys.us_per_move),
            max_work: journeys.and_then(|journeys| journeys.max_work),
            longer_percent: run.tally.longer().mean_percent,
        }
    }
}

impl Benchmark<'_> {
    /// All runs in short, in the order in which they ran.
    pub(crate) fn summaries(&self) -> Vec<Summary> {
        self.runs.iter().map(Summary::new).collect()
    }
}
