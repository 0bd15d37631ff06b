//! What an agent in unknown terrain is shown: its surroundings, and nothing else of the true map.

use crate::core::{Budget, Point, StateId};
use crate::space::{
    Belief, BeliefChange, Direction, Graph, Grid, GridGeometry, PriorMap, Seen, Space, SpaceKind,
};

/// Shows an agent what is around it. All that an agent of unknown terrain knows of the true map comes through here.
pub trait Sensor {
    /// What is known from the beginning.
    fn prior(&self) -> PriorMap<'_>;

    /// Tells of every state that is seen from `at`, that one included, whether it is free; the nearest ones first. It
    /// stops when `tell` says no.
    fn look(&self, at: StateId, tell: &mut dyn FnMut(StateId, bool) -> bool);

    /// The same as one mask, if `at` is a cell and no more than the 3 x 3 cells around it are seen: which of them are free,
    /// bit by bit, row by row from the north-west; those outside the map are not.
    fn look_3x3(&self, _at: StateId) -> Option<u32> {
        None
    }
}

/// How far an agent sees on a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SensorRange {
    /// All cells up to so many columns and rows away, whatever stands between.
    Radius(u32),
    /// What no wall hides, up to [`SensorRange::FARTHEST`] columns and rows away.
    Lines,
}

impl SensorRange {
    /// No sensor that sees by lines of sight sees farther than this.
    pub const FARTHEST: u32 = 64;
}

impl Default for SensorRange {
    /// The neighbours.
    fn default() -> SensorRange {
        SensorRange::Radius(1)
    }
}

/// A sensor that sees a part of a true map.
#[derive(Clone, Copy, Debug)]
pub struct MapSensor<'a> {
    truth: &'a Space,
    prior: PriorMap<'a>,
    range: SensorRange,
}

impl<'a> MapSensor<'a> {
    /// A sensor on this map. Of a graph all nodes that there are count as known.
    pub fn new(truth: &'a Space, range: SensorRange) -> MapSensor<'a> {
        MapSensor { truth, prior: truth.prior_map(), range }
    }

    /// A sensor for agents that know a graph as it was: nodes that are no longer there are blocked.
    pub fn with_known(truth: &'a Space, known: &'a Graph) -> MapSensor<'a> {
        MapSensor { truth, prior: PriorMap::Graph(known), range: SensorRange::default() }
    }
}

impl Sensor for MapSensor<'_> {
    #[inline]
    fn prior(&self) -> PriorMap<'_> {
        self.prior
    }

    #[inline]
    fn look_3x3(&self, at: StateId) -> Option<u32> {
        let grid = self.truth.as_grid().filter(|_| self.range == SensorRange::Radius(1))?;
        self.prior.contains(at).then(|| grid.neighbourhood_mask(at) as u32)
    }

    fn look(&self, at: StateId, tell: &mut dyn FnMut(StateId, bool) -> bool) {
        if !self.prior.contains(at) || !tell(at, self.truth.is_free(at)) {
            return;
        }
        match (self.truth.as_grid(), self.prior) {
            (Some(grid), _) => match self.range {
                SensorRange::Radius(radius) => look_around(grid, at, radius, tell),
                SensorRange::Lines => look_along_lines(grid, at, tell),
            },
            (None, PriorMap::Graph(known)) => {
                for edge in known.edges_from(at) {
                    if !tell(edge.to, self.truth.is_free(edge.to)) {
                        return;
                    }
                }
            }
            // A graph is no grid.
            (None, PriorMap::Grid(_)) => {}
        }
    }
}

/// The nearest cells, in the order in which a look tells of them, as bits of `look_3x3`, and in which direction each lies,
/// clockwise from north.
const NEAREST: [(u32, Option<u32>); 9] = [
    (4, None),
    (0, Some(7)),
    (1, Some(0)),
    (2, Some(1)),
    (5, Some(2)),
    (8, Some(3)),
    (7, Some(4)),
    (6, Some(5)),
    (3, Some(6)),
];

