//! Links that have to be seen: agents by sight against Dijkstra's algorithm on small maps with links, one way and both ways.

use crate::support::journeys_by_sight::{
    HiddenMap, RANGES, RULES, journey, kinds, linked, step, thoughts_as_restored, weighted,
};
use crate::support::{close, random_map, rounds};
use milepost::agent::{LookCursor, SensorRange, Sighting};
use milepost::catalog::{AnyAgentKind, agent, restore};
use milepost::plan::Refusal;
use milepost::space::{Direction, GridGeometry, Link, PriorMap, SpaceKind};
use milepost::{Budget, Edit, Grid, Point, Refused, Rng, Rule, Scratch, Sensor, StateId, Step};
use milepost_maps::TileMap;
use std::collections::BTreeSet;

/// The agents that believe in links.
const ABLE: [&str; 7] = ["da-rtaa", "frit-bfs", "lrta", "lrta-k", "lss-lrta", "replan", "rtaa"];

/// A link by the points of its ends, and its cost.
type DrawnLink = ((i64, i64), (i64, i64), u32);

/// A map of the rows, with links.
fn drawn(drawing: &str, rule: Rule, links: &[DrawnLink]) -> Grid {
    let map = TileMap::from_ascii(&drawing.replace(' ', "\n")).expect("a well-drawn map");
    let grid = map.grid(rule).expect("a small map");
    let at = |(x, y)| grid.state_at(Point::new(x, y)).expect("inside the map");
    let links: Vec<Link> =
        links.iter().map(|(from, to, cost)| Link { from: at(*from), to: at(*to), cost: *cost }).collect();
    grid.with_links(&links).expect("sound links")
}

/// The agents that work on this map, with some parameters.
fn able(hidden_map: &HiddenMap) -> Vec<(&'static str, AnyAgentKind)> {
    let able = hidden_map.supported();
    let names: BTreeSet<&str> = able.iter().map(|(name, _)| name.split(':').next().unwrap_or(name)).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ABLE);
    able
}

/// A random map of up to so many cells a side with links, and perhaps weights, seen so far as the round says.
fn random_linked_map(rng: &mut Rng, round: usize, side: u32) -> HiddenMap {
    let plain = random_map(rng, side).grid(RULES[round % RULES.len()]).expect("a small map");
    let grid = if round % 4 == 3 { weighted(&plain, rng) } else { plain };
    HiddenMap::of(linked(&grid, rng, !round.is_multiple_of(3)).into()).seen(RANGES[round / 5 % RANGES.len()])
}

#[test]
fn agents_that_have_to_see_links_reach_every_reachable_goal_or_explore_all_before_they_give_up() {
    let (mut rng, mut scratch) = (Rng::new(231), Scratch::new());
    let (mut over_links, mut trapped) = (0, 0);
    for round in 0..rounds(3000) {
        let hidden_map = random_linked_map(&mut rng, round, 9);
        let (states, distances) = hidden_map.distances();
        let place = |state: StateId| states.iter().position(|other| *other == state).expect("free");
        for (name, kind) in able(&hidden_map).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let mut agent = kind.start(&hidden_map.sensor(), from, to);
            let least = agent.limits().min_units;
            let units = [u64::MAX, least, least + u64::from(rng.below(40))][rng.below(3) as usize];
            let (end, cost, trail) = journey(&mut agent, &hidden_map, &mut scratch, units);
            let says = || format!("{name}, round {round}, {units} units: {from} to {to}");
            let best = distances[place(from)][place(to)];
            if distances[place(agent.state())][place(to)].is_infinite() {
                assert_eq!(end, Step::NoPath, "{}", says());
                assert!(
                    best.is_infinite() || !hidden_map.is_two_way(),
                    "{}: where moves can be undone",
                    says()
                );
                trapped += u32::from(best.is_finite());
                continue;
            }
            assert_eq!((end, agent.state()), (Step::Arrived, to), "{}", says());
            assert!(cost > best || close(cost, best), "{}: {cost} of {best}", says());
            let hops = trail.iter().scan(from, |before, to| {
                let distance = hidden_map.truth.point(*before);
                *before = *to;
                let to = hidden_map.truth.point(*to);
                Some(distance.x.abs_diff(to.x).max(distance.y.abs_diff(to.y)) > 1)
            });
            over_links += hops.filter(|is_hop| *is_hop).count();
        }
    }
    println!("{over_links} moves over links; {trapped} journeys ended in a trap");
    assert!(over_links > rounds::<usize>(2000));
}

