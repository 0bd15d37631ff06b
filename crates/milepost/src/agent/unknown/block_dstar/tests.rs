//! Journeys over maps of several blocks, with few units and with many.

use super::blocks::{BlockId, ComponentId, Components};
use super::queue::Queue;
use super::search::{DStar, Progress};
use super::*;
use crate::agent::base::{Agent, Chassis, View};
use crate::agent::{MapSensor, SensorRange, Step};
use crate::core::{Budget, Cost, Expander, Point, Rng};
use crate::plan::Scratch;
use crate::space::{Edit, Grid, Rule, Space, SpaceKind};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const RULES: [Rule; 9] = Rule::ALL;

fn random_grid(rng: &mut Rng, most: u32, rule: Rule) -> Grid {
    let (width, height, blocked) = (1 + rng.below(most), 1 + rng.below(most), 10 + rng.below(45));
    Grid::new(width, height, rule, |_, _| rng.below(100) >= blocked).expect("a small map")
}

type Walker = Chassis<BlockDStar>;

fn walker(units: u32, space: &Space, from: StateId, to: StateId) -> Walker {
    let sensor = MapSensor::new(space, SensorRange::default());
    Chassis::new(BlockDStar { units }, View::Sensor(&sensor), from, to)
}

/// The costs of the best ways from a cell, by the numbers of cells.
fn costs_from(grid: &Grid, from: StateId) -> Vec<Option<u64>> {
    let mut costs = vec![None; grid.id_bound()];
    let mut open = BinaryHeap::from([(Reverse(0), from)]);
    while let Some((Reverse(cost), cell)) = open.pop() {
        if costs[cell.index()].is_none() {
            costs[cell.index()] = Some(cost);
            grid.moves()
                .expand(cell, None, |next, step: Cost| open.push((Reverse(cost + step.units()), next)));
        }
    }
    costs
}

/// One step, which must be allowed and within the units. Its cost, if it was a move.
fn checked_step(agent: &mut Walker, grid: &Grid, space: &Space, sight: SensorRange) -> (Step, u64) {
    let (before, mut budget) = (agent.state(), Budget::unlimited());
    let step = agent.step(View::Sensor(&MapSensor::new(space, sight)), &mut Scratch::new(), &mut budget);
    assert!(agent.limits().max_units.is_some_and(|most| budget.spent() <= most), "{} units", budget.spent());
    let mut cost = None;
    grid.moves().expand(before, None, |next, units| {
        if Step::Move(next) == step {
            cost = Some(units.units());
        }
    });
    assert!(cost.is_some() || matches!(step, Step::Arrived | Step::NoPath), "{step:?} from {before}");
    (step, cost.unwrap_or(0))
}

#[test]
fn every_goal_is_reached_or_proved_to_be_out_of_reach() {
    let mut rng = Rng::new(71);
    for round in 0..27 {
        let grid = random_grid(&mut rng, 18, RULES[round % RULES.len()]);
        let space = Space::from(grid.clone());
        let units = [16, 23, 64][round / 3 % 3];
        let sight = [SensorRange::Radius(1), SensorRange::Radius(4), SensorRange::Lines][round / 2 % 3];
        for from in grid.free_states() {
            let costs = costs_from(&grid, from);
            for to in grid.free_states() {
                let mut agent = walker(units, &space, from, to);
                let (mut walked, mut moves) = (0, 0);
                let end = loop {
                    let (step, cost) = checked_step(&mut agent, &grid, &space, sight);
                    if cost == 0 {
                        break step;
                    }
                    (walked, moves) = (walked + cost, moves + 1);
                    assert!(moves < 20_000, "{from} to {to} takes for ever");
                };
                match costs[to.index()] {
                    Some(best) => assert!(end == Step::Arrived && walked >= best, "{from} to {to}: {end:?}"),
                    None => assert_eq!(end, Step::NoPath, "{from} to {to}"),
                }
            }
        }
    }
}

