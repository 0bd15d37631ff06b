//! What an agent in unknown terrain is shown: its surroundings, and nothing else of the true map.

use super::shadow_casting;
use crate::core::StateId;
use crate::space::{Graph, Grid, GridGeometry, Link, PriorMap, Space, SpaceKind};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Shows an agent what is around it. All that an agent of unknown terrain knows of the true map comes through here.
///
/// A sensor that does otherwise than it says here shows its agents a wrong map; but no step takes more than is stated.
///
/// ```
/// use milepost::agent::{LookCursor, MapSensor, SensorRange, Sighting};
/// use milepost::space::PriorMap;
/// use milepost::{Budget, Grid, Point, Rule, Scratch, Sensor, Space, StateId, Step, catalog};
///
/// /// What is around, where other units are walls.
/// struct Crowd<'a> {
///     map: MapSensor<'a>,
///     units: &'a [StateId],
/// }
///
/// impl Sensor for Crowd<'_> {
///     fn prior(&self) -> PriorMap<'_> {
///         self.map.prior()
///     }
///     fn most_seen(&self) -> u32 {
///         self.map.most_seen()
///     }
///     fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool) {
///         let stands_there = |state| state != at && self.units.contains(&state);
///         self.map.look(at, cursor, &mut |seen| {
///             tell(Sighting { is_free: seen.is_free && !stands_there(seen.state), ..seen })
///         });
///     }
/// }
///
/// let grid = Grid::from_ascii("...\n...", Rule::Octile)?;
/// let cell = |x, y| grid.state_at(Point::new(x, y)).expect("inside the map");
/// let (truth, units) = (Space::from(&grid), [cell(1, 0)]);
/// let sensor = Crowd { map: MapSensor::new(&truth, SensorRange::Radius(1)), units: &units };
/// let mut agent = catalog::agent("replan")?.start(&sensor, cell(0, 0), cell(2, 0));
/// let step = agent.step(&sensor, &mut Scratch::new(), &mut Budget::unlimited());
/// assert_eq!(step, Step::Move(cell(0, 1))); // around the other unit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Sensor {
    /// What is known from the beginning.
    fn prior(&self) -> PriorMap<'_>;

    /// The most states that a look tells of, the one where the agent stands not counted. Agents state what a look takes by
    /// this number, and hear no more.
    fn most_seen(&self) -> u32;

    /// Tells of the states that are seen from `at`, each once, from where the cursor stands: first `at` itself, then its
    /// neighbours, then what is farther, the nearest ones first. It stops when `tell` says no, and leaves the cursor behind
    /// the last state that it told of. A look that goes on costs no more than what it tells.
    fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool);

    /// A whole look as one mask, if `at` is a cell and no more than the 3 x 3 cells around it are seen: which of them are free,
    /// bit by bit, row by row from the north-west; those outside the map are not. It is not asked for where cells have weights or
    /// there are links.
    fn look_3x3(&self, _at: StateId) -> Option<u32> {
        None
    }
}

/// What a look tells of a state. Agents believe what it says about walls, weights and links; what they have not seen they take
/// for free, for as light as the lightest cell of the map, and for linked to its neighbours alone.
///
/// Shown by [`Sensor`].
#[derive(Clone, Copy, Debug)]
pub struct Sighting<'a> {
    /// The state.
    pub state: StateId,
    /// Whether it is free; else it is blocked.
    pub is_free: bool,
    /// What steps there cost, as a multiple of those over plain ground; 1 on a graph.
    pub weight: u8,
    /// The links that begin there and lead to free states, in increasing order of where they end; no more than what is known
    /// from the beginning says ([`GridGeometry::with_links_up_to`]).
    pub links: &'a [Link],
}

impl Sighting<'_> {
    /// Of plain ground without links.
    pub fn new(state: StateId, is_free: bool) -> Sighting<'static> {
        Sighting { state, is_free, weight: 1, links: &[] }
    }
}

/// How far a look has come. It is the sensor's own: agents keep and save it, and hand it back as it was. A sensor takes a
/// cursor that it has not left so, from a forged save, for one at any place.
///
/// Shown by [`Sensor`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LookCursor {
    /// How far it is, as the sensor counts; 0 at the beginning.
    pub place: u64,
    /// What the sensor has to remember beside that; nothing at the beginning.
    pub rest: VecDeque<u64>,
}

/// How far an agent sees on a grid.
///
/// Shown by [`MapSensor`].
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

    /// So many columns and rows away it sees at most.
    fn farthest(self) -> u32 {
        match self {
            SensorRange::Radius(radius) => radius,
            SensorRange::Lines => SensorRange::FARTHEST,
        }
    }
}

impl Default for SensorRange {
    /// The neighbours.
    fn default() -> SensorRange {
        SensorRange::Radius(1)
    }
}