/// A one-way link beside the start leads into a pit beside the goal: an agent that takes it cannot come back, and says so.
#[test]
fn an_agent_that_a_one_way_link_has_trapped_says_that_there_is_no_path() {
    let mut scratch = Scratch::new();
    for rule in RULES {
        let pit = drawn(".....@.@.. .....@@@.. ..........", rule, &[((1, 0), (6, 0), 1)]);
        let hidden_map = HiddenMap::of(pit.clone().into());
        let at = |x, y| pit.state_at(Point::new(x, y)).expect("inside");
        for (name, kind) in able(&hidden_map) {
            let mut agent = kind.start(&hidden_map.sensor(), at(0, 0), at(9, 0));
            let (end, ..) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
            match end {
                Step::NoPath => assert_eq!(agent.state(), at(6, 0), "{name} under {rule}"),
                end => assert_eq!(end, Step::Arrived, "{name} under {rule}"),
            }
            assert!(name != "replan" || end == Step::NoPath, "it takes the way that seems the shortest");
        }
    }
}

/// Another link that begins where nothing was looked at changes nothing.
#[test]
fn two_maps_that_differ_only_in_links_whose_entrances_were_never_seen_get_the_same_moves() {
    let (mut rng, mut scratch) = (Rng::new(232), Scratch::new());
    let mut compared = 0;
    for round in 0..rounds(600) {
        let plain = random_map(&mut rng, 12).grid(RULES[round % RULES.len()]).expect("a small map");
        let map = if round % 3 == 2 { weighted(&plain, &mut rng) } else { plain };
        let range = [SensorRange::Radius(1), SensorRange::Radius(2), SensorRange::Lines][round / 3 % 3];
        let states: Vec<StateId> = map.free_states().collect();
        // No cell has more than one link: that is known beforehand, and must be the same.
        let one_each = |links: &[Link]| {
            let mut seen = BTreeSet::new();
            let links: Vec<Link> = links.iter().copied().filter(|link| seen.insert(link.from)).collect();
            HiddenMap::of(map.with_links(&links).expect("sound links").into()).seen(range)
        };
        let cells: Vec<StateId> = map.all_cells().collect();
        let link = |rng: &mut Rng| {
            let mut any = || cells[rng.below(cells.len() as u32) as usize];
            Link { from: any(), to: any(), cost: 1 + rng.below(5) }
        };
        let links: Vec<Link> = (0..1 + rng.below(3)).map(|_| link(&mut rng)).collect();
        let hidden_map = one_each(&links);
        for (name, kind) in able(&hidden_map).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let walk = |hidden_map: &HiddenMap, scratch: &mut Scratch| {
                let mut agent = kind.start(&hidden_map.sensor(), from, to);
                journey(&mut agent, hidden_map, scratch, u64::MAX)
            };
            let (end, _, trail) = walk(&hidden_map, &mut scratch);
            let mut seen = BTreeSet::new();
            for at in trail.iter().chain([&from]) {
                hidden_map.sensor().look(*at, &mut LookCursor::default(), &mut |sighting| {
                    seen.insert(sighting.state);
                    true
                });
            }
            let others: Vec<Link> = (0..8).map(|_| link(&mut rng)).collect();
            let kept = hidden_map.truth.as_grid().expect("a grid").links().iter().copied();
            let kept = kept.filter(|link| seen.contains(&link.from) || rng.chance(1, 2));
            let unseen = others.into_iter().filter(|link| !seen.contains(&link.from));
            let other = one_each(&kept.chain(unseen).collect::<Vec<Link>>());
            if other.truth.as_grid().expect("a grid").links().is_empty() {
                continue;
            }
            let (other_end, _, other_trail) = walk(&other, &mut scratch);
            assert_eq!((other_end, other_trail), (end, trail), "{name}, round {round}: {from} to {to}");
            compared += 1;
        }
    }
    assert!(compared > rounds::<u32>(3000), "{compared}");
}

