//! Looks of every width under budgets of every size, and sensors that do not do as they say.

use crate::support::journeys_by_sight::{HiddenMap, RANGES, RULES, kinds, step, thoughts_as_restored};
use crate::support::{random_map, rounds};
use milepost::agent::{LookCursor, SensorRange, Sighting, SpaceLimits};
use milepost::catalog::{AnyAgentKind, agent, restore};
use milepost::space::{GridGeometry, PriorMap};
use milepost::{Agent, Budget, Edit, Grid, Point, Rng, Rule, Scratch, Sensor, Space, StateId, Step};
use milepost_maps::{Kind, generate};
use std::cell::RefCell;

/// Where a whole search may be cut, steps without a move count from the last thing that was seen otherwise: no number of them
/// is wrong while ground changes.
fn is_bounded(kind: &AnyAgentKind) -> bool {
    kind.limits(SpaceLimits::UNSEEN).max_units.is_some()
}

#[test]
fn agents_of_any_sight_keep_to_what_they_state_with_any_budget_and_arrive() {
    let mut rng = Rng::new(211);
    let (mut scratch, mut thought) = (Scratch::new(), [0; RANGES.len()]);
    for round in 0..rounds(150) {
        let map = random_map(&mut rng, 16).grid(RULES[round % 3]).expect("a small map");
        for (range, thought) in RANGES.into_iter().zip(&mut thought) {
            let hidden_map = HiddenMap::of(map.clone().into()).seen(range);
            let (states, distances) = hidden_map.distances();
            for (name, kind) in hidden_map.supported().into_iter().filter(|_| !states.is_empty()) {
                let mut any = || rng.below(states.len() as u32) as usize;
                let (from, to) = (any(), any());
                let mut agent = kind.start(&hidden_map.sensor(), states[from], states[to]);
                // A first journey warms the scratch.
                let mut warm = agent.clone();
                let mut next = || warm.step(&hidden_map.sensor(), &mut scratch, &mut Budget::unlimited());
                while let Step::Move(_) | Step::Thinking = next() {}
                let wanted = if distances[from][to].is_finite() { Step::Arrived } else { Step::NoPath };
                let (mut in_a_row, mut steps) = (0, 0);
                // All that a step may take, the least, or anything in between at every step.
                let spare = [u64::MAX / 2, 0, 40, 400][rng.below(4) as usize];
                let end = loop {
                    let (least, stated) = (agent.limits().min_units, agent.page_bytes() as u64);
                    let more = if spare > 400 { spare } else { u64::from(rng.below(spare as u32 + 1)) };
                    let mut done = (Step::Arrived, milepost::Cost::ZERO);
                    let counted = allocation_counter::measure(|| {
                        done = bare_step(&mut agent, &hidden_map, &mut scratch, least.saturating_add(more));
                    });
                    let allocated = counted.bytes_total;
                    assert!(allocated <= stated, "{name} {range:?}: {allocated} of {stated} bytes");
                    match done.0 {
                        Step::Move(_) => in_a_row = 0,
                        Step::Thinking => {
                            in_a_row += 1;
                            *thought += 1;
                            let most = agent.limits().max_thinking;
                            assert!(in_a_row <= most, "{name} {range:?}: {in_a_row} of {most}");
                        }
                        end => break end,
                    }
                    steps += 1;
                    assert!(steps < 1_000_000, "{name} {range:?}: an endless journey");
                };
                assert_eq!(end, wanted, "{name} {range:?}, round {round}");
            }
        }
    }
    assert!(thought[1..].iter().all(|thought| *thought > 0), "{thought:?}");
}

/// A step without what tests ask of it beside: that allocates.
fn bare_step(
    agent: &mut Box<dyn Agent>,
    hidden_map: &HiddenMap,
    scratch: &mut Scratch,
    units: u64,
) -> (Step, milepost::Cost) {
    let (before, limits) = (agent.state(), agent.limits());
    let mut budget = Budget::units(units);
    let step = agent.step(&hidden_map.sensor(), scratch, &mut budget);
    let (name, most) = (agent.name(), limits.max_units.unwrap_or(u64::MAX).min(units));
    assert!(budget.spent() <= most, "{name}: {} of {most} units, {limits:?}", budget.spent());
    let cost = match step {
        Step::Move(to) => hidden_map.truth.step_cost(before, to, None),
        _ => Some(milepost::Cost::ZERO),
    };
    (step, cost.unwrap_or_else(|| panic!("{name} goes through a wall: {before} to {step:?}")))
}

