//! The ends of links by where they lie: which of them, with the cost of its link, is nearest to a cell.
//!
//! A tree of boxes, each around eight smaller ones, the lowest around eight ends. A box knows the least cost of a link that ends in it,
//! so that no link there gives less than that and the distance to the box.
//!
//! # Guarantees
//! Boxes that cannot hold a better end are not opened. A caller that bounds how many are opened gets a value that is no higher
//! than the true one, and the same one every time.

use super::links::Link;
use crate::space::{Cell, GridGeometry, Metric};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Ends or boxes in a box.
const WIDE: usize = 8;

/// Boxes that an agent opens at most to know how far its goal seems.
pub(in crate::space) const MOST_OPENED: usize = 16;

/// An end of a link, or a box around some.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::space) struct Place {
    /// Least and greatest column and row.
    columns: (u32, u32),
    rows: (u32, u32),
    /// The least cost of a link that ends here.
    cost: u32,
}

/// The tree. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::space) struct LinkExits {
    /// The ends, the boxes around eight ends each, and so on up to one box.
    levels: Arc<Vec<Vec<Place>>>,
}

impl LinkExits {
    pub(super) fn new(geometry: &GridGeometry, links: &[Link]) -> LinkExits {
        let mut ends: Vec<(u64, Place)> = links
            .iter()
            .map(|link| (geometry.key(link.to), Place::end(geometry.cell(link.to), link.cost)))
            .collect();
        // Ends near each other lie in one box.
        ends.sort_unstable_by_key(|(key, place)| (*key, place.cost));
        let mut levels = vec![ends.into_iter().map(|(_, place)| place).collect::<Vec<Place>>()];
        while levels.last().is_some_and(|level| level.len() > 1) {
            let below = levels.last().map_or(&[][..], |level| level);
            let boxes = below.chunks(WIDE).filter_map(|places| places.iter().copied().reduce(Place::joined));
            levels.push(boxes.collect());
        }
        LinkExits { levels: Arc::new(levels) }
    }

    /// Boxes that may have to be opened.
    pub(super) fn boxes(&self) -> usize {
        self.levels.iter().skip(1).map(Vec::len).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<Place>()).sum()
    }

    /// The least sum of what a link costs, where `one` is a straight step, and of the distance from its end to a cell; something
    /// lower if that takes opening more than `most` boxes. As much as there is without links.
    pub(in crate::space) fn least(&self, to: Cell, metric: impl Metric, one: u64, most: usize) -> u64 {
        let mut nearest = Nearest { to, metric, one, left: most, least: u64::MAX };
        if let Some(top) = self.levels.len().checked_sub(1).filter(|_| !self.levels[0].is_empty()) {
            self.open(top, 0, &mut nearest);
        }
        nearest.least
    }

    /// Takes an end, or opens a box and looks into what is in it, the most promising first.
    fn open<M: Metric>(&self, level: usize, number: usize, nearest: &mut Nearest<M>) {
        let bound = nearest.bound(level, &self.levels[level][number]);
        if level == 0 || bound >= nearest.least || nearest.left == 0 {
            nearest.least = nearest.least.min(bound);
            return;
        }
        nearest.left -= 1;
        let (below, first) = (&self.levels[level - 1], number * WIDE);
        let inside = first..(first + WIDE).min(below.len());
        let mut order = [(u64::MAX, 0); WIDE];
        for (entry, number) in order.iter_mut().zip(inside) {
            *entry = (nearest.bound(level - 1, &below[number]), number);
        }
        order.sort_unstable();
        for (bound, number) in order {
            if bound < nearest.least {
                self.open(level - 1, number, nearest);
            }
        }
    }
}

impl Place {
    /// The end of a link of this cost.
    pub(in crate::space) fn end((column, row): Cell, cost: u32) -> Place {
        Place { columns: (column, column), rows: (row, row), cost }
    }

    /// The box around both.
    pub(in crate::space) fn joined(self, other: Place) -> Place {
        let joined = |a: (u32, u32), b: (u32, u32)| (a.0.min(b.0), a.1.max(b.1));
        let (columns, rows) = (joined(self.columns, other.columns), joined(self.rows, other.rows));
        Place { columns, rows, cost: self.cost.min(other.cost) }
    }

    /// Whether it is one cell.
    pub(in crate::space) fn is_end(&self) -> bool {
        self.columns.0 == self.columns.1 && self.rows.0 == self.rows.1
    }

