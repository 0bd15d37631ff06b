//! The moves that an agent believes to be possible: those that nothing it has seen forbids, at what they cost by the weights
//! that it has seen and the least one elsewhere; and the links that it has seen.

use crate::core::{Cost, Expander, KeyRange, StateId};
use crate::space::{Belief, Direction, DirectionSet, Graph, GridGeometry, PriorMap};

/// The moves that an agent believes to be possible. Those of grids are symmetric, but for links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeliefMoves<'a> {
    prior: &'a PriorMap<'a>,
    belief: &'a Belief,
    bound: Option<Cost>,
}

impl<'a> BeliefMoves<'a> {
    pub(in crate::space) fn new(prior: &'a PriorMap<'a>, belief: &'a Belief) -> BeliefMoves<'a> {
        BeliefMoves { prior, belief, bound: None }
    }

    /// The same moves where no path costs as much as the bound, if that is known better than by the size of the map.
    #[inline]
    pub(crate) fn bounded(self, bound: Option<Cost>) -> BeliefMoves<'a> {
        BeliefMoves { bound, ..self }
    }

    /// The directions that may be taken from a cell, as bits, clockwise from north.
    #[inline]
    pub(crate) fn directions(&self, geometry: &GridGeometry, state: StateId) -> DirectionSet {
        geometry.allowed(state, self.belief.neighbourhood_mask(geometry, state))
    }

    /// The borders, if states are cells.
    #[inline]
    pub(crate) fn geometry(&self) -> Option<&'a GridGeometry> {
        self.prior.geometry()
    }

    /// Whether a state is believed to be free.
    #[inline]
    pub(crate) fn is_free(&self, state: StateId) -> bool {
        self.belief.is_free_on(self.prior, state)
    }

    /// Whether one may go from a state to this other one.
    #[inline]
    pub(crate) fn allows(&self, from: StateId, to: StateId) -> bool {
        match self.prior {
            PriorMap::Grid(geometry) => {
                let is_step = geometry.direction(from, to).is_some_and(|direction| {
                    if geometry.rule().cuts_corners() {
                        return self.belief.is_free_on(self.prior, to);
                    }
                    self.directions(geometry, from).contains(direction)
                });
                is_step || geometry.has_links() && self.is_link(geometry, from, to)
            }
            PriorMap::Graph(graph) => {
                self.belief.is_free_on(self.prior, to) && graph.edges_from(from).any(|edge| edge.to == to)
            }
        }
    }

    #[inline(never)]
    fn is_link(&self, geometry: &GridGeometry, from: StateId, to: StateId) -> bool {
        geometry.contains(from)
            && self.belief.is_free_on(self.prior, to)
            && self.belief.links.of_cell(*geometry, from).any(|(end, _)| end == to)
    }

    /// What a step is believed to cost; `None` where it is not allowed.
    pub(crate) fn step_cost(&self, from: StateId, to: StateId) -> Option<Cost> {
        let mut found = None;
        self.expand(from, None, |child, cost| {
            if child == to {
                found = Some(found.map_or(cost, |other: Cost| other.min(cost)));
            }
        });
        found
    }
}

/// Moves that follow from what an agent believes of the states around each: all that it believes to be possible, or some.
pub(crate) trait CellMoves {
    /// All moves that are believed to be possible.
    fn believed(&self) -> &BeliefMoves<'_>;

    /// Names the directions from a cell with this neighbourhood mask, as [`Expander::expand_beyond`] names states: those that
    /// lead where its parent leads too may be left out.
    fn directions_beyond(
        &self,
        geometry: &GridGeometry,
        state: StateId,
        parent: Option<StateId>,
        neighbourhood_mask: usize,
        visit: impl FnMut(Direction),
    );

    /// Names the neighbours of a node, as [`Expander::expand`] does. Apart from cells, so that these are fast.
    fn expand_node(&self, graph: &Graph, state: StateId, visit: &mut dyn FnMut(StateId, Cost)) -> u64;

    /// The map and what is believed of it; `None` if it is not one of cells whose steps cost the same everywhere, without
    /// links.
    #[inline]
    fn cells(&self) -> Option<(GridGeometry, &Belief)> {
        let BeliefMoves { prior, belief, .. } = *self.believed();
        prior.as_grid().filter(|geometry| geometry.is_uniform()).map(|geometry| (geometry, belief))
    }

