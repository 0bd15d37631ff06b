//! The records most similar to a problem, from a k-d tree that is looked through bit by bit.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010, section 6.2, the fifth enhancement, and figure 9; the search is A. Moore's, Efficient
//! memory-based learning for robot control, 1991.
//!
//! # Symbols
//! A node is `(x_start, y_start, x_end, y_end)`; the tree is divided by each of the four in turn. *Similarity* is the
//! maximum of the distances from the problem's start to the record's and from the record's end to the problem's goal:
//! the lower, the more similar.
//!
//! # Guarantees
//! The same records as a look at all of them, most similar first, of equals the one with the lower number first. One unit
//! of the budget for each node looked at or passed over; a search that is cut goes on where it was. At most 33 subtrees
//! are waiting at any time.
//!
//! # Deviations
//! 1. The tree is an order of the records, not a structure beside them: the root of a range is its middle. It is balanced
//!    and takes no memory. So where several records have the coordinate of a node, some of them may stand in its right
//!    subtree; a search looks at both sides then.
//! 2. It is ours since no stock tree counts its visits or stops in the middle of a search; a test holds it against one.
//! 3. The paper asks the tree by coordinates and sorts what it finds by similarity. Here similarity itself decides, since
//!    subtrees are passed over by the distance to the box that they lie in: no record is missed.

use crate::core::{Budget, StateId};
use crate::space::{Climber, Grid, GridMetric, Metric, Space};

/// A node of the tree, or a question to it.
pub(crate) type Place = [u32; 4];

/// Which way a place lies from a node of the tree: left if its coordinate on this axis is not greater.
#[inline]
fn is_left(place: &Place, node: &Place, axis: usize) -> bool {
    place[axis] <= node[axis]
}

/// Puts items into the order of the tree. Equal coordinates go by `number`, which no two items share.
pub(crate) fn arrange<T>(items: &mut [T], place: &impl Fn(&T) -> Place, number: &impl Fn(&T) -> u32) {
    let mut parts = vec![(items, 0)];
    while let Some((part, axis)) = parts.pop() {
        if part.len() < 2 {
            continue;
        }
        let middle = part.len() / 2;
        let (left, _, right) =
            part.select_nth_unstable_by_key(middle, |item| (place(item)[axis], number(item)));
        parts.push((left, (axis + 1) % 4));
        parts.push((right, (axis + 1) % 4));
    }
}

/// A part of the tree that has not been looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pending {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) axis: u32,
    /// How far the problem is from the box around this part, on each axis.
    pub(crate) apart: Place,
}

/// One after another, in no tree.
const ALL_OF_THEM: u32 = 4;

/// A search for the records most similar to a problem.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Nearest {
    /// Similarity and number, the most similar first.
    pub(crate) best: Vec<(u64, u32)>,
    pub(crate) pending: Vec<Pending>,
    /// Only records less similar than this one count.
    after: Option<(u64, u32)>,
}

/// No more subtrees than this wait: one for each level, and the root.
pub(crate) const MOST_PENDING: usize = 33;

impl Nearest {
    /// Begins anew among so many records, of which only those less similar than `after` count.
    pub(crate) fn begin(&mut self, records: usize, most: usize, after: Option<(u64, u32)>, by_tree: bool) {
        self.after = after;
        self.best.clear();
        self.best.reserve(most + 1);
        self.pending.clear();
        self.pending.reserve(MOST_PENDING);
        let axis = if by_tree { 0 } else { ALL_OF_THEM };
        self.pending.push(Pending { begin: 0, end: records as u32, axis, apart: [0; 4] });
    }

