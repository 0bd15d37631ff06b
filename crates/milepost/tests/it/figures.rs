//! Figures: what planners took when a file was built, and the planner that is chosen by them.

use crate::support;
use milepost::build::{RepairMethod, SILENT, add_index, build, repair, with_figures};
use milepost::catalog::{PLANNERS, PlannerEntry};
use milepost::index::{Figure, IndexKind};
use milepost::space::{RandomPairs, SpaceKind};
use milepost::{Atlas, Budget, Edge, Edit, Graph, NodePosition, Point, Query, Rule, Scratch, StateId};
use milepost_maps::{Kind, generate};

fn caves() -> Atlas {
    let map = generate(Kind::Caves, 70, 50, 3).expect("a size that fits");
    Atlas::new(map.grid(Rule::Octile).expect("a small map"))
}

fn with(atlas: &Atlas, kinds: &[IndexKind]) -> Atlas {
    kinds.iter().fold(atlas.clone(), |atlas, &kind| build(&atlas, kind, SILENT).expect("it can be built"))
}

fn names(atlas: &Atlas) -> Vec<&str> {
    atlas.figures().iter().map(|figure| figure.planner.as_str()).collect()
}

/// A ring of rooms: both ways, with chords that lead one way.
fn ring() -> Atlas {
    let edge =
        |from: u32, to: u32| Edge { from: StateId::new(from), to: StateId::new(to), cost: 40 + from % 7 };
    let around = (0..60).flat_map(|node| [edge(node, (node + 1) % 60), edge((node + 1) % 60, node)]);
    let chords = (0..60).step_by(9).map(|node| edge(node, (node + 23) % 60));
    let edges: Vec<Edge> = around.chain(chords).collect();
    let at = |node: i32| NodePosition { x: 10 * (node % 30), y: 5 * (node / 30), z: 0 };
    Atlas::new(Graph::from_edges(60, &edges, (0..60).map(at).collect()).expect("a small graph"))
}

#[test]
fn a_build_counts_jump_point_search_and_every_exact_planner_that_reads_an_index() {
    let all = with(&caves(), &[IndexKind::CORNER_LABELS, IndexKind::JUMP_BOUNDS, IndexKind::FIRST_MOVES]);
    assert_eq!(names(&all), ["corner-labels", "first-moves", "jps", "jps-plus", "jps-plus-bounds"]);
    // The same problems, put to the same planners, take the same units.
    let mut scratch = Scratch::new();
    for figure in all.figures() {
        let planner = milepost::catalog::planner(&figure.planner).expect("a planner");
        let mut pairs = RandomPairs::new(all.space(), 0).expect("connected cells");
        let mut budget = Budget::unlimited();
        for _ in 0..figure.problems {
            let (start, goal) = pairs.draw();
            planner.plan(&all, &Query::new(start, goal), &mut scratch, &mut budget);
        }
        assert_eq!((figure.units, figure.problems), (budget.spent(), 200), "{}", figure.planner);
    }
}

#[test]
fn where_fewer_than_two_planners_compete_nothing_is_counted() {
    let grid = caves();
    assert_eq!(names(&with_figures(&grid)), [""; 0]);
    assert_eq!(names(&with(&grid, &[IndexKind::REGIONS, IndexKind::CASE_BASE])), [""; 0]);
    assert_eq!(names(&with_figures(&ring())), [""; 0]);
    // A map of lone cells: two planners, and no problem for them.
    let lone = milepost_maps::TileMap::from_ascii(".@.\n@.@").expect("a drawing");
    let lone = Atlas::new(lone.grid(Rule::Octile).expect("a small map"));
    assert_eq!(names(&with(&lone, &[IndexKind::JUMP_TABLE])), [""; 0]);
    assert_eq!(with(&lone, &[IndexKind::JUMP_TABLE]).fastest().name, "jps-plus");
}

#[test]
fn on_graphs_and_weighted_maps_the_planners_that_work_there_compete() {
    let weighted = caves().space().as_grid().expect("a grid").with_weights(|x, _| 1 + (x % 3) as u8);
    let weighted = Atlas::new(weighted.expect("weights above zero"));
    // Where there are no cells to scan, the plain search is the one that reads no index.
    for (atlas, without_index) in [(ring(), &["astar"][..]), (weighted, &[])] {
        let atlas = with(&atlas, &[IndexKind::FIRST_MOVES, IndexKind::GOAL_BOUNDS]);
        assert_eq!(names(&atlas), [without_index, &["astar-bounds", "first-moves"]].concat());
        assert_eq!(atlas.fastest().name, "first-moves");
    }
    assert_eq!(names(&with(&ring(), &[IndexKind::FIRST_MOVES])), ["astar", "first-moves"]);
    let mesh = with(&Atlas::new(support::small_mesh()), &[IndexKind::FIRST_MOVES, IndexKind::GOAL_BOUNDS]);
    assert_eq!(names(&mesh), ["astar", "astar-bounds"], "planners on centres are none of them");
    assert_eq!(mesh.fastest().name, "astar-bounds");
}

#[test]
fn at_most_two_million_units_are_spent_and_all_planners_have_the_same_problems() {
    let map = generate(Kind::Caves, 900, 700, 1).expect("a size that fits");
    let atlas = with(&Atlas::new(map.grid(Rule::Octile).expect("a map that fits")), &[IndexKind::JUMP_TABLE]);
    let units: u64 = atlas.figures().iter().map(|figure| figure.units).sum();
    assert!((1_900_000..=2_000_000).contains(&units), "{units}");
    let problems: Vec<u32> = atlas.figures().iter().map(|figure| figure.problems).collect();
    assert!(problems.len() == 2 && problems[0] == problems[1] && problems[0] < 200, "{problems:?}");
}

