//! Joins neighbouring runs of a row that share the beginning of their chains.
//!
//! A hop that comes earlier on the way is right too: it only leads less far. So two runs may both take the last hop
//! that their chains have in common. What that loses is a level of the tree for each cell; what it saves is a run.
//! Runs are joined in passes of rising price, so that the cheapest joins come first.

use super::super::jump_points::propagate::RunStart;
use super::super::jump_points::tree::{Hop, NO_HOP};

/// A run as it is joined.
#[derive(Clone, Copy)]
struct Run {
    cell: u32,
    cells: u32,
    hop: u8,
}

/// Joins runs while a join loses no more than `price`, and drops hops that no run names any more.
pub(crate) fn join(runs: Vec<RunStart>, hops: Vec<Hop>, cells: u32, price: u64) -> (Vec<RunStart>, Vec<Hop>) {
    if runs.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let common = Common::new(&hops);
    let ends = runs.iter().skip(1).map(|run| run.cell).chain([cells]);
    let mut joined: Vec<Run> = runs
        .iter()
        .zip(ends)
        .map(|(run, end)| Run { cell: run.cell, cells: end - run.cell, hop: run.hop })
        .collect();
    for shift in [10, 8, 6, 4, 2, 0] {
        let mut last = 0;
        for index in 1..joined.len() {
            let (a, b) = (joined[last], joined[index]);
            match common.of(a.hop, b.hop) {
                Some(hop) if common.loss(a, hop) + common.loss(b, hop) <= price >> shift => {
                    joined[last] = Run { cell: a.cell, cells: a.cells + b.cells, hop };
                }
                _ => {
                    last += 1;
                    joined[last] = b;
                }
            }
        }
        joined.truncate(last + 1);
    }
    drop_unused(joined, &hops)
}

/// The last hop that two chains have in common, for all pairs.
struct Common {
    hops: usize,
    /// [`NO_HOP`] where there is none.
    table: Vec<u8>,
    depths: Vec<u8>,
}

impl Common {
    fn new(hops: &[Hop]) -> Common {
        let count = hops.len();
        let mut table = vec![NO_HOP; count * count];
        let mut depths = vec![1_u8; count];
        // The hop before has a lower number.
        for (hop, &Hop { before, .. }) in hops.iter().enumerate() {
            table[hop * count + hop] = hop as u8;
            if before == NO_HOP {
                continue;
            }
            let before = usize::from(before);
            depths[hop] = depths[before].saturating_add(1);
            for other in 0..hop {
                let last = table[before * count + other];
                table[hop * count + other] = last;
                table[other * count + hop] = last;
            }
        }
        Common { hops: count, table, depths }
    }

    fn of(&self, a: u8, b: u8) -> Option<u8> {
        let hop = self.table[usize::from(a) * self.hops + usize::from(b)];
        (hop != NO_HOP).then_some(hop)
    }

    fn loss(&self, run: Run, hop: u8) -> u64 {
        let levels = self.depths[usize::from(run.hop)] - self.depths[usize::from(hop)];
        u64::from(run.cells) * u64::from(levels)
    }
}

fn drop_unused(runs: Vec<Run>, hops: &[Hop]) -> (Vec<RunStart>, Vec<Hop>) {
    let mut is_used = vec![false; hops.len()];
    runs.iter().for_each(|run| is_used[usize::from(run.hop)] = true);
    for hop in (0..hops.len()).rev() {
        if is_used[hop] && hops[hop].before != NO_HOP {
            is_used[usize::from(hops[hop].before)] = true;
        }
    }
    let mut new_numbers = [NO_HOP; 256];
    let mut kept = Vec::new();
    for (number, hop) in hops.iter().enumerate().filter(|(number, _)| is_used[*number]) {
        new_numbers[number] = kept.len() as u8;
        kept.push(Hop { before: new_numbers[usize::from(hop.before)], ..*hop });
    }
    let runs = runs.iter().map(|run| RunStart { cell: run.cell, hop: new_numbers[usize::from(run.hop)] });
    (runs.collect(), kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    fn is_at_or_before(hops: &[Hop], early: u32, late: u8) -> bool {
        let chain = std::iter::successors(Some(late), |&hop| {
            Some(hops[usize::from(hop)].before).filter(|&before| before != NO_HOP)
        });
        chain.into_iter().any(|hop| hops[usize::from(hop)].point == early)
    }

    #[test]
    fn joined_runs_name_a_hop_of_the_chain_that_was_there() {
        let mut rng = Rng::new(65);
        for round in 0..500 {
            let hops: Vec<Hop> = (0..1 + rng.below(30))
                .map(|number| {
                    let before =
                        if number == 0 || rng.chance(1, 3) { NO_HOP } else { rng.below(number) as u8 };
                    Hop { point: 100 + number, before }
                })
                .collect();
            let cells = 400;
            let mut runs = vec![RunStart { cell: 0, hop: rng.below(hops.len() as u32) as u8 }];
            for cell in 1..cells {
                if rng.chance(1, 10) {
                    runs.push(RunStart { cell, hop: rng.below(hops.len() as u32) as u8 });
                }
            }
            let price = [0, 40, 100_000][round % 3];
            let (joined, kept) = join(runs.clone(), hops.clone(), cells, price);
            let at = |runs: &[RunStart], cell| {
                runs.iter().rfind(|run| run.cell <= cell).map(|run| run.hop).unwrap()
            };
            for cell in 0..cells {
                let now = kept[usize::from(at(&joined, cell))];
                assert!(is_at_or_before(&hops, now.point, at(&runs, cell)), "price {price}");
            }
            assert!(
                kept.iter()
                    .enumerate()
                    .all(|(number, hop)| { hop.before == NO_HOP || usize::from(hop.before) < number })
            );
            assert!(joined.len() <= runs.len() && kept.len() <= hops.len());
        }
    }
}
