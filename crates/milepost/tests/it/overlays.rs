//! Cost overlays: which planner answers such a query, and which agents obey them.

use crate::support::journeys::{journey, step, truth};
use crate::support::{cell, drawn, random_map, rounds};
use milepost::build::{SILENT, add_index};
use milepost::catalog::{AGENTS, agent, planner, restore};
use milepost::index::IndexKind;
use milepost::plan::Refusal;
use milepost::{
    Agent, Atlas, Budget, Grid, Outcome, Overlay, Point, Query, Refused, Rng, Rule, Scratch, StateId, Step,
};
use std::sync::Arc;

const YARD: &str =
    "............ .@@@@@@@@@.. .@......@@.. .@.@@@@....@ .@.@..@.@@.@ .@.@@@@.@@.. .@......@... ............";

fn overlay(atlas: &Atlas, rng: &mut Rng) -> Arc<Overlay> {
    let grid = atlas.space().as_grid().expect("a grid");
    Arc::new(Overlay::new(grid, |_, _| 1 + rng.below(20) as u8).expect("no zeros"))
}

fn obeying() -> Vec<&'static str> {
    AGENTS.iter().filter(|entry| entry.about.obeys_overlays).map(|entry| entry.about.name).collect()
}

/// What a journey costs under an overlay.
fn cost_of(atlas: &Atlas, overlay: &Overlay, from: StateId, trail: &[StateId]) -> u64 {
    let step = |from, to| atlas.space().step_cost(from, to, Some(overlay)).expect("a move").units();
    let ends = [&[from], trail].concat();
    ends.windows(2).map(|pair| step(pair[0], pair[1])).sum()
}

#[test]
fn agents_that_obey_an_overlay_reach_the_goal_and_one_whole_search_costs_what_dijkstra_says() {
    let mut rng = Rng::new(194);
    let mut scratch = Scratch::new();
    let dijkstra = planner("dijkstra").expect("a name of the catalog");
    for round in 0..rounds(80) {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let atlas = Atlas::new(random_map(&mut rng, 9).grid(rule).expect("a small map"));
        let overlay = overlay(&atlas, &mut rng);
        let (states, distances) = truth(atlas.space());
        for name in obeying().into_iter().chain(["tba:5000:ratio=100"]).filter(|_| !states.is_empty()) {
            let kind = agent(name).expect("a name of the catalog");
            for _ in 0..6 {
                let mut any = || rng.below(states.len() as u32) as usize;
                let (from, to) = (any(), any());
                let mut agent = kind.start(&atlas, states[from], states[to]);
                agent.set_overlay(Some(overlay.clone())).expect("it obeys");
                let (end, _, trail) = journey(&mut agent, &atlas, &mut scratch);
                let wanted = if distances[from][to].is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, wanted, "{name}, round {round}");
                let query = Query::new(states[from], states[to]).with_overlay(&overlay);
                let best = dijkstra.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                if let Outcome::Found { cost, .. } = best {
                    let walked = cost_of(&atlas, &overlay, states[from], &trail);
                    assert!(walked >= cost.units(), "{name}: better than the best");
                    // The first slice is the whole search.
                    assert!(name != "tba:5000:ratio=100" || walked == cost.units(), "{name}, round {round}");
                }
            }
        }
    }
}

/// A swamp lies in the way: an agent that obeys goes round it.
#[test]
fn a_whole_search_under_an_overlay_goes_round_a_swamp() {
    let atlas = drawn("......... ......... ......... ......... .........", Rule::Octile);
    let grid = atlas.space().as_grid().expect("a grid");
    let swamp = Overlay::new(grid, |x, y| if x == 4 && y > 0 { 200 } else { 1 }).expect("no zeros");
    let mut agent = atlas.agent("tba", cell(&atlas, 0, 4), cell(&atlas, 8, 4)).expect("a name");
    agent.set_overlay(Some(Arc::new(swamp))).expect("it obeys");
    let (end, _, trail) = journey(&mut agent, &atlas, &mut Scratch::new());
    assert_eq!(end, Step::Arrived);
    assert!(trail.contains(&cell(&atlas, 4, 0)), "{trail:?}");
}

#[test]
fn an_agent_that_obeys_no_overlay_names_those_that_do() {
    assert_eq!(obeying(), ["follow", "tba", "lss-lrta", "lrta-k", "lrta"]);
    let atlas = drawn(YARD, Rule::Octile);
    let overlay = overlay(&atlas, &mut Rng::new(1));
    let sensor = milepost::agent::MapSensor::new(atlas.space(), Default::default());
    for entry in AGENTS {
        let kind = agent(entry.about.name).expect("a name of the catalog");
        let mut agents: Vec<(bool, Box<dyn Agent>)> = Vec::new();
        if entry.about.on_map {
            agents.push((entry.about.obeys_overlays, kind.start(&atlas, StateId::new(0), StateId::new(0))));
        }
        if entry.about.by_sight {
            agents.push((false, kind.start(&sensor, StateId::new(0), StateId::new(0))));
        }
        for (obeys, mut agent) in agents {
            let saved = agent.to_bytes();
            match agent.set_overlay(Some(overlay.clone())) {
                Ok(()) => assert!(obeys, "{}", entry.about.name),
                Err(error) => {
                    let error = error.to_string();
                    assert!(!obeys && obeying().iter().all(|name| error.contains(name)), "{error}");
                }
            }
            assert_eq!(agent.to_bytes(), saved, "{}", entry.about.name);
            agent.set_overlay(None).expect("none is no overlay");
        }
    }
}

