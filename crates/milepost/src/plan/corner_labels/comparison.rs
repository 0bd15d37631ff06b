//! The comparison of labels: those of the goal's candidates are entered, those of the start's are read.

use super::Found;
use super::candidates::{Candidates, eights};
use super::hubs::{Best, Hubs, Layout};
use crate::core::Budget;
use crate::index::CornerLabels as Index;
use crate::index::corner_labels::{Broken, Listed, ProofRule, Word};
use crate::space::Grid;

/// Which label is entered or read next, and from which entry on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Turn {
    /// The best of the goal, the best of the start, all of the goal, all of the start.
    round: usize,
    candidate: usize,
    entry: usize,
    /// More than the best label of the goal was entered.
    more: bool,
}

/// The comparison of labels, in words of 64 or of 128 bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison<W> {
    pub(super) hubs: Hubs<W>,
    layout: Layout<W>,
    best: Best<W>,
    /// The most promising candidates of both ends.
    first: [usize; 2],
}

impl<W: Word> Comparison<W> {
    #[inline(always)]
    pub(super) fn begin(&mut self, index: &Index<'_>, grid: &Grid, first: [usize; 2], meeting: Option<u64>) {
        let entries = index.entries::<W>().len();
        self.layout = self.hubs.begin(index.count(), index.sum_bits(grid), entries, index.fields());
        self.best = meeting.map_or_else(|| self.layout.none(), |length| self.layout.without_hub(length));
        self.first = first;
    }

    /// The cost of the best way, and how it was found; `None` if it leads over no hub.
    pub(super) fn found(&self) -> (u64, Option<Found>) {
        let Best { candidate, entry, .. } = self.best;
        let goal_entry = self.layout.goal_entry(&self.best);
        let over_hub = (entry != u32::MAX).then_some(Found::Hub { candidate, entry, goal_entry });
        (self.layout.cost(&self.best), over_hub)
    }

    /// Enters and reads labels, eight entries for a unit; where to go on if the budget is gone. The most promising candidate
    /// of each end comes first; of the others only those whose bound is below the best sum. Once more labels of the goal
    /// were entered, the first of the start is read again with the others.
    #[inline(always)]
    pub(super) fn advance(
        &mut self,
        index: &Index<'_>,
        [from, to]: &[Candidates; 2],
        mut turn: Turn,
        (labels, broken): (&mut u64, Broken),
        budget: &mut Budget,
    ) -> Option<Turn> {
        while turn.round < 4 {
            let told = (&mut *labels, broken);
            let is_done = if turn.round.is_multiple_of(2) {
                self.go_round::<true>(index, to, &mut turn, told, budget)
            } else {
                self.go_round::<false>(index, from, &mut turn, told, budget)
            };
            if !is_done {
                return Some(turn);
            }
            turn = Turn { round: turn.round + 1, candidate: 0, entry: 0, ..turn };
        }
        None
    }

    /// The labels of one round, of a side's candidates; false if the budget is gone before all are entered or read.
    #[inline(always)]
    fn go_round<const IS_GOAL: bool>(
        &mut self,
        index: &Index<'_>,
        side: &Candidates,
        turn: &mut Turn,
        (labels, broken): (&mut u64, Broken),
        budget: &mut Budget,
    ) -> bool {
        let entries = index.entries::<W>();
        let (first, is_first_round) = (self.first[usize::from(IS_GOAL)], turn.round < 2);
        let except = if IS_GOAL || !turn.more { first } else { usize::MAX };
        loop {
            // What was begun is finished.
            if turn.entry == 0 {
                let next = match is_first_round {
                    true => Some(first),
                    false => side.next_below(turn.candidate, self.layout.cost(&self.best), except),
                };
                let Some(next) = next else { return true };
                turn.candidate = next;
            }
            let candidate = turn.candidate;
            let half = index.half(Listed(side.listed()[candidate]));
            let begin = half.start + turn.entry;
            let count = eights(half.end.saturating_sub(begin), budget);
            let part = entries.get(begin..begin + count).unwrap_or(&[]);
            let cost = side.costs()[candidate];
            if IS_GOAL {
                self.hubs.enter(&self.layout, part, begin, cost);
                turn.more |= !is_first_round && !broken.breaks(ProofRule::ReadAgain);
            } else {
                self.hubs.read(&self.layout, part, begin, (candidate, cost), &mut self.best);
            }
            if begin + count < half.end {
                turn.entry += count;
                return false;
            }
            *labels += 1;
            if is_first_round {
                return true;
            }
            (turn.candidate, turn.entry) = (candidate + 1, 0);
        }
    }
}