#[test]
fn indexes_added_one_by_one_and_counted_at_the_end_give_the_same_bytes() {
    let grid = caves();
    let kinds = [IndexKind::JUMP_BOUNDS, IndexKind::CORNER_HIERARCHY];
    let mut added = grid.clone();
    for kind in kinds {
        added = add_index(&added, kind, SILENT, None).expect("it can be built");
        assert_eq!(names(&added), [""; 0], "not counted yet");
    }
    let bytes = with(&grid, &kinds).to_bytes();
    assert!(with_figures(&added).to_bytes() == bytes);
    let opened = Atlas::from_bytes(&bytes).expect("a sound file");
    assert_eq!(opened.figures(), with(&grid, &kinds).figures());
    assert!(opened.figures().len() == 4 && opened.to_bytes() == bytes);
}

#[test]
fn no_figures_are_left_of_another_map_or_of_other_indexes() {
    let atlas = with(&caves(), &[IndexKind::JUMP_TABLE, IndexKind::FIRST_MOVES]);
    assert_eq!(atlas.figures().len(), 3);
    let free: Vec<Point> = {
        let grid = atlas.space().as_grid().expect("a grid");
        grid.free_states().map(|state| grid.point(state)).collect()
    };
    let edits = [Edit::close(free[free.len() / 2])];
    assert_eq!(names(&atlas.edited(&edits).expect("a free cell")), [""; 0]);
    let section = atlas.sections()[0].clone();
    assert_eq!(names(&atlas.with_section(section.index(), section.bytes()).expect("a section")), [""; 0]);
    // A repair leaves counting to the caller, who may be in a hurry; counted anew they are those of a build.
    let (repaired, _) = repair(&atlas, &edits, RepairMethod::Exact, SILENT).expect("a repair");
    assert_eq!(names(&repaired), [""; 0]);
    let built = with(&atlas.edited(&edits).expect("a free cell"), &[IndexKind::FIRST_MOVES]);
    assert_eq!(with_figures(&repaired).figures(), built.figures());
}

#[test]
fn verify_finds_figures_that_are_not_what_planners_take() {
    let atlas = with(&caves(), &[IndexKind::JUMP_TABLE]);
    let bytes = atlas.to_bytes();
    let (_, range) = support::tampered::named_sections(&atlas).pop().expect("figures");
    // The section: a directory of 24 bytes, at 64 the array, in it the units of the first planner at 32.
    let mut changed = bytes.clone();
    changed[range.start + 64 + 32] ^= 1;
    support::tampered::put_right(&mut changed);
    let opened = Atlas::from_bytes(&changed).expect("any number of units can be read");
    let error = milepost::build::verify(&opened).expect_err("wrong figures").to_string();
    assert!(error.contains("section `figures`: `jps` took "), "{error}");
    assert!(milepost::build::verify(&atlas).is_ok());
}

/// What a planner is expected to take for these problems, in picoseconds.
fn expected(
    atlas: &Atlas,
    entry: &PlannerEntry,
    problems: &[(StateId, StateId)],
    scratch: &mut Scratch,
) -> u64 {
    let mut budget = Budget::unlimited();
    for &(start, goal) in problems {
        entry.planner.plan(atlas, &Query::new(start, goal), scratch, &mut budget);
    }
    budget.spent() * u64::from(entry.unit_picoseconds.expect("a unit takes some time"))
}

#[test]
fn on_real_maps_the_choice_holds_for_problems_that_it_was_not_made_by() {
    let Some(folder) = support::real_maps() else { return };
    let mut scratch = Scratch::new();
    for name in ["dao/brc202d", "dao/ost000a", "sc1/WheelofWar", "rooms/8room_000", "mazes/maze512-8-0"] {
        let map = milepost_maps::read_map(folder.join(format!("{name}.map"))).expect("a readable map");
        let problems = milepost_maps::read_scenario(folder.join(format!("{name}.map.scen")))
            .expect("a readable scenario");
        let mut atlas = Atlas::new(map.grid(Rule::Octile).expect("a map that fits"));
        for kind in [IndexKind::JUMP_TABLE, IndexKind::JUMP_BOUNDS, IndexKind::CORNER_HIERARCHY] {
            atlas = add_index(&atlas, kind, SILENT, None).unwrap_or(atlas);
        }
        let atlas = with_figures(&atlas);
        let state = |(x, y): (u32, u32)| atlas.state_at(Point::new(x.into(), y.into())).expect("a cell");
        let problems: Vec<(StateId, StateId)> =
            problems.iter().step_by(10).map(|problem| (state(problem.start), state(problem.goal))).collect();
        let of = |figure: &Figure| PLANNERS.iter().find(|entry| entry.name == figure.planner);
        let competing: Vec<&PlannerEntry> = atlas.figures().iter().filter_map(of).collect();
        assert!(competing.len() >= 3, "{name}: {}", competing.len());
        let best = competing.iter().map(|entry| expected(&atlas, entry, &problems, &mut scratch)).min();
        let chosen = expected(&atlas, atlas.fastest(), &problems, &mut scratch);
        let best = best.expect("some compete");
        assert!(chosen * 100 <= best * 115, "{name}: {} {chosen}, best {best}", atlas.fastest().name);
    }
}
