//! A path as planners leave it: its turning points, its cost, and what it was made for.

use super::scale::StepRange;
use super::{Cost, CostScale, Position, StateId, Version};
use std::sync::OnceLock;

/// A path, from start to end, as turning points. Between two of them it runs straight, cell by cell; the space it
/// was made on spells the cells out ([`Space::cells`](crate::space::SpaceKind::cells)).
///
/// Two paths are equal if they lead over the same states at the same cost on the same version of a space.
///
/// ```
/// use milepost::{Atlas, Grid, Path, Point, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::from_ascii("....\n.@@.\n....", Rule::Octile)?);
/// let mut scratch = Scratch::new();
/// atlas.path(Point::new(0, 2), Point::new(3, 0), &mut scratch);
/// let path: &Path = scratch.path();
/// assert_eq!(path.points().len(), 3); // both ends, and where it turns
/// assert_eq!(atlas.space().cells(path).count(), 6); // every cell on the way
/// assert_eq!(path.cost_f64(), 5.0);
/// let kept: Path = path.to_owned(); // the next query overwrites the one in the scratch
/// # assert!(!atlas.space().is_stale(&kept));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Path {
    waypoints: Vec<StateId>,
    /// Legs that no states lie between, by the index of the waypoint they begin at, in increasing order.
    hops: Vec<u32>,
    cost: Cost,
    scale: CostScale,
    version: Version,
    /// Where the path turns, if the space has written that.
    points: Vec<Position>,
    /// Else how it follows from the waypoints.
    derivation: Option<Derivation>,
    /// What the points cost to follow, where they are not those that the search passed.
    pulled_cost: Option<f64>,
    /// Links that the points pass, in their order.
    links: Vec<PathLink>,
}

/// Where a path takes an off-mesh link of a mesh.
///
/// Shown by [`MeshParts`](crate::MeshParts).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathLink {
    /// The place in [`Path::points`] where the link is entered; it leads to the next one.
    pub at: u32,
    /// Its number.
    pub link: u32,
}

/// How the points of a path follow from its states. They are found when they are first asked for: a query that looks
/// its path up in a microsecond would feel it if it had to write them.
#[derive(Clone, Debug)]
struct Derivation {
    /// Of a state, given the parameter of the space.
    position: fn(StateId, u32) -> Position,
    parameter: u32,
    found: OnceLock<Vec<Position>>,
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        // Points follow from the rest.
        (&self.waypoints, &self.hops, self.cost, self.scale, self.version)
            == (&other.waypoints, &other.hops, other.cost, other.scale, other.version)
    }
}

impl Eq for Path {}

impl Default for Path {
    fn default() -> Path {
        Path {
            waypoints: Vec::new(),
            hops: Vec::new(),
            cost: Cost::ZERO,
            scale: CostScale::fixed(1, 1, StepRange::plain(1)),
            version: Version::default(),
            points: Vec::new(),
            derivation: None,
            pulled_cost: None,
            links: Vec::new(),
        }
    }
}

impl Path {
    /// Start, turning points, end. Empty if there is no path, or only its cost was asked for.
    pub fn waypoints(&self) -> &[StateId] {
        &self.waypoints
    }

    /// Where the path turns, both ends included, for users' eyes: on grids and graphs where the waypoints lie, one for
    /// each. Elsewhere a path may turn where no state is. Empty if there are no waypoints, and on graphs without
    /// coordinates.
    ///
    /// On grids they are found at the first call after a query, which allocates; the planner does not.
    pub fn points(&self) -> &[Position] {
        match &self.derivation {
            None => &self.points,
            Some(Derivation { position, parameter, found }) => {
                let points = || self.waypoints.iter().map(|&state| position(state, *parameter)).collect();
                found.get_or_init(points)
            }
        }
    }

    /// All states that the path leads over, where waypoints are all of them: on a mesh the corridor of its polygons, on a graph
    /// its nodes. On grids [`Space::cells`](crate::space::SpaceKind::cells) spells them out.
    pub fn states(&self) -> &[StateId] {
        &self.waypoints
    }

    /// On a mesh, if the path was pulled tight: what [its points](Path::points) cost to follow, as users see costs. The search
    /// passed the middles of portals, and [`Path::cost`] is what that costs.
    pub fn pulled_cost(&self) -> Option<f64> {
        self.pulled_cost
    }

    /// The off-mesh links that the points pass.
    pub fn links(&self) -> &[PathLink] {
        &self.links
    }

