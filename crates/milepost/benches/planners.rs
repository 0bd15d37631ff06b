//! Planners on real maps: mean time of a query, without and with all cells written, and what their indexes take.
//!
//! `MILEPOST_MAPS=FOLDER cargo bench --bench planners -- dao/brc202d sc1/Inferno --planners corner-labels --passes 5`

use milepost::build::{SILENT, add_index};
use milepost::catalog::{AnyPlanner, planner};
use milepost::{Atlas, Budget, Point, Query, Rule, Scratch, StateId};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

fn main() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return;
    };
    let (mut maps, mut planners, mut passes) = (Vec::new(), "jps-plus-bounds,corner-labels".to_owned(), 3);
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--planners" => planners = words.next().unwrap_or_default(),
            "--passes" => passes = words.next().and_then(|word| word.parse().ok()).unwrap_or(passes),
            _ => maps.push(word),
        }
    }
    if maps.is_empty() {
        maps = ["dao/brc202d", "dao/orz900d", "sc1/ArcticStation"].map(str::to_owned).into();
    }
    println!(
        "{:<20} {:>16} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "map", "planner", "build s", "B/state", "us", "us cells", "work"
    );
    for map in maps {
        for name in planners.split(',') {
            let planner = planner(name).unwrap_or_else(|error| panic!("{error}"));
            measure(Path::new(&folder), &map, name, &planner, passes);
        }
    }
}

fn measure(folder: &Path, map: &str, name: &str, planner: &AnyPlanner, passes: u32) {
    let tiles =
        milepost_maps::read_map(&folder.join(format!("{map}.map"))).unwrap_or_else(|error| panic!("{error}"));
    let problems = milepost_maps::read_scenario(&folder.join(format!("{map}.map.scen")))
        .unwrap_or_else(|error| panic!("{error}"));
    let mut atlas = Atlas::new(tiles.grid(Rule::Octile).expect("a map that fits"));
    let begin = Instant::now();
    for &kind in planner.needs() {
        match add_index(&atlas, kind, SILENT, None) {
            Ok(built) => atlas = built,
            Err(error) => return println!("{map:<20} {name:>16} {error}"),
        }
    }
    let built = begin.elapsed().as_secs_f64();
    let file = atlas.to_bytes().len() as f64 / f64::from(atlas.space().states());
    let cell = |(x, y): (u32, u32)| atlas.state_at(Point::new(x.into(), y.into())).expect("inside the map");
    let queries: Vec<(StateId, StateId)> =
        problems.iter().map(|problem| (cell(problem.start), cell(problem.goal))).collect();
    let (mut scratch, mut cells, mut work) = (Scratch::new(), Vec::new(), 0);
    // The best time of each query, without and with cells: other programs disturb the others.
    let mut best = vec![[f64::INFINITY; 2]; queries.len()];
    for _ in 0..=passes {
        work = 0;
        for (&(start, goal), best) in queries.iter().zip(&mut best) {
            let mut budget = Budget::unlimited();
            let begin = Instant::now();
            black_box(planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut budget));
            let planned = begin.elapsed();
            atlas.space().write_cells(scratch.path(), &mut cells);
            black_box(&cells);
            let written = begin.elapsed();
            best[0] = best[0].min(planned.as_secs_f64() * 1e6);
            best[1] = best[1].min(written.as_secs_f64() * 1e6);
            work += budget.spent();
        }
    }
    let mean = |index: usize| best.iter().map(|best| best[index]).sum::<f64>() / queries.len() as f64;
    let work = work as f64 / queries.len() as f64;
    println!("{map:<20} {name:>16} {built:>9.2} {file:>9.1} {:>9.2} {:>9.2} {work:>9.1}", mean(0), mean(1));
}
