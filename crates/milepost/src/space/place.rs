//! Where a query begins and ends: at a state, or at a point that some states hold.

use super::{NavMesh, Reach, Space, SpaceKind};
use crate::core::{Point, Position, StateId};

/// A place on a map.
///
/// ```
/// use milepost::{Atlas, Grid, Place, Point, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::from_ascii("....", Rule::Octile)?);
/// let cell = atlas.state_at(Point::new(3, 0)).expect("inside the map");
/// let mut scratch = Scratch::new();
/// // A point, coordinates and a state: whatever the program has at hand.
/// for place in [Place::from((0, 0)), Place::from(Point::new(0, 0)), Place::from((0.2, 0.4)), Place::from(atlas.state_at(Point::new(0, 0)).unwrap())] {
///     atlas.path(place, cell, &mut scratch);
///     assert_eq!(scratch.path().cost_f64(), 3.0);
/// }
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// A state: a cell, a node, or the centre of a polygon.
    State(StateId),
    /// A point: of a mesh, or the middle of a cell.
    Point {
        /// Where. z chooses among floors that lie over each other: the nearest, or the lowest if it is no number.
        at: Position,
    },
}

impl From<StateId> for Place {
    fn from(state: StateId) -> Place {
        Place::State(state)
    }
}

impl From<Position> for Place {
    fn from(at: Position) -> Place {
        Place::Point { at }
    }
}

impl From<Point> for Place {
    /// The cell at these coordinates; on a mesh the point on the lowest floor.
    fn from(at: Point) -> Place {
        Place::from((at.x as f64, at.y as f64))
    }
}

impl From<(f64, f64)> for Place {
    /// A point on the lowest floor.
    fn from((x, y): (f64, f64)) -> Place {
        Place::Point { at: Position::new(x, y, f64::NAN) }
    }
}

macro_rules! from_whole_numbers {
    ($($number:ty)*) => {$(
        impl From<($number, $number)> for Place {
            /// The cell at these coordinates; on a mesh the point on the lowest floor.
            fn from((x, y): ($number, $number)) -> Place {
                Place::from(Point::new(x.into(), y.into()))
            }
        }
    )*};
}

from_whole_numbers!(i32 u32 i64);

impl Place {
    /// The state, if it is one.
    #[inline]
    pub fn state(self) -> Option<StateId> {
        match self {
            Place::State(state) => Some(state),
            Place::Point { .. } => None,
        }
    }

    /// The cell whose middle is nearest to a point, on the map or beyond it.
    pub(crate) fn cell(self) -> Option<Point> {
        match self {
            Place::State(_) => None,
            Place::Point { at } => Some(Point::new(at.x.round() as i64, at.y.round() as i64)),
        }
    }
}

impl Space {
    /// Writes the states that a place may mean, in increasing order: the state itself, free or not; the cell whose middle is
    /// nearest to a point; the free polygons that hold it. Empty if there is none.
    pub fn write_states_at(&self, place: Place, states: &mut Vec<StateId>) {
        states.clear();
        match (place, self) {
            (Place::State(state), _) => states.push(state),
            (Place::Point { .. }, Space::Grid(grid)) => {
                states.extend(place.cell().and_then(|cell| grid.state_at(cell)));
            }
            (Place::Point { .. }, Space::Graph(_)) => {}
            (Place::Point { at }, Space::Mesh(mesh)) => {
                states.extend(mesh.polygons_at(at).into_iter().filter(|&polygon| mesh.is_free(polygon)));
            }
        }
    }

    /// The two states that an agent walks between: of those that the places mean the first, by their ids, from which the goal
    /// can be reached, as far as that is known without a search. [`StateId::NONE`] where there is none.
    pub fn states_between(&self, from: Place, to: Place) -> (StateId, StateId) {
        if let (Place::State(from), Place::State(to)) = (from, to) {
            return (from, to);
        }
        let (mut starts, mut goals) = (Vec::new(), Vec::new());
        self.write_states_at(from, &mut starts);
        self.write_states_at(to, &mut goals);
        let pairs = starts.iter().flat_map(|&start| goals.iter().map(move |&goal| (start, goal)));
        let mut sure = pairs.clone().filter(|&(start, goal)| self.reach(start, goal) == Reach::Always);
        let mut possible = pairs.filter(|&(start, goal)| self.reach(start, goal) == Reach::Perhaps);
        let first = |states: &[StateId]| states.first().copied().unwrap_or(StateId::NONE);
        sure.next().or_else(|| possible.next()).unwrap_or((first(&starts), first(&goals)))
    }
}

impl NavMesh {
    /// Whether a point lies within the box around the mesh: beyond it no place is meant.
    pub fn is_within_bounds(&self, at: Position) -> bool {
        let (low, high) = self.bounds();
        (low.x..=high.x).contains(&at.x) && (low.y..=high.y).contains(&at.y)
    }
}