    /// How long the line along the points is on the plane, links left out.
    pub fn length(&self) -> f64 {
        let mut links = self.links.iter().map(|link| link.at as usize).peekable();
        let legs = self.points().windows(2).enumerate();
        let ground = legs.filter(|(place, _)| links.next_if_eq(place).is_none());
        // From 0: the sum of no numbers at all is written as -0.
        ground.fold(0.0, |sum, (_, leg)| sum + (leg[1].x - leg[0].x).hypot(leg[1].y - leg[0].y))
    }

    /// Whether the leg that begins at this waypoint is a hop: a link, not a run of steps.
    pub fn is_hop(&self, leg: usize) -> bool {
        !self.hops.is_empty() && self.hops.binary_search(&(leg as u32)).is_ok()
    }

    /// What the path costs, in units of [`Path::scale`].
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// What a unit of the cost is. With a cost overlay it differs from the scale of the space.
    pub fn scale(&self) -> CostScale {
        self.scale
    }

    /// The cost as users see it.
    pub fn cost_f64(&self) -> f64 {
        self.scale.to_f64(self.cost)
    }

    /// The version of the space that the path was made for.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Memory held.
    pub fn bytes(&self) -> usize {
        let derived = self.derivation.as_ref().and_then(|derivation| derivation.found.get());
        let points = self.points.capacity() + derived.map_or(0, Vec::capacity);
        (self.waypoints.capacity() + self.hops.capacity()) * size_of::<StateId>()
            + points * size_of::<Position>()
    }

    /// Says that the point of each waypoint follows from its state and a parameter of the space.
    #[inline]
    pub(crate) fn derive_points(&mut self, position: fn(StateId, u32) -> Position, parameter: u32) {
        self.derivation = Some(Derivation { position, parameter, found: OnceLock::new() });
    }

    /// The waypoints, and the points for a space to write.
    pub(crate) fn waypoints_and_points(&mut self) -> (&[StateId], &mut Vec<Position>) {
        self.derivation = None;
        (&self.waypoints, &mut self.points)
    }

    /// The same with the links that the points pass, which are no longer those of a pulled path.
    pub(crate) fn corridor_mut(&mut self) -> (&[StateId], &mut Vec<Position>, &mut Vec<PathLink>) {
        self.derivation = None;
        self.pulled_cost = None;
        (&self.waypoints, &mut self.points, &mut self.links)
    }

    /// Says what the points cost to follow.
    pub(crate) fn set_pulled_cost(&mut self, cost: f64) {
        self.pulled_cost = Some(cost);
    }

    /// Empties the path.
    pub(crate) fn clear(&mut self, scale: CostScale, version: Version) {
        self.waypoints.clear();
        self.hops.clear();
        self.points.clear();
        self.links.clear();
        self.pulled_cost = None;
        self.derivation = None;
        self.cost = Cost::ZERO;
        self.scale = scale;
        self.version = version;
    }

    /// The turning points, to be written by a planner whose legs are no hops.
    pub(crate) fn waypoints_mut(&mut self) -> &mut Vec<StateId> {
        &mut self.waypoints
    }

    pub(crate) fn set_cost(&mut self, cost: Cost) {
        self.cost = cost;
    }

    /// Takes the states of a path backwards, keeping both ends, both ends of every hop, and every state where
    /// the heading changes, or there is none.
    pub(crate) fn fill_backwards(
        &mut self,
        states: impl Iterator<Item = StateId>,
        heading: impl Fn(StateId, StateId) -> Option<(i8, i8)>,
        is_hop: impl Fn(StateId, StateId) -> bool,
    ) {
        self.waypoints.clear();
        self.hops.clear();
        self.pulled_cost = None;
        // The newest state, which has not been pushed, and where the path heads from there.
        let (mut at, mut heading_after): (Option<StateId>, Option<(i8, i8)>) = (None, None);
        let mut hopped = false;
        for before in states {
            if let Some(at) = at {
                let (hops, heading) = (is_hop(before, at), heading(before, at));
                if hops || hopped || heading_after.is_none() || heading != heading_after {
                    self.waypoints.push(at);
                }
                heading_after = heading;
                if hops {
                    // Counted from the end for now: `at` is the last one pushed.
                    self.hops.push(self.waypoints.len() as u32);
                }
                hopped = hops;
            }
            at = Some(before);
        }
        self.waypoints.extend(at);
        self.waypoints.reverse();
        let last = self.waypoints.len() as u32;
        self.hops.iter_mut().for_each(|hop| *hop = last - 1 - *hop);
        self.hops.reverse();
    }
}