#[test]
fn at_sight_1_a_look_is_two_units_and_those_for_what_it_shows() {
    // Nothing is decided at the goal.
    let map = HiddenMap::of(Grid::new(9, 9, Rule::Octile, |x, y| (x + y) % 3 != 1).expect("a map").into());
    let mut scratch = Scratch::new();
    for state in map.truth.free_states() {
        let walls = {
            let mut walls = 0;
            map.sensor().look(state, &mut LookCursor::default(), &mut |sighting| {
                walls += u64::from(!sighting.is_free);
                true
            });
            walls
        };
        for (name, kind) in map.supported() {
            let mut agent = kind.start(&map.sensor(), state, state);
            for expected in [2 + walls, 2] {
                let mut budget = Budget::unlimited();
                assert_eq!(agent.step(&map.sensor(), &mut scratch, &mut budget), Step::Arrived, "{name}");
                let taken_in = budget.spent() - expected;
                // Some algorithms look at what lies around a wall that is new.
                assert!(
                    taken_in <= 5 * walls && (expected > 2 || taken_in == 0),
                    "{name}: {}",
                    budget.spent()
                );
            }
        }
    }
}

#[test]
fn a_wide_view_is_taken_in_at_once_where_the_budget_is_enough() {
    let map = generate(Kind::Rooms, 64, 64, 5).expect("a size that fits").grid(Rule::Octile).expect("a map");
    let states: Vec<StateId> = Space::from(map.clone()).free_states().collect();
    let (mut scratch, hidden_map) = (Scratch::new(), HiddenMap::of(map.into()).seen(SensorRange::Radius(20)));
    for (name, kind) in hidden_map.supported() {
        let from = states[states.len() / 2];
        let mut agent = kind.start(&hidden_map.sensor(), from, states[0]);
        assert!(matches!(step(&mut agent, &hidden_map, &mut scratch, u64::MAX).0, Step::Move(_)), "{name}");
        let (mut seen, mut told) = (0, 0);
        agent.each_seen((&hidden_map.sensor()).into(), &mut |_, _| seen += 1);
        hidden_map.sensor().look(from, &mut LookCursor::default(), &mut |_| {
            told += 1;
            true
        });
        assert_eq!(seen, told, "{name}");
    }
}

#[test]
fn a_look_that_was_saved_in_its_midst_goes_on_with_the_same_steps() {
    let mut rng = Rng::new(212);
    let (mut scratch, mut midst) = (Scratch::new(), 0);
    for round in 0..rounds(60) {
        let map = random_map(&mut rng, 16).grid(RULES[round % 3]).expect("a small map");
        let hidden_map = HiddenMap::of(map.into()).seen(RANGES[1 + round % 4]);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        for (_, kind) in hidden_map.supported().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&hidden_map.sensor(), any(), any());
            midst += thoughts_as_restored(&mut agent, &hidden_map, &mut scratch, 60);
        }
    }
    assert!(midst > rounds::<u32>(1000), "{midst}");
}

/// A look is given up that this sensor cannot have begun: an agent that was saved with a torch goes on without it.
#[test]
fn an_agent_that_sees_less_than_before_goes_on() {
    let map = Grid::new(30, 30, Rule::Octile, |x, y| x % 7 != 3 || y % 5 == 2).expect("a map");
    let hidden_map = HiddenMap::of(map.into()).seen(SensorRange::Radius(9));
    let states: Vec<StateId> = hidden_map.truth.free_states().collect();
    let mut scratch = Scratch::new();
    for (name, kind) in hidden_map.supported() {
        let mut agent = kind.start(&hidden_map.sensor(), states[0], states[states.len() - 1]);
        let least = agent.limits().min_units;
        assert_eq!(step(&mut agent, &hidden_map, &mut scratch, least).0, Step::Thinking, "{name}");
        let near = hidden_map.seen(SensorRange::Radius(1));
        let mut restored = restore(&agent.to_bytes(), (&near.sensor()).into()).expect(name);
        for agent in [&mut agent, &mut restored] {
            let (end, ..) = crate::support::journeys_by_sight::journey(agent, &near, &mut scratch, u64::MAX);
            assert_eq!(end, Step::Arrived, "{name}");
        }
    }
}