    /// Goes on. True when the `most` most similar records are found.
    pub(crate) fn advance(
        &mut self,
        problem: &Problem<'_>,
        ends: impl Fn(u32) -> (StateId, StateId),
        most: usize,
        budget: &mut Budget,
    ) -> bool {
        while let Some(part) = self.pending.pop() {
            if !budget.take() {
                self.pending.push(part);
                return false;
            }
            if part.begin >= part.end || self.is_beaten(problem.least(&part.apart), most) {
                continue;
            }
            if part.axis >= ALL_OF_THEM {
                self.take(problem, part.begin, ends(part.begin), most);
                self.pending.push(Pending { begin: part.begin + 1, ..part });
                continue;
            }
            let (middle, axis) = (part.begin.midpoint(part.end), part.axis as usize);
            let (start, end) = ends(middle);
            self.take(problem, middle, (start, end), most);
            let node = problem.place_of(start, end);
            let next = (part.axis + 1) % 4;
            let left = Pending { end: middle, axis: next, ..part };
            let right = Pending { begin: middle + 1, axis: next, ..part };
            let (near, mut far) =
                if is_left(&problem.place, &node, axis) { (left, right) } else { (right, left) };
            far.apart[axis] = far.apart[axis].max(problem.place[axis].abs_diff(node[axis]));
            self.pending.push(far);
            self.pending.push(near);
        }
        true
    }

    fn is_beaten(&self, least: u64, most: usize) -> bool {
        self.best.len() >= most && self.best.last().is_none_or(|&(worst, _)| least > worst)
    }

    fn take(&mut self, problem: &Problem<'_>, number: u32, ends: (StateId, StateId), most: usize) {
        let found = (problem.similarity(ends), number);
        if self.after.is_some_and(|after| found <= after) {
            return;
        }
        let at = self.best.partition_point(|other| *other < found);
        if at < most {
            self.best.insert(at, found);
            self.best.truncate(most);
        }
    }

    /// Memory that it holds at most.
    pub(crate) fn most_bytes(most: usize) -> usize {
        2 * ((most + 1) * size_of::<(u64, u32)>() + MOST_PENDING * size_of::<Pending>())
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
        self.best.capacity() * size_of::<(u64, u32)>() + self.pending.capacity() * size_of::<Pending>()
    }
}

