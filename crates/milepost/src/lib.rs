//! Milepost: a pathfinding engine for game worlds.
//!
//! Offline it studies a map, online it answers whole paths and moves agents with a hard bound on the work per
//! step. This page is the guide in short:
//!
//! ```text
//!   Grid, Graph, NavMesh     Query: from, to, ...        Sensor: what is seen
//!         |                        |                           |
//!       Space --> Atlas ------> Planner ---> Outcome         Agent ---> Step: Move, Thinking,
//!         ^         |              |            |              |              Arrived, NoPath, ...
//!       Edit     indexes        Scratch       Path          Scratch
//!                (build, files)   and Budget                   and Budget
//! ```
//!
//! 1. A [`Grid`] of cells, a [`Graph`] or a [`NavMesh`] is a [`Space`]: states, the moves between them, and what those cost.
//! 2. An [`Atlas`] is a space and the indexes that were [built](mod@build) for it, or came [from a file](Atlas::open). Threads
//!    share it, and no query changes it; an [`Edit`] gives a new one.
//! 3. A [`Query`] is answered by a [`Planner`] with an [`Outcome`]; the [`Path`] is left in the [`Scratch`], the memory
//!    that the caller lends. [`Atlas::path`] takes the fastest planner that the atlas allows.
//! 4. An [`Agent`] makes one [`Step`] at a time, on a map that it knows or by what a [`Sensor`] shows it.
//! 5. A [`Budget`] counts the work of either. A [`PlanJob`] is a query that goes on in the next frame.
//! 6. [`catalog`] has every planner and agent by its name.
//!
//! ```
//! use milepost::{Atlas, Grid, Outcome, Point, Rule, Scratch};
//!
//! let grid = Grid::from_ascii(
//!     ".....
//!      .@@@.
//!      ...@.",
//!     Rule::Octile,
//! )?;
//! let atlas = Atlas::new(grid);
//! let mut scratch = Scratch::new(); // one for each thread
//! if let Outcome::Found { .. } = atlas.path(Point::new(2, 2), Point::new(4, 2), &mut scratch) {
//!     assert_eq!(scratch.path().cost_f64(), 10.0);
//!     for state in scratch.path().waypoints() {
//!         println!("turn at {}", atlas.space().point(*state));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules in the order in which one learns them:
//!
//! | module | what it holds | begin with |
//! |---|---|---|
//! | [`space`] | what can be searched, and what moves cost | [`Grid`], [`Rule`], [`Edit`] |
//! | [`plan`] | whole paths | [`Query`], [`Outcome`], [`PlanJob`] |
//! | [`index`] | what was worked out beforehand, as it is read | [`Atlas`], [`IndexSpec`](index::IndexSpec) |
//! | [`mod@build`] | working it out, offline (feature `build`) | [`build::build`], [`Indexes`] |
//! | [`files`] | opening and saving it (feature `files`) | [`Atlas::open`], [`Atlas::save`] |
//! | [`agent`] | one move at a time; as bytes, too (feature `saves`) | [`Agent`], [`Step`], [`MapSensor`](agent::MapSensor) |
//! | [`catalog`] | planners, agents and indexes by their names | [`catalog::agent`], [`catalog::planner`] |
//! | [`search`] | what planners and agents of one's own are made of | [`search::Search`] |
//!
//! Every item has an example, or says which one shows it. Maps are read and made by the crate `milepost-maps`. The examples of
//! the repository (`crates/milepost/examples`) are short programs: a path, a query in slices, a door that closes, agents, two
//! hundred units under one budget, a sensor, a planner and an agent of one's own.

pub mod agent;
#[cfg(feature = "build")]
pub mod build;
pub mod catalog;
mod core;
#[cfg(feature = "files")]
pub mod files;
// Without builders nothing writes what is read here.
#[cfg_attr(not(feature = "build"), allow(dead_code, unused_imports))]
pub mod index;
#[cfg(feature = "observe")]
pub mod observe;
pub mod plan;
pub mod search;
// Builders alone use some of the moves.
#[cfg_attr(not(feature = "build"), allow(dead_code, unused_imports))]
pub mod space;

