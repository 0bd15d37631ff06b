//! The memory a query works in, lent to planners: one for each thread.

#[cfg(feature = "observe")]
use crate::core::SharedWatch;
use crate::core::open::OpenList;
use crate::core::{
    Budget, Cost, Erased, ErasedGoal, Expander, Goal, IS_COMPACT, Path, Search, StateId, Status, run_erased,
};
use crate::index::Atlas;
use crate::plan::corner_hierarchy::CornerQuery;
use crate::plan::corner_labels::LabelQuery;
use crate::plan::first_moves::MoveWalk;
use crate::plan::parts::corner_search::SpareLabels;
use crate::plan::parts::point_search::PointSearch;
use crate::space::{Local, MeshEnds, NavMesh, Pulling};

/// A search with its nodes and open list, a path, and small buffers. Starting a new query takes O(1), whatever
/// the size of the map; after warm-up nothing is allocated.
///
/// The first query on a map asks for memory for all states, zeroed: allocator and system usually hand it out page by page, as
/// states are touched, so that the first slice of a query takes no more time than later ones, but for those pages. Open lists
/// and paths grow by doubling, with the longest query so far. [`Scratch::warm`] does it beforehand.
///
/// ```
/// use milepost::{Atlas, Grid, Point, Rule, Scratch};
///
/// let atlas = Atlas::new(Grid::new(50, 50, Rule::Octile, |x, y| x % 9 != 4 || y % 7 == 2)?);
/// let mut scratch = Scratch::new(); // one for each thread
/// scratch.warm(&atlas); // while the level is loaded
/// for goal in [Point::new(49, 0), Point::new(0, 49), Point::new(49, 49)] {
///     atlas.path(Point::new(0, 0), goal, &mut scratch);
///     println!("{} long, {} states expanded", scratch.path().cost_f64(), scratch.search().expanded());
/// }
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(crate) search: Search,
    pub(crate) path: Path,
    /// Where the current query begins, and the goals it was asked for, as states.
    pub(crate) start: StateId,
    pub(crate) goals: Vec<StateId>,
    /// The same on a mesh, as points in polygons, and room to pull a line tight.
    pub(crate) ends: MeshEnds,
    pub(crate) pulling: Pulling,
    /// Where the current query may end, in increasing order.
    pub(crate) targets: Vec<StateId>,
    /// Room for one goal's substitutes.
    pub(crate) nearest: Vec<StateId>,
    /// Which parts of a space can be reached, and room to find out.
    pub(crate) marks: Vec<bool>,
    pub(crate) stack: Vec<u32>,
    /// The targets are not the goals asked for but the nearest states that can be reached.
    pub(crate) targets_are_substitutes: bool,
    /// The best target reached so far, of several.
    pub(crate) best_target: Option<(Cost, StateId)>,
    /// Which of the targets is being tried, where they are tried one by one.
    pub(crate) current_target: usize,
    /// A search over jump points alone.
    pub(crate) point_search: PointSearch,
    /// A way along first moves.
    pub(crate) move_walk: MoveWalk,
    /// What an agent looks at around it.
    pub(crate) local: Local,
    /// A search over corners.
    pub(crate) corners: CornerQuery,
    /// Tables for agents that plan over corners, which keep them while they plan.
    pub(crate) spare_labels: SpareLabels,
    /// A query over labels of corners.
    pub(crate) labels: LabelQuery,
    /// What searches do, where a viewer wants to know.
    #[cfg(feature = "observe")]
    pub(crate) watch: Option<SharedWatch>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new()
    }
}

impl Scratch {
    /// An empty scratch; it grows with the first query on a map.
    pub fn new() -> Scratch {
        Scratch {
            search: Search::new(),
            path: Path::default(),
            start: StateId::NONE,
            goals: Vec::new(),
            ends: MeshEnds::default(),
            pulling: Pulling::default(),
            targets: Vec::new(),
            nearest: Vec::new(),
            marks: Vec::new(),
            stack: Vec::new(),
            targets_are_substitutes: false,
            best_target: None,
            current_target: 0,
            point_search: PointSearch::default(),
            move_walk: MoveWalk::default(),
            local: Local::default(),
            corners: CornerQuery::default(),
            spare_labels: SpareLabels::default(),
            labels: LabelQuery::default(),
            #[cfg(feature = "observe")]
            watch: None,
        }
    }

