//! The search of RTAA*: a small A* from where the agent stands, after which every state that it expanded knows more.
//!
//! # Paper
//! S. Koenig, M. Likhachev: Real-time adaptive A*, AAMAS 2006; lines are those of Algorithms 3 and 4 in N. Rivera,
//! L. Illanes, J. A. Baier: Real-time pathfinding in unknown terrain via reconnection with an ideal tree, IBERAMIA 2014,
//! where the search may also end at any state that a test accepts. The choice of daRTAA* is that of C. Hernández,
//! J. A. Baier: Avoiding and escaping depressions in real-time heuristic search, JAIR 43, 2012.
//!
//! # Guarantees
//! At most k expansions, each a unit and what lies beyond eight successors, and for each a value and, with `avoids`, a
//! look at what it saw. Values are never lowered; a consistent estimate stays consistent. With
//! `asks_each` no state is asked twice.

use crate::core::{Budget, Cost, Expander, Goal, RadixMap, StateId};
use crate::space::{
    Belief, CellMoves, GridGeometry, Local, LocalNode, SquareFacts, Window, WindowCell, blocked_or_outside,
};

/// Whether a search may end at a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::agent) enum Answer {
    Yes,
    No,
    /// The step had no time to find out.
    Unknown,
}

/// What was learned about one goal: a table of values, whose numbers of cells are those of their squares and bits.
pub(in crate::agent) trait Values {
    fn table(&self) -> &RadixMap<u64>;

    fn table_mut(&mut self) -> &mut RadixMap<u64>;

    /// The number of a state.
    fn key(&self, state: StateId) -> u64;

    /// The number of the first cell of a square.
    fn key_of_square(&self, square: u32) -> u64;

    /// The value of a state, if one was learned.
    #[inline]
    fn of(&self, state: StateId) -> Option<Cost> {
        self.table().get(self.key(state)).map(Cost::new)
    }

    /// Takes note of a value. It must be higher than the one before.
    #[inline]
    fn raise(&mut self, state: StateId, h: Cost) {
        let key = self.key(state);
        self.table_mut().insert(key, h.units());
    }
}

/// What a search is given.
pub(in crate::agent) struct LookAhead<'a, E, C, G> {
    pub(in crate::agent) moves: &'a E,
    /// The same moves, if they follow from what lies around each cell: then nodes are found by where they lie.
    pub(in crate::agent) cells: Option<&'a C>,
    pub(in crate::agent) h_0: &'a G,
    /// The most states to expand.
    pub(in crate::agent) k: u64,
    /// Whether it goes where least was learned.
    pub(in crate::agent) avoids: bool,
    /// Whether each open state with the least f is asked whether the search may end there (Algorithm 4, line 6), or the
    /// first of them alone.
    pub(in crate::agent) asks_each: bool,
}

/// What an expansion takes with all that follows from it: the value, a step of the plan, another look at what it saw.
pub(in crate::agent) fn cost_of_expansion(expansion: u64, successors: u64, avoids: bool) -> u64 {
    expansion + 2 + if avoids { successors.max(8) } else { 0 }
}

/// What came of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::agent) enum Found {
    /// The search may end at this node.
    End(u32),
    /// This one is the best of the border.
    Border(u32),
    /// This is, but its value is one that no path can cost.
    Hopeless(u32),
    /// No state is left. Says whether all of them are known not to be an end.
    Exhausted { is_known: bool },
}