#[doc(inline)]
pub use crate::agent::{Agent, Refused, Sensor, Step};
#[doc(inline)]
#[cfg(feature = "build")]
pub use crate::build::Indexes;
#[doc(inline)]
pub use crate::catalog::{AgentError, AnyPlanner, PlannerEntry};
pub use crate::core::{Budget, Cost, CostScale, Path, PathLink, Point, Position, Rng, StateId, Version};
#[doc(inline)]
pub use crate::index::Atlas;
#[doc(inline)]
pub use crate::plan::{Goals, Outcome, PartialReason, PlanJob, Planner, Query, Scratch, SubgoalTree};
#[doc(inline)]
pub use crate::space::{
    Edge, Edit, Extent, Graph, GraphError, Grid, GridError, Heuristic, HexLayout, Leaf, MeshArea, MeshError,
    MeshLink, MeshLinkEnd, MeshParts, MeshPoint, NavMesh, NodePosition, Overlay, Place, Rule, Space,
    SpaceKind,
};

impl Atlas {
    /// An atlas of a space with indexes, those that are named or [the standard ones](Indexes::standard): `Atlas::build(&grid,
    /// Indexes::standard())`. Offline, on all threads; the game opens the file that it was saved to. [`build::build`] adds
    /// indexes to an atlas, and tells how far it has come. Takes the feature `build`.
    #[cfg(feature = "build")]
    pub fn build(space: impl Into<Space>, indexes: impl Into<Indexes>) -> Result<Atlas, build::BuildError> {
        build::build(&Atlas::new(space), indexes, build::SILENT)
    }

    /// The cell at a point, free or not; `None` outside the map, and on graphs, whose states have numbers.
    pub fn state_at(&self, point: Point) -> Option<StateId> {
        self.space().as_grid().and_then(|grid| grid.state_at(point))
    }