/// The goal lies in a room without doors; the link into it begins at the end of the farthest corridor.
#[test]
fn an_agent_looks_everywhere_for_a_link_before_it_says_that_there_is_no_path() {
    let drawing = "......@... .@@@@.@... .@..@.@... .@.@@.@... ......@...";
    let (from, to) = ((5, 0), (8, 2));
    for rule in RULES {
        let ways = [vec![((3, 2), (9, 0), 3)], vec![((3, 2), (9, 0), 3), ((9, 0), (3, 2), 3)], vec![]];
        for links in ways {
            let is_linked = !links.is_empty();
            // One that is never of use tells that there are links.
            let all: Vec<_> = links.into_iter().chain([((8, 1), (8, 2), 1)]).collect();
            let hidden_map = HiddenMap::of(drawn(drawing, rule, &all).into());
            let at = |(x, y)| {
                hidden_map.truth.as_grid().and_then(|grid| grid.state_at(Point::new(x, y))).expect("inside")
            };
            let mut scratch = Scratch::new();
            for (name, kind) in able(&hidden_map) {
                let mut agent = kind.start(&hidden_map.sensor(), at(from), at(to));
                let (end, ..) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
                assert_eq!(end == Step::Arrived, is_linked, "{name} under {rule}: {end:?}");
                let mut seen = BTreeSet::new();
                agent.each_seen((&hidden_map.sensor()).into(), &mut |state, _| {
                    seen.insert(state);
                });
                assert!(seen.contains(&at((3, 2))), "{name} under {rule}");
            }
        }
    }
}

/// A way of 17 steps, and a link beside the start that saves most of it: seen, it is taken.
#[test]
fn a_link_that_is_seen_is_a_known_move_and_estimates_stay_below_true_costs() {
    let drawing = ".................... .@@@@@@@@@@@@@@@@@@. .................... .................... ....................";
    let hidden_map = HiddenMap::of(drawn(drawing, Rule::Octile, &[((2, 3), (17, 3), 2)]).into());
    let grid = hidden_map.truth.as_grid().expect("a grid");
    let at = |x, y| grid.state_at(Point::new(x, y)).expect("inside");
    let mut scratch = Scratch::new();
    for (name, kind) in able(&hidden_map) {
        let mut agent = kind.start(&hidden_map.sensor(), at(2, 2), at(18, 2));
        let (end, cost, trail) = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX);
        assert_eq!(end, Step::Arrived, "{name}");
        if name == "replan" {
            // One step to it, two for it, and a diagonal one.
            assert!(trail.contains(&at(17, 3)) && close(cost, 3.0 + 2_f64.sqrt()), "{cost}: {trail:?}");
        }
    }
}

#[test]
fn links_that_come_and_go_while_agents_walk_never_lead_through_walls_and_agents_arrive_when_they_hold_still()
{
    let (mut rng, mut scratch) = (Rng::new(233), Scratch::new());
    for round in 0..rounds(400) {
        let plain = random_map(&mut rng, 7).grid(RULES[round % RULES.len()]).expect("a small map");
        let still = HiddenMap::of(plain.clone().into()).seen(RANGES[round % RANGES.len()]);
        let states: Vec<StateId> = plain.free_states().collect();
        let names =
            kinds().into_iter().filter(|(name, _)| ABLE.contains(&name.split(':').next().unwrap_or(name)));
        for (name, kind) in names.filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            let mut agent = kind.start(&still.sensor(), from, to);
            let mut hidden_map = still.clone();
            for _ in 0..rng.below(25) {
                let grid = hidden_map.truth.as_grid().expect("a grid");
                let mut point =
                    || Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
                let (a, b) = (point(), point());
                let edit = match (grid.links().first(), rng.below(4)) {
                    (Some(link), 0 | 1) => {
                        Edit::Unlink { from: grid.point(link.from), to: grid.point(link.to) }
                    }
                    (_, 2) if grid.is_free_at(a) && grid.state_at(a) != Some(agent.state()) => Edit::close(a),
                    _ => Edit::Link { from: a, to: b, cost: 1 + rng.below(6) },
                };
                let truth = grid.edited(&[edit]).expect("inside").into();
                hidden_map = HiddenMap { truth, ..hidden_map };
                let least = agent.limits_in((&hidden_map.sensor()).into()).min_units;
                let units = if rng.chance(1, 2) { u64::MAX } else { least };
                let mut budget = Budget::units(units);
                let (before, sensor) = (agent.state(), hidden_map.sensor());
                let done = agent.step(&sensor, &mut scratch, &mut budget);
                let most = agent.limits().max_units.unwrap_or(u64::MAX).min(units);
                assert!(budget.spent() <= most, "{name}, round {round}: {} of {most}", budget.spent());
                if let Step::Move(to) = done {
                    let cost = hidden_map.truth.step_cost(before, to, None);
                    assert!(cost.is_some(), "{name}, round {round}: {before} to {to}");
                }
                // Also where links are gone that it has seen.
                let bytes = agent.to_bytes();
                let restored = restore(&bytes, (&sensor).into()).expect(name);
                assert_eq!(restored.to_bytes(), bytes, "{name}, round {round}");
            }
            let mut end = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0;
            if end == Step::NoPath {
                // It may have believed in links that were there again: asked once more, it looks again.
                end = journey(&mut agent, &hidden_map, &mut scratch, u64::MAX).0;
            }
            let (states, distances) = hidden_map.distances();
            let place = |state: StateId| states.iter().position(|other| *other == state);
            let is_reachable = match (place(agent.state()), place(to)) {
                (Some(at), Some(to)) => distances[at][to].is_finite(),
                _ => false,
            };
            let wanted = if is_reachable { Step::Arrived } else { Step::NoPath };
            assert_eq!(end, wanted, "{name}, round {round}: {from} to {to}");
        }
    }
}