impl<E: Expander, C: CellMoves, G: Goal> LookAhead<'_, E, C, G> {
    /// Searches from `s`, and learns.
    pub(in crate::agent) fn run(
        &self,
        s: StateId,
        learned: &mut impl Values,
        local: &mut Local,
        mut is_end: impl FnMut(StateId) -> Answer,
        budget: &mut Budget,
    ) -> Found {
        let found = self.search_around(s, learned, local, &mut is_end, budget);
        let next = match found {
            Found::End(next) | Found::Border(next) => next,
            Found::Hopeless(_) | Found::Exhausted { .. } => return found,
        };
        let f = local.nodes()[next as usize].g.saturating_add(local.nodes()[next as usize].h);
        if f >= self.moves.keys().bound && found == Found::Border(next) {
            return Found::Hopeless(next);
        }
        // Alg. 3, l. 7-8.
        for node in local.nodes().iter().filter(|node| node.is_closed) {
            let h = Cost::new(f.units().saturating_sub(node.g.units()));
            if h > node.h {
                budget.charge(1);
                let part = local.window.part(node.cell);
                let bit = node.cell.bit() as usize;
                if !part.is_some_and(|part| learned.table_mut().replace_in(part, bit, h.units())) {
                    learned.raise(node.state, h);
                }
            }
        }
        match found {
            Found::Border(next) if self.avoids => {
                Found::Border(self.least_learned(local, budget).unwrap_or(next))
            }
            found => found,
        }
    }

    /// Algorithm 4, with nodes found by where they lie if there are cells.
    fn search_around(
        &self,
        s: StateId,
        learned: &impl Values,
        local: &mut Local,
        is_end: &mut impl FnMut(StateId) -> Answer,
        budget: &mut Budget,
    ) -> Found {
        let cells = self.cells.and_then(|moves| Some((moves, moves.cells()?)));
        let Some((moves, (geometry, belief))) = cells else {
            let mut around = Plain { moves: self.moves, h_0: self.h_0, learned };
            return self.search(s, &mut around, local, is_end, budget);
        };
        let (known, steps) = (Known { geometry, belief, learned }, geometry.steps());
        let window = std::mem::take(&mut local.window);
        let mut around = Cells { moves, h_0: self.h_0, known, steps, window };
        let found = self.search(s, &mut around, local, is_end, budget);
        local.window = around.window;
        found
    }

    /// Algorithm 4.
    fn search(
        &self,
        s: StateId,
        around: &mut impl Around,
        local: &mut Local,
        is_end: &mut impl FnMut(StateId) -> Answer,
        budget: &mut Budget,
    ) -> Found {
        // l. 2-5.
        local.clear();
        let start = around.begin(s, local);
        let h_of_s = local.node(start).h;
        local.node(start).g = Cost::ZERO;
        local.open(start, (h_of_s, h_of_s));
        let (mut expansions, mut is_known) = (0, true);
        // The f of which all open nodes were asked.
        let mut asked = None;
        local.list.clear();
        // l. 6.
        let mut first = Some(start);
        while let Some(node) = first {
            let LocalNode { state, g, h, .. } = local.nodes()[node as usize];
            let f = g.saturating_add(h);
            let (end, answer) = if self.asks_each {
                list_unasked((node, f), asked.replace(f), local);
                ask_listed(local, is_end)
            } else {
                (node, is_end(state))
            };
            match answer {
                Answer::Yes => return Found::End(end),
                Answer::No => {}
                Answer::Unknown => is_known = false,
            }
            if expansions == self.k {
                return Found::Border(node);
            }
            // l. 7-8, 16.
            local.pop();
            local.node(node).is_closed = true;
            budget.charge(1);
            expansions += 1;
            // l. 9-15.
            local.list.clear();
            let is_last = expansions == self.k && !self.asks_each;
            let extra = around.expand(node, local, |local, child, cost| {
                let to = local.node(child);
                let new_g = g.saturating_add(cost);
                if new_g < to.g {
                    (to.g, to.parent, to.is_closed) = (new_g, node, false);
                    let key = (new_g.saturating_add(to.h), to.h);
                    if is_last {
                        local.open_after_last_pop(child, key)
                    } else {
                        local.open(child, key)
                    }
                    if self.asks_each {
                        local.list.push(child);
                    }
                }
            });
            budget.charge(extra);
            first = if is_last { local.first_after_last_pop() } else { local.first_open() };
        }
        Found::Exhausted { is_known }
    }

    /// daRTAA*: the open state about which least was learned, then the one with the least f, then the one seen first.
    fn least_learned(&self, local: &Local, budget: &mut Budget) -> Option<u32> {
        budget.charge(local.nodes().len() as u64);
        let open = (0..).zip(local.nodes()).filter(|(_, node)| !node.is_closed);
        let key = |(number, node): (u32, &LocalNode)| {
            let learned = node.h.units().saturating_sub(self.h_0.estimate(node.state).units());
            (learned, node.g.saturating_add(node.h), number)
        };
        open.map(key).min().map(|(_, _, number)| number)
    }
}

