//! Exact repairs of first moves on real maps: one random cell closed, again and again from the same table.
//!
//! `MILEPOST_MAPS=FOLDER RAYON_NUM_THREADS=1 cargo bench --bench repair -- dao/den501d --edits 50`

use milepost::Rng;
use milepost::build::{RepairMethod, SILENT, add_index, repair};
use milepost::index::IndexKind;
use milepost::space::SpaceKind;
use milepost::{Atlas, Edit, Rule, StateId};
use std::path::Path;
use std::time::Instant;

fn main() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return;
    };
    let (mut maps, mut rule, mut edits) = (Vec::new(), Rule::Octile, 50);
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--moves" => rule = words.next().and_then(|word| Rule::from_name(&word)).unwrap_or(rule),
            "--edits" => edits = words.next().and_then(|word| word.parse().ok()).unwrap_or(edits),
            _ => maps.push(word),
        }
    }
    if maps.is_empty() {
        maps.push("dao/den501d".to_owned());
    }
    println!(
        "{:<20} {:>8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>9} {:>8} {:>10}",
        "map",
        "build s",
        "mean s",
        "worst s",
        "factor",
        "% bytes",
        "pairs",
        "examined",
        "changed",
        "built anew"
    );
    for map in maps {
        measure(Path::new(&folder), &map, rule, edits);
    }
}

fn measure(folder: &Path, map: &str, rule: Rule, edits: u32) {
    let tiles =
        milepost_maps::read_map(folder.join(format!("{map}.map"))).unwrap_or_else(|error| panic!("{error}"));
    let grid = tiles.grid(rule).expect("a map that fits");
    let begin = Instant::now();
    let atlas = add_index(&Atlas::new(grid.clone()), IndexKind::FIRST_MOVES, SILENT, None).expect("a table");
    let built = begin.elapsed().as_secs_f64();
    let states: Vec<StateId> = grid.free_states().collect();
    let mut rng = Rng::new(7);
    let (mut total, mut worst, mut bytes) = (0.0, 0.0_f64, 0);
    let (mut pairs, mut examined, mut changed, mut built_anew) = (0, 0, 0, 0);
    for _ in 0..edits {
        let at = grid.point(states[rng.below(states.len() as u32) as usize]);
        let begin = Instant::now();
        let repaired = repair(&atlas, &[Edit::close(at)], RepairMethod::Exact, SILENT);
        let seconds = begin.elapsed().as_secs_f64();
        let (repaired, report) = repaired.expect("a repaired table");
        (total, worst) = (total + seconds, worst.max(seconds));
        bytes += repaired.to_bytes().len();
        (pairs, examined, changed) =
            (pairs + report.pairs, examined + report.examined.len(), changed + report.changed.len());
        built_anew += u32::from(report.built_anew.is_some());
    }
    let (count, mean) = (u64::from(edits.max(1)), total / f64::from(edits.max(1)));
    let growth = 100.0 * bytes as f64 / (count as f64 * atlas.to_bytes().len() as f64);
    println!(
        "{map:<20} {built:>8.2} {mean:>8.3} {worst:>8.3} {:>8.1} {growth:>8.1} {:>10} {:>9} {:>8} {built_anew:>10}",
        built / mean,
        pairs / count,
        examined as u64 / count,
        changed as u64 / count
    );
}
