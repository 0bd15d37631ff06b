//! What distances to landmarks give searches and agents, what edits leave of them, and what becomes of numbers that lie.

use crate::support::journeys::{journey, random_space, truth};
use crate::support::{close, tampered};
use milepost::build::{SILENT, build, verify};
use milepost::catalog::planner;
use milepost::index::IndexSpec;
use milepost::{Atlas, Budget, Edit, Outcome, Point, Query, Refused, Rng, Rule, Scratch, StateId, Step};
use milepost_maps::{Kind, generate};

fn with(atlas: &Atlas, indexes: &[&str]) -> Atlas {
    let one_more = |atlas: Atlas, text: &&str| {
        build(&atlas, IndexSpec::from_text(text).expect(text), SILENT).expect("any space will do")
    };
    indexes.iter().fold(atlas.clone(), one_more)
}

/// The outcome of a planner, the states that it expanded, and how often it expanded one.
fn expanded(
    atlas: &Atlas,
    name: &str,
    query: &Query<'_>,
    scratch: &mut Scratch,
) -> (Outcome, Vec<StateId>, u64) {
    let outcome = planner(name).expect(name).plan(atlas, query, scratch, &mut Budget::unlimited());
    (outcome, scratch.search().closed().collect(), scratch.search().expanded())
}

#[test]
fn in_a_maze_most_expansions_are_saved_and_with_differences_none_comes_twice() {
    let maze = generate(Kind::Maze, 61, 61, 3).expect("a size that fits");
    let mut scratch = Scratch::new();
    for rule in Rule::ALL {
        let atlas = Atlas::new(maze.grid(rule).expect("a small map"));
        let atlas = with(&atlas, &["landmarks", "landmarks:100:canonical"]);
        let states: Vec<StateId> = atlas.space().free_states().collect();
        let mut sums = [0; 3];
        for (&start, &goal) in states.iter().zip(states.iter().rev()).step_by(17) {
            let query = Query::new(start, goal);
            let names = ["astar", "astar:h=differential", "astar:h=canonical"];
            let [plain, differential, canonical] =
                names.map(|name| expanded(&atlas, name, &query, &mut scratch));
            assert_eq!(differential.0, plain.0);
            assert_eq!(canonical.0, plain.0);
            // The goal is closed and not expanded.
            assert_eq!(differential.1.len() as u64, differential.2 + 1, "{rule}: a state was opened again");
            for (sum, (.., expanded)) in sums.iter_mut().zip([plain, differential, canonical]) {
                *sum += expanded;
            }
        }
        let [plain, differential, canonical] = sums;
        assert!(4 * differential < plain && 2 * canonical < plain, "{rule}: {sums:?}");
    }
}

#[test]
fn of_several_numbers_of_landmarks_the_greatest_is_read() {
    let map = generate(Kind::Maze, 41, 41, 5).expect("a size that fits");
    let atlas = Atlas::new(map.grid(Rule::Octile).expect("a small map"));
    let (few, many) = (with(&atlas, &["landmarks:1"]), with(&atlas, &["landmarks:24"]));
    let both = with(&many, &["landmarks:1", "landmarks:9:canonical"]);
    let both = Atlas::from_bytes(&both.to_bytes()).expect("our own bytes");
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    let mut count = |atlas: &Atlas| -> u64 {
        let queries = states.iter().zip(states.iter().rev()).step_by(9);
        let queries = queries.map(|(start, goal)| Query::new(*start, *goal));
        queries.map(|query| expanded(atlas, "astar:h=differential", &query, &mut scratch).2).sum()
    };
    assert_eq!(count(&both), count(&many));
    assert!(count(&few) > count(&many));
}

/// An edit that is possible somewhere on this space; half of them close something.
fn random_edit(atlas: &Atlas, rng: &mut Rng) -> Edit {
    if let Some(graph) = atlas.space().as_graph() {
        let bound = atlas.space().id_bound() as u32;
        let [from, to] = [rng.below(bound), rng.below(bound)].map(StateId::new);
        let known = graph.edges().nth(rng.below(1 + graph.edge_count() as u32) as usize);
        return match known {
            Some(edge) if rng.chance(1, 3) => Edit::Unedge { from: edge.from, to: edge.to },
            Some(edge) => Edit::Edge { from: edge.from, to: edge.to, cost: edge.cost + rng.below(9) },
            None => Edit::Edge { from, to, cost: 1 + rng.below(50) },
        };
    }
    let grid = atlas.space().as_grid().expect("a grid");
    let mut at = || Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
    let (at, to) = (at(), at());
    match (rng.below(8), grid.links().first()) {
        (0..4, _) => Edit::close(at),
        (4, _) => Edit::open(at),
        (5, _) => Edit::Weight { at, weight: 1 + rng.below(9) as u8 },
        (6, Some(link)) => {
            let point = |state| atlas.space().point(state);
            Edit::Unlink { from: point(link.from), to: point(link.to) }
        }
        _ => Edit::Link { from: at, to, cost: 1 + rng.below(9) },
    }
}