/// A door opens or closes at every step.
#[test]
fn no_agent_thinks_longer_than_it_states_while_doors_change() {
    let mut rng = Rng::new(213);
    let (mut scratch, mut thought) = (Scratch::new(), 0);
    for round in 0..rounds(200) {
        let grid = random_map(&mut rng, 9).grid(RULES[round % 3]).expect("a small map");
        let states: Vec<StateId> = HiddenMap::of(grid.clone().into()).truth.free_states().collect();
        let range = [SensorRange::Radius(1), SensorRange::Radius(2), SensorRange::Lines][round / 3 % 3];
        for (name, kind) in kinds().into_iter().filter(|(_, kind)| !states.is_empty() && is_bounded(kind)) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut hidden_map = HiddenMap::of(grid.clone().into()).seen(range);
            let mut agent = kind.start(&hidden_map.sensor(), any(), any());
            let mut in_a_row = 0;
            for _ in 0..60 {
                let now = hidden_map.truth.as_grid().expect("a grid");
                let at = Point::new(rng.below(now.width()).into(), rng.below(now.height()).into());
                if ![Some(agent.state()), Some(agent.goal())].contains(&now.state_at(at)) {
                    let edit = if now.is_free_at(at) { Edit::close(at) } else { Edit::open(at) };
                    hidden_map =
                        HiddenMap { truth: now.edited(&[edit]).expect("inside").into(), ..hidden_map };
                }
                let units = [u64::MAX, agent.limits().min_units][rng.below(2) as usize];
                let (done, _) = step(&mut agent, &hidden_map, &mut scratch, units);
                in_a_row = if done == Step::Thinking { in_a_row + 1 } else { 0 };
                thought += in_a_row;
                let most = agent.limits().max_thinking;
                assert!(in_a_row <= most, "{name} {range:?}, round {round}: {in_a_row} of {most}");
            }
        }
    }
    assert!(thought > 0);
}

/// What a sensor does that breaks its contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// States outside the map, or any number at all.
    Outside,
    /// The same state is free and blocked by turns.
    Changing,
    /// It goes on when it is told to stop, for some time.
    Deaf,
    /// It says that it shows eight states, and shows many.
    Understated,
    /// It says at every step that it shows another number.
    Fickle,
    /// Its cursor moves on, and nothing is told.
    Mute,
    /// The cursor never comes to an end.
    Endless,
    /// Only the state where the agent stands, again and again.
    OwnAlone,
    /// Another map whenever it is asked.
    Shifting,
}

const FAULTS: [Fault; 9] = [
    Fault::Outside,
    Fault::Changing,
    Fault::Deaf,
    Fault::Understated,
    Fault::Fickle,
    Fault::Mute,
    Fault::Endless,
    Fault::OwnAlone,
    Fault::Shifting,
];

struct Hostile {
    geometry: GridGeometry,
    fault: Fault,
    rng: RefCell<Rng>,
}

impl Sensor for Hostile {
    fn prior(&self) -> PriorMap<'_> {
        let is_other = self.fault == Fault::Shifting && self.rng.borrow_mut().chance(1, 3);
        PriorMap::Grid(if is_other { GridGeometry::new(1, 1, self.geometry.rule()) } else { self.geometry })
    }

    fn most_seen(&self) -> u32 {
        match self.fault {
            Fault::Understated => 8,
            Fault::Fickle => [0, 8, 100, u32::MAX][self.rng.borrow_mut().below(4) as usize],
            Fault::Endless => u32::MAX,
            _ => 60,
        }
    }

    fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool) {
        let mut rng = self.rng.borrow_mut();
        for _ in 0..2000 {
            cursor.place = cursor.place.wrapping_add(1 + u64::from(rng.below(3)));
            if cursor.rest.len() < 20 {
                cursor.rest.push_back(rng.next_u64());
            }
            let is_free = rng.chance(3, 4);
            let column = 1 + rng.below(self.geometry.width());
            let near = StateId::new(at.number().wrapping_add(rng.below(3)).wrapping_sub(1));
            let state = match self.fault {
                Fault::Mute => continue,
                Fault::OwnAlone => at,
                Fault::Outside => StateId::new([rng.next_u64() as u32, u32::MAX, 0][rng.below(3) as usize]),
                Fault::Changing => near,
                _ => StateId::new(at.number() / 2 + column),
            };
            if !tell(Sighting::new(state, is_free)) && self.fault != Fault::Deaf {
                return;
            }
        }
    }
}