/// Lists the nodes to ask before the first one, with this f, is expanded: all open nodes with its f, or, if that is the f of
/// which all were asked, those with it among the listed ones, which were opened since. In the order of the open list, and
/// without those that were asked.
fn list_unasked((first, f): (u32, Cost), asked: Option<Cost>, local: &mut Local) {
    let mut list = std::mem::take(&mut local.list);
    if asked == Some(f) {
        list.push(first);
    } else {
        local.list_first_ones(&mut list);
    }
    let nodes = local.nodes();
    let has_f = |node: &LocalNode| node.g.saturating_add(node.h) == f;
    list.retain(|number| !nodes[*number as usize].is_asked && has_f(&nodes[*number as usize]));
    list.sort_unstable_by_key(|number| (nodes[*number as usize].h, *number));
    list.dedup();
    local.list = list;
}

/// Asks the listed nodes one by one: the first that may be the end, or what is known of all.
fn ask_listed(local: &mut Local, is_end: &mut impl FnMut(StateId) -> Answer) -> (u32, Answer) {
    let mut of_all = Answer::No;
    for place in 0..local.list.len() {
        let number = local.list[place];
        local.node(number).is_asked = true;
        match is_end(local.nodes()[number as usize].state) {
            Answer::Yes => return (number, Answer::Yes),
            Answer::No => {}
            Answer::Unknown => of_all = Answer::Unknown,
        }
    }
    (0, of_all)
}

/// How a search finds the nodes around one. New ones get their h.
trait Around {
    /// The node of the first state.
    fn begin(&mut self, s: StateId, local: &mut Local) -> u32;

    /// Names the nodes that a node leads to, but for those that its parent leads to as cheaply, and what the moves cost.
    /// Returns the units of work beyond the one that every expansion takes.
    fn expand(&mut self, node: u32, local: &mut Local, visit: impl FnMut(&mut Local, u32, Cost)) -> u64;
}

/// By their states, in any space.
struct Plain<'a, E, G, V> {
    moves: &'a E,
    h_0: &'a G,
    learned: &'a V,
}

impl<E: Expander, G: Goal, V: Values> Plain<'_, E, G, V> {
    #[inline]
    fn node(&self, state: StateId, local: &mut Local) -> u32 {
        let (node, is_new) = local.add(state);
        if is_new {
            let h_0 = self.h_0.estimate(state);
            local.node(node).h = self.learned.of(state).map_or(h_0, |learned| learned.max(h_0));
        }
        node
    }
}

impl<E: Expander, G: Goal, V: Values> Around for Plain<'_, E, G, V> {
    fn begin(&mut self, s: StateId, local: &mut Local) -> u32 {
        self.node(s, local)
    }

    #[inline]
    fn expand(&mut self, node: u32, local: &mut Local, mut visit: impl FnMut(&mut Local, u32, Cost)) -> u64 {
        let LocalNode { state, parent, .. } = local.nodes()[node as usize];
        let parent = local.nodes().get(parent as usize).map(|parent| parent.state);
        self.moves.expand_beyond(state, parent, |child, cost| {
            let child = self.node(child, local);
            visit(local, child, cost);
        })
    }
}

/// By where they lie, if they are cells.
struct Cells<'a, C, G, V> {
    moves: &'a C,
    h_0: &'a G,
    known: Known<'a, V>,
    /// What a step in each direction adds to an id, wrapping around, and costs.
    steps: [(u32, Cost); 8],
    window: Window,
}

/// What is believed and was learned of cells.
struct Known<'a, V> {
    geometry: GridGeometry,
    belief: &'a Belief,
    learned: &'a V,
}

impl<V: Values> Known<'_, V> {
    fn of_square(&self, column: u32, row: u32) -> SquareFacts {
        let blocked = blocked_or_outside(self.geometry, self.belief, column, row);
        SquareFacts {
            blocked,
            part: self.learned.table().part(self.learned.key_of_square(self.geometry.block(column, row))),
        }
    }
}

impl<C, G: Goal, V: Values> Cells<'_, C, G, V> {
    #[inline]
    fn node(&mut self, state: StateId, cell: WindowCell, local: &mut Local) -> u32 {
        match self.window.node_or_part(cell, local.nodes().len() as u32) {
            Ok(node) => node,
            Err(part) => {
                let learned = self.known.learned.table().get_in(part, cell.bit() as usize).map(Cost::new);
                let h_0 = self.h_0.estimate(state);
                local.push_node(state, learned.map_or(h_0, |learned| learned.max(h_0)), cell)
            }
        }
    }
}

