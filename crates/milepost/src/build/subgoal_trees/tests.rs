//! Trees of one goal, and that they are shared without loss.

use super::tree::NO_STATE;
use super::*;
use crate::build::{SILENT, build};
use crate::core::{Budget, Cost, Point, Rng, rounds};
use crate::index::subgoal_trees::Next;
use crate::index::{Atlas, IndexKind, IndexSpec};
use crate::plan::SubgoalTree;
use crate::space::{Edge, Edit, Graph, Grid, Rule};

/// The map of figure 1, whose drawing is lost: it fits what the text says. Columns 1 to 8, rows A to E.
const FIGURE_1: &str = "
    ........
    ........
    ...@..@.
    ..@@..@.
    ...@..@.";

/// The arcs of a goal's tree, as the figure names them: the subgoal, and what comes next.
fn arcs_of_figure_1(parameter: u32) -> Vec<(String, String)> {
    let space: Space = Grid::from_ascii(FIGURE_1, Rule::Four).expect("a well-drawn map").into();
    let order = numbering(&space).expect("a small map").order;
    let goal = order.iter().position(|&state| space.point(state) == Point::new(5, 4)).expect("E6") as u32;
    let name = |state: u32| {
        let at = space.point(order[state as usize]);
        format!("{}{}", ["A", "B", "C", "D", "E"][at.y as usize], at.x + 1)
    };
    let tree = visit_terrain(&space, &order, Arcs { goal, parameter });
    tree.into_iter().map(|(subgoal, next)| (name(subgoal), name(next))).collect()
}

/// The arcs of one tree, in the order in which they came in.
struct Arcs {
    goal: u32,
    parameter: u32,
}

impl TerrainVisitor for Arcs {
    type Answer = Vec<(u32, u32)>;

    fn visit<E: Estimates>(self, terrain: &Terrain<E>) -> Vec<(u32, u32)> {
        let (mut greedy, mut printed) = (GreedyTrees::new(terrain), PrintedTrees::new(terrain));
        let maker: &mut dyn TreeMaker<E> = if self.parameter == PRINTED { &mut printed } else { &mut greedy };
        let tree = maker.make(terrain, self.goal);
        tree.subgoals.iter().map(|&subgoal| (subgoal, tree.sub[subgoal as usize])).collect()
    }
}

#[test]
fn the_tree_of_figure_1_is_the_one_that_the_text_tells_of() {
    let arcs = arcs_of_figure_1(PRINTED);
    let arcs: Vec<(&str, &str)> = arcs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(arcs, [("B8", "E6"), ("B3", "E6"), ("E2", "B3")]);
}

fn random_space(rng: &mut Rng, round: u32) -> Space {
    if round.is_multiple_of(4) {
        let nodes = 2 + rng.below(25);
        let edges: Vec<Edge> = (0..nodes * 3)
            .map(|_| Edge {
                from: StateId::new(rng.below(nodes)),
                to: StateId::new(rng.below(nodes)),
                cost: 1 + rng.below(if round.is_multiple_of(8) { 10_000 } else { 4 }),
            })
            .collect();
        return Graph::from_edges(nodes, &edges, Vec::new()).expect("a sound graph").into();
    }
    let rule = Rule::ALL[round as usize % Rule::ALL.len()];
    let cells: Vec<bool> = (0..120).map(|_| rng.below(4) > 0).collect();
    let grid = Grid::new(12, 10, rule, |x, y| cells[(12 * y + x) as usize]);
    let grid = grid.expect("a small map");
    if round % 3 == 1 {
        grid.with_weights(|x, y| 1 + (x * y % 4) as u8).expect("no zeros").into()
    } else {
        grid.into()
    }
}

