//! The paper's example of how records are made and used.

use super::*;
use crate::agent::Step;
use crate::catalog::agent;
use crate::core::Point;
use crate::space::{Climber, Grid, Rule};

/// Figures 3 and 4, drawn as their text tells of them: a record with two subgoals (`1`) and one with a single subgoal (`2`); a
/// problem (`s`, `g`) that is more similar to the first, whose start lies behind a wall.
const FIGURES: &str = "\
.......@.............
.......@......@......
.......@......@......
.......@......@......
.......@......@......
......1@s.....@...2..
.......@......@..1g..
.......@...2..@......
.......@......@......
.......@......@......
..............@......";

#[test]
fn of_two_records_the_one_is_taken_whose_start_can_be_climbed_to_as_in_figures_3_and_4() {
    let drawing = FIGURES.replace(['1', '2', 's', 'g'], ".");
    let atlas = Atlas::new(Grid::from_ascii(&drawing, Rule::Octile14).expect("drawn"));
    let atlas = with_table(&atlas).expect("a small map");
    let grid = atlas.space().as_grid().expect("drawn");
    let cell = |x, y| grid.state_at(Point::new(x, y)).expect("on the map");
    // Figure 3: paths are found, and compressed to two subgoals and to one.
    let (solver, _) = Solver::new(&atlas, 2);
    let case = |from, to| {
        let mut bench = Bench::default();
        solver.path(from, to, &mut bench).expect("a path");
        solver.case(&mut bench)
    };
    let cases = [case(cell(6, 5), cell(17, 6)), case(cell(11, 7), cell(18, 5))];
    let numbers =
        |cells: &[(i64, i64)]| -> Vec<u32> { cells.iter().map(|&(x, y)| cell(x, y).number()).collect() };
    assert_eq!(cases[0].subgoals, numbers(&[(8, 10), (15, 0)]));
    assert_eq!(cases[1].subgoals, numbers(&[(15, 0)]));
    // Figure 4: the first is the more similar one, but cannot be had.
    let (s, g) = (cell(8, 5), cell(18, 6));
    let climber = Climber::new(atlas.space());
    let apart = |case: &Case| climber.estimate(s, case.start).max(climber.estimate(g, case.end));
    assert!(apart(&cases[0]) < apart(&cases[1]));
    let climbs = |from, to| solver.walker.reaches(from, to, 250);
    assert!(!climbs(s, cases[0].start) && climbs(cases[0].end, g));
    assert!(climbs(s, cases[1].start) && climbs(cases[1].end, g));
    let index = IndexSpec::new(IndexKind::CASE_BASE, 2);
    let bytes = section(cases.iter(), &Regions::none(), &[]);
    let atlas = atlas.with_shared(index.into(), bytes).expect("two records");
    for choose in ["first", "cheapest"] {
        let name = format!("knn-lrta:2:kdtree=off:fallback=lrta:choose={choose}");
        let kind = agent(&name).expect("a name of the catalog");
        let mut agent = kind.start(&atlas, s, g);
        let mut step = || agent.step(&atlas, &mut Scratch::new(), &mut Budget::unlimited());
        assert!(matches!(step(), Step::Move(_)));
        assert_eq!(agent.subgoal(), Some(cell(15, 0)), "{choose}: it goes to subgoal 1 of the second record");
    }
}
