//! How good the answers were: solved, failed, optimal, and by how much paths are longer than the best.

use super::check::{Fault, Verdict};
use super::problems::Task;
use super::reference::Reference;
use super::statistics;
use crate::args::Check;
use milepost::Cost;

/// The answers of one planner or agent, counted.
#[derive(Debug)]
pub(super) struct Tally {
    check: Check,
    pub(super) solved: usize,
    pub(super) failed: usize,
    optimal: usize,
    /// Paths that cost more than the best.
    pub(super) worse: usize,
    /// The first wrong answer, with the line of its problem.
    pub(super) first_fault: Option<(u32, Fault)>,
    /// What the paths cost.
    costs: Vec<f64>,
    /// What a path costs and what the best one costs, where the best one costs anything.
    pairs: Vec<(f64, f64)>,
}

/// By how much paths are longer than the best.
#[derive(Debug)]
pub(super) struct Longer {
    pub(super) mean_percent: Option<f64>,
    pub(super) median_percent: Option<f64>,
    /// All paths together against all best paths together.
    pub(super) total_percent: Option<f64>,
    /// Cost over best cost.
    pub(super) worst_ratio: Option<f64>,
}

impl Tally {
    pub(super) fn new(check: Check) -> Tally {
        Tally {
            check,
            solved: 0,
            failed: 0,
            optimal: 0,
            worse: 0,
            first_fault: None,
            costs: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Counts the answer to one problem.
    pub(super) fn count(&mut self, task: &Task, reference: &Reference, verdict: Verdict) {
        match verdict {
            Verdict::Path(cost) => {
                self.solved += 1;
                self.compare(cost, task, reference);
            }
            Verdict::NoPath => {
                self.solved += 1;
                self.optimal += 1;
            }
            Verdict::Wrong(fault) => {
                self.failed += 1;
                self.first_fault = self.first_fault.or(Some((task.line, fault)));
            }
        }
    }

    fn compare(&mut self, cost: Cost, task: &Task, reference: &Reference) {
        let seen = reference.scale.to_f64(cost);
        self.costs.push(seen);
        let (best, is_best, is_worse) = match (self.check, reference.optimum) {
            // A legal path below the optimum would prove the optimum wrong: that is no good answer either.
            (Check::Exact, Some(optimum)) => {
                (reference.scale.to_f64(optimum), cost == optimum, cost != optimum)
            }
            (Check::Scen, _) => {
                let Some(listed) = task.listed else { return };
                let (listed, agrees) = (listed.value(), listed.agrees_with(seen));
                // Within its precision the listed length is this one.
                (if agrees { seen } else { listed }, agrees, !agrees && seen > listed)
            }
            _ => return,
        };
        self.optimal += usize::from(is_best);
        self.worse += usize::from(is_worse);
        if best > 0.0 {
            self.pairs.push((seen, best));
        }
    }

    /// Answers as good as can be; none if costs were not compared.
    pub(super) fn optimal(&self) -> Option<usize> {
        (self.check != Check::None).then_some(self.optimal)
    }

    pub(super) fn mean_cost(&self) -> Option<f64> {
        statistics::mean(&self.costs)
    }

    pub(super) fn longer(&self) -> Longer {
        let ratios = statistics::sorted(self.pairs.iter().map(|(cost, best)| cost / best));
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        let (cost, best) = self.pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        Longer {
            mean_percent: statistics::mean(&ratios).map(percent),
            median_percent: statistics::median(&ratios).map(percent),
            total_percent: (best > 0.0).then(|| percent(cost / best)),
            worst_ratio: ratios.last().copied(),
        }
    }
}