impl<C: CellMoves, G: Goal, V: Values> Around for Cells<'_, C, G, V> {
    fn begin(&mut self, s: StateId, local: &mut Local) -> u32 {
        self.window.clear();
        let (known, at) = (&self.known, self.known.geometry.cell(s));
        let cell = self.window.cell(at, &|column, row| known.of_square(column, row));
        self.node(s, cell, local)
    }

    #[inline]
    fn expand(&mut self, node: u32, local: &mut Local, mut visit: impl FnMut(&mut Local, u32, Cost)) -> u64 {
        let LocalNode { state, parent, cell, .. } = local.nodes()[node as usize];
        let parent = local.nodes().get(parent as usize).map(|parent| parent.state);
        let (moves, geometry) = (self.moves, self.known.geometry);
        let known = &self.known;
        let neighbourhood_mask =
            self.window.neighbourhood_mask(cell, &|column, row| known.of_square(column, row));
        moves.directions_beyond(&geometry, state, parent, neighbourhood_mask, |direction| {
            let known = &self.known;
            let child_cell =
                self.window.beside(cell, direction as u32, &|column, row| known.of_square(column, row));
            let (offset, cost) = self.steps[direction.number()];
            let child = StateId::new(state.number().wrapping_add(offset));
            let child = self.node(child, child_cell, local);
            visit(local, child, cost);
        });
        0
    }
}

#[cfg(test)]
pub(in crate::agent) mod tests {
    use super::*;
    use crate::agent::learning::Learned;
    use crate::core::Rng;
    use crate::space::{Belief, Grid, GridGeometry, PriorMap, Rule, SpaceKind};

    /// The moves of a map all of which was seen.
    fn seen(grid: &Grid) -> Belief {
        let mut belief = Belief::new();
        for cell in grid.all_cells() {
            belief.record(PriorMap::Grid(GridGeometry::of(grid)), cell, grid.is_free(cell));
        }
        belief
    }