    /// An empty one, watched if this one is.
    pub(crate) fn beside(&self) -> Scratch {
        Scratch {
            #[cfg(feature = "observe")]
            watch: self.watch.clone(),
            ..Scratch::new()
        }
    }

    /// Forgets the last query, and touches the memory that queries on this atlas need for their states, with every planner
    /// that it allows: O(map), once, so that no later query waits for the system to hand it out. Open lists get room for a
    /// front across the map. What is left to be allocated are paths, and open lists of searches that need more.
    pub fn warm(&mut self, atlas: &Atlas) {
        let states = atlas.space().states() as usize;
        let nodes = atlas.space().as_mesh().map_or(0, |mesh| NavMesh::node_bound(mesh, 1));
        self.search.warm(atlas.space().id_bound().max(nodes), 16 * states.isqrt());
        if let Some(links) = atlas.jump_links() {
            self.point_search.warm(links.points(), 16 * states.isqrt());
        }
        if let Some(corners) = atlas.corner_hierarchy() {
            self.corners.warm(corners.header.most_labels as usize);
        }
        if atlas.corner_labels().is_some_and(|labels| labels.header.entry_bytes == 0) {
            self.labels.warm(16 * states.isqrt());
        }
    }

    /// Advances the search.
    #[inline(always)]
    pub(in crate::plan) fn run_search<E: Expander, G: Goal>(
        &mut self,
        expander: &E,
        goal: &G,
        budget: &mut Budget,
    ) -> Status {
        #[cfg(feature = "observe")]
        if let Some(watch) = &self.watch {
            return watch.lock().run(&mut self.search, Erased(expander), ErasedGoal(goal), budget);
        }
        if IS_COMPACT {
            return run_erased(&mut self.search, Erased(expander), ErasedGoal(goal), budget);
        }
        self.search.run(expander, goal, budget)
    }

    /// Tells of what planners do without such a search, as far as a slice has come.
    #[cfg(feature = "observe")]
    pub(crate) fn tell_slice(&mut self, atlas: &Atlas) {
        let Scratch { watch: Some(watch), move_walk, corners, labels, .. } = self else { return };
        let watch = &mut *watch.lock();
        move_walk.tell(watch);
        let Some(grid) = atlas.space().as_grid() else { return };
        if let Some(index) = atlas.corner_hierarchy() {
            corners.tell(&index, grid, watch);
        }
        if let Some(index) = atlas.corner_labels() {
            labels.tell(&index, grid, watch);
        }
    }

    /// The path of the last query.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The search of the last query: what was expanded, and how.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Memory held but for the open list, touched or not.
    pub fn bytes(&self) -> usize {
        self.search.bytes()
            + self.path.bytes()
            + self.point_search.bytes()
            + self.move_walk.bytes()
            + self.local.bytes()
            + self.corners.bytes()
            + self.spare_labels.bytes()
            + self.labels.bytes()
            + self.ends.bytes()
            + self.pulling.bytes()
            + (self.targets.capacity() + self.nearest.capacity() + self.goals.capacity())
                * size_of::<StateId>()
            + self.marks.capacity() * size_of::<bool>()
            + self.stack.capacity() * size_of::<u32>()
    }

    /// Memory held by the open list.
    pub fn open_bytes(&self) -> usize {
        self.search.open().bytes() + self.point_search.open_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_scratch_count_the_buffers_that_partial_paths_use() {
        let mut scratch = Scratch::new();
        let empty = scratch.bytes();
        scratch.marks.reserve_exact(1000);
        assert_eq!(scratch.bytes() - empty, scratch.marks.capacity());
        scratch.stack.reserve_exact(1000);
        assert_eq!(scratch.bytes() - empty, scratch.marks.capacity() + 4 * scratch.stack.capacity());
    }
}