/// A sensor that sees a part of a true map.
///
/// ```
/// use milepost::agent::{MapSensor, SensorRange};
/// use milepost::{Budget, Grid, Point, Rule, Scratch, Space, Step, catalog};
///
/// let grid = Grid::from_ascii(".....\n.@@@.\n...@.", Rule::Octile)?;
/// let cell = |x, y| grid.state_at(Point::new(x, y)).expect("inside the map");
/// let truth = Space::from(&grid);
/// let sensor = MapSensor::new(&truth, SensorRange::Lines); // what no wall hides
/// let mut agent = catalog::agent("block-dstar")?.start(&sensor, cell(2, 2), cell(4, 2));
/// let mut scratch = Scratch::new();
/// while let Step::Move(_) | Step::Thinking = agent.step(&sensor, &mut scratch, &mut Budget::units(500)) {}
/// assert_eq!(agent.state(), cell(4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

impl MapSensor<'_> {
    fn sighting(&self, state: StateId) -> Sighting<'_> {
        match self.truth.as_grid() {
            Some(grid) if !grid.is_plain() => Sighting {
                state,
                is_free: grid.is_free(state),
                weight: grid.weight(state),
                links: grid.links_from(state),
            },
            _ => Sighting::new(state, self.truth.is_free(state)),
        }
    }
}

impl Sensor for MapSensor<'_> {
    #[inline]
    fn prior(&self) -> PriorMap<'_> {
        self.prior
    }

    fn most_seen(&self) -> u32 {
        let neighbours = self.prior.most_neighbours();
        let Some(grid) = self.truth.as_grid() else { return neighbours };
        let across = |cells: u32| (2 * u64::from(self.range.farthest()) + 1).min(cells.into());
        let cells = across(grid.width()) * across(grid.height()) - 1;
        u32::try_from(cells).unwrap_or(u32::MAX).max(neighbours)
    }

    #[inline]
    fn look_3x3(&self, at: StateId) -> Option<u32> {
        let grid = self.truth.as_grid().filter(|_| self.range == SensorRange::Radius(1))?;
        self.prior.contains(at).then(|| grid.neighbourhood_mask(at) as u32)
    }

    fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool) {
        if !self.prior.contains(at) {
            return;
        }
        let mut tell = |state: StateId| {
            let sighting = self.sighting(state);
            if sighting.links.iter().all(|link| self.truth.is_free(link.to)) {
                return tell(sighting);
            }
            let is_open = |link: &&Link| self.truth.is_free(link.to);
            let links: Vec<Link> = sighting.links.iter().filter(is_open).copied().collect();
            tell(Sighting { links: &links, ..sighting })
        };
        if cursor.place == 0 {
            cursor.place = 1;
            if !tell(at) {
                return;
            }
        }
        match (self.truth.as_grid(), self.prior) {
            (Some(grid), _) => match self.range {
                SensorRange::Radius(radius) => look_around(grid, at, radius, &mut cursor.place, &mut tell),
                SensorRange::Lines => shadow_casting::look_along_lines(grid, at, cursor, &mut tell),
            },
            (None, PriorMap::Graph(known)) => {
                while let Some(to) = known.successor_at(at, (cursor.place - 1) as usize) {
                    cursor.place += 1;
                    if !tell(to) {
                        return;
                    }
                }
            }
            // A graph is no grid.
            (None, PriorMap::Grid(_)) => {}
        }
    }
}