#[test]
fn an_agent_that_was_saved_while_it_explored_goes_on_with_the_same_steps() {
    let (mut rng, mut scratch, mut midst) = (Rng::new(234), Scratch::new(), 0);
    for round in 0..rounds(400) {
        let hidden_map = random_linked_map(&mut rng, round, 7);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        for (_, kind) in able(&hidden_map).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&hidden_map.sensor(), any(), any());
            midst += thoughts_as_restored(&mut agent, &hidden_map, &mut scratch, 400);
        }
    }
    assert!(midst > rounds::<u32>(1000), "{midst}");
}

#[test]
fn a_step_allocates_at_most_the_page_that_is_stated_where_links_are_seen_and_looked_for() {
    let (mut rng, mut scratch) = (Rng::new(235), Scratch::new());
    for round in 0..rounds(120) {
        let hidden_map = random_linked_map(&mut rng, round, 14);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        for (name, kind) in able(&hidden_map).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&hidden_map.sensor(), any(), any());
            let mut warm = agent.clone();
            journey(&mut warm, &hidden_map, &mut scratch, u64::MAX);
            loop {
                let (stated, mut done) = (agent.page_bytes() as u64, Step::Arrived);
                let counted = allocation_counter::measure(|| {
                    done = agent.step(&hidden_map.sensor(), &mut scratch, &mut Budget::unlimited());
                });
                assert!(counted.bytes_total <= stated, "{name}: {} of {stated}", counted.bytes_total);
                if !matches!(done, Step::Move(_) | Step::Thinking) {
                    break;
                }
            }
        }
    }
}

#[test]
fn agents_that_do_not_believe_in_links_refuse_such_maps_by_name() {
    let grid = drawn("....", Rule::Octile, &[((0, 0), (3, 0), 1)]);
    let hidden_map = HiddenMap::of(grid.into());
    let state = hidden_map.truth.free_states().next().expect("a free state");
    let mut scratch = Scratch::new();
    for (name, kind) in kinds() {
        let is_able = ABLE.contains(&name.split(':').next().unwrap_or(name));
        let refusal = kind.refusal(&hidden_map.sensor());
        assert_eq!(refusal, (!is_able).then_some(Refusal::Links), "{name}");
        let mut agent = kind.start(&hidden_map.sensor(), state, state);
        let done = agent.step(&hidden_map.sensor(), &mut scratch, &mut Budget::unlimited());
        let refused = Step::Refused(Refused::Unable(Refusal::Links));
        assert_eq!(done, if is_able { Step::Arrived } else { refused }, "{name}");
    }
}

/// What such a sensor tells of links is all that is known of them.
struct Lantern<'a> {
    truth: &'a Grid,
    /// Whether it breaks its contract: links that lead nowhere, for nothing, in any order, more than it says.
    is_wild: bool,
}