#[test]
fn a_sensor_that_breaks_its_contract_never_makes_a_step_exceed_its_limits() {
    let mut rng = Rng::new(214);
    let mut scratch = Scratch::new();
    for round in 0..rounds::<usize>(40) {
        let rule = RULES[round % 3];
        let geometry = GridGeometry::new(1 + rng.below(25), 1 + rng.below(25), rule);
        for (fault, (name, kind)) in
            FAULTS.into_iter().flat_map(|fault| kinds().into_iter().map(move |kind| (fault, kind)))
        {
            let sensor = Hostile { geometry, fault, rng: RefCell::new(Rng::new(rng.next_u64())) };
            let mut any = || {
                let at = Point::new(rng.below(geometry.width()).into(), rng.below(geometry.height()).into());
                geometry.state_at(at).expect("inside")
            };
            let mut agent = kind.start(&sensor, any(), any());
            for number in 0..60 {
                let stated = agent.limits_in((&sensor).into());
                // Without a bound, with the least, and with too little.
                let units = [u64::MAX, stated.min_units, stated.min_units + 13, 1][number % 4];
                let mut budget = Budget::units(units);
                let saved = agent.to_bytes();
                let done = agent.step(&sensor, &mut scratch, &mut budget);
                let (limits, spent) = (agent.limits(), budget.spent());
                let says = || format!("{name} {fault:?}: {done:?}, {spent} of {units} units, {limits:?}");
                assert!(limits.max_units.is_none_or(|most| spent <= most) && spent <= units, "{}", says());
                match done {
                    Step::Move(to) => assert!(geometry.contains(to), "{}", says()),
                    Step::Starved { min_units } => {
                        assert!(min_units > units && agent.to_bytes() == saved, "{}", says());
                    }
                    Step::Refused(_) => assert_eq!(fault, Fault::Shifting, "{}", says()),
                    _ => {}
                }
                let restored = restore(&agent.to_bytes(), (&sensor).into());
                assert!(restored.is_ok() || fault == Fault::Shifting, "{}", says());
            }
        }
    }
}

/// The view of a sensor that shows a thousand cells each way takes as long as it costs.
#[test]
fn with_a_small_budget_a_step_hears_of_few_cells_however_far_a_sensor_sees() {
    struct Counted<'a>(milepost::agent::MapSensor<'a>, RefCell<u64>);

    impl Sensor for Counted<'_> {
        fn prior(&self) -> PriorMap<'_> {
            self.0.prior()
        }

        fn most_seen(&self) -> u32 {
            self.0.most_seen()
        }

        fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool) {
            self.0.look(at, cursor, &mut |sighting| {
                *self.1.borrow_mut() += 1;
                tell(sighting)
            });
        }
    }

    let map = Grid::new(200, 150, Rule::Octile, |x, y| (x * 7 + y * 5) % 9 != 0).expect("a map");
    let states: Vec<StateId> = Space::from(map.clone()).free_states().collect();
    let truth = Space::from(map);
    let mut scratch = Scratch::new();
    for (name, kind) in kinds().into_iter().filter(|(_, kind)| is_bounded(kind)) {
        for range in [SensorRange::Radius(1000), SensorRange::Lines] {
            let sensor = Counted(milepost::agent::MapSensor::new(&truth, range), RefCell::new(0));
            let mut agent = kind.start(&sensor, states[states.len() / 2], states[0]);
            let units = agent.limits().min_units + 20;
            for _ in 0..300 {
                *sensor.1.borrow_mut() = 0;
                let mut budget = Budget::units(units);
                agent.step(&sensor, &mut scratch, &mut budget);
                let told = *sensor.1.borrow();
                assert!(told <= 8 * budget.spent() + 9, "{name}: {told} cells for {} units", budget.spent());
            }
        }
    }
}

#[test]
fn what_an_agent_states_is_for_what_its_sensor_shows() {
    let map = HiddenMap::of(Grid::new(300, 300, Rule::Octile, |_, _| true).expect("a map").into());
    let limits = |name: &str, range| {
        let hidden_map = map.seen(range);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        agent(name).expect(name).start(&hidden_map.sensor(), states[0], states[9]).limits()
    };
    for (name, kind) in kinds() {
        let near = limits(name, SensorRange::Radius(1));
        // Those of whole searches state more for their map.
        if is_bounded(&kind) {
            assert_eq!(near, kind.limits(SpaceLimits::UNSEEN), "{name}");
        }
        let far = limits(name, SensorRange::Radius(5));
        assert_eq!(far.min_units, near.min_units, "{name}: the least is that of a look at the neighbours");
        assert!(far.max_thinking > near.max_thinking, "{name}");
        // 112 cells more, each of which may be other than believed.
        assert!(
            far.max_units.is_none_or(|most| Some(most) >= near.max_units.map(|near| near + 14 + 112)),
            "{name}"
        );
    }
}