/// The cells around one, ring by ring, each clockwise from the north-west.
fn look_around(grid: &Grid, at: StateId, radius: u32, tell: &mut dyn FnMut(StateId, bool) -> bool) {
    let geometry = GridGeometry::of(grid);
    let (column, row) = geometry.cell(at);
    let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
    let farthest = i64::from(radius).min(width.max(height));
    for distance in 1..=farthest {
        for side in 0..4 {
            for along in -distance..distance {
                let (dx, dy) = match side {
                    0 => (along, -distance),
                    1 => (distance, along),
                    2 => (-along, distance),
                    _ => (-distance, -along),
                };
                let (column, row) = (i64::from(column) + dx, i64::from(row) + dy);
                if column < 1 || column > width || row < 1 || row > height {
                    continue;
                }
                let cell = geometry.state((column as u32, row as u32));
                if !tell(cell, grid.is_free(cell)) {
                    return;
                }
            }
        }
    }
}

/// A part of a row that is seen, between two slopes of lines from the middle of the cell where one stands.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Columns for each row, as fractions: numerator and denominator.
    begin: (i64, i64),
    end: (i64, i64),
}

/// The cells that no wall hides, row by row outwards, the four quarters of the map in turn.
///
/// A free cell is told if the line between both middles passes no wall, so that sight is mutual; a wall if any part of
/// it is seen.
fn look_along_lines(grid: &Grid, at: StateId, tell: &mut dyn FnMut(StateId, bool) -> bool) {
    let centre = grid.point(at);
    let mut quarters = [(); 4].map(|()| vec![Gap { begin: (-1, 1), end: (1, 1) }]);
    for depth in 1..=i64::from(SensorRange::FARTHEST) {
        for (quarter, gaps) in quarters.iter_mut().enumerate() {
            let mut next = Vec::with_capacity(gaps.len());
            for gap in gaps.drain(..) {
                let place = |column: i64| {
                    let (dx, dy) = match quarter {
                        0 => (column, -depth),
                        1 => (depth, column),
                        2 => (column, depth),
                        _ => (-depth, column),
                    };
                    grid.state_at(Point::new(centre.x + dx, centre.y + dy))
                };
                let (first, last) = (round_ties_up(depth, gap.begin), round_ties_down(depth, gap.end));
                let mut begin = gap.begin;
                let mut was_free = None;
                for column in first..=last {
                    let cell = place(column);
                    let is_free = cell.is_some_and(|cell| grid.is_free(cell));
                    // Both middles see each other if this column lies between the slopes.
                    let is_mutual = column * gap.begin.1 >= depth * gap.begin.0
                        && column * gap.end.1 <= depth * gap.end.0;
                    let seen = cell.filter(|_| !is_free || is_mutual);
                    if seen.is_some_and(|cell| !tell(cell, is_free)) {
                        return;
                    }
                    let edge = (2 * column - 1, 2 * depth);
                    match (was_free, is_free) {
                        (Some(false), true) => begin = edge,
                        (Some(true), false) => next.push(Gap { begin, end: edge }),
                        _ => {}
                    }
                    was_free = Some(is_free);
                }
                if was_free == Some(true) {
                    next.push(Gap { begin, end: gap.end });
                }
            }
            *gaps = next;
        }
    }
}

/// The column that a slope passes in a row, rounded; halves up.
fn round_ties_up(depth: i64, slope: (i64, i64)) -> i64 {
    (2 * depth * slope.0 + slope.1).div_euclid(2 * slope.1)
}

/// The column that a slope passes in a row, rounded; halves down.
fn round_ties_down(depth: i64, slope: (i64, i64)) -> i64 {
    -(-2 * depth * slope.0 + slope.1).div_euclid(2 * slope.1)
}

