//! A version of a map is what the map holds. Paths, jobs and agents that were begun on one version and are carried to
//! another, whether it came before or after or beside, never take the one for the other.

use crate::support::journeys::{journey, random_space, step, supported, truth, with_indexes};
use crate::support::{close, indexed, rounds};
use milepost::catalog::{PLANNERS, planner};
use milepost::plan::Refusal;
use milepost::space::{Edge, Graph, NodePosition, Space};
use milepost::{AnyPlanner, Atlas, Budget, Edit, Grid, Outcome, PlanJob, Point, Query, Rng, Rule, Scratch};
use milepost::{StateId, Step};

/// A tree of versions: each is made from one of those before it.
fn tree(root: Space, versions: usize, rng: &mut Rng) -> Vec<Space> {
    let mut tree = vec![root];
    while tree.len() < versions {
        let parent = rng.below(tree.len() as u32) as usize;
        let edits: Vec<Edit> = (0..1 + rng.below(4)).filter_map(|_| any_edit(&tree[parent], rng)).collect();
        if let Ok(child) = tree[parent].edited(&edits) {
            tree.push(child);
        }
    }
    tree
}

fn any_edit(space: &Space, rng: &mut Rng) -> Option<Edit> {
    let Some(grid) = space.as_grid() else {
        let node = |rng: &mut Rng| StateId::new(rng.below(space.id_bound() as u32 + 1));
        let (from, to) = (node(rng), node(rng));
        return Some(match rng.below(4) {
            0 => Edit::Node { node: from, at: NodePosition::new(rng.below(9) as i32, 1) },
            1 => Edit::Unnode { node: from },
            2 => Edit::Unedge { from, to },
            _ => Edit::Edge { from, to, cost: 1 + rng.below(40) },
        });
    };
    let point = |rng: &mut Rng| Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
    let (from, to) = (point(rng), point(rng));
    Some(match rng.below(12) {
        0 => Edit::Link { from, to, cost: 1 + rng.below(5) },
        1 => Edit::Weight { at: from, weight: 1 + rng.below(3) as u8 },
        _ if grid.is_free_at(from) => Edit::close(from),
        _ => Edit::open(from),
    })
}

/// A version with what a planner reads, if it works there.
fn atlas_for(space: &Space, planner: &AnyPlanner) -> Option<Atlas> {
    let atlas = indexed(Atlas::new(space.clone()), [planner]);
    planner.refusal(&atlas).is_none().then_some(atlas)
}

#[test]
fn jobs_and_paths_carried_between_any_two_versions_answer_for_the_one_that_they_are_shown() {
    let mut rng = Rng::new(1901);
    let (mut stale, mut sound, mut carried) = (0, 0, 0);
    for round in 0..rounds(60) {
        let versions = tree(random_space(&mut rng, round), 6, &mut rng);
        let truths: Vec<_> = versions.iter().map(truth).collect();
        for entry in PLANNERS {
            let planner = planner(entry.name).expect("a name of the table");
            let atlases: Vec<Option<Atlas>> =
                versions.iter().map(|space| atlas_for(space, &planner)).collect();
            let known = |rng: &mut Rng| rng.below(versions.len() as u32) as usize;
            for _ in 0..6 {
                let (a, b) = (known(&mut rng), known(&mut rng));
                let (Some(first), Some(second)) = (&atlases[a], &atlases[b]) else { continue };
                let (states, _) = &truths[a];
                if states.is_empty() {
                    continue;
                }
                let mut any = || states[rng.below(states.len() as u32) as usize];
                let (start, goal) = (any(), any());
                let query = Query::new(start, goal);
                // Begun here, perhaps to its end, and finished there.
                let mut job = PlanJob::new(planner.clone(), &query, Scratch::new());
                job.advance(first, &mut Budget::units(rng.below(30).into()));
                let outcome = job.advance(second, &mut Budget::unlimited());
                let mut fresh = Scratch::new();
                let expected = planner.plan(second, &query, &mut fresh, &mut Budget::unlimited());
                assert_eq!(outcome, expected, "{} {a} {b}, round {round}", entry.name);
                if let Outcome::Found { .. } = outcome {
                    assert_eq!(job.path().waypoints(), fresh.path().waypoints(), "{}", entry.name);
                    assert!(!second.space().is_stale(job.path()));
                    carried += 1;
                }
                // A path of one version, judged by the other.
                let mut scratch = Scratch::new();
                let found = planner.plan(first, &query, &mut scratch, &mut Budget::unlimited());
                if let Outcome::Found { .. } = found {
                    let is_sound = walks(second.space(), scratch.path(), first.space());
                    let said = second.space().is_stale(scratch.path());
                    assert_eq!(said, !is_sound, "{} {a} {b}, round {round}", entry.name);
                    if is_sound { sound += 1 } else { stale += 1 }
                }
            }
        }
    }
    let enough = rounds::<u32>(300);
    assert!(stale > enough && sound > enough && carried > enough, "{stale} {sound} {carried}");
}

/// Whether a path that was made on one version can be walked on another at its cost.
fn walks(space: &Space, path: &milepost::Path, made_on: &Space) -> bool {
    let states: Vec<StateId> = made_on.cells(path).collect();
    let mut cost = 0.0;
    for pair in states.windows(2) {
        match space.step_cost(pair[0], pair[1], None) {
            Some(step) => cost += space.scale().to_f64(step),
            None => return false,
        }
    }
    states.iter().all(|state| space.is_free(*state)) && close(cost, path.cost_f64())
}

