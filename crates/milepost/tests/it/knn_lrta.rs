//! Case bases and the agent that reads them: every switch of it, small case bases, and what is promised of regions.

use crate::support::journeys::{journey, random_space, truth};
use crate::support::{cell, close, drawn, rounds};
use milepost::Rng;
use milepost::build::{BuildError, SILENT, build, estimate, verify};
use milepost::catalog::{AnyAgentKind, agent, restore};
use milepost::index::{IndexKind, IndexSpec};
use milepost::space::{Grid, Link};
use milepost::{Atlas, Budget, Outcome, Rule, Scratch, StateId, Step};
use milepost_maps::{Kind, generate};

/// One switch after the other, and some together.
const KINDS: [&str; 17] = [
    "knn-lrta:1",
    "knn-lrta:20",
    "knn-lrta:partitions",
    "knn-lrta:partitions:goal-first=off:kdtree=off",
    "knn-lrta:20:goal-first=off",
    "knn-lrta:20:subgoal-first=off:last-leg=off",
    "knn-lrta:20:goal-first=off:last-leg=off",
    "knn-lrta:20:kdtree=off",
    "knn-lrta:20:select=all",
    "knn-lrta:20:select=1:climb=2",
    "knn-lrta:1:fallback=lrta",
    "knn-lrta:1:fallback=lrta:quota=1:goal-first=off",
    "knn-lrta:1:fallback=lrta:quota=off:goal-first=off",
    "knn-lrta:20:climb=1:fallback=lrta",
    "knn-lrta:20:choose=first",
    "knn-lrta:20:fragments=on",
    "knn-lrta:3:fragments=on:select=all:goal-first=off:choose=first",
];

fn kinds() -> Vec<(&'static str, AnyAgentKind)> {
    KINDS.iter().map(|name| (*name, agent(name).expect(name))).collect()
}

fn with_cases(mut atlas: Atlas) -> Atlas {
    for (name, kind) in kinds() {
        atlas = build(&atlas, kind.needs()[0], SILENT).expect(name);
    }
    atlas
}

#[test]
fn with_every_switch_it_reaches_every_reachable_goal_within_its_work() {
    let mut rng = Rng::new(81);
    let mut scratch = Scratch::new();
    for round in 0..rounds(120) {
        let atlas = with_cases(Atlas::new(random_space(&mut rng, round)));
        let (states, distances) = truth(atlas.space());
        for (name, kind) in kinds() {
            for (from, row) in states.iter().zip(&distances) {
                for (to, expected) in states.iter().zip(row) {
                    let mut agent = kind.start(&atlas, *from, *to);
                    let (end, cost, _) = journey(&mut agent, &atlas, &mut scratch);
                    let says = || format!("{name}, round {round}: {from} to {to}");
                    let wanted = if expected.is_finite() { Step::Arrived } else { Step::NoPath };
                    assert_eq!(end, wanted, "{}", says());
                    let cost = atlas.space().scale().to_f64(cost);
                    assert!(
                        expected.is_infinite() || close(cost, *expected) || cost > *expected,
                        "{}",
                        says()
                    );
                }
            }
        }
    }
}

/// Saved after every move and every thought; and with another goal in the middle of it.
#[test]
fn saved_or_sent_elsewhere_at_any_time_it_goes_on_with_every_switch() {
    let mut rng = Rng::new(82);
    let mut scratch = Scratch::new();
    for round in 0..60 {
        let atlas = with_cases(Atlas::new(random_space(&mut rng, round)));
        let (states, distances) = truth(atlas.space());
        for (name, kind) in kinds().into_iter().filter(|_| !states.is_empty()) {
            let mut any = || rng.below(states.len() as u32) as usize;
            let mut agent = kind.start(&atlas, states[any()], states[any()]);
            for _ in 0..12 {
                let mut restored = restore(&agent.to_bytes(), (&atlas).into()).expect("our own bytes");
                assert_eq!(restored.to_bytes(), agent.to_bytes(), "{name}");
                let later = journey(&mut restored, &atlas, &mut scratch);
                assert_eq!(later, journey(&mut agent.clone(), &atlas, &mut scratch), "{name}, round {round}");
                // A little at a time.
                let least = agent.limits().min_units;
                agent.step(&atlas, &mut scratch, &mut Budget::units(least));
            }
            let (at, goal) = (states.iter().position(|state| *state == agent.state()), any());
            agent.retarget(states[goal]);
            let (end, ..) = journey(&mut agent, &atlas, &mut scratch);
            let is_reachable = distances[at.expect("a free state")][goal].is_finite();
            assert_eq!(end == Step::Arrived, is_reachable, "{name}, round {round}");
        }
    }
}