    /// The fastest exact planner that this atlas allows: the one that is expected to take the least time by the
    /// [figures](Atlas::figures) of the atlas; if it has none, the first in an order that the registry keeps.
    pub fn fastest(&self) -> &'static PlannerEntry {
        catalog::fastest(self)
    }

    /// The best path between two places, states or points, by the fastest exact planner that this atlas allows. The path is left in
    /// the scratch.
    pub fn path(&self, from: impl Into<Place>, to: impl Into<Place>, scratch: &mut Scratch) -> Outcome {
        self.fastest().planner.plan(self, &Query::new(from, to), scratch, &mut Budget::unlimited())
    }

    /// Answers a query by the fastest exact planner that this atlas allows and that does not refuse it, also with an overlay, with
    /// many goals, or for the distance alone. The path is left in the scratch. A query that ran out of budget goes on with
    /// [`Planner::resume`] of the [same planner](Atlas::fastest_for).
    pub fn plan(&self, query: &Query<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Outcome {
        self.fastest_for(query).planner.plan(self, query, scratch, budget)
    }

    /// The planner that answers a query: [`Atlas::plan`].
    pub fn fastest_for(&self, query: &Query<'_>) -> &'static PlannerEntry {
        catalog::fastest_for(self, query)
    }

    /// A cost of this map as users see it: a straight step over plain ground, or a unit of a mesh's length, is 1. Costs that are
    /// compared stay as they are, exact.
    ///
    /// ```
    /// use milepost::{Atlas, Grid, Rule, Scratch};
    ///
    /// let atlas = Atlas::new(Grid::from_ascii("....\n....", Rule::Octile)?);
    /// let cost = atlas.distance((0, 0), (3, 1), &mut Scratch::new()).expect("no wall is there");
    /// assert_eq!(format!("{:.3}", atlas.cost_f64(cost)), "3.414");
    /// # Ok::<(), milepost::GridError>(())
    /// ```
    pub fn cost_f64(&self, cost: Cost) -> f64 {
        self.space().scale().to_f64(cost)
    }

    /// The cost of the best path between two states, without the path; `None` if there is none, or if one of them is no
    /// free state.
    pub fn distance(
        &self,
        from: impl Into<Place>,
        to: impl Into<Place>,
        scratch: &mut Scratch,
    ) -> Option<Cost> {
        self.plan(&Query::new(from, to).distance_only(), scratch, &mut Budget::unlimited()).cost()
    }

    /// The costs of the best paths from one state to each of many: which of them is nearest? With hub labels in the atlas one
    /// end is worked out once; else as [`Atlas::distance`]. As many as `costs` has room for are written there.
    pub fn distances<P: Into<Place> + Copy>(
        &self,
        from: impl Into<Place>,
        to: &[P],
        costs: &mut [Option<Cost>],
        scratch: &mut Scratch,
    ) {
        let from = from.into();
        let mut states = std::mem::take(&mut scratch.goals);
        states.clear();
        states.extend(to.iter().filter_map(|&to| to.into().state()));
        match from.state().filter(|_| states.len() == to.len()) {
            Some(from) => self.distance_matrix(&[from], &states, costs, scratch),
            None => {
                for (cost, &to) in costs.iter_mut().zip(to) {
                    *cost = self.distance(from, to, scratch);
                }
            }
        }
        scratch.goals = states;
    }

    /// The costs of the best paths from each of many states to each of many others, row by row: those from `from[0]` first.
    pub fn distance_matrix(
        &self,
        from: &[StateId],
        to: &[StateId],
        costs: &mut [Option<Cost>],
        scratch: &mut Scratch,
    ) {
        if plan::labelled_distances(self, (from, to), costs, scratch) {
            return;
        }
        let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
        for (cost, (from, to)) in costs.iter_mut().zip(pairs) {
            *cost = self.distance(from, to, scratch);
        }
    }

    /// An agent that stands at one place and wants to be at another, by the name of its kind, such as `first-moves`
    /// ([`catalog::AGENTS`] has them all). It makes one move at a time: [`Agent::step_in`], or `step` with an atlas. An end in a
    /// wall, or a goal that cannot be reached, is [`Step::NoPath`]; a point that lies beyond a grid is an error.
    pub fn agent(
        &self,
        name: &str,
        from: impl Into<Place>,
        to: impl Into<Place>,
    ) -> Result<Box<dyn Agent>, AgentError> {
        let (from, to) = (from.into(), to.into());
        let kind = catalog::agent(name)?;
        if let Some(refusal) = kind.refusal(self) {
            return Err(AgentError::refused(name, refusal, self));
        }
        AgentError::check_ends(self.space(), from, to)?;
        let (from, to) = self.space().states_between(from, to);
        Ok(kind.start(self, from, to))
    }
}

/// The Rust of the README and of the pages is compiled and run with the tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/guide/agents.md")]
    struct Agents;
    #[doc = include_str!("../../../docs/guide/choose.md")]
    struct Choose;
    #[doc = include_str!("../../../docs/guide/edits.md")]
    struct Edits;
    #[doc = include_str!("../../../docs/guide/frames.md")]
    struct Frames;
    #[doc = include_str!("../../../docs/guide/index-files.md")]
    struct IndexFiles;
    #[doc = include_str!("../../../docs/guide/level.md")]
    struct Level;
    #[doc = include_str!("../../../docs/guide/meshes.md")]
    struct Meshes;
    #[doc = include_str!("../../../docs/guide/saves.md")]
    struct Saves;
    #[doc = include_str!("../../../docs/guide/sight.md")]
    struct Sight;
    #[doc = include_str!("../../../docs/guide/threads.md")]
    struct Threads;
}