#[test]
fn agents_carried_between_any_two_versions_never_walk_through_a_wall_and_end_rightly() {
    let mut rng = Rng::new(1902);
    let mut scratch = Scratch::new();
    let mut arrived = 0;
    for round in 0..rounds(40) {
        let versions: Vec<Atlas> = tree(random_space(&mut rng, round), 5, &mut rng)
            .into_iter()
            .map(|space| with_indexes(Atlas::new(space)))
            .collect();
        for (name, kind) in supported(&versions[0]) {
            let states: Vec<StateId> = versions[0].space().free_states().collect();
            if states.is_empty() {
                continue;
            }
            let mut any = || states[rng.below(states.len() as u32) as usize];
            let mut agent = kind.start(&versions[0], any(), any());
            for _ in 0..5 {
                let atlas = &versions[rng.below(versions.len() as u32) as usize];
                if kind.refusal(atlas).is_some() {
                    continue;
                }
                // `step` holds every move against the map that the agent was shown.
                for _ in 0..rng.below(6) {
                    step(&mut agent, atlas, &mut scratch, u64::MAX);
                }
                let (states, distances) = truth(atlas.space());
                let place = |state: StateId| states.iter().position(|other| *other == state);
                let distance = match (place(agent.state()), place(agent.goal())) {
                    (Some(at), Some(to)) => distances[at][to],
                    _ => f64::INFINITY,
                };
                let (end, _, _) = journey(&mut agent.clone(), atlas, &mut scratch);
                let expected = if distance.is_finite() { Step::Arrived } else { Step::NoPath };
                assert_eq!(end, expected, "{name}, round {round}");
                arrived += u32::from(distance.is_finite());
            }
        }
    }
    assert!(arrived > rounds(800), "{arrived}");
}

#[test]
fn the_same_map_by_other_edits_or_from_a_file_is_the_same_version() {
    let mut rng = Rng::new(1903);
    for round in 0..rounds(200) {
        let space = random_space(&mut rng, round);
        let Some(grid) = space.as_grid() else { continue };
        // What each edit undoes stands behind it, and the order of edits to other cells does not matter.
        let at = |rng: &mut Rng| Point::new(rng.below(grid.width()).into(), rng.below(grid.height()).into());
        let (a, b) = (at(&mut rng), at(&mut rng));
        let toggled = |at: Point| if grid.is_free_at(at) { Edit::close(at) } else { Edit::open(at) };
        let (link, unlink) = (Edit::Link { from: a, to: b, cost: 7 }, Edit::Unlink { from: a, to: b });
        let had_link =
            grid.links().iter().any(|link| (space.point(link.from), space.point(link.to)) == (a, b));
        let there = space.edited(&[toggled(a), Edit::close(b)]).expect("inside");
        assert_eq!(
            there
                .edited(&[if grid.is_free_at(b) { Edit::open(b) } else { Edit::close(b) }])
                .unwrap()
                .version(),
            space
                .edited(&[toggled(a), if grid.is_free_at(b) { Edit::open(b) } else { Edit::close(b) }])
                .unwrap()
                .version(),
        );
        if !had_link {
            let back = space.edited(&[link]).unwrap().edited(&[unlink]).unwrap();
            assert_eq!(back.version(), space.version(), "round {round}");
        }
        if !grid.is_weighted() {
            let heavy = space.edited(&[Edit::Weight { at: a, weight: 3 }]).unwrap();
            assert_ne!(heavy.version(), space.version());
            let back = heavy.edited(&[Edit::Weight { at: a, weight: 1 }]).unwrap();
            assert_eq!(back.version(), space.version());
            assert_eq!(back.as_grid().map(Grid::is_weighted), Some(false));
        }
        let opened = Atlas::from_bytes(&Atlas::new(there.clone()).to_bytes()).expect("what was written");
        assert_eq!(opened.space().version(), there.version());
    }
}

#[test]
fn edges_that_are_added_in_another_order_make_the_same_version_of_a_graph() {
    let edge = |from, to, cost| Edit::Edge { from: StateId::new(from), to: StateId::new(to), cost };
    let graph = Space::from(Graph::from_edges(4, &[], Vec::new()).expect("a small graph"));
    let (one, other) =
        ([edge(0, 1, 5), edge(0, 2, 3), edge(3, 1, 1)], [edge(3, 1, 1), edge(0, 2, 3), edge(0, 1, 5)]);
    assert_eq!(graph.edited(&one).unwrap().version(), graph.edited(&other).unwrap().version());
    let edges = [(0, 1, 5), (0, 2, 3), (3, 1, 1)].map(|(from, to, cost)| Edge {
        from: StateId::new(from),
        to: StateId::new(to),
        cost,
    });
    let at_once = Space::from(Graph::from_edges(4, &edges, Vec::new()).expect("a small graph"));
    assert_eq!(graph.edited(&one).unwrap().version(), at_once.version());
}

#[test]
fn a_job_that_is_shown_another_map_refuses_and_goes_on_with_its_own() {
    let open = |width, rule| Atlas::new(Grid::new(width, 9, rule, |_, _| true).expect("a small map"));
    let (own, others) = (open(9, Rule::Octile), [open(10, Rule::Octile), open(9, Rule::Octile14)]);
    let (start, goal) = (StateId::new(11), own.space().free_states().last().expect("a cell"));
    let planner = planner("astar").expect("a name of the table");
    let mut job = PlanJob::new(planner, &Query::new(start, goal), Scratch::new());
    assert_eq!(job.advance(&own, &mut Budget::units(2)), Outcome::OutOfBudget);
    for other in &others {
        let refused = job.advance(other, &mut Budget::unlimited());
        assert_eq!(refused, Outcome::Refused(Refusal::OtherMap));
    }
    assert!(matches!(job.advance(&own, &mut Budget::unlimited()), Outcome::Found { .. }));
}