#[test]
fn the_tree_changes_no_move() {
    let map = generate(Kind::Caves, 90, 70, 4).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile14).expect("a small map"));
    let atlas = build(&atlas, IndexSpec::new(IndexKind::CASE_BASE, 300), SILENT).expect("a case base");
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut rng = Rng::new(83);
    let mut scratch = Scratch::new();
    for _ in 0..150 {
        let mut any = || states[rng.below(states.len() as u32) as usize];
        let (from, to) = (any(), any());
        let mut walk = |name: &str| {
            let mut agent = atlas.agent(name, from, to).expect("its case base is there");
            journey(&mut agent, &atlas, &mut scratch)
        };
        let plain = walk("knn-lrta:300:kdtree=off");
        assert_eq!(walk("knn-lrta:300"), plain);
        assert_eq!(walk("knn-lrta:300"), plain, "the same moves on every run");
    }
}

/// Records and chains are what makes the difference: without them the agent learns.
#[test]
fn journeys_are_short_where_there_are_records_or_regions() {
    let map = generate(Kind::Rooms, 96, 96, 2).expect("a size that fits");
    let mut atlas = Atlas::new(map.grid(Rule::Octile14).expect("a small map"));
    let names = ["knn-lrta:2000", "knn-lrta:partitions", "knn-lrta:1:fallback=lrta"];
    for name in names {
        atlas = build(&atlas, agent(name).expect(name).needs()[0], SILENT).expect(name);
    }
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    let mut ratio = |name: &str| {
        let mut rng = Rng::new(84);
        let (mut walked, mut least) = (0.0, 0.0);
        for _ in 0..100 {
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let (from, to) = (any(), any());
            if matches!(atlas.path(from, to, &mut scratch), Outcome::Found { .. }) {
                least += scratch.path().cost_f64();
                let mut agent = atlas.agent(name, from, to).expect("its case base is there");
                let (end, cost, _) = journey(&mut agent, &atlas, &mut scratch);
                assert_eq!(end, Step::Arrived, "{name}");
                walked += atlas.space().scale().to_f64(cost);
            }
        }
        walked / least
    };
    let [records, regions, learning] = names.map(&mut ratio);
    assert!(records < 1.25 && regions < 1.35, "{records} {regions}");
    assert!(learning > 2.0, "{learning}");
}

#[test]
fn what_was_built_can_be_walked_with_any_number_of_threads() {
    let mut rng = Rng::new(85);
    for round in 0..60 {
        let atlas = Atlas::new(random_space(&mut rng, round));
        for parameter in [0, 1, 30, 5 | IndexSpec::FRAGMENTS] {
            let spec = IndexSpec::new(IndexKind::CASE_BASE, parameter);
            let with = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| build(&atlas, spec, SILENT)).expect("a case base")
            };
            let built = with(1 + round % 3);
            assert!(built.to_bytes() == with(1 + (round + 1) % 3).to_bytes(), "round {round}");
            assert_eq!(verify(&built), Ok(()), "round {round}");
            let fact = |name| built.fact(spec, name).expect("it was built");
            assert!(fact("records") <= f64::from(parameter));
            // A small space is always divided.
            assert!(fact("regions") > 0.0 || atlas.space().states() == 0, "round {round}");
        }
    }
}

/// The records of the case base without fragments, and every part of each.
#[test]
fn fragments_are_parts_of_records() {
    let map = generate(Kind::Rooms, 64, 48, 5).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile14).expect("a small map"));
    let built = |text: &str| {
        let spec = IndexSpec::from_text(text).expect("a case base");
        assert_eq!(spec.to_string(), text);
        let atlas = build(&atlas, spec, SILENT).expect("a case base");
        assert_eq!(verify(&atlas), Ok(()));
        (atlas.fact(spec, "records").expect("it was built"), atlas.sections()[0].bytes().to_vec())
    };
    let (whole, records) = built("case-base:50");
    let (parts, fragments) = built("case-base:50:fragments");
    // n states have n (n - 1) / 2 parts; a record of the rooms has several subgoals.
    assert!(whole == 50.0 && parts > 5.0 * whole, "{whole} {parts}");
    assert!(fragments.len() > 2 * records.len());
    for wrong in [
        "case-base:partitions:fragments",
        "case-base:0:fragments",
        "case-base:9:parts",
        "regions:4:fragments",
    ] {
        assert!(IndexSpec::from_text(wrong).is_err(), "{wrong}");
    }
    assert!(agent("knn-lrta:partitions:fragments=on").is_err());
}

