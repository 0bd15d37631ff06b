//! Agents that make whole searches, under budgets that cut them.

use crate::support::journeys_by_sight::{
    HiddenMap, RULES, journey, random_hidden_map, step, thoughts_as_restored,
};
use crate::support::rounds;
use milepost::agent::SpaceLimits;
use milepost::catalog::{AnyAgentKind, agent};
use milepost::{Edit, Grid, Point, Rng, Scratch, StateId, Step};

fn kinds() -> [(&'static str, AnyAgentKind); 2] {
    ["replan", "frit-bfs"].map(|name| (name, agent(name).expect("a name of the catalog")))
}

#[test]
fn a_whole_search_needs_what_a_slice_needs_and_states_no_most() {
    for (name, kind) in kinds() {
        let limits = kind.limits(SpaceLimits::UNSEEN);
        assert!(limits.min_units <= 13, "{name}: {limits:?}");
        assert_eq!(limits.max_units, None, "{name}");
    }
    let endless = agent("rtaa:inf").expect("a name of the catalog").limits(SpaceLimits::UNSEEN);
    assert_eq!(endless.max_units, None);
}

#[test]
fn a_search_in_slices_leads_to_the_moves_of_a_whole_one() {
    let mut rng = Rng::new(191);
    let (mut scratch, mut thought) = (Scratch::new(), 0);
    for round in 0..rounds(200) {
        let hidden_map = random_hidden_map(&mut rng, round);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        for (name, kind) in kinds().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let start = kind.start(&hidden_map.sensor(), any(), any());
            let whole = journey(&mut start.clone(), &hidden_map, &mut scratch, u64::MAX);
            for more in [0, 1, 7, 30] {
                let mut agent = start.clone();
                let units = agent.limits().min_units + more;
                let cut = journey(&mut agent, &hidden_map, &mut scratch, units);
                assert_eq!(cut, whole, "{name}, round {round}, {units} units");
            }
            let mut agent = start.clone();
            let least = agent.limits().min_units;
            thought += u32::from(step(&mut agent, &hidden_map, &mut scratch, least).0 == Step::Thinking);
        }
    }
    assert!(thought > 0);
}

#[test]
fn a_search_that_was_saved_in_its_midst_goes_on_with_the_same_steps() {
    let mut rng = Rng::new(192);
    let (mut scratch, mut midst) = (Scratch::new(), 0);
    for round in 0..rounds(400) {
        let hidden_map = random_hidden_map(&mut rng, round);
        let states: Vec<StateId> = hidden_map.truth.free_states().collect();
        for (_, kind) in kinds().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&hidden_map.sensor(), any(), any());
            midst += thoughts_as_restored(&mut agent, &hidden_map, &mut scratch, u32::MAX);
        }
    }
    assert!(midst > rounds::<u32>(80), "{midst}");
}

/// Doors change while it thinks: it never walks through a wall, and arrives when they hold still.
#[test]
fn doors_that_change_while_it_thinks_make_it_search_anew() {
    let mut rng = Rng::new(193);
    let mut scratch = Scratch::new();
    for round in 0..rounds(100) {
        let rule = RULES[round % RULES.len()];
        let grid = Grid::new(9, 9, rule, |x, y| x != 4 || y % 2 == 0).expect("a small map");
        for (name, kind) in kinds() {
            let mut hidden_map = HiddenMap::of(grid.clone().into());
            let at = |x, y| grid.state_at(Point::new(x, y)).expect("inside");
            let mut agent = kind.start(&hidden_map.sensor(), at(0, 4), at(8, 4));
            let least = agent.limits().min_units;
            for _ in 0..60 {
                let now = hidden_map.truth.as_grid().expect("a grid");
                let door = Point::new(4, 2 * i64::from(rng.below(4)) + 2);
                let edit = if now.is_free_at(door) { Edit::close(door) } else { Edit::open(door) };
                if now.state_at(door) != Some(agent.state()) {
                    hidden_map = HiddenMap::of(now.edited(&[edit]).expect("inside").into());
                }
                for _ in 0..rng.below(9) {
                    step(&mut agent, &hidden_map, &mut scratch, least + u64::from(rng.below(20)));
                }
            }
            let open: Vec<Edit> = (0..9).map(|y| Edit::open(Point::new(4, y))).collect();
            let now = hidden_map.truth.as_grid().expect("a grid").edited(&open).expect("inside");
            hidden_map = HiddenMap::of(now.into());
            let mut end = journey(&mut agent, &hidden_map, &mut scratch, least).0;
            if end == Step::NoPath {
                end = journey(&mut agent, &hidden_map, &mut scratch, least).0;
            }
            assert_eq!(end, Step::Arrived, "{name}, round {round}");
        }
    }
}
