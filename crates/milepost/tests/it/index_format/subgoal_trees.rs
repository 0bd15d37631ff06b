//! "`subgoal-trees`".

use super::curve::places;
use super::{Cell, Map, file, golden, number, numbers};
use milepost::{Atlas, Budget, Outcome, Point, Query, Scratch, files};

/// From every subgoal of a goal's tree the legs add up to what the shortest path costs.
#[test]
fn subgoal_trees_are_where_the_page_says() {
    let name = "caves-40x30-5-trees.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let map = Map::new(&file.sections[&1]);
    let arrays = &file.sections[&21];
    let head = numbers(&arrays[0], 4);
    assert_eq!((head[0], head[2], head[5]), (map.cells().count() as u64, 0, 0));
    let number_of = places(&map, &arrays[1]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let scale = atlas.space().scale();
    let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
    let octile = |a: Cell, b: Cell| {
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        dx.max(dy) * scale.straight() + dx.min(dy) * (scale.diagonal() - scale.straight())
    };
    // The cells of subgoals, from their bits, which must be where their ids are.
    let mut subgoals: Vec<(usize, Cell)> = number_of
        .iter()
        .map(|(cell, place)| (place.2, *cell))
        .filter(|(number, _)| number_at(&arrays[2], number / 64) >> (number % 64) & 1 == 1)
        .collect();
    subgoals.sort_unstable();
    let ids: Vec<u64> = subgoals.iter().map(|(_, cell)| u64::from(state(*cell).number())).collect();
    assert_eq!(ids, numbers(&arrays[3], 4));
    let (rows, arcs) = (numbers(&arrays[4], 4), numbers(&arrays[5], 4));
    let (runs, surpluses) = (numbers(&arrays[6], 4), numbers(&arrays[7], 8));
    let symbol = |subgoal: usize, goal: u64| {
        let own = &runs[rows[2 * subgoal + 1] as usize..rows[2 * subgoal + 3] as usize];
        own.iter().rfind(|run| *run >> 16 <= goal).map_or(0, |run| run & 0xffff)
    };
    let (mut scratch, mut compared) = (Scratch::new(), 0);
    for (goal, place) in number_of.iter().filter(|(_, place)| place.2 % 3 == 0) {
        for first in 0..subgoals.len() {
            let (mut at, mut cost) = (first, 0);
            let is_known = loop {
                match symbol(at, place.2 as u64) {
                    0 => break false,
                    1 => {
                        cost += octile(subgoals[at].1, *goal);
                        break true;
                    }
                    2 => break false,
                    symbol => {
                        let arc = (rows[2 * at] + symbol - 3) as usize;
                        let (to, surplus) = (arcs[2 * arc] as usize, arcs[2 * arc + 1] as usize);
                        cost += octile(subgoals[at].1, subgoals[to].1);
                        cost += surplus.checked_sub(1).map_or(0, |place| surpluses[place]);
                        at = to;
                    }
                }
            };
            if is_known {
                let query = Query::new(state(subgoals[first].1), state(*goal));
                let planner = milepost::catalog::planner("dijkstra").expect("a planner");
                let outcome = planner.plan(&atlas, &query, &mut scratch, &mut Budget::unlimited());
                let Outcome::Found { cost: least, .. } = outcome else { panic!("{outcome:?}") };
                assert_eq!(cost, least.units(), "{goal:?} from {:?}", subgoals[first].1);
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
    // The lists name subgoals, and follow each other.
    let (begins, lists) = (numbers(&arrays[8], 4), numbers(&arrays[9], 2));
    assert!(begins.is_sorted() && begins.last() == Some(&(lists.len() as u64)));
    assert_eq!(begins.len(), number_of.len().div_ceil(16) + 1);
    assert!(lists.iter().all(|&subgoal| subgoal < head[1]));
}

/// The `u64` at the beginning of a record of 16 bytes.
fn number_at(records: &[u8], index: usize) -> u64 {
    number(&records[16 * index..], 0, 8)
}