/// The cells around one, ring by ring, each clockwise from the north-west, from the one with this number on: the cell itself
/// is number 0, and the cells of the rings are counted whether they lie inside the map or not.
fn look_around(
    grid: &Grid,
    at: StateId,
    radius: u32,
    number: &mut u64,
    tell: &mut dyn FnMut(StateId) -> bool,
) {
    let geometry = GridGeometry::of(grid);
    let (column, row) = geometry.cell(at);
    let (column, row, radius) = (i64::from(column), i64::from(row), u64::from(radius));
    let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
    // Beyond this no ring has a cell inside the map.
    let reach = [column - 1, width - column, row - 1, height - row].into_iter().max().unwrap_or(0) as u64;
    loop {
        // Rings of smaller distances have (2 distance - 1)^2 numbers, this one has four sides.
        let distance = number.isqrt().div_ceil(2);
        if distance > radius.min(reach) {
            return;
        }
        let (first, side_length) = ((2 * distance - 1).pow(2), 2 * distance);
        let side = (*number - first) / side_length;
        let begin = first + side * side_length;
        let distance = distance as i64;
        // Where a side lies, and its cells inside the map, by how far they are along from its middle.
        let along_columns = (1 - column, width - column);
        let along_rows = (1 - row, height - row);
        let backwards = |(least, most): (i64, i64)| (-most, -least);
        let (is_inside, (least, most)) = match side {
            0 => (row - distance >= 1, along_columns),
            1 => (column + distance <= width, along_rows),
            2 => (row + distance <= height, backwards(along_columns)),
            _ => (column - distance >= 1, backwards(along_rows)),
        };
        let from = ((*number - begin) as i64 - distance).max(least);
        let to = (distance - 1).min(most);
        if is_inside {
            for along in from..=to {
                let (dx, dy) = match side {
                    0 => (along, -distance),
                    1 => (distance, along),
                    2 => (-along, distance),
                    _ => (-distance, -along),
                };
                *number = begin + (along + distance) as u64 + 1;
                if !tell(geometry.state(((column + dx) as u32, (row + dy) as u32))) {
                    return;
                }
            }
        }
        *number = begin + side_length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Point, Rng};
    use crate::space::{Edge, Edit, Rule};
    use std::collections::BTreeSet;

    const RANGES: [SensorRange; 5] = [
        SensorRange::Radius(1),
        SensorRange::Radius(2),
        SensorRange::Radius(5),
        SensorRange::Radius(1000),
        SensorRange::Lines,
    ];

    /// What a look tells in slices of so many states.
    fn in_slices(sensor: &MapSensor<'_>, at: StateId, mut slices: impl FnMut() -> usize) -> Vec<StateId> {
        let (mut list, mut cursor) = (Vec::new(), LookCursor::default());
        loop {
            let (before, slice) = (list.len(), slices());
            sensor.look(at, &mut cursor, &mut |sighting| {
                assert_eq!(sighting.is_free, sensor.truth.is_free(sighting.state));
                list.push(sighting.state);
                list.len() < before + slice
            });
            if list.len() < before + slice {
                return list;
            }
        }
    }

    fn seen(space: &Space, at: StateId, range: SensorRange) -> Vec<StateId> {
        in_slices(&MapSensor::new(space, range), at, || usize::MAX)
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

    #[test]
    fn a_look_in_slices_of_any_size_tells_what_a_whole_one_does_each_state_once_and_no_more_than_is_stated() {
        let mut rng = Rng::new(34);
        for round in 0..100 {
            let (grid, range) =
                (random_grid(&mut rng, 5 * (round % 9)), RANGES[round as usize % RANGES.len()]);
            let space = Space::from(grid.clone());
            let sensor = MapSensor::new(&space, range);
            for at in grid.all_cells() {
                let whole = seen(&space, at, range);
                let sliced = in_slices(&sensor, at, || 1 + rng.below(12) as usize);
                assert_eq!(sliced, whole);
                assert_eq!(whole.iter().collect::<BTreeSet<_>>().len(), whole.len(), "each once");
                assert!(whole.len() <= sensor.most_seen() as usize + 1);
                let near = grid.all_cells().filter(|cell| distance(&grid, at, *cell) <= 1).count();
                assert_eq!(whole[0], at);
                assert!(whole[..near].iter().all(|cell| distance(&grid, at, *cell) <= 1), "neighbours first");
            }
        }
    }

    #[test]
    fn of_a_graph_the_neighbours_are_seen_in_slices_too() {
        let edge = |from, to| Edge { from: StateId::new(from), to: StateId::new(to), cost: 1 };
        let edges: Vec<Edge> = (1..20).flat_map(|to| [edge(0, to), edge(to, to - 1)]).collect();
        let space = Space::from(Graph::from_edges(20, &edges, Vec::new()).expect("a small graph"));
        let sensor = MapSensor::new(&space, SensorRange::default());
        assert_eq!(sensor.most_seen(), 19);
        for slice in 1..25 {
            let told = in_slices(&sensor, StateId::new(0), || slice);
            assert_eq!(told, (0..20).map(StateId::new).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_look_tells_what_the_ground_is_like_and_where_links_lead() {
        let grid = Grid::new(4, 1, Rule::Octile, |x, _| x != 2).expect("a small map");
        let grid = grid.with_weights(|x, _| 1 + x as u8).expect("no zeros");
        let link = Edit::Link { from: Point::new(1, 0), to: Point::new(3, 0), cost: 7 };
        let space = Space::from(grid.edited(&[link]).expect("inside"));
        let grid = space.as_grid().expect("it is one");
        let (sensor, mut told) = (MapSensor::new(&space, SensorRange::Radius(9)), Vec::new());
        sensor.look(
            grid.state_at(Point::new(0, 0)).expect("inside"),
            &mut LookCursor::default(),
            &mut |sighting| {
                let to =
                    sighting.links.iter().map(|link| (grid.point(link.to).x, link.cost)).collect::<Vec<_>>();
                told.push((grid.point(sighting.state).x, sighting.is_free, sighting.weight, to));
                true
            },
        );
        let expected =
            [(0, true, 1, vec![]), (1, true, 2, vec![(3, 7)]), (2, false, 3, vec![]), (3, true, 4, vec![])];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_forged_cursor_leads_to_the_end_of_a_look() {
        let mut rng = Rng::new(35);
        let grid = random_grid(&mut rng, 20);
        let space = Space::from(grid.clone());
        let cells: Vec<StateId> = grid.all_cells().collect();
        for round in 0..20_000 {
            let any = |rng: &mut Rng| rng.next_u64() >> rng.below(64);
            let rest = (0..rng.below(5)).map(|_| any(&mut rng)).collect();
            let mut cursor = LookCursor { place: any(&mut rng), rest };
            let sensor = MapSensor::new(&space, RANGES[round % RANGES.len()]);
            let (at, mut told) = (cells[rng.below(cells.len() as u32) as usize], 0);
            sensor.look(at, &mut cursor, &mut |sighting| {
                assert!(grid.state_at(grid.point(sighting.state)).is_some());
                told += 1;
                told < 10_000
            });
            assert!(told < 10_000, "{round}");
        }
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
}
