//! The nodes, edges and estimates of a search over portals: one node for the start, one for each goal, and one for the middle
//! of each portal and for each end of a link.

use super::NavMesh;
use super::ends::{End, MeshEnds};
use super::ground::{MOST_SHORTCUTS, PortalArc};
use super::measure::{NodePoint, Rate};
use crate::core::{Cost, Csr, Expander, Goal, KeyRange, StateId};
use crate::space::visitor::{SearchSpec, SpaceVisitor};
use crate::space::{EdgeSlot, Heuristic, SlotExpander, Weighted};

/// Up to this many points of goals each is asked how far it is.
const ASK_EACH: usize = 8;

impl NavMesh {
    /// Calls the visitor with the moves over portals between these ends.
    pub(in crate::space) fn visit_portals<V: SpaceVisitor>(
        &self,
        ends: &MeshEnds,
        spec: &SearchSpec<'_>,
        visitor: V,
    ) -> V::Answer {
        let estimates = spec.heuristic != Heuristic::Zero
            && ends.points.len() <= ASK_EACH
            && self.ground.shortcuts.len() <= MOST_SHORTCUTS;
        let goal = PortalGoal {
            at: &self.body.nodes.at,
            points: if estimates { &ends.points } else { &[] },
            rate: self.ground.least_rate(&self.body.shape),
            cap: ends.cap,
        };
        let moves = PortalMoves { mesh: self, ends, arcs: &self.ground.portal_arcs };
        visitor.visit(&moves, &Weighted::new(goal, spec.weight))
    }

    /// The node of the start.
    pub(crate) fn start_node(&self) -> StateId {
        StateId::new(self.body.nodes.len() as u32)
    }

    /// The node of a goal.
    fn goal_node(&self, goal: usize) -> StateId {
        StateId::new(self.body.nodes.len() as u32 + 1 + goal as u32)
    }

    /// The goal that a node is.
    pub(super) fn goal_of(&self, node: StateId) -> Option<usize> {
        node.index().checked_sub(self.body.nodes.len() + 1)
    }

    /// All nodes of searches with so many goals are below this.
    pub(crate) fn node_bound(&self, goals: usize) -> usize {
        self.body.nodes.len() + 1 + goals
    }

    /// What a way to one of these points costs at least that takes a link cheaper than the ground.
    pub(super) fn shortcut_cap(&self, points: &[NodePoint]) -> u64 {
        let rate = self.ground.least_rate(&self.body.shape);
        let ways = self.ground.shortcuts.iter().take(MOST_SHORTCUTS).flat_map(|&(cost, exit)| {
            points.iter().map(move |&point| cost.saturating_add(rate.down(exit, point)))
        });
        ways.min().unwrap_or(u64::MAX)
    }

    /// Units that no expansion of a node exceeds.
    #[inline]
    pub(crate) fn node_units(&self) -> u64 {
        if self.ground.most_arcs > 8 { self.ground.most_arcs as u64 } else { 1 }
    }

    /// The edges from a node, and the place of the first of them among all.
    #[inline]
    pub(super) fn portal_arcs(&self, node: u32) -> (usize, &[PortalArc]) {
        let range = self.ground.portal_arcs.range(node as usize);
        (range.start, &self.ground.portal_arcs.items()[range])
    }

    /// The ways from the start into the nodes of its polygons: the node, the polygon and the cost.
    pub(super) fn ways_from(&self, start: &End, mut visit: impl FnMut(u32, u32, u64)) {
        for anchor in &start.anchors {
            let rate = self.ground.rate(&self.body.shape, anchor.polygon);
            for &node in self.body.nodes.of_polygon.list(anchor.polygon as usize) {
                if self.ground.leaves[node as usize] {
                    visit(node, anchor.polygon, rate.up(anchor.at, self.body.nodes.at[node as usize]));
                }
            }
        }
    }

    /// The ways from the start into one of these nodes: the polygon and the cost.
    pub(super) fn ways_from_to(&self, start: &End, node: u32, mut visit: impl FnMut(u32, u64)) {
        let polygons = self.body.nodes.gates[node as usize].polygons;
        for anchor in start.anchors.iter().filter(|anchor| polygons.contains(&anchor.polygon)) {
            let rate = self.ground.rate(&self.body.shape, anchor.polygon);
            visit(anchor.polygon, rate.up(anchor.at, self.body.nodes.at[node as usize]));
        }
    }

