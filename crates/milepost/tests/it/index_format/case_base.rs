//! "`case-base`".

use super::{Cell, Map, file, golden, numbers};
use milepost::index::{IndexKind, IndexSpec};
use milepost::{Atlas, Outcome, Scratch, files};

#[test]
fn cases_are_where_the_page_says() {
    let name = "caves-40x30-5-cases.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let (map, arrays) = (Map::new(&file.sections[&1]), &file.sections[&22]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let fact = |name| atlas.fact(IndexSpec::new(IndexKind::CASE_BASE, 40), name);
    let [ends, firsts, subgoals, centres, first_legs, legs] =
        [1, 2, 3, 4, 5, 6].map(|index| numbers(&arrays[index], 4));
    let counts = [ends.len() / 2, centres.len()].map(|count| Some(count as f64));
    assert_eq!(["records", "regions"].map(fact), counts);
    assert_eq!((ends.len(), arrays.len(), numbers(&arrays[0], 4)[1]), (80, 8, 0));
    let stride = map.width as u64 + 1;
    let cell = |state: u64| ((state % stride) as i64, (state / stride) as i64);
    let free: Vec<Cell> = map.cells().collect();
    assert!(ends.iter().chain(&subgoals).chain(&centres).all(|&state| free.contains(&cell(state))));
    assert_eq!(firsts.len(), ends.len() / 2 + legs.len() / 2 + 1);
    assert!(firsts.is_sorted() && firsts.last() == Some(&(subgoals.len() as u64)));
    // The order of the tree.
    let record = |number: usize| {
        let ((x, y), (u, v)) = (cell(ends[2 * number]), cell(ends[2 * number + 1]));
        [x, y, u, v]
    };
    let mut parts = vec![(0, ends.len() / 2, 0)];
    while let Some((begin, end, axis)) = parts.pop() {
        if begin < end {
            let middle = (begin + end) / 2;
            assert!((begin..middle).all(|number| record(number)[axis] <= record(middle)[axis]));
            assert!((middle..end).all(|number| record(number)[axis] >= record(middle)[axis]));
            parts.extend([(begin, middle, (axis + 1) % 4), (middle + 1, end, (axis + 1) % 4)]);
        }
    }
    // What records cost at least, and what legs cost.
    let mut scratch = Scratch::new();
    let shift = numbers(&arrays[0], 4)[0];
    let costs = numbers(&arrays[7], 4);
    assert_eq!(costs.len(), ends.len() / 2);
    for (ends, &told) in ends.chunks(2).zip(&costs) {
        let [from, to] = [ends[0], ends[1]].map(|state| milepost::StateId::new(state as u32));
        let Outcome::Found { cost, .. } = atlas.path(from, to, &mut scratch) else {
            panic!("{from} to {to}")
        };
        assert!((cost.units()..2 * cost.units()).contains(&(told << shift)), "{told} {}", cost.units());
    }
    assert_eq!(first_legs.len(), centres.len() + 1);
    for (region, legs_of) in first_legs.windows(2).enumerate() {
        for leg in legs_of[0] as usize..legs_of[1] as usize {
            let state = |region: usize| milepost::StateId::new(centres[region] as u32);
            let to = legs[2 * leg] as usize;
            let outcome = atlas.path(state(region), state(to), &mut scratch);
            let Outcome::Found { cost, .. } = outcome else { panic!("{region} to {to}") };
            assert_eq!(cost.units().div_ceil(1 << shift), legs[2 * leg + 1]);
        }
    }
}