/// The same, some of the grids with links: also beside a step that is dearer, or cheaper.
fn random_space_with_links(rng: &mut Rng, round: u32) -> Space {
    let space = random_space(rng, round);
    let Some(grid) = space.as_grid().filter(|_| round % 5 > 2) else { return space };
    let mut point = || Point::new(rng.below(12).into(), rng.below(10).into());
    let links: Vec<Edit> = (0..1 + round % 7)
        .flat_map(|cost| {
            let from = point();
            let beside = Point::new((from.x + 1) % 12, from.y);
            [(from, point()), (from, beside)].map(|(from, to)| Edit::Link { from, to, cost: 1 + cost })
        })
        .collect();
    grid.edited(&links).expect("inside").into()
}

/// The trees of all goals made on demand, in slices of so many units, are those of the builder.
struct OnDemand<'a> {
    space: &'a Space,
    order: &'a [StateId],
    slices: &'a mut dyn FnMut() -> u64,
}

impl TerrainVisitor for OnDemand<'_> {
    type Answer = usize;

    fn visit<E: Estimates>(self, terrain: &Terrain<E>) -> usize {
        let OnDemand { space, order, slices } = self;
        let mut printed = PrintedTrees::new(terrain);
        let id = |number: u32| order[number as usize];
        let mut all = 0;
        for goal in 0..order.len() as u32 {
            let tree = TreeMaker::<E>::make(&mut printed, terrain, goal);
            let mut on_demand = SubgoalTree::towards(id(goal));
            // What a piece of work may take beyond its unit.
            let overrun = space.expansion_units() + space.goal_units();
            loop {
                let units = slices();
                let mut budget = Budget::units(units);
                let is_ready = on_demand.advance(space, &mut budget);
                assert!(budget.spent() <= units + overrun, "{} of {units}", budget.spent());
                if is_ready {
                    break;
                }
                assert!(budget.spent() >= units);
            }
            let subgoals: Vec<StateId> = tree.subgoals.iter().map(|&subgoal| id(subgoal)).collect();
            assert_eq!(on_demand.subgoals().collect::<Vec<StateId>>(), subgoals);
            for state in 0..order.len() as u32 {
                let sub = Some(tree.sub[state as usize]).filter(|&sub| sub != NO_STATE).map(id);
                let g = Some(tree.g[state as usize]).filter(|&g| g != u64::MAX).map(Cost::new);
                let next = sub.filter(|_| tree.is_subgoal[state as usize]);
                let state = id(state);
                assert_eq!((on_demand.subgoal(state), on_demand.cost(state)), (sub, g));
                assert_eq!(on_demand.next(state), next);
            }
            assert!(on_demand.is_sound(space));
            all += subgoals.len();
        }
        all
    }
}

#[test]
fn a_tree_on_demand_is_the_one_that_the_builder_makes_whatever_the_slices() {
    let mut rng = Rng::new(303);
    let mut subgoals = 0;
    for round in 0..96 {
        let space = random_space_with_links(&mut rng, round);
        let order = numbering(&space).expect("a small space").order;
        let mut random = Rng::new(round.into());
        let mut slices = || match round % 3 {
            0 => 1,
            1 => 7,
            _ => 1 + u64::from(random.below(60)),
        };
        subgoals +=
            visit_terrain(&space, &order, OnDemand { space: &space, order: &order, slices: &mut slices });
    }
    assert!(subgoals > 10_000, "{subgoals}");
}

#[test]
fn a_tree_on_demand_is_the_one_that_is_stored() {
    let mut rng = Rng::new(304);
    for round in 0..rounds(48) {
        let space = random_space_with_links(&mut rng, round);
        let printed = IndexSpec::new(IndexKind::SUBGOAL_TREES, PRINTED);
        let atlas = build(&Atlas::new(space.clone()), printed, SILENT).expect("any space");
        let trees = atlas.subgoal_trees(printed).expect("just built");
        for goal in space.free_states() {
            let mut tree = SubgoalTree::towards(goal);
            assert!(tree.advance(&space, &mut Budget::unlimited()));
            let number = trees.number(goal).expect("a free state");
            for state in space.free_states() {
                let stored = trees.subgoal_at(state).map(|subgoal| trees.next(subgoal, number));
                let stored = match stored {
                    Some(Next::Subgoal(next, _)) => Some(trees.state(next)),
                    Some(Next::Goal(_)) => Some(goal),
                    Some(Next::NotThere) | None => None,
                };
                assert_eq!(tree.next(state), stored, "round {round}: {state} to {goal}");
            }
        }
    }
}