    /// The ways from a node to a goal in a polygon that it leads into: the polygon and the cost.
    #[inline]
    pub(super) fn ways_to(&self, node: u32, goal: &End, mut visit: impl FnMut(u32, u64)) {
        let entered = self.ground.enters[node as usize];
        for anchor in &goal.anchors {
            if entered.contains(&anchor.polygon) {
                let rate = self.ground.rate(&self.body.shape, anchor.polygon);
                visit(anchor.polygon, rate.up(self.body.nodes.at[node as usize], anchor.at));
            }
        }
    }

    /// The ways from the start to a goal within one polygon.
    pub(super) fn ways_within(&self, start: &End, goal: &End, mut visit: impl FnMut(u32, u64)) {
        for from in &start.anchors {
            for to in goal.anchors.iter().filter(|to| to.polygon == from.polygon) {
                visit(from.polygon, self.ground.rate(&self.body.shape, from.polygon).up(from.at, to.at));
            }
        }
    }
}

/// The moves of a search over portals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortalMoves<'a> {
    mesh: &'a NavMesh,
    ends: &'a MeshEnds,
    /// Those of the mesh.
    arcs: &'a Csr<PortalArc>,
}

impl Expander for PortalMoves<'_> {
    fn id_bound(&self) -> usize {
        self.mesh.node_bound(self.ends.count)
    }

    fn keys(&self) -> KeyRange {
        // An open list sorts finely enough if most edges span a few buckets.
        let dearest = self.mesh.ground.dearest_arc;
        let bound = self.mesh.path_bound().min(1 << 63);
        KeyRange { cheapest: Cost::new((dearest / 64).max(1)), bound: Cost::new(bound) }
    }

    #[inline]
    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_slots(state, parent, |_| true, visit)
    }
}

impl SlotExpander for PortalMoves<'_> {
    #[inline]
    fn expand_slots(
        &self,
        state: StateId,
        _: Option<StateId>,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let node = state.number();
        if state.index() >= self.arcs.len() {
            return self.expand_start(state, &mut visit);
        }
        let (places, arcs) = (self.arcs.range(state.index()), self.arcs.list(state.index()));
        for (arc, place) in arcs.iter().zip(places) {
            if keeps(EdgeSlot::Edge(place)) {
                visit(StateId::new(arc.to), Cost::new(arc.cost));
            }
        }
        for (number, goal) in self.ends.goals().iter().enumerate() {
            self.mesh.ways_to(node, goal, |_, cost| visit(self.mesh.goal_node(number), Cost::new(cost)));
        }
        self.units_beyond_one(arcs.len() + self.ends.count - 1)
    }
}

impl PortalMoves<'_> {
    /// Apart from the others: once a search.
    #[inline(never)]
    fn expand_start(&self, state: StateId, visit: &mut dyn FnMut(StateId, Cost)) -> u64 {
        if state != self.mesh.start_node() {
            return 0;
        }
        let mut count = 0;
        self.mesh.ways_from(&self.ends.start, |node, _, cost| {
            count += 1;
            visit(StateId::new(node), Cost::new(cost));
        });
        for (number, goal) in self.ends.goals().iter().enumerate() {
            self.mesh.ways_within(&self.ends.start, goal, |_, cost| {
                count += 1;
                visit(self.mesh.goal_node(number), Cost::new(cost));
            });
        }
        self.units_beyond_one(count)
    }

    /// What an expansion with so many successors takes beyond one unit: more than eight count one by one, but for start and goals no more
    /// than a node may have.
    #[inline]
    fn units_beyond_one(&self, successors: usize) -> u64 {
        if successors > 8 { self.mesh.node_units().min(successors as u64) - 1 } else { 0 }
    }
}

/// The goals of a search over portals, by straight lines over the cheapest ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortalGoal<'a> {
    /// Where nodes lie.
    at: &'a [NodePoint],
    /// Empty if nothing is estimated.
    points: &'a [NodePoint],
    rate: Rate,
    cap: u64,
}

impl Goal for PortalGoal<'_> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        state.index() > self.at.len()
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        let Some(&here) = self.at.get(state.index()).filter(|_| !self.points.is_empty()) else {
            // The start is expanded first, whatever is estimated, and goals are reached.
            return Cost::ZERO;
        };
        let nearest = self.points.iter().map(|&point| self.rate.down(here, point)).min();
        Cost::new(nearest.unwrap_or(0).min(self.cap))
    }
}