/// Similar records may lead round an obstacle on either side.
#[test]
fn the_cheapest_record_makes_shorter_journeys_than_the_most_similar_one() {
    let map = generate(Kind::Caves, 160, 120, 6).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile14).expect("a small map"));
    let atlas = build(&atlas, IndexSpec::new(IndexKind::CASE_BASE, 3000), SILENT).expect("a case base");
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    let mut walked = |name: &str| {
        let mut rng = Rng::new(86);
        let mut any = || states[rng.below(states.len() as u32) as usize];
        let journeys = (0..300).map(|_| {
            let mut agent = atlas.agent(name, any(), any()).expect("its case base is there");
            journey(&mut agent, &atlas, &mut scratch).1.units()
        });
        journeys.sum::<u64>()
    };
    let (cheapest, first) = (walked("knn-lrta:3000"), walked("knn-lrta:3000:choose=first"));
    assert!(cheapest < first, "{cheapest} {first}");
}

#[test]
fn a_map_without_room_has_a_case_base_without_records() {
    let atlas = with_cases(drawn("..@@ @@@.", Rule::Octile));
    let facts = ["records", "regions"].map(|name| atlas.fact(IndexSpec::new(IndexKind::CASE_BASE, 20), name));
    assert_eq!(facts, [Some(0.0), Some(2.0)]);
}

/// A trap, and no record within a step of it: the learner is interrupted once, for nothing, and goes on as if it had not been.
#[test]
fn a_learner_that_is_interrupted_keeps_what_it_has_learned() {
    let rows = [
        "....................",
        ".@@@@@@@@@@@@@@@@...",
        "................@...",
        "................@...",
        "................@...",
        ".............s..@..t",
        "................@...",
        "................@...",
        "................@...",
        ".@@@@@@@@@@@@@@@@...",
        "....................",
    ];
    let atlas = with_cases(drawn(&rows.join(" ").replace(['s', 't'], "."), Rule::Octile14));
    let (from, to) = (cell(&atlas, 13, 5), cell(&atlas, 19, 5));
    let walk = |name: &str| {
        let mut agent = atlas.agent(name, from, to).expect("its case base is there");
        let (mut scratch, mut states) = (Scratch::new(), Vec::new());
        loop {
            match agent.step(&atlas, &mut scratch, &mut Budget::unlimited()) {
                Step::Move(state) => states.push(state),
                Step::Thinking => {}
                end => break (end, states),
            }
        }
    };
    let [off, on] =
        ["off", "2"].map(|quota| walk(&format!("knn-lrta:1:climb=1:fallback=lrta:quota={quota}")));
    assert_eq!(off.0, Step::Arrived);
    assert!(off.1.len() > 60, "{} moves", off.1.len());
    assert_eq!(on, off);
}

/// A corridor, and a way behind the agent that leads almost to the goal: the distance to the goal says nothing there.
#[test]
fn the_cheapest_chain_of_regions_leads_over_a_link_that_undercuts_the_distance() {
    let corridor = drawn(&vec![".".repeat(900); 5].join(" "), Rule::Octile14);
    let [from, to, entry, exit] = [200, 880, 10, 870].map(|x| cell(&corridor, x, 2));
    let grid = corridor.space().as_grid().expect("a grid");
    let grid = grid.with_links(&[Link { from: entry, to: exit, cost: 1 }]).expect("two cells of the map");
    let atlas = build(&Atlas::new(grid), IndexSpec::new(IndexKind::CASE_BASE, 0), SILENT).expect("regions");
    let mut agent = atlas.agent("knn-lrta:partitions", from, to).expect("its case base is there");
    let (end, cost, trail) = journey(&mut agent, &atlas, &mut Scratch::new());
    assert_eq!(end, Step::Arrived);
    assert!(trail.contains(&exit) && atlas.space().scale().to_f64(cost) < 300.0, "{trail:?}");
}

#[test]
fn a_case_base_of_regions_alone_is_refused_where_the_map_cannot_be_divided() {
    // Almost half of the cells are blocked: whatever is near is behind something.
    let mut rng = Rng::new(5);
    let grid = Grid::new(128, 128, Rule::Octile14, |_, _| rng.below(100) >= 46).expect("a small map");
    let atlas = Atlas::new(grid);
    let [alone, with_records] = [0, 5].map(|records| IndexSpec::new(IndexKind::CASE_BASE, records));
    let refused = build(&atlas, alone, SILENT).expect_err("too many regions");
    assert!(refused.to_string().contains("too hard to reach by greedy walks"), "{refused}");
    assert!(matches!(estimate(&atlas, alone), Err(BuildError::DoesNotPay { .. })));
    // Records serve without regions.
    let atlas = build(&atlas, with_records, SILENT).expect("five records");
    let facts = ["records", "regions", "legs"].map(|name| atlas.fact(with_records, name));
    assert_eq!(facts, [Some(5.0), Some(0.0), Some(0.0)]);
}