/// From every state one of its list leads to every goal at least cost, along arcs whose costs are known.
struct Leads<'a> {
    trees: crate::index::SubgoalTrees<'a>,
    order: &'a [StateId],
}

impl TerrainVisitor for Leads<'_> {
    type Answer = ();

    fn visit<E: Estimates>(self, terrain: &Terrain<E>) {
        let states = self.order.len() as u32;
        let mut flood = flood::Flood::new(terrain);
        let walk = |from: u32, to: u32| {
            let (mut at, mut cost, mut steps) = (from, 0, 0);
            while at != to && steps <= states {
                let (next, step) = terrain.greedy_step(at, to)?;
                (at, cost, steps) = (next, cost + step, steps + 1);
            }
            (at == to).then_some(cost)
        };
        let number = |subgoal: u32| self.trees.number(self.trees.state(subgoal)).expect("a free state");
        for goal in 0..states {
            flood.run(terrain, goal);
            for from in 0..states {
                let mut best = walk(from, goal);
                let list = (0..).map_while(|index| self.trees.first(self.order[from as usize], index));
                for first in list {
                    let (mut at, mut cost) = (first, walk(from, number(first)));
                    loop {
                        match self.trees.next(at, goal) {
                            Next::NotThere => {
                                assert_eq!(at, first, "trees lead to the goal");
                                cost = None;
                                break;
                            }
                            Next::Goal(is_near) => {
                                let last = walk(number(at), goal).expect("the goal is next");
                                let estimate = terrain.estimates.between(number(at), goal);
                                assert_eq!(is_near, last == estimate);
                                cost = cost.map(|cost| cost + last);
                                break;
                            }
                            Next::Subgoal(next, surplus) => {
                                let leg =
                                    terrain.estimates.between(number(at), number(next)) + surplus.units();
                                assert_eq!(walk(number(at), number(next)), Some(leg));
                                (at, cost) = (next, cost.map(|cost| cost + leg));
                            }
                        }
                    }
                    best = [best, cost].into_iter().flatten().min();
                }
                let truth = Some(flood.g[from as usize]).filter(|&g| g != u64::MAX);
                assert_eq!(best, truth, "from {from} to {goal}");
            }
        }
    }
}

#[test]
fn stored_trees_lead_from_every_state_to_every_goal_at_least_cost_on_every_kind_of_space() {
    let mut rng = Rng::new(301);
    for round in 0..48 {
        let space = random_space(&mut rng, round);
        let atlas = build(&Atlas::new(space.clone()), IndexKind::SUBGOAL_TREES, SILENT).expect("any space");
        let trees = atlas.subgoal_trees(IndexKind::SUBGOAL_TREES.into()).expect("just built");
        let mut order = numbering(&space).expect("a small space").order;
        order.sort_unstable_by_key(|&state| trees.number(state));
        visit_terrain(&space, &order, Leads { trees, order: &order });
        assert_eq!(crate::build::verify(&atlas), Ok(()));
    }
}

#[test]
fn printed_trees_are_proved_too_and_are_larger() {
    let mut rng = Rng::new(302);
    for round in 0..60 {
        let space = random_space(&mut rng, round);
        let printed = IndexSpec::new(IndexKind::SUBGOAL_TREES, PRINTED);
        let atlas = build(&Atlas::new(space), printed, SILENT).expect("any space");
        assert_eq!(crate::build::verify(&atlas), Ok(()));
    }
}