#[test]
fn after_each_of_many_random_edits_paths_are_shortest_and_what_is_kept_can_be_proved() {
    let mut rng = Rng::new(311);
    let mut scratch = Scratch::new();
    let (mut kept, mut lost) = (0, 0);
    for round in 0..120 {
        let space = random_space(&mut rng, round);
        let mut atlas = with(&Atlas::new(space), &["landmarks:4", "landmarks:5:canonical"]);
        for _ in 0..6 {
            let Ok(edited) = atlas.edited(&[random_edit(&atlas, &mut rng)]) else { continue };
            atlas = edited;
            *(if atlas.sections().is_empty() { &mut lost } else { &mut kept }) += 1;
            verify(&atlas).expect("what is kept holds");
            let reopened = Atlas::from_bytes(&atlas.to_bytes()).expect("our own bytes");
            assert_eq!(reopened.sections().len(), atlas.sections().len());
            let (states, truth) = truth(atlas.space());
            for (from, to) in (0..states.len()).flat_map(|from| (0..states.len()).map(move |to| (from, to))) {
                let query = Query::new(states[from], states[to]);
                for name in ["astar:h=differential", "astar:h=canonical"] {
                    match expanded(&atlas, name, &query, &mut scratch).0 {
                        Outcome::Found { cost, .. } => {
                            assert!(close(scratch.path().scale().to_f64(cost), truth[from][to]), "{name}");
                        }
                        outcome => {
                            assert_eq!((outcome, truth[from][to]), (Outcome::Unreachable, f64::INFINITY));
                        }
                    }
                }
            }
        }
    }
    assert!(kept > 100 && lost > 100, "{kept} {lost}");
}

#[test]
fn agents_go_on_by_coordinates_after_a_door_was_opened_and_are_refused_where_nothing_was_ever_built() {
    let atlas =
        Atlas::new(generate(Kind::Rooms, 40, 30, 4).expect("a size").grid(Rule::Octile).expect("a map"));
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let (from, to) = (states[0], states[states.len() - 1]);
    for name in ["tba:20:h=differential", "lss-lrta:h=differential"] {
        assert!(atlas.agent(name, from, to).is_err(), "{name} without landmarks");
        let atlas = with(&atlas, &["landmarks"]);
        let mut scratch = Scratch::new();
        let mut agent = atlas.agent(name, from, to).expect("landmarks are there");
        for _ in 0..10 {
            let step = agent.step(&atlas, &mut scratch, &mut Budget::unlimited());
            assert!(matches!(step, Step::Move(_) | Step::Thinking), "{step:?}");
        }
        let wall = (0..30).flat_map(|y| (0..40).map(move |x| Point::new(x, y)));
        let wall = wall.filter(|at| atlas.state_at(*at).is_some_and(|state| !atlas.space().is_free(state)));
        let opened = atlas.edited(&[Edit::open(wall.into_iter().next().expect("a wall"))]).expect("inside");
        assert!(opened.sections().is_empty());
        assert_eq!(journey(&mut agent, &opened, &mut scratch).0, Step::Arrived, "{name}");
        // A file does not remember that there were landmarks.
        let reopened = Atlas::from_bytes(&opened.to_bytes()).expect("our own bytes");
        let mut agent = opened.agent(name, from, to).expect("it can do without");
        let refused = agent.step(&reopened, &mut scratch, &mut Budget::unlimited());
        assert!(matches!(refused, Step::Refused(Refused::Unable(_))), "{refused:?}");
    }
}

#[test]
fn distances_that_were_changed_panic_nowhere_and_what_verify_accepts_gives_shortest_paths() {
    let mut rng = Rng::new(312);
    let mut scratch = Scratch::new();
    let (mut opened, mut verified, mut found_out) = (0, 0, 0);
    for round in 0..24 {
        let atlas =
            with(&Atlas::new(random_space(&mut rng, round)), &["landmarks:3", "landmarks:4:canonical"]);
        let (bytes, (states, truth)) = (atlas.to_bytes(), truth(atlas.space()));
        let ranges = tampered::sections(&bytes);
        for _ in 0..120 {
            let mut changed = bytes.clone();
            let range = ranges[1 + rng.below(2) as usize].clone();
            tampered::mutate(&mut changed, range, &mut rng);
            let Some(atlas) = tampered::open(&mut changed) else { continue };
            opened += 1;
            let is_verified = verify(&atlas).is_ok();
            *(if is_verified { &mut verified } else { &mut found_out }) += 1;
            for (from, to) in (0..states.len()).zip((0..states.len()).rev()) {
                for name in ["astar:h=differential", "astar:h=canonical"] {
                    let query = Query::new(states[from], states[to]);
                    let planner = planner(name).expect(name);
                    if planner.refusal(&atlas).is_some() {
                        continue;
                    }
                    let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::units(100_000));
                    assert_ne!(outcome, Outcome::OutOfBudget, "{name}");
                    if let Outcome::Found { cost, .. } = outcome {
                        let cost = scratch.path().scale().to_f64(cost);
                        assert!(!is_verified || close(cost, truth[from][to]), "{name}: {cost}");
                    }
                }
            }
        }
    }
    assert!(opened > 200 && verified > 50 && found_out > 20, "{opened} {verified} {found_out}");
}
