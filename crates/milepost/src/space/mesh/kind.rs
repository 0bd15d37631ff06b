//! A mesh as one kind of space: as a graph whose nodes are polygons.

use super::NavMesh;
use super::measure::NodePoint;
use crate::core::{Cost, CostScale, Path, Point, Position, StateId, Version};
use crate::space::{EdgeSlot, Graph, Heuristic, Overlay, PriorMap, Reach, SpaceKind};

impl NavMesh {
    /// The graph that agents walk on: its nodes are the polygons that are free, by their numbers.
    #[inline]
    pub(crate) fn centres(&self) -> &Graph {
        &self.ground.centres
    }

    /// No path costs as much as this, over portals or over centres.
    pub(super) fn path_bound(&self) -> u64 {
        let dearest = self.ground.dearest_arc.max(u32::MAX.into());
        (self.body.nodes.len() as u64 + self.polygon_count() as u64 + 2).saturating_mul(dearest)
    }
}

impl SpaceKind for NavMesh {
    #[inline]
    fn is_free(&self, state: StateId) -> bool {
        self.centres().is_free(state)
    }

    fn prior_map(&self) -> PriorMap<'_> {
        // Which polygons are blocked has to be seen.
        PriorMap::Graph(&self.ground.open_centres)
    }

    fn states(&self) -> u32 {
        self.centres().states()
    }

    fn free_states(&self) -> Box<dyn Iterator<Item = StateId> + '_> {
        self.centres().free_states()
    }

    fn id_bound(&self) -> usize {
        self.centres().id_bound()
    }

    fn point(&self, state: StateId) -> Point {
        let at = self.position(state).unwrap_or_default();
        Point::new(at.x.round() as i64, at.y.round() as i64)
    }

    fn position(&self, state: StateId) -> Option<Position> {
        (state.number() < self.polygon_count()).then(|| self.centre(state))
    }

    fn scale(&self) -> CostScale {
        CostScale::of_lengths(self.ground.cost_bits, self.body.shape.lattice.unit, self.path_bound())
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn version(&self) -> Version {
        Version::new(self.body.hash, self.hash)
    }

    fn bytes(&self) -> usize {
        self.body.shape.bytes()
            + self.body.nodes.bytes()
            + self.body.centres.capacity() * size_of::<NodePoint>()
            + self.ground.bytes()
    }

    fn component(&self, state: StateId) -> Option<u32> {
        self.centres().component(state)
    }

    fn component_count(&self) -> u32 {
        self.centres().component_count()
    }

    fn reach(&self, from: StateId, to: StateId) -> Reach {
        self.centres().reach(from, to)
    }

    fn step_cost(&self, from: StateId, to: StateId, overlay: Option<&Overlay>) -> Option<Cost> {
        self.centres().step_cost(from, to, overlay)
    }

    fn fits(&self, overlay: &Overlay) -> bool {
        self.centres().fits(overlay)
    }

    fn tightest_heuristic(&self) -> Heuristic {
        self.centres().tightest_heuristic()
    }

    fn knows(&self, heuristic: Heuristic) -> bool {
        self.centres().knows(heuristic)
    }

    fn is_admissible(&self, heuristic: Heuristic) -> bool {
        self.centres().is_admissible(heuristic)
    }

    fn is_consistent(&self, heuristic: Heuristic) -> bool {
        self.centres().is_consistent(heuristic)
    }

    fn write_cells(&self, path: &Path, cells: &mut Vec<StateId>) {
        self.centres().write_cells(path, cells);
    }

    fn write_points(&self, path: &mut Path) {
        if path.pulled_cost().is_none() {
            self.write_centre_points(path);
        }
    }

    fn heading(&self, _: StateId, _: StateId) -> Option<(i8, i8)> {
        None
    }

    fn is_hop(&self, _: StateId, _: StateId) -> bool {
        false
    }

    fn nearest_where(
        &self,
        goal: StateId,
        accept: &dyn Fn(StateId) -> bool,
        nearest: &mut Vec<StateId>,
    ) -> Option<i128> {
        // All polygons are looked at: by the distance of their centres.
        self.centres().nearest_where(goal, accept, nearest)
    }

    fn parts(&self) -> usize {
        SpaceKind::parts(self.centres())
    }

    fn part(&self, state: StateId) -> Option<usize> {
        self.centres().part(state)
    }

    fn parts_after(&self, part: usize, visit: &mut dyn FnMut(usize)) {
        self.centres().parts_after(part, visit);
    }

    fn has_one_way_moves(&self) -> bool {
        self.centres().has_one_way_moves()
    }

    fn most_successors(&self) -> u32 {
        self.centres().most_successors()
    }

    fn slot_number(&self, state: StateId, slot: EdgeSlot) -> usize {
        self.centres().slot_number(state, slot)
    }

    fn successor_at(&self, state: StateId, number: usize) -> Option<StateId> {
        self.centres().successor_at(state, number)
    }

    fn edge_slots(&self, state: StateId) -> usize {
        self.centres().edge_slots(state)
    }

    fn mutual_neighbours(&self, state: StateId, visit: &mut dyn FnMut(StateId)) {
        self.centres().mutual_neighbours(state, visit);
    }
}