    /// Names the neighbours of a state, as [`Expander::expand_beyond`] does.
    #[inline]
    fn expand_state(
        &self,
        state: StateId,
        parent: Option<StateId>,
        mut visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        let BeliefMoves { prior, belief, .. } = *self.believed();
        if !prior.contains(state) {
            return 0;
        }
        match prior {
            PriorMap::Grid(geometry) if !geometry.is_uniform() => {
                expand_any_costs(geometry, belief, state, &mut visit)
            }
            PriorMap::Grid(geometry) => {
                let neighbourhood_mask = belief.neighbourhood_mask(geometry, state);
                self.directions_beyond(geometry, state, parent, neighbourhood_mask, |direction| {
                    visit(geometry.neighbour(state, direction), geometry.base_cost(direction));
                });
                0
            }
            PriorMap::Graph(graph) => self.expand_node(graph, state, &mut visit),
        }
    }
}

/// Names the neighbours of a cell where cells have weights or there are links: all of them, since a way around a heavy one may
/// be cheaper than the step of its parent, and a link may have led here from beside. Then where links lead.
#[inline(never)]
fn expand_any_costs(
    geometry: &GridGeometry,
    belief: &Belief,
    state: StateId,
    visit: &mut dyn FnMut(StateId, Cost),
) -> u64 {
    let directions = geometry.allowed(state, belief.neighbourhood_mask(geometry, state));
    let mut count = u64::from(directions.len());
    let weight = |cell: StateId| u64::from(belief.weight(*geometry, cell));
    let here = if geometry.has_weights() { weight(state) } else { 0 };
    for direction in directions {
        let child = geometry.neighbour(state, direction);
        let factor = if geometry.has_weights() { here + weight(child) } else { 1 };
        visit(child, geometry.base_cost(direction) * factor);
    }
    for (to, cost) in belief.links.of_cell(*geometry, state) {
        count += 1;
        if belief.is_free_on(&PriorMap::Grid(*geometry), to) {
            visit(to, Cost::new(u64::from(cost) * geometry.scale().one()));
        }
    }
    // More than eight successors count one by one.
    if count > 8 { count - 1 } else { 0 }
}

impl CellMoves for BeliefMoves<'_> {
    #[inline]
    fn believed(&self) -> &BeliefMoves<'_> {
        self
    }

    #[inline]
    fn directions_beyond(
        &self,
        geometry: &GridGeometry,
        state: StateId,
        parent: Option<StateId>,
        neighbourhood_mask: usize,
        visit: impl FnMut(Direction),
    ) {
        let mut directions = geometry.allowed(state, neighbourhood_mask);
        if let Some(parent) = parent.filter(|_| geometry.rule().is_octile()) {
            directions = directions.without(named_by_parent(geometry, state, parent, neighbourhood_mask));
        }
        directions.into_iter().for_each(visit);
    }

    #[inline(never)]
    fn expand_node(&self, graph: &Graph, state: StateId, visit: &mut dyn FnMut(StateId, Cost)) -> u64 {
        let mut count = 0;
        for edge in graph.edges_from(state) {
            count += 1;
            if self.belief.is_free_on(self.prior, edge.to) {
                visit(edge.to, Cost::new(edge.cost.into()));
            }
        }
        // More than eight edges count one by one.
        if count > 8 { count - 1 } else { 0 }
    }
}

impl Expander for BeliefMoves<'_> {
    fn id_bound(&self) -> usize {
        self.prior.id_bound()
    }

    fn keys(&self) -> KeyRange {
        let keys = match self.prior {
            PriorMap::Grid(geometry) => {
                let scale = geometry.scale();
                let step = Cost::new(scale.straight()) * geometry.cheapest();
                let cheapest = if geometry.has_links() { step.min(Cost::new(scale.one())) } else { step };
                KeyRange { cheapest, bound: Cost::new(scale.bound()) }
            }
            PriorMap::Graph(graph) => graph.moves().keys(),
        };
        KeyRange { bound: self.bound.map_or(keys.bound, |bound| bound.min(keys.bound)), ..keys }
    }

    #[inline]
    fn expand(&self, state: StateId, _: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        self.expand_state(state, None, visit)
    }

    #[inline]
    fn expand_beyond(
        &self,
        state: StateId,
        parent: Option<StateId>,
        visit: impl FnMut(StateId, Cost),
    ) -> u64 {
        self.expand_state(state, parent, visit)
    }
}