#[test]
fn another_overlay_counts_as_an_edit_and_a_save_knows_its_own_again() {
    let atlas = drawn(YARD, Rule::Octile);
    let mut rng = Rng::new(195);
    let (ours, other) = (overlay(&atlas, &mut rng), overlay(&atlas, &mut rng));
    let mut scratch = Scratch::new();
    for name in obeying() {
        let mut agent = atlas.agent(name, cell(&atlas, 2, 2), cell(&atlas, 11, 7)).expect(name);
        agent.set_overlay(Some(ours.clone())).expect("it obeys");
        let least = agent.limits().min_units;
        for _ in 0..4 {
            step(&mut agent, &atlas, &mut scratch, least);
        }
        assert!(agent.remembered() > 0, "{name}");
        let saved = agent.to_bytes();
        let restored = |overlay: Option<&Arc<Overlay>>| {
            let mut agent = restore(&saved, (&atlas).into()).expect(name);
            agent.set_overlay(overlay.cloned()).expect("it obeys");
            agent
        };
        // The same overlay again, or an equal one: it goes on.
        let mut same = restored(Some(&ours));
        let expected = journey(&mut agent, &atlas, &mut scratch);
        assert_eq!(journey(&mut same, &atlas, &mut scratch), expected, "{name}");
        // None, or another: it takes the map for changed, and begins anew.
        for overlay in [None, Some(&other)] {
            let mut changed = restored(overlay);
            let mut anew = atlas.agent(name, changed.state(), changed.goal()).expect(name);
            anew.set_overlay(overlay.cloned()).expect("it obeys");
            let expected = journey(&mut anew, &atlas, &mut scratch);
            assert_eq!(journey(&mut changed, &atlas, &mut scratch), expected, "{name}");
        }
    }
}

#[test]
fn a_step_refuses_an_overlay_that_was_made_for_another_map() {
    let atlas = drawn(YARD, Rule::Octile);
    let foreign = overlay(&drawn("....", Rule::Octile), &mut Rng::new(1));
    for name in obeying() {
        let mut agent = atlas.agent(name, cell(&atlas, 2, 2), cell(&atlas, 11, 7)).expect(name);
        agent.set_overlay(Some(foreign.clone())).expect("it obeys");
        let refused = step(&mut agent, &atlas, &mut Scratch::new(), u64::MAX).0;
        assert_eq!(refused, Step::Refused(Refused::Unable(Refusal::ForeignOverlay)), "{name}");
        agent.set_overlay(None).expect("none is no overlay");
        assert_eq!(journey(&mut agent, &atlas, &mut Scratch::new()).0, Step::Arrived, "{name}");
    }
}

#[test]
fn atlas_plan_answers_every_query_by_a_planner_that_does_not_refuse_it() {
    let grid = Grid::new(12, 9, Rule::Octile, |x, y| (x * 5 + y * 3) % 7 != 0).expect("a small map");
    let plain = Atlas::new(grid.clone());
    // Without figures: the registry's order decides.
    let indexed = add_index(&plain, IndexKind::FIRST_MOVES, SILENT, None).expect("a small map");
    let overlay = overlay(&plain, &mut Rng::new(2));
    let goals: Vec<StateId> = plain.space().free_states().skip(30).step_by(17).collect();
    let from = grid.state_at(Point::new(1, 0)).expect("inside");
    let dijkstra = planner("dijkstra").expect("a name of the catalog");
    let mut scratch = Scratch::new();
    for (atlas, fastest) in [(&plain, "jps"), (&indexed, "first-moves")] {
        for (query, name) in [
            (Query::new(from, goals[0]), fastest),
            (Query::new(from, goals[0]).distance_only(), fastest),
            (Query::nearest_of(from, &goals), fastest),
            (Query::new(from, goals[1]).with_overlay(&overlay), "astar"),
            (Query::nearest_of(from, &goals).with_overlay(&overlay), "astar"),
        ] {
            assert_eq!(atlas.fastest_for(&query).name, name, "{query:?}");
            let expected = dijkstra.plan(&plain, &query, &mut scratch, &mut Budget::unlimited());
            let answer = atlas.plan(&query, &mut scratch, &mut Budget::unlimited());
            assert!(matches!(answer, Outcome::Found { .. }), "{answer:?}");
            assert_eq!(answer, expected, "{query:?}");
        }
    }
}
