//! What a learner keeps to itself: its values, and every call it makes.

use super::*;
use crate::core::{KeyRange, Rng};
use crate::space::{
    Edge, Graph, Grid, Overlay, Reach, Rule, SearchSpec, SlotExpander, Space, SpaceVisitor, Successors,
};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Watches an agent on a space, perhaps under an overlay.
type Watch = fn((&Space, Option<&Overlay>), StateId, StateId);

/// Each rule on a journey that is watched.
const WATCHES: [Watch; 6] = [
    |space, from, to| watch(Lrta { g_max: 1000, estimate: None }, space, from, to),
    |space, from, to| watch(Lrta { g_max: 3000, estimate: None }, space, from, to),
    |space, from, to| watch(LrtaK { k: 4, estimate: None }, space, from, to),
    |space, from, to| watch(LrtaK { k: 50, estimate: None }, space, from, to),
    |space, from, to| watch(LssLrta { expansions: 3, estimate: None }, space, from, to),
    |space, from, to| watch(LssLrta { expansions: 40, estimate: None }, space, from, to),
];

fn watch<R: LearningRule>(rule: R, (space, overlay): (&Space, Option<&Overlay>), from: StateId, to: StateId) {
    let truth = truth(space, overlay, to);
    let one = overlay.map_or(space.scale(), Overlay::scale).one();
    let (targets, successors, heuristic) = (&[to], Successors::InComponent, space.tightest_heuristic());
    let spec = SearchSpec { successors, overlay, ..SearchSpec::new(targets, heuristic) };
    space.visit(&spec, Watched { space, one, from, to, rule, truth });
}

/// Counts expansions as the budget must.
struct Counting<'a, E> {
    moves: &'a E,
    units: Cell<u64>,
}

impl<E: Expander> Expander for Counting<'_, E> {
    fn id_bound(&self) -> usize {
        self.moves.id_bound()
    }

    fn keys(&self) -> KeyRange {
        self.moves.keys()
    }

    fn expand(&self, state: StateId, parent: Option<StateId>, visit: impl FnMut(StateId, Cost)) -> u64 {
        let extra = self.moves.expand(state, parent, visit);
        self.units.set(self.units.get() + 1 + extra);
        extra
    }
}

/// A journey of a learner that is watched.
struct Watched<'a, R> {
    space: &'a Space,
    /// Units of cost of a straight step.
    one: u64,
    from: StateId,
    to: StateId,
    rule: R,
    /// The true cost of each state to the goal.
    truth: BTreeMap<u32, Cost>,
}

impl<R: LearningRule> SpaceVisitor for Watched<'_, R> {
    type Answer = ();

    fn visit<E: SlotExpander, G: Goal>(self, moves: &E, goal: &G) {
        let moves = Counting { moves, units: Cell::new(0) };
        let (one, expansion_units) = (self.one, self.space.expansion_units());
        let problem = LearningProblem { moves: &moves, cells: None, goal, one, expansion_units };
        let (mut learned, mut plan, mut local) = (Learned::default(), Vec::new(), Local::default());
        let (mut searches, mut at) = (0, self.from);
        learned.set_goal(self.to);
        let mut values: BTreeMap<u64, u64> = BTreeMap::new();
        for _ in 0..100_000 {
            if at == self.to {
                return;
            }
            let (mut budget, before) = (Budget::unlimited(), moves.units.get());
            let (learned, plan, local, searches) = (&mut learned, &mut plan, &mut local, &mut searches);
            let mut context = LearningContext { learned, plan, local, searches };
            let advance = self.rule.advance(&problem, at, &mut context, &mut budget);
            let calls = moves.units.get() - before;
            assert!(calls <= budget.spent(), "{:?}: {calls} of {}", self.rule, budget.spent());
            assert!(budget.spent() <= self.rule.units(expansion_units).1, "{:?}", self.rule);
            let Advance::Move(next) = advance else { panic!("{:?}: {advance:?}", self.rule) };
            at = next;
            for (key, value) in context.learned.entries() {
                let state = StateId::new(key as u32);
                assert!(value <= self.truth[&state.number()].units(), "{:?} overestimates", self.rule);
                assert!(value > goal.estimate(state).units(), "{:?} learned nothing", self.rule);
                let before = values.insert(key, value);
                assert!(before.is_none_or(|before| before <= value), "{:?} lowers a value", self.rule);
            }
            assert_eq!(values.len() as u64, context.learned.len());
        }
        panic!("{:?}: an endless journey", self.rule);
    }
}

/// The true cost of every state to `goal`: values are lowered until none can be.
fn truth(space: &Space, overlay: Option<&Overlay>, goal: StateId) -> BTreeMap<u32, Cost> {
    let states: Vec<StateId> = space.free_states().collect();
    let mut truth: BTreeMap<u32, Cost> = states.iter().map(|state| (state.number(), Cost::MAX)).collect();
    truth.insert(goal.number(), Cost::ZERO);
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for (from, to) in states.iter().flat_map(|from| states.iter().map(move |to| (*from, *to))) {
            let Some(step) = space.step_cost(from, to, overlay) else { continue };
            let through = truth[&to.number()].saturating_add(step);
            if through < truth[&from.number()] {
                truth.insert(from.number(), through);
                has_changed = true;
            }
        }
    }
    truth
}

#[test]
fn values_rise_and_never_exceed_true_costs_with_or_without_an_overlay_and_no_expansion_goes_unpaid() {
    let mut rng = Rng::new(93);
    for round in 0..60 {
        let space: Space = if round % 3 == 0 {
            let nodes = 3 + rng.below(20);
            // A circle through all of them, so that they are one strong component; and a node with many edges.
            let circle = (0..nodes).map(|node| (node, (node + 1) % nodes));
            let any: Vec<(u32, u32)> = (0..30).map(|_| (rng.below(nodes), rng.below(nodes))).collect();
            let star = (1..nodes).map(|node| (0, node));
            let edge = |(from, to)| Edge {
                from: StateId::new(from),
                to: StateId::new(to),
                cost: 1 + (from * 7 + to * 13) % 29,
            };
            let edges: Vec<Edge> = circle.chain(any).chain(star).map(edge).collect();
            Graph::from_edges(nodes, &edges, Vec::new()).expect("a sound graph").into()
        } else {
            let cells: Vec<bool> = (0..64).map(|_| rng.below(3) > 0).collect();
            let rule = Rule::ALL[round % Rule::ALL.len()];
            Grid::new(8, 8, rule, |x, y| cells[(8 * y + x) as usize]).expect("a small map").into()
        };
        let states: Vec<StateId> = space.free_states().collect();
        let overlay =
            space.as_grid().map(|grid| Overlay::new(grid, |_, _| 1 + rng.below(9) as u8).expect("no zeros"));
        let overlay = overlay.as_ref().filter(|_| round % 3 == 2);
        for watch in WATCHES.into_iter().filter(|_| !states.is_empty()) {
            for _ in 0..6 {
                let mut any = || states[rng.below(states.len() as u32) as usize];
                let (from, to) = (any(), any());
                if space.reach(from, to) == Reach::Always {
                    watch((&space, overlay), from, to);
                }
            }
        }
    }
}