    /// Whether it is a box of cells of a map of this size, at the cost of a link.
    #[cfg(feature = "saves")]
    pub(in crate::space) fn is_inside(&self, width: u32, height: u32) -> bool {
        let is_inside = |(least, most): (u32, u32), of: u32| 1 <= least && least <= most && most <= of;
        is_inside(self.columns, width)
            && is_inside(self.rows, height)
            && (1..=Link::MOST).contains(&self.cost)
    }

    /// What a link that ends here and the way from there to a cell cost at least, where `one` is a straight step.
    pub(in crate::space) fn through(&self, to: Cell, metric: impl Metric, one: u64, is_end: bool) -> u64 {
        let outside =
            |(least, most): (u32, u32), at: u32| least.saturating_sub(at).max(at.saturating_sub(most));
        let distance = match is_end {
            true => metric.distance((self.columns.0, self.rows.0), to),
            false => metric.least(outside(self.columns, to.0), outside(self.rows, to.1)),
        };
        u64::from(self.cost) * one + distance
    }
}

/// A search for the nearest end.
struct Nearest<M> {
    to: Cell,
    metric: M,
    one: u64,
    /// Boxes that may still be opened.
    left: usize,
    least: u64,
}

impl<M: Metric> Nearest<M> {
    /// What a link to an end gives; no link to one in a box gives less.
    fn bound(&self, level: usize, place: &Place) -> u64 {
        place.through(self.to, self.metric, self.one, level == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Rng, StateId};
    use crate::space::{GridMetric, Heuristic, Power, Rule};

    /// On maps that are open and far, with links of all costs, or of one, or all of whose ends lie on a line.
    #[test]
    fn the_nearest_end_is_that_of_a_scan_under_every_estimate_and_a_bound_only_lowers_it() {
        let mut rng = Rng::new(58);
        let (mut cut, mut most_opened) = (0, 0);
        for round in 0..400 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let geometry = GridGeometry::new(1 + rng.below(300), 1 + rng.below(300), rule);
            let any = |rng: &mut Rng| {
                geometry.state((1 + rng.below(geometry.width()), 1 + rng.below(geometry.height())))
            };
            let dearest = [1, 40, 2000][round % 3];
            let links: Vec<Link> = (0..rng.below(600))
                .map(|_| Link { from: any(&mut rng), to: any(&mut rng), cost: 1 + rng.below(dearest) })
                .collect();
            let exits = LinkExits::new(&geometry, &links);
            let power = Power::from_thousandths(2500).expect("a power");
            for heuristic in
                Heuristic::NAMED.map(|(_, heuristic)| heuristic).into_iter().chain([Heuristic::PNorm(power)])
            {
                let (straight, diagonal) = (geometry.scale().straight(), geometry.scale().diagonal());
                let metric = GridMetric::new(heuristic, rule, straight, diagonal);
                for _ in 0..10 {
                    let to = geometry.cell(any(&mut rng));
                    let one = geometry.scale().one();
                    let through = |link: &Link| {
                        u64::from(link.cost) * one + metric.distance(geometry.cell(link.to), to)
                    };
                    let expected = links.iter().map(through).min().unwrap_or(u64::MAX);
                    assert_eq!(exits.least(to, metric, one, usize::MAX), expected, "{heuristic:?} {rule}");
                    let bounded = exits.least(to, metric, one, MOST_OPENED);
                    assert!(bounded <= expected);
                    if heuristic == Heuristic::tightest(rule) {
                        cut += u32::from(bounded < expected);
                        let needed = (0..).find(|most| exits.least(to, metric, one, *most) == expected);
                        most_opened = most_opened.max(needed.unwrap_or(usize::MAX));
                    }
                }
            }
        }
        println!("{cut} of 4000 goals were cut; at most {most_opened} boxes had to be opened");
        assert!(cut < 40, "{cut} goals seem nearer than they are");
    }

    #[test]
    fn without_links_nothing_is_near() {
        let geometry = GridGeometry::new(3, 3, Rule::Octile);
        let none = [LinkExits::default(), LinkExits::new(&geometry, &[])];
        for exits in none {
            assert_eq!((exits.boxes(), exits.least((1, 1), geometry.metric(), 1, 9)), (0, u64::MAX));
        }
        let link = Link { from: StateId::new(6), to: StateId::new(6), cost: 3 };
        let one = LinkExits::new(&geometry, &[link]);
        assert_eq!((one.boxes(), one.least(geometry.cell(link.to), geometry.metric(), 7, 0)), (0, 21));
    }
}