    #[test]
    fn learning_never_lowers_a_value_and_keeps_the_estimate_consistent() {
        let mut rng = Rng::new(91);
        for round in 0..60 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let grid = Grid::new(9, 9, rule, |_, _| rng.below(100) < 70).expect("a small map");
            let free: Vec<StateId> = grid.free_states().collect();
            let (belief, prior) = (seen(&grid), PriorMap::Grid(GridGeometry::of(&grid)));
            let (moves, mut local, mut learned) =
                (belief.moves(&prior), Local::default(), Learned::default());
            let goal = free[rng.below(free.len() as u32) as usize];
            learned.set_geometry(|| prior.as_grid());
            learned.set_goal(goal);
            let target = prior.target(&goal);
            let k = u64::from(1 + rng.below(12));
            let cells = (round % 2 == 0).then_some(&moves);
            let ahead =
                LookAhead { moves: &moves, cells, h_0: &target, k, avoids: false, asks_each: round % 4 < 2 };
            for _ in 0..80 {
                let value = |learned: &Learned, state| learned.about(&target).estimate(state);
                let before: Vec<Cost> = free.iter().map(|state| value(&learned, *state)).collect();
                let s = free[rng.below(free.len() as u32) as usize];
                let is_end = |state| if state == goal { Answer::Yes } else { Answer::No };
                let mut budget = Budget::unlimited();
                ahead.run(s, &mut learned, &mut local, is_end, &mut budget);
                assert!(budget.spent() <= k * cost_of_expansion(1, 8, false));
                assert_eq!(value(&learned, goal), Cost::ZERO);
                for (state, before) in free.iter().zip(&before) {
                    let h = value(&learned, *state);
                    assert!(h >= *before);
                    moves.expand(*state, None, |next, cost| {
                        assert!(h <= cost.saturating_add(value(&learned, next)), "{state} to {next}");
                    });
                }
            }
        }
    }

    /// Nothing is estimated.
    struct Nowhere;

    impl Goal for Nowhere {
        fn is_reached(&self, _: StateId) -> bool {
            false
        }

        fn estimate(&self, _: StateId) -> Cost {
            Cost::ZERO
        }
    }

    #[test]
    fn each_open_state_of_least_f_is_asked_once_or_the_first_one_alone() {
        let grid = Grid::new(9, 9, Rule::Octile, |_, _| true).expect("a small map");
        let geometry = GridGeometry::of(&grid);
        let (belief, prior) = (seen(&grid), PriorMap::Grid(geometry));
        let (moves, middle) = (belief.moves(&prior), geometry.state((5, 5)));
        for (asks_each, k, wanted) in [(true, 1, 4), (false, 1, 1), (false, 4, 4)] {
            let ahead =
                LookAhead { moves: &moves, cells: Some(&moves), h_0: &Nowhere, k, avoids: false, asks_each };
            let mut ends = 0;
            for beside in [(5, 4), (6, 5), (5, 6), (4, 5)].map(|cell| geometry.state(cell)) {
                let (mut asked, mut local, mut learned) = (Vec::new(), Local::default(), Learned::default());
                learned.set_geometry(|| Some(geometry));
                learned.set_goal(beside);
                let is_end = |state| {
                    asked.push(state);
                    if state == beside { Answer::Yes } else { Answer::No }
                };
                match ahead.run(middle, &mut learned, &mut local, is_end, &mut Budget::unlimited()) {
                    Found::End(node) => {
                        assert_eq!(local.nodes()[node as usize].state, beside);
                        ends += 1;
                    }
                    found => assert!(matches!(found, Found::Border(_)), "{found:?}"),
                }
                let before = asked.len();
                asked.sort_unstable_by_key(|state| state.number());
                asked.dedup();
                assert_eq!(asked.len(), before);
            }
            assert_eq!(ends, wanted, "{asks_each}, {k} expansions");
        }
    }

    /// Half of a map was seen, a third of it blocked.
    pub(in crate::agent) fn random_belief(geometry: GridGeometry, rng: &mut Rng) -> Belief {
        let mut belief = Belief::new();
        for (x, y) in (1..=geometry.width()).flat_map(|x| (1..=geometry.height()).map(move |y| (x, y))) {
            if rng.below(2) == 0 {
                belief.record(PriorMap::Grid(geometry), geometry.state((x, y)), rng.below(3) > 0);
            }
        }
        belief
    }

    /// Searches here and there on a map, by where cells lie and by their states, and demands the same. Returns how many
    /// values were learned.
    pub(in crate::agent) fn demand_the_same_of_both<M: Expander + CellMoves>(
        moves: &M,
        geometry: GridGeometry,
        k: u64,
        rng: &mut Rng,
    ) -> u64 {
        let prior = PriorMap::Grid(geometry);
        let cell = |rng: &mut Rng| {
            geometry.state((1 + rng.below(geometry.width()), 1 + rng.below(geometry.height())))
        };
        let (mut locals, mut learned) =
            ([(); 2].map(|()| Local::default()), [(); 2].map(|()| Learned::default()));
        let goal = cell(rng);
        for learned in &mut learned {
            learned.set_geometry(|| Some(geometry));
            learned.set_goal(goal);
        }
        let target = prior.target(&goal);
        for _ in 0..30 {
            let (s, other_end, avoids) = (cell(rng), cell(rng), rng.below(2) == 0);
            let asks_each = rng.below(2) == 0;
            let found = [Some(moves), None].map(|cells| {
                let number = usize::from(cells.is_some());
                let ahead = LookAhead { moves, cells, h_0: &target, k, avoids, asks_each };
                let is_end = |state: StateId| match state {
                    state if state == goal => Answer::Yes,
                    state if state == other_end => Answer::Unknown,
                    _ => Answer::No,
                };
                let mut budget = Budget::unlimited();
                let found = ahead.run(s, &mut learned[number], &mut locals[number], is_end, &mut budget);
                (found, budget.spent())
            });
            assert_eq!(found[0], found[1]);
            let nodes = [0, 1].map(|number: usize| {
                let node = |node: &LocalNode| (node.state, node.g, node.h, node.parent, node.is_closed);
                locals[number].nodes().iter().map(node).collect::<Vec<_>>()
            });
            assert_eq!(nodes[0], nodes[1]);
            assert_eq!(learned[0].entries(), learned[1].entries());
        }
        learned[0].len()
    }

    #[test]
    fn nodes_found_by_where_they_lie_are_those_found_by_their_states() {
        let (mut rng, mut values) = (Rng::new(95), 0);
        for round in 0..120 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let geometry = GridGeometry::new(1 + rng.below(40), 1 + rng.below(40), rule);
            let belief = random_belief(geometry, &mut rng);
            let prior = PriorMap::Grid(geometry);
            let k = u64::from(1 + rng.below(80));
            values += demand_the_same_of_both(&belief.moves(&prior), geometry, k, &mut rng);
        }
        assert!(values > 10_000, "{values}");
    }
}