#[test]
fn a_step_takes_no_more_than_its_units_on_maps_of_any_size() {
    let mut rng = Rng::new(72);
    for (side, units) in [(32, 16), (100, 64), (320, 16), (1000, 64), (1000, 16)] {
        for rule in RULES {
            let grid = Grid::new(side, side, rule, |_, _| rng.below(100) >= 35).expect("a map");
            let space = Space::from(grid.clone());
            let free: Vec<StateId> = grid.free_states().collect();
            for _ in 0..3 {
                let mut any = || free[rng.below(free.len() as u32) as usize];
                let (from, to, sight) = (any(), any(), SensorRange::Radius(1 + rng.below(9)));
                let mut agent = walker(units, &space, from, to);
                for _ in 0..1500 {
                    if checked_step(&mut agent, &grid, &space, sight).1 == 0 {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn doors_may_open_and_close_and_what_can_be_reached_when_they_hold_still_is_reached() {
    let mut rng = Rng::new(73);
    for round in 0..150 {
        let rule = RULES[round % RULES.len()];
        let mut grid = random_grid(&mut rng, 30, rule);
        let free: Vec<StateId> = grid.free_states().collect();
        if free.is_empty() {
            continue;
        }
        let any = |rng: &mut Rng| free[rng.below(free.len() as u32) as usize];
        let (from, to, sight) = (any(&mut rng), any(&mut rng), SensorRange::Radius(1 + rng.below(3)));
        let mut space = Space::from(grid.clone());
        let mut agent = walker(16 + 8 * rng.below(3), &space, from, to);
        for _ in 0..300 {
            let at = Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
            let cell = grid.state_at(at).expect("inside");
            if cell != agent.state() && cell != to {
                let edit = if grid.is_free(cell) { Edit::close(at) } else { Edit::open(at) };
                grid = grid.edited(&[edit]).expect("inside");
                space = Space::from(grid.clone());
            }
            checked_step(&mut agent, &grid, &space, sight);
        }
        let is_reachable = costs_from(&grid, agent.state())[to.index()].is_some();
        // What it believes may be out of date: an agent that has given up, and is asked again, begins anew.
        let mut given_up = 0;
        let end = (0..100_000).find_map(|_| {
            let step = checked_step(&mut agent, &grid, &space, sight).0;
            given_up += u32::from(step == Step::NoPath);
            (step == Step::Arrived || given_up == 2).then_some(step)
        });
        assert_eq!(end, Some(if is_reachable { Step::Arrived } else { Step::NoPath }), "round {round}");
    }
}

#[test]
fn an_agent_from_saved_bytes_is_the_same_bytes_again_and_makes_the_same_moves() {
    let mut rng = Rng::new(74);
    for round in 0..60 {
        let grid = random_grid(&mut rng, 60, RULES[round % RULES.len()]);
        let space = Space::from(grid.clone());
        let free: Vec<StateId> = grid.free_states().collect();
        let Some(last) = free.last() else { continue };
        let from = free[rng.below(free.len() as u32) as usize];
        let mut agent = walker(16, &space, from, *last);
        let mut restored = agent.clone();
        for _ in 0..400 {
            let step = checked_step(&mut agent, &grid, &space, SensorRange::default()).0;
            assert_eq!(checked_step(&mut restored, &grid, &space, SensorRange::default()).0, step);
            let bytes = agent.to_bytes();
            let sensor = MapSensor::new(&space, SensorRange::default());
            restored = Walker::restore(&bytes, View::Sensor(&sensor)).expect("our own bytes");
            assert!(restored.to_bytes() == bytes, "other bytes in round {round}");
            if !matches!(step, Step::Move(_)) {
                break;
            }
        }
    }
}

#[test]
fn repaired_costs_are_those_of_a_new_search() {
    let mut rng = Rng::new(75);
    let mut compared = 0;
    for round in 0..60 {
        let grid = random_grid(&mut rng, 80, RULES[round % RULES.len()]);
        let space = Space::from(grid.clone());
        let free: Vec<StateId> = grid.free_states().collect();
        if free.is_empty() {
            continue;
        }
        let mut any = || free[rng.below(free.len() as u32) as usize];
        let (from, to) = (any(), any());
        let geometry = GridGeometry::of(&grid);
        let mut agent = walker(1000, &space, from, to);
        while let (Step::Move(_), _) = checked_step(&mut agent, &grid, &space, SensorRange::default()) {
            // What was just seen is not taken in yet: both search the belief as it is.
            let (memory, belief) = agent.memory_and_belief();
            let believed = BelievedGrid { geometry, belief: belief.expect("it looks") };
            let (at, mut repaired) = (agent.state(), memory.search.clone().expect("it has searched"));
            if memory.interim.is_away {
                continue;
            }
            let mut anew = DStar::new(believed, at, to);
            repaired.move_start(believed, at);
            let cell = believed.locate(at).1;
            let ends = [&mut *repaired, &mut anew].map(|search| {
                let progress = search.compute_shortest_path(believed, cell, &mut Meter::new(u64::MAX));
                let cost = (progress == Progress::Ready).then(|| search.components[search.start].rhs);
                cost.unwrap_or(u32::MAX)
            });
            // Keys are rounded down to multiples of four.
            assert!(ends[0].abs_diff(ends[1]) < 4, "{ends:?} in round {round}");
            compared += 1;
        }
    }
    assert!(compared > 1000);
}

#[test]
fn memory_follows_what_was_met_and_not_the_size_of_the_map() {
    let bytes = [40, 400, 4000].map(|side| {
        let grid =
            Grid::new(side, side, Rule::Octile, |x, y| x != 20 || !(5..36).contains(&y)).expect("a map");
        let (from, to) = (Point::new(14, 20), Point::new(26, 20));
        let cell = |point| grid.state_at(point).expect("inside");
        let space = Space::from(grid.clone());
        let mut agent = walker(64, &space, cell(from), cell(to));
        while checked_step(&mut agent, &grid, &space, SensorRange::default()).0 != Step::Arrived {}
        agent.bytes()
    });
    // Larger numbers take a few nodes more.
    assert!(bytes[2] <= bytes[1] + 2_000 && bytes[1] < 40_000, "{bytes:?}");
}

#[test]
fn the_open_list_gives_the_least_key_first_and_of_equal_ones_the_last() {
    let mut rng = Rng::new(76);
    let (mut queue, mut components) = (Queue::new(), Components::new());
    let mut plain: Vec<VecDeque<ComponentId>> = vec![VecDeque::new(); 3000];
    let all: Vec<ComponentId> = (0..200).map(|_| components.add(1, BlockId(0))).collect();
    for _ in 0..50_000 {
        let component = all[rng.below(200) as usize];
        if let Some(key) = queue.key_of(&components[component]) {
            plain[key as usize].retain(|other| *other != component);
            queue.remove(&mut components, component);
        } else {
            let key = rng.below(3000);
            plain[key as usize].push_front(component);
            queue.insert(&mut components, component, key);
        }
        assert_eq!(queue.first(), (0..).zip(&plain).find_map(|(key, list)| Some((*list.front()?, key))));
    }
    let expected =
        (0..).zip(&plain).flat_map(|(key, list)| list.iter().map(move |component| (*component, key)));
    assert_eq!(queue.in_order(), expected.collect::<Vec<_>>());
}