/// Looks around from `at`, and records what is seen until `most` states were other than believed: those are written to
/// `changes`, in place of what it holds. What was left out is told again by the next look. Returns whether something was other
/// than when it was seen before.
///
/// One unit for the look and one for each change of the belief. What is nearest comes first: on a grid with `most` from 8 on,
/// the neighbours are always recorded.
pub(crate) fn observe(
    sensor: &dyn Sensor,
    at: StateId,
    belief: &mut Belief,
    most: usize,
    budget: &mut Budget,
    changes: &mut Vec<(StateId, BeliefChange)>,
) -> bool {
    changes.clear();
    budget.charge(1);
    let prior = sensor.prior();
    let mut has_changed = false;
    // What lies around the cell, and what of it is other than it was seen: most often little, or nothing.
    let geometry = prior.as_grid().filter(|geometry| geometry.contains(at));
    let nine = geometry.zip(sensor.look_3x3(at)).map(|(geometry, free)| {
        let differing = belief.differing(geometry, at, free as usize);
        (geometry, free, differing)
    });
    if nine.is_some_and(|(.., differing)| differing == 0) {
        return has_changed;
    }
    // What is believed about the square that was told of last: most of what is seen lies in one.
    let mut near: Option<(u32, Seen)> = None;
    let mut record = |state: StateId, is_free: bool| {
        let (place, bit) = prior.place(state);
        let known = match &mut near {
            Some((square, known)) if *square == place => known,
            near => &mut near.insert((place, belief.square(place))).1,
        };
        let (is_seen, is_open) = (known.seen >> bit & 1 == 1, known.blocked >> bit & 1 == 0);
        if is_seen && is_open == is_free {
            return true;
        }
        if (is_open && prior.contains(state)) != is_free {
            if changes.len() == most {
                return false;
            }
            has_changed |= is_seen;
        }
        match belief.record_at((place, bit), known, is_free) {
            BeliefChange::Nothing => {}
            new => {
                budget.charge(1);
                changes.push((state, new));
            }
        }
        true
    };
    let Some((geometry, free, differing)) = nine else {
        sensor.look(at, &mut record);
        return has_changed;
    };
    for (bit, direction) in NEAREST {
        if differing >> bit & 1 == 1 {
            let cell = direction
                .map_or(at, |direction| geometry.neighbour(at, Direction::from_number(direction as usize)));
            if !record(cell, free >> bit & 1 == 1) {
                break;
            }
        }
    }
    has_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::space::Rule;
    use std::collections::BTreeSet;

    fn seen(space: &Space, at: StateId, range: SensorRange) -> Vec<StateId> {
        let mut list = Vec::new();
        MapSensor::new(space, range).look(at, &mut |state, is_free| {
            assert_eq!(is_free, space.is_free(state));
            list.push(state);
            true
        });
        list
    }

    fn random_grid(rng: &mut Rng, blocked: u32) -> Grid {
        let (width, height) = (1 + rng.below(20), 1 + rng.below(20));
        Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) >= blocked).expect("a small map")
    }

    fn distance(grid: &Grid, a: StateId, b: StateId) -> u64 {
        let (a, b) = (grid.point(a), grid.point(b));
        a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
    }

    #[test]
    fn a_radius_shows_all_cells_within_it_once_and_the_nearest_first() {
        let mut rng = Rng::new(31);
        for radius in [1, 2, 3, 7, 100] {
            let grid = random_grid(&mut rng, 30);
            let space = Space::from(grid.clone());
            for at in grid.all_cells() {
                let list = seen(&space, at, SensorRange::Radius(radius));
                let expected: BTreeSet<StateId> =
                    grid.all_cells().filter(|cell| distance(&grid, at, *cell) <= radius.into()).collect();
                assert_eq!(list.len(), expected.len());
                assert!(list.is_sorted_by_key(|cell| distance(&grid, at, *cell)));
                assert_eq!(list.into_iter().collect::<BTreeSet<_>>(), expected);
            }
        }
    }

    /// A map's sensor without `look_3x3`: every look tells cell by cell.
    struct WithoutLook3x3<'a>(MapSensor<'a>);

    impl Sensor for WithoutLook3x3<'_> {
        fn prior(&self) -> PriorMap<'_> {
            self.0.prior()
        }

        fn look(&self, at: StateId, tell: &mut dyn FnMut(StateId, bool) -> bool) {
            self.0.look(at, tell);
        }
    }

    #[test]
    fn looking_at_3x3_cells_at_once_tells_what_looking_cell_by_cell_does() {
        let mut rng = Rng::new(33);
        let mut recorded = 0;
        for _ in 0..60 {
            let (width, height) = (1 + rng.below(20), 1 + rng.below(20));
            // The same map with doors open and closed.
            let spaces = [40, 50, 60].map(|free| {
                let grid = Grid::new(width, height, Rule::Octile, |_, _| rng.below(100) < free);
                Space::from(grid.expect("a small map"))
            });
            let cells: Vec<StateId> = spaces[0].as_grid().expect("it is one").all_cells().collect();
            let (mut beliefs, mut changes) = ([Belief::new(), Belief::new()], [Vec::new(), Vec::new()]);
            for round in 0..200 {
                let space = &spaces[round / 20 % 3];
                let at = cells[rng.below(cells.len() as u32) as usize];
                let most = rng.below(10) as usize;
                let sensor = MapSensor::new(space, SensorRange::default());
                let (mut one, mut other) = (Budget::units(100), Budget::units(100));
                let at_once = observe(&sensor, at, &mut beliefs[0], most, &mut one, &mut changes[0]);
                let cell_by_cell =
                    observe(&WithoutLook3x3(sensor), at, &mut beliefs[1], most, &mut other, &mut changes[1]);
                assert_eq!((at_once, &changes[0], one.spent()), (cell_by_cell, &changes[1], other.spent()));
                assert_eq!(beliefs[0].squares(), beliefs[1].squares());
                recorded += changes[0].len();
            }
            assert_eq!(MapSensor::new(&spaces[0], SensorRange::default()).look_3x3(StateId::NONE), None);
            assert_eq!(MapSensor::new(&spaces[0], SensorRange::Radius(2)).look_3x3(cells[0]), None);
        }
        assert!(recorded > 1000);
    }

    #[test]
    fn lines_of_sight_are_mutual_and_end_at_walls() {
        let mut rng = Rng::new(32);
        for _ in 0..30 {
            let grid = random_grid(&mut rng, 20);
            let space = Space::from(grid.clone());
            let free: Vec<StateId> = grid.free_states().collect();
            let sights: Vec<BTreeSet<StateId>> =
                free.iter().map(|at| seen(&space, *at, SensorRange::Lines).into_iter().collect()).collect();
            for (from, sees) in free.iter().zip(&sights) {
                for (to, sees_back) in free.iter().zip(&sights) {
                    assert_eq!(sees.contains(to), sees_back.contains(from));
                    if distance(&grid, *from, *to) == 1 {
                        assert!(sees.contains(to), "neighbours are always seen");
                    }
                    let (a, b) = (grid.point(*from), grid.point(*to));
                    if a.y == b.y {
                        let mut between = a.x.min(b.x)..a.x.max(b.x);
                        let is_open = between.all(|x| grid.is_free_at(Point::new(x, a.y)));
                        assert_eq!(sees.contains(to), is_open, "along a row");
                    }
                }
            }
        }
        let open = Space::from(Grid::new(20, 20, Rule::Octile, |_, _| true).expect("a small map"));
        for at in open.free_states() {
            assert_eq!(seen(&open, at, SensorRange::Lines).into_iter().collect::<BTreeSet<_>>().len(), 400);
        }
    }

    #[test]
    fn changes_beyond_the_most_that_is_recorded_wait_for_the_next_look() {
        let grid = Grid::new(9, 9, Rule::Octile, |x, y| (x, y) == (4, 4)).expect("a small map");
        let (space, at) = (Space::from(grid.clone()), grid.state_at(Point::new(4, 4)).expect("inside"));
        let sensor = MapSensor::new(&space, SensorRange::Radius(2));
        let (mut belief, mut changes) = (Belief::new(), Vec::new());
        for count in [10, 10, 4, 0] {
            let mut budget = Budget::units(100);
            assert!(
                !observe(&sensor, at, &mut belief, 10, &mut budget, &mut changes),
                "nothing was seen before"
            );
            assert_eq!((changes.len(), budget.spent()), (count, 1 + count as u64));
        }
    }
}
