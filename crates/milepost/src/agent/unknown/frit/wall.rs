//! The moves that a reconnection may use: all of them, or those along walls.

use super::Order;
use crate::agent::base::SpaceLimits;
use crate::core::{Cost, Expander, KeyRange, StateId};
use crate::space::{BeliefMoves, CellMoves, Direction, DirectionSet, Graph, GridGeometry, named_by_parent};

/// Which moves a reconnection uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveFilter {
    /// All.
    All,
    /// Those between two states that touch the same obstacle.
    Walls,
    /// Algorithm 4, line 10, to the letter: those beside which an obstacle lies, next in the order.
    PrintedWalls,
}

/// Moves in an order, and of those that go along walls, perhaps.
#[derive(Clone, Copy)]
pub(super) struct OrderedMoves<'a> {
    pub(super) moves: BeliefMoves<'a>,
    pub(super) order: Order,
    pub(super) filter: MoveFilter,
}

/// For each direction the bits of the 3 x 3 square that are beside both ends of the step: those that share a side or a
/// corner with each. For squares.
const BESIDE: [usize; 8] = {
    // North-west, north, north-east, west, here, east, south-west, south, south-east.
    let (nw, n, ne, w, e, sw, s, se) = (1, 2, 4, 8, 32, 64, 128, 256);
    [w | e | nw | ne, n | e, n | s | ne | se, e | s, w | e | sw | se, s | w, n | s | nw | sw, w | n]
};

/// The directions on both sides of one, of those in which a cell has neighbours.
fn sides(open: DirectionSet, direction: Direction) -> [Direction; 2] {
    [[1, 2], [7, 6]].map(|by| {
        let [near, far] = by.map(|eighths| direction.clockwise(eighths));
        if open.contains(near) { near } else { far }
    })
}

/// Units that no expansion exceeds: along walls, the neighbours of each neighbour of a node are looked at too.
pub(super) fn expansion_units(space: SpaceLimits, follows_walls: bool) -> u64 {
    let (plain, neighbours) = (u64::from(space.expansion), u64::from(space.neighbours));
    if space.is_grid || !follows_walls { plain } else { plain + neighbours * plain }
}

impl CellMoves for OrderedMoves<'_> {
    #[inline]
    fn believed(&self) -> &BeliefMoves<'_> {
        &self.moves
    }

    #[inline]
    fn directions_beyond(
        &self,
        geometry: &GridGeometry,
        state: StateId,
        parent: Option<StateId>,
        neighbourhood_mask: usize,
        mut visit: impl FnMut(Direction),
    ) {
        // A move from the parent need not go along a wall because one that leads there from here does.
        let named = match parent {
            Some(parent) if self.filter == MoveFilter::All && geometry.rule().is_octile() => {
                named_by_parent(geometry, state, parent, neighbourhood_mask)
            }
            _ => DirectionSet::NONE,
        };
        let allowed = geometry.allowed(state, neighbourhood_mask).without(named);
        if allowed.is_empty() {
            return;
        }
        let is_hexagon = geometry.rule().hexagons().is_some();
        let is_free = |direction: Direction| neighbourhood_mask >> direction.square_bit() & 1 == 1;
        // On both sides of the move; hexagons there touch both its ends.
        let has_wall_aside = |direction| {
            sides(geometry.allowed(state, 0b111_111_111), direction).into_iter().any(|side| !is_free(side))
        };
        for direction in self.order.directions().map(|number| Direction::from_number(number as usize)) {
            if !allowed.contains(direction) {
                continue;
            }
            let is_beside_wall = match self.filter {
                MoveFilter::All => true,
                MoveFilter::Walls if is_hexagon => has_wall_aside(direction),
                MoveFilter::Walls => BESIDE[direction.number()] & !neighbourhood_mask != 0,
                MoveFilter::PrintedWalls => has_wall_aside(direction),
            };
            if is_beside_wall {
                visit(direction);
            }
        }
    }

    #[inline(never)]
    fn expand_node(&self, graph: &Graph, state: StateId, visit: &mut dyn FnMut(StateId, Cost)) -> u64 {
        let is_blocked = |node: StateId| !self.moves.is_free(node);
        let follows_walls = self.filter != MoveFilter::All;
        let has_wall = follows_walls && graph.edges_from(state).any(|edge| is_blocked(edge.to));
        let (mut count, mut extra) = (0, 0);
        for edge in graph.edges_from(state) {
            count += 1;
            if is_blocked(edge.to) {
                continue;
            }
            // Both know a blocked node.
            let shares_wall = || {
                graph.edges_from(edge.to).any(|other| {
                    is_blocked(other.to) && graph.edges_from(state).any(|mine| mine.to == other.to)
                })
            };
            if follows_walls {
                extra += 1;
                if !has_wall || !shares_wall() {
                    continue;
                }
            }
            visit(edge.to, Cost::new(edge.cost.into()));
        }
        let plain = if count > 8 { count } else { 1 };
        plain - 1 + extra * plain
    }
}

impl Expander for OrderedMoves<'_> {
    fn id_bound(&self) -> usize {
        self.moves.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.moves.keys()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::base::lookahead::tests::{demand_the_same_of_both, random_belief};
    use crate::core::Rng;
    use crate::space::{PriorMap, Rule};

    #[test]
    fn reconnections_find_the_same_by_where_cells_lie_and_by_their_states() {
        let (mut rng, mut values) = (Rng::new(96), 0);
        for round in 0..120 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let geometry = GridGeometry::new(1 + rng.below(40), 1 + rng.below(40), rule);
            let belief = random_belief(geometry, &mut rng);
            let prior = PriorMap::Grid(geometry);
            let moves = OrderedMoves {
                moves: belief.moves(&prior),
                order: [Order::Clockwise, Order::CounterClockwise][round % 2],
                filter: [MoveFilter::All, MoveFilter::Walls, MoveFilter::PrintedWalls][round / 9 % 3],
            };
            let k = u64::from(1 + rng.below(80));
            values += demand_the_same_of_both(&moves, geometry, k, &mut rng);
        }
        assert!(values > 10_000, "{values}");
    }
}
