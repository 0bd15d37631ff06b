//! "`regions`".

use super::{Cell, Map, cost_between, file, golden, numbers};
use milepost::{Atlas, Scratch, files};

/// States stand for the regions that they lie in, and exits lie on shortest paths, outside.
#[test]
fn regions_are_where_the_page_says() {
    let name = "caves-40x30-5-regions.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let (map, arrays) = (Map::new(&file.sections[&1]), &file.sections[&23]);
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let head = numbers(&arrays[0], 4);
    let (count, none) = (head[0] as usize, u64::from(u32::MAX));
    assert_eq!((head.len(), &head[1..], arrays.len()), (4, &[0; 3][..], 5));
    assert!(count > 5, "{count}");
    let (of_ids, standing) = (numbers(&arrays[1], 2), numbers(&arrays[2], 4));
    let id = |cell: Cell| (cell.1 * (map.width + 1) + cell.0) as usize;
    let free: Vec<usize> = map.cells().map(id).collect();
    for (state, &region) in of_ids.iter().enumerate() {
        assert_eq!(region == 65535, !free.contains(&state), "{state}");
        assert!(region == 65535 || (region as usize) < count);
    }
    let region_of = |state: u64| of_ids[state as usize] as usize;
    assert_eq!(standing.len(), count);
    assert!((0..count).all(|region| region_of(standing[region]) == region));
    let mut scratch = Scratch::new();
    let mut cost = |from: u64, to: u64| cost_between(&atlas, from, to, &mut scratch);
    let mut differ = 0;
    let (last, first) = (numbers(&arrays[3], 4), numbers(&arrays[4], 4));
    assert_eq!((last.len(), first.len()), (count * count, count * count));
    for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
        let (start, end) = (standing[from], standing[to]);
        let Some(whole) = cost(start, end).filter(|_| from != to) else {
            assert_eq!((last[from * count + to], first[from * count + to]), (none, none));
            continue;
        };
        for exit in [last[from * count + to], first[from * count + to]] {
            assert_ne!(region_of(exit), from);
            assert_eq!(cost(start, exit).zip(cost(exit, end)).map(|(a, b)| a + b), Some(whole));
        }
        differ += usize::from(last[from * count + to] != first[from * count + to]);
    }
    assert!(differ > 0, "a path that comes back");
}
