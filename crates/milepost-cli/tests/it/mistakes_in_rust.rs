//! The mistakes that newcomers make in Rust: each is an answer or an error that says what to do, never a panic.

use milepost::build::{SILENT, build};
use milepost::index::IndexKind;
use milepost::{
    Atlas, Budget, Edge, Edit, Graph, Grid, Outcome, PlanJob, Point, Query, Rule, Scratch, StateId, Step,
    catalog,
};

fn atlas(drawing: &str) -> Atlas {
    Atlas::new(Grid::from_ascii(drawing, Rule::Octile).expect("a drawing"))
}

fn cell(atlas: &Atlas, x: i64, y: i64) -> StateId {
    atlas.state_at(Point::new(x, y)).expect("inside the map")
}

#[test]
fn a_scratch_of_another_map_is_no_mistake() {
    let (small, large) = (atlas("..."), atlas(&"..........\n".repeat(20)));
    let mut scratch = Scratch::new();
    for atlas in [&small, &large, &small] {
        let goal = cell(atlas, 2, 0);
        assert!(matches!(atlas.path(cell(atlas, 0, 0), goal, &mut scratch), Outcome::Found { .. }));
        assert_eq!(scratch.path().cost_f64(), 2.0);
    }
}

#[test]
fn a_job_on_another_map_is_refused_with_the_reason() {
    let (one, other) = (atlas("......"), atlas("......\n......"));
    let planner = catalog::planner("astar").expect("a name");
    let mut job = PlanJob::new(planner, &Query::new(cell(&one, 0, 0), cell(&one, 5, 0)), Scratch::new());
    assert_eq!(job.advance(&one, &mut Budget::units(1)), Outcome::OutOfBudget);
    let Outcome::Refused(refusal) = job.advance(&other, &mut Budget::unlimited()) else {
        panic!("another map")
    };
    assert!(refusal.to_string().contains("another map"), "{refusal}");
}

#[test]
fn a_point_outside_the_map_is_none_and_a_wall_is_unreachable() {
    let atlas = atlas(".@.");
    assert_eq!(atlas.state_at(Point::new(3, 0)), None);
    let (start, wall) = (cell(&atlas, 0, 0), cell(&atlas, 1, 0));
    assert_eq!(atlas.path(start, wall, &mut Scratch::new()), Outcome::Unreachable);
    let why = atlas.space().why_no_path(start, &[wall]).expect("a reason");
    assert_eq!((why.reason.name(), why.nearest), ("goal_blocked", Some(start)));
}

#[test]
fn an_end_beyond_the_map_is_named_as_such_with_the_cell_nearest_to_it() {
    let atlas = atlas("......\n......");
    let message =
        |from: (u32, u32), to: (i64, i64)| atlas.agent("tba", from, to).expect_err("outside").to_string();
    let swapped = message((0, 0), (1, 4));
    assert!(swapped.contains("the goal 1,4 lies outside the map of 6 x 2 cells"), "{swapped}");
    assert!(swapped.ends_with("did you mean 4,1?"), "{swapped}");
    let far = message((9, 9), (0, 0));
    assert!(far.ends_with("the start 9,9 lies outside the map of 6 x 2 cells"), "{far}");
    let why = atlas.space().why_no_path((0, 0), &[(7, 1)]).expect("a reason");
    assert_eq!(
        (why.to_string().as_str(), why.nearest),
        ("the goal lies outside the map", Some(cell(&atlas, 5, 1)))
    );
    let why = atlas.space().why_no_path((-3, 0), &[(7, 1)]).expect("a reason");
    assert_eq!((why.reason.name(), why.nearest), ("start_outside", Some(cell(&atlas, 0, 0))));
    // One goal inside is enough.
    assert_eq!(atlas.space().why_no_path((0, 0), &[(7, 1), (3, 1)]), None);
}

#[test]
fn an_agent_that_does_not_work_on_a_map_names_those_that_do() {
    let mud = Grid::from_ascii("......", Rule::Octile).expect("a drawing").with_weights(|x, _| 1 + x as u8);
    let error = Atlas::new(mud.expect("weights")).agent("corner-walk", (0, 0), (5, 0)).expect_err("weights");
    let (text, others) = (error.to_string(), ["follow", "tba", "lss-lrta"]);
    assert!(text.contains("does not work on maps with weights; agents that work here: "), "{text}");
    assert!(others.iter().all(|other| text.contains(other)) && !text.contains("block-dstar"), "{text}");
}

#[test]
fn a_planner_without_its_index_is_refused_by_name() {
    let atlas = atlas("......");
    let planner = catalog::planner("corner-labels").expect("a name");
    let query = Query::new(cell(&atlas, 0, 0), cell(&atlas, 5, 0));
    let outcome = planner.plan(&atlas, &query, &mut Scratch::new(), &mut Budget::unlimited());
    let Outcome::Refused(refusal) = outcome else { panic!("{outcome:?}") };
    assert!(refusal.said_of("`corner-labels`").contains("index `corner-labels`"), "{refusal}");
}

#[test]
fn an_agent_without_its_index_is_an_error_that_names_it() {
    let atlas = atlas("......");
    let error = atlas.agent("first-moves", cell(&atlas, 0, 0), cell(&atlas, 5, 0)).expect_err("no index");
    assert!(error.to_string().contains("`first-moves`"), "{error}");
    let error = atlas.agent("first-move", cell(&atlas, 0, 0), cell(&atlas, 5, 0)).expect_err("no such name");
    assert!(error.to_string().contains("there is no agent `first-move`"), "{error}");
}

#[test]
fn a_budget_too_small_for_a_step_says_how_many_units_it_needs() {
    let atlas = atlas("......");
    let mut agent = atlas.agent("lss-lrta", cell(&atlas, 0, 0), cell(&atlas, 5, 0)).expect("a name");
    let step = agent.step(&atlas, &mut Scratch::new(), &mut Budget::units(0));
    assert!(matches!(step, Step::Starved { min_units } if min_units > 0), "{step:?}");
}

#[test]
fn an_index_for_cells_is_not_built_for_a_graph_and_the_error_says_so() {
    let edge = Edge { from: StateId::new(0), to: StateId::new(1), cost: 5 };
    let atlas = Atlas::new(Graph::from_edges(2, &[edge], Vec::new()).expect("a small graph"));
    let error = build(&atlas, IndexKind::CORNER_LABELS, SILENT).expect_err("not for graphs");
    assert!(error.to_string().contains("not for graphs"), "{error}");
}

#[test]
fn an_edit_outside_the_map_says_which_edit_and_where() {
    let error = atlas("...").edited(&[Edit::close(Point::new(9, 9))]).expect_err("outside");
    assert!(error.to_string().contains("9,9"), "{error}");
}

#[test]
fn a_drawing_with_rows_of_different_lengths_says_which_row() {
    let error = Grid::from_ascii("...\n..\n...", Rule::Octile).expect_err("a short row");
    assert!(error.to_string().contains('2'), "{error}");
}