/// The directions from a cell, of those that one may take, that lead to cells beside its parent or to itself, and where the
/// parent leads too; as bits, for rules with diagonal steps. A way from the parent over the cell is never cheaper.
#[inline]
pub(crate) fn named_by_parent(
    geometry: &GridGeometry,
    state: StateId,
    parent: StateId,
    neighbourhood_mask: usize,
) -> DirectionSet {
    let step = state.number().wrapping_sub(parent.number());
    let Some(came) = geometry.direction_of_step(step) else { return DirectionSet::NONE };
    // To the sides the parent leads diagonally, past the cell beside it.
    let is_past = |by: usize| {
        let beside = came.clockwise(by).square_bit();
        usize::from(geometry.rule().cuts_corners() || neighbourhood_mask >> beside & 1 == 1)
    };
    NAMED[came.number()][is_past(3) | is_past(5) << 1]
}

/// For each direction that one has come by, and for whether the parent leads past the cells behind on the right and on the
/// left: the directions that lead where it does.
const NAMED: [[DirectionSet; 4]; 8] = {
    let mut named = [[DirectionSet::NONE; 4]; 8];
    let mut number = 0;
    while number < 8 {
        let came = Direction::from_number(number);
        let mut past = 0;
        while past < 4 {
            // Back, and the cells on both sides of the parent.
            let behind = DirectionSet::NONE.with(came.clockwise(3)).with(came.clockwise(4));
            let mut set = behind.with(came.clockwise(5));
            if !came.is_diagonal() && past & 1 == 1 {
                set = set.with(came.clockwise(2));
            }
            if !came.is_diagonal() && past >> 1 == 1 {
                set = set.with(came.clockwise(6));
            }
            named[number][past] = set;
            past += 1;
        }
        number += 1;
    }
    named
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Point, Rng};
    use crate::space::{BeliefChange, Edge, Grid, Rule, SpaceKind};

    fn successors(expander: &impl Expander, state: StateId) -> Vec<(StateId, Cost)> {
        let mut list = Vec::new();
        expander.expand(state, None, |child, cost| list.push((child, cost)));
        list
    }

    #[test]
    fn an_agent_that_has_seen_everything_moves_as_the_map_allows() {
        let mut rng = Rng::new(5);
        for round in 0..60 {
            let (width, height) = (1 + rng.below(30), 1 + rng.below(30));
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let grid = Grid::new(width, height, rule, |_, _| rng.below(3) > 0).expect("a small map");
            let (geometry, mut belief) = (GridGeometry::of(&grid), Belief::new());
            assert_eq!((geometry.scale(), geometry.id_bound()), (grid.scale(), grid.id_bound()));
            let prior = PriorMap::Grid(geometry);
            for cell in grid.all_cells() {
                assert!(prior.contains(cell) && belief.is_free(prior, cell), "free where unseen");
                let change = belief.record(prior, cell, grid.is_free(cell));
                assert_eq!(change == BeliefChange::Blocked, !grid.is_free(cell));
                assert_eq!(belief.record(prior, cell, grid.is_free(cell)), BeliefChange::Nothing);
                assert!(belief.has_seen(prior, cell));
            }
            assert_eq!(belief.states(), u64::from(width) * u64::from(height));
            for cell in grid.free_states() {
                assert_eq!(
                    successors(&belief.moves(&prior), cell),
                    successors(&grid.moves(), cell),
                    "{rule}"
                );
                assert_eq!(geometry.point(cell), grid.point(cell));
            }
            let again = Belief::from_squares(belief.squares()).expect("our own squares");
            assert_eq!(again.squares(), belief.squares());
        }
    }

    #[test]
    fn ground_that_was_not_seen_weighs_the_least_and_what_was_seen_what_it_does() {
        let mut rng = Rng::new(9);
        for round in 0..60 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let grid = Grid::new(1 + rng.below(20), 1 + rng.below(20), rule, |_, _| rng.below(4) > 0);
            let grid =
                grid.expect("a small map").with_weights(|_, _| 2 + rng.below(8) as u8).expect("no zeros");
            let (geometry, mut belief) = (GridGeometry::of(&grid), Belief::new());
            let Some(least) = grid.free_states().map(|cell| grid.weight(cell)).min() else { continue };
            assert_eq!(geometry.least_weight(), least);
            let prior = PriorMap::Grid(geometry);
            // On an agent's own scale, which tells nothing of the weights.
            let per_base =
                |scale: crate::core::CostScale, cost: Cost| cost.units() as f64 / scale.one() as f64;
            for cell in grid.free_states() {
                for (child, cost) in successors(&belief.moves(&prior), cell) {
                    let step = geometry.base_cost(geometry.direction(cell, child).expect("beside"));
                    assert_eq!(cost, step * (2 * u64::from(least)), "{rule}");
                }
            }
            for cell in grid.all_cells() {
                belief.record(prior, cell, grid.is_free(cell));
                if grid.is_free(cell) {
                    let change = belief.record_weight(geometry, cell, grid.weight(cell));
                    assert_eq!(change == BeliefChange::Dearer, grid.weight(cell) > least);
                    let again = belief.record_weight(geometry, cell, grid.weight(cell));
                    assert_eq!(again, BeliefChange::Nothing);
                }
            }
            for cell in grid.free_states() {
                let believed = successors(&belief.moves(&prior), cell);
                let truth = successors(&grid.full_moves(), cell);
                assert_eq!(believed.len(), truth.len());
                for ((to, cost), (true_to, true_cost)) in believed.into_iter().zip(truth) {
                    let (mine, other) = (per_base(geometry.scale(), cost), per_base(grid.scale(), true_cost));
                    assert!(to == true_to && (mine - other).abs() < 1e-3 * other, "{rule}: {mine} {other}");
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_beyond_a_parent_was_named_by_it_and_is_no_cheaper() {
        let mut rng = Rng::new(6);
        let mut left_out = 0;
        for round in 0..60 {
            let (width, height) = (1 + rng.below(9), 1 + rng.below(9));
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let (geometry, mut belief) = (GridGeometry::new(width, height, rule), Belief::new());
            let prior = PriorMap::Grid(geometry);
            let all = || (0..width * height).map(|cell| (cell % width, cell / width));
            let cells: Vec<StateId> =
                all().filter_map(|(x, y)| geometry.state_at(Point::new(x.into(), y.into()))).collect();
            for cell in &cells {
                belief.record(prior, *cell, rng.below(3) > 0);
            }
            let moves = belief.moves(&prior);
            for parent in cells.iter().filter(|cell| belief.is_free(prior, **cell)) {
                let named = successors(&moves, *parent);
                for (state, cost) in &named {
                    let (all, mut beyond) = (successors(&moves, *state), Vec::new());
                    moves.expand_beyond(*state, Some(*parent), |child, cost| beyond.push((child, cost)));
                    let mut rest = beyond.iter().peekable();
                    for child in &all {
                        if rest.next_if_eq(&child).is_some() {
                            continue;
                        }
                        left_out += 1;
                        let through = cost.saturating_add(child.1);
                        let is_named =
                            named.iter().any(|(other, cost)| *other == child.0 && *cost <= through);
                        assert!(is_named || child.0 == *parent, "{rule}: {parent} {state} {child:?}");
                    }
                    assert_eq!(rest.next(), None);
                }
            }
        }
        assert!(left_out > 1000);
    }

    #[test]
    fn nothing_outside_the_borders_is_ever_free() {
        let geometry = GridGeometry::new(9, 3, Rule::OctileCutting);
        let (prior, belief) = (PriorMap::Grid(geometry), Belief::new());
        for id in (0..200).chain([u32::MAX]) {
            let state = StateId::new(id);
            let is_inside = geometry.state_at(geometry.point(state)).is_some();
            assert_eq!((prior.contains(state), belief.is_free(prior, state)), (is_inside, is_inside), "{id}");
        }
        let corner = geometry.state_at(Point::new(8, 2)).expect("inside");
        assert_eq!(successors(&belief.moves(&prior), corner).len(), 3);
    }

    #[test]
    fn a_door_that_opens_changes_the_belief_and_so_does_one_that_closes() {
        let edges = [(0, 1), (1, 2), (0, 2)].map(|(from, to)| Edge {
            from: StateId::new(from),
            to: StateId::new(to),
            cost: 1,
        });
        let graph = Graph::from_edges(3, &edges, Vec::new()).expect("a small graph");
        let (prior, mut belief) = (PriorMap::Graph(&graph), Belief::new());
        let (start, door) = (StateId::new(0), StateId::new(1));
        assert_eq!(successors(&belief.moves(&prior), start).len(), 2);
        assert_eq!(belief.record(prior, door, false), BeliefChange::Blocked);
        assert_eq!(successors(&belief.moves(&prior), start), [(StateId::new(2), Cost::new(1))]);
        assert_eq!(belief.moves(&prior).step_cost(start, door), None);
        assert_eq!(belief.record(prior, door, true), BeliefChange::Freed);
        assert_eq!(belief.record(prior, door, true), BeliefChange::Nothing);
        assert_eq!(belief.moves(&prior).step_cost(start, door), Some(Cost::new(1)));
    }
}