/// A start and a goal, to which records are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'a> {
    climber: &'a Climber<'a>,
    grid: Option<(&'a Grid, GridMetric)>,
    from: StateId,
    to: StateId,
    place: Place,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(space: &'a Space, climber: &'a Climber<'a>, from: StateId, to: StateId) -> Problem<'a> {
        let grid = space.as_grid().map(|grid| (grid, grid.metric()));
        let place = grid.map_or([0; 4], |(grid, _)| place_on(grid, from, to));
        Problem { climber, grid, from, to, place }
    }

    /// The maximum of both distances.
    #[inline]
    fn similarity(&self, (start, end): (StateId, StateId)) -> u64 {
        let distance = |a, b| match self.grid {
            Some((grid, metric)) => metric.distance(grid.column_and_row(a), grid.column_and_row(b)),
            None => self.climber.estimate(a, b).units(),
        };
        distance(self.from, start).max(distance(end, self.to))
    }

    #[inline]
    fn place_of(&self, start: StateId, end: StateId) -> Place {
        self.grid.map_or([0; 4], |(grid, _)| place_on(grid, start, end))
    }

    /// No record in a box that is so far apart is more similar than this.
    #[inline]
    fn least(&self, apart: &Place) -> u64 {
        let least = |metric: &GridMetric, a, b| metric.least(a, b);
        self.grid
            .as_ref()
            .map_or(0, |(_, metric)| least(metric, apart[0], apart[1]).max(least(metric, apart[2], apart[3])))
    }
}

/// A record as the tree sees it.
#[inline]
pub(crate) fn place_on(grid: &Grid, start: StateId, end: StateId) -> Place {
    let ((x_start, y_start), (x_end, y_end)) = (grid.column_and_row(start), grid.column_and_row(end));
    [x_start, y_start, x_end, y_end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{CostScale, Rng};
    use crate::space::{Rule, SpaceKind};
    use std::num::NonZero;

    /// Where the text to figure 9 finds the record (8, 4) to (4, 9).
    #[test]
    fn a_record_lands_where_the_figure_says() {
        let record = [8, 4, 4, 9];
        // The nodes it passes, by the coordinates that the text gives.
        let path = [[4, 5, 8, 9], [8, 5, 8, 9], [8, 4, 6, 9], [8, 4, 5, 8]];
        let sides: Vec<bool> = (0..4).map(|level| is_left(&record, &path[level], level)).collect();
        assert_eq!(sides, [false, true, true, false], "right, left, left, right");

        // The same in a tree of 31 records that has these nodes: the middles of ranges, level by level.
        let mut places = vec![record];
        places.extend(path);
        places.extend((0..15).map(|n| [n % 4, n % 7, n % 5, n % 6])); // left of the root
        places.extend((0..7).map(|n| [6, 6 + n % 2, n, 9])); // right of the second node
        places.extend((0..3).map(|n| [7, 4, 7 + n, 9])); // right of the third
        places.push([8, 3, 5, 7]); // left of the fourth
        let mut tree: Vec<(u32, Place)> = (0..).zip(places).collect();
        assert_eq!(tree.len(), 31);
        arrange(&mut tree, &|item| item.1, &|item| item.0);
        let (mut begin, mut end) = (0, tree.len());
        for (level, node) in path.iter().enumerate() {
            let middle = usize::midpoint(begin, end);
            assert_eq!(tree[middle].1, *node, "level {level}");
            if is_left(&record, node, level) { end = middle } else { begin = middle + 1 }
        }
        assert_eq!(tree[begin..end].iter().map(|item| item.1).collect::<Vec<_>>(), [record]);
    }

    #[test]
    fn the_tree_finds_what_a_look_at_all_records_finds_in_slices_of_any_size() {
        let mut rng = Rng::new(92);
        let mut visits = [0; 2];
        for round in 0..300 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let (width, height) = (1 + rng.below(40), 1 + rng.below(40));
            let space = Space::from(Grid::new(width, height, rule, |_, _| true).expect("a small map"));
            let grid = space.as_grid().expect("a grid");
            let states: Vec<StateId> = grid.free_states().collect();
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut tree: Vec<(u32, (StateId, StateId))> =
                (0..(round as u32 * 7) % 400).map(|number| (number, (any(), any()))).collect();
            let problems: Vec<(StateId, StateId)> = (0..8).map(|_| (any(), any())).collect();
            arrange(&mut tree, &|item| place_on(grid, item.1.0, item.1.1), &|item| item.0);
            let climber = Climber::new(&space);
            let most = 1 + round % 12;
            for (from, to) in problems {
                let problem = Problem::new(&space, &climber, from, to);
                let mut all: Vec<(u64, u32)> =
                    (0..).zip(&tree).map(|(number, item)| (problem.similarity(item.1), number)).collect();
                all.sort_unstable();
                all.truncate(2 * most);
                for (by_tree, visits) in [true, false].into_iter().zip(&mut visits) {
                    let mut nearest = Nearest::default();
                    nearest.begin(tree.len(), most, None, by_tree);
                    let slice = 1 + u64::from(rng.below(50));
                    loop {
                        let mut budget = Budget::units(slice);
                        let ends = |number: u32| tree[number as usize].1;
                        let is_done = nearest.advance(&problem, ends, most, &mut budget);
                        assert!(budget.spent() <= slice && nearest.pending.len() <= MOST_PENDING);
                        *visits += budget.spent();
                        if is_done {
                            break;
                        }
                    }
                    assert_eq!(nearest.best[..], all[..most.min(all.len())], "{rule}, tree {by_tree}");
                    // And those that come after them.
                    let last = nearest.best.last().copied();
                    nearest.begin(tree.len(), most, last, by_tree);
                    let ends = |number: u32| tree[number as usize].1;
                    assert!(nearest.advance(&problem, ends, most, &mut Budget::unlimited()));
                    assert_eq!(nearest.best[..], all[most.min(all.len())..], "{rule}, tree {by_tree}");
                }
            }
        }
        assert!(visits[0] < visits[1], "{visits:?}");
    }

    /// A cell as a point between which the greatest difference of coordinates is the distance: for octile moves and for
    /// four that is so of x + ky, x - ky, y + kx, y - kx, for six of the three axes of hexagons.
    fn spread(rule: Rule, scale: CostScale, (x, y): (u32, u32)) -> [f64; 4] {
        let (x, y, straight) = (f64::from(x), f64::from(y), scale.straight() as f64);
        // Columns and rows are one more than those of the map.
        let axes = |along: f64, line: f64, shifted: f64| {
            let q = along - ((line - shifted) / 2.0).floor();
            [q, line, q + line, 0.0].map(|coordinate| coordinate * straight)
        };
        let aslant = match rule {
            Rule::Hex => return axes(x, y, 1.0),
            Rule::HexEvenR => return axes(x, y, 0.0),
            Rule::HexOddQ => return axes(y, x, 1.0),
            Rule::HexEvenQ => return axes(y, x, 0.0),
            Rule::Four => straight,
            _ => scale.diagonal() as f64 - straight,
        };
        [
            straight * x + aslant * y,
            straight * x - aslant * y,
            straight * y + aslant * x,
            straight * y - aslant * x,
        ]
    }

    #[test]
    fn a_stock_tree_finds_records_as_similar() {
        let mut rng = Rng::new(94);
        let mut asked = 0;
        for round in 0..600 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let (width, height) = (1 + rng.below(60), 1 + rng.below(60));
            let space = Space::from(Grid::new(width, height, rule, |_, _| true).expect("a small map"));
            let grid = space.as_grid().expect("a grid");
            let states: Vec<StateId> = grid.free_states().collect();
            let mut any = || states[rng.below(states.len() as u32) as usize];
            // None, few, and many; in every third round each stands there several times.
            let count = [0, 1, 2, 3, 17, 150, 600][round % 7];
            let mut records: Vec<(StateId, StateId)> = (0..count).map(|_| (any(), any())).collect();
            if round % 3 == 0 {
                records = records.iter().flat_map(|record| [*record; 3]).collect();
            }
            let point = |(start, end): (StateId, StateId)| {
                let [from, to] =
                    [start, end].map(|state| spread(rule, grid.scale(), grid.column_and_row(state)));
                [from[0], from[1], from[2], from[3], to[0], to[1], to[2], to[3]]
            };
            let points: Vec<[f64; 8]> = records.iter().map(|record| point(*record)).collect();
            let stock: kiddo::ImmutableKdTree<f64, 8> = kiddo::ImmutableKdTree::new_from_slice(&points);
            let mut tree: Vec<(u32, (StateId, StateId))> = (0..).zip(records).collect();
            let problems: Vec<(StateId, StateId)> = (0..12).map(|_| (any(), any())).collect();
            arrange(&mut tree, &|item| place_on(grid, item.1.0, item.1.1), &|item| item.0);
            let climber = Climber::new(&space);
            let most = [1, 2, 10, 100][round % 4];
            for (from, to) in problems {
                let problem = Problem::new(&space, &climber, from, to);
                let mut nearest = Nearest::default();
                nearest.begin(tree.len(), most, None, true);
                assert!(nearest.advance(
                    &problem,
                    |number| tree[number as usize].1,
                    most,
                    &mut Budget::unlimited()
                ));
                let count = NonZero::new(most).expect("some");
                let theirs = stock.nearest_n::<kiddo::Chebyshev>(&point((from, to)), count);
                assert_eq!(nearest.best.len(), theirs.len(), "{rule}, round {round}");
                for ((ours, _), theirs) in nearest.best.iter().zip(&theirs) {
                    // Where a step is many units, floats round.
                    let slack = if grid.scale().straight() < 1 << 40 { 0.0 } else { *ours as f64 * 1e-12 };
                    assert!((*ours as f64 - theirs.distance).abs() <= slack, "{rule}, round {round}");
                }
                asked += 1;
            }
        }
        assert_eq!(asked, 7200);
    }
}
