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
        let first = self.first[usize::from(IS_GOAL)];
        if turn.round < 2 {
            turn.candidate = first;
            return self.go_through::<IS_GOAL>(index, side, turn, labels, budget);
        }
        // What was begun is finished.
        if turn.entry > 0 {
            if !self.go_through::<IS_GOAL>(index, side, turn, labels, budget) {
                return false;
            }
            turn.candidate += 1;
        }
        let except = if IS_GOAL || !turn.more { first } else { usize::MAX };
        while turn.candidate < side.bounded() {
            let (block, place) = (turn.candidate / 64 * 64, turn.candidate % 64);
            let mut places = side.all_below(block, self.layout.cost(&self.best)) & u64::MAX << place;
            while places != 0 {
                turn.candidate = block + places.trailing_zeros() as usize;
                places &= places - 1;
                // Those that were read have lowered the cost.
                let is_below = IS_GOAL || side.is_below(turn.candidate, self.layout.cost(&self.best));
                if turn.candidate == except || !is_below {
                    continue;
                }
                turn.more |= IS_GOAL && !broken.breaks(ProofRule::ReadAgain);
                if !self.go_through::<IS_GOAL>(index, side, turn, labels, budget) {
                    return false;
                }
            }
            turn.candidate = block + 64;
        }
        true
    }

    /// Enters or reads the label of a candidate; false if the budget is gone before its end.
    #[inline(always)]
    fn go_through<const IS_GOAL: bool>(
        &mut self,
        index: &Index<'_>,
        side: &Candidates,
        turn: &mut Turn,
        labels: &mut u64,
        budget: &mut Budget,
    ) -> bool {
        let candidate = turn.candidate;
        let half = index.half(Listed(side.listed()[candidate]));
        let begin = half.start + turn.entry;
        let count = eights(half.end.saturating_sub(begin), budget);
        let part = index.entries::<W>().get(begin..begin + count).unwrap_or(&[]);
        let cost = side.costs()[candidate];
        if IS_GOAL {
            self.hubs.enter(&self.layout, part, begin, cost);
        } else {
            self.hubs.read(&self.layout, part, begin, (candidate, cost), &mut self.best);
        }
        let is_done = begin + count >= half.end;
        turn.entry = if is_done { 0 } else { turn.entry + count };
        *labels += u64::from(is_done);
        is_done
    }
}