impl Sensor for Lantern<'_> {
    fn prior(&self) -> PriorMap<'_> {
        PriorMap::Grid(
            GridGeometry::new(self.truth.width(), self.truth.height(), self.truth.rule()).with_links_up_to(2),
        )
    }

    fn most_seen(&self) -> u32 {
        8
    }

    fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool) {
        let geometry = GridGeometry::of(self.truth);
        for number in cursor.place..=8 {
            cursor.place = number + 1;
            let cell = match number {
                0 => at,
                number => geometry.neighbour(at, Direction::ALL[number as usize - 1]),
            };
            let from = |link: &&Link| link.from == cell && self.truth.is_free(link.to);
            let mut links: Vec<Link> = self.truth.links().iter().filter(from).copied().collect();
            if self.is_wild {
                let wild = |to, cost| Link { from: StateId::NONE, to: StateId::new(to), cost };
                let number = cell.number();
                links.extend([wild(u32::MAX, 0), wild(0, 9), wild(number, 1), wild(number ^ 5, u32::MAX)]);
                links.reverse();
            }
            let sighting = Sighting { links: &links, ..Sighting::new(cell, self.truth.is_free(cell)) };
            if geometry.contains(cell) && !tell(sighting) {
                return;
            }
        }
    }
}

#[test]
fn a_sensor_of_ones_own_tells_of_links_and_one_that_breaks_its_contract_exceeds_no_limit() {
    let (mut rng, mut scratch) = (Rng::new(236), Scratch::new());
    for round in 0..rounds(200) {
        let plain = random_map(&mut rng, 9).grid(RULES[round % RULES.len()]).expect("a small map");
        let truth = linked(&plain, &mut rng, true);
        let hidden_map = HiddenMap::of(truth.clone().into());
        let states: Vec<StateId> = truth.free_states().collect();
        for (name, kind) in able(&hidden_map).into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            for is_wild in [false, true] {
                let sensor = Lantern { truth: &truth, is_wild };
                let mut agent = kind.start(&sensor, from, to);
                let limits = agent.limits();
                for _ in 0..2000 {
                    let units = [u64::MAX, limits.min_units, limits.min_units + 9][rng.below(3) as usize];
                    let mut budget = Budget::units(units);
                    let done = agent.step(&sensor, &mut scratch, &mut budget);
                    let most = limits.max_units.unwrap_or(u64::MAX).min(units);
                    assert!(budget.spent() <= most, "{name}: {} of {most}", budget.spent());
                    if !matches!(done, Step::Move(_) | Step::Thinking) {
                        break;
                    }
                }
                let more_than_two =
                    truth.links().chunk_by(|a, b| a.from == b.from).any(|links| links.len() > 2);
                if !is_wild && !more_than_two {
                    let (end, ..) = journey(
                        &mut kind.start(&hidden_map.sensor(), from, to),
                        &hidden_map,
                        &mut scratch,
                        u64::MAX,
                    );
                    assert_eq!(agent.state() == to, end == Step::Arrived, "{name}, round {round}");
                }
            }
        }
    }
}

#[test]
fn what_an_agent_states_grows_with_the_links_that_one_cell_may_have() {
    let limits = |name: &str, links: &[DrawnLink]| {
        let hidden_map = HiddenMap::of(drawn(".... ....", Rule::Octile, links).into());
        let state = hidden_map.truth.free_states().next().expect("a free state");
        agent(name).expect(name).start(&hidden_map.sensor(), state, state).limits()
    };
    for name in ABLE {
        let plain = limits(name, &[]);
        let one = limits(name, &[((0, 0), (3, 1), 1)]);
        let two = limits(name, &[((0, 0), (3, 1), 1), ((0, 0), (2, 1), 1)]);
        assert!(plain.min_units < one.min_units && one.min_units < two.min_units, "{name}");
        assert!(plain.max_thinking < one.max_thinking, "{name}");
        // Looking for links is bounded as all is: a slice, or more where the algorithm takes more.
        assert!(plain.max_units.is_none_or(|plain| one.max_units.is_some_and(|one| plain < one)), "{name}");
    }
    let mut scratch = Scratch::new();
    let hidden_map = HiddenMap::of(drawn("..@..", Rule::Octile, &[((0, 0), (1, 0), 1)]).into());
    let states: Vec<StateId> = hidden_map.truth.free_states().collect();
    let mut agent = agent("lrta").expect("a name").start(&hidden_map.sensor(), states[0], states[3]);
    assert_eq!(
        step(&mut agent, &hidden_map, &mut scratch, 1).0,
        Step::Starved { min_units: agent.limits().min_units }
    );
}
