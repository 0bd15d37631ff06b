//! What a unit of each planner's work takes, and what the choice by figures is worth.
//!
//! For every map: a file with the indexes of all planners whose work is counted; random problems that the choice was not made
//! by; the mean time of each planner, and its time for a unit. At the end the geometric mean of these over all maps, for the
//! field `unit_picoseconds` of the registry.
//!
//! `MILEPOST_MAPS=FOLDER cargo bench --bench units -- dao/brc202d --problems 300 --passes 5 --without jump-bounds`

use milepost::build::{SILENT, add_index, with_figures};
use milepost::catalog::{PLANNERS, PlannerEntry};
use milepost::index::{INDEXES, IndexEntry};
use milepost::space::RandomPairs;
use milepost::{Atlas, Budget, Query, Rule, Scratch, StateId};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const MAPS: [&str; 19] = [
    "dao/arena",
    "dao/arena2",
    "dao/brc202d",
    "dao/orz702d",
    "dao/orz900d",
    "dao/ost000a",
    "dao/ost000t",
    "dao/ost100d",
    "sc1/ArcticStation",
    "sc1/Enigma",
    "sc1/Inferno",
    "sc1/JungleSiege",
    "sc1/Ramparts",
    "sc1/WheelofWar",
    "mazes/maze512-1-0",
    "mazes/maze512-32-0",
    "mazes/maze512-8-0",
    "rooms/8room_000",
    "rooms/32room_000",
];

/// Indexes that take a flood from every state are built on maps with at most so many states.
const MOST_FLOODS: u32 = 10_000;

/// The seed of the problems: another one than that of figures.
const SEED: u64 = 1;

struct Options {
    problems: u32,
    passes: u32,
    without: String,
}

fn main() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return;
    };
    let mut maps = Vec::new();
    let mut options = Options { problems: 300, passes: 5, without: String::new() };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let mut number = |default| words.next().and_then(|word| word.parse().ok()).unwrap_or(default);
        match word.as_str() {
            "--problems" => options.problems = number(options.problems),
            "--passes" => options.passes = number(options.passes),
            "--without" => options.without = words.next().unwrap_or_default(),
            _ => maps.push(word),
        }
    }
    if maps.is_empty() {
        maps = MAPS.map(str::to_owned).into();
    }
    println!("{:<20} {:>16} {:>9} {:>9} {:>9} {:>9}", "map", "planner", "us", "units", "ns/unit", "expected");
    // Of every planner the logarithms of what a unit took.
    let mut logarithms: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for map in &maps {
        measure(Path::new(&folder), map, &options, &mut logarithms);
    }
    println!("\nunit_picoseconds, the geometric mean over all maps");
    for (planner, logarithms) in logarithms {
        let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
        let (least, most) = logarithms
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), one| (least.min(*one), most.max(*one)));
        let [mean, least, most] = [mean, least.exp(), most.exp()].map(|one| (one * 1000.0).round());
        println!("{planner:>16} {mean:>9} ({least} to {most})");
    }
}

fn is_counted(entry: &&PlannerEntry) -> bool {
    entry.unit_picoseconds.is_some() && !entry.is_counted_off_grids
}

fn measure(folder: &Path, map: &str, options: &Options, logarithms: &mut BTreeMap<&str, Vec<f64>>) {
    let tiles =
        milepost_maps::read_map(folder.join(format!("{map}.map"))).unwrap_or_else(|error| panic!("{error}"));
    let mut atlas = Atlas::new(tiles.grid(Rule::Octile).expect("a map that fits"));
    let is_read = |index: &&IndexEntry| index.planners().any(|planner| is_counted(&planner));
    for index in INDEXES.iter().filter(is_read) {
        let is_quick = !index.floods || atlas.space().states() <= MOST_FLOODS;
        if is_quick && !options.without.split(',').any(|name| name == index.name) {
            atlas = add_index(&atlas, index.kind, SILENT, None).unwrap_or(atlas);
        }
    }
    let begin = Instant::now();
    let atlas = with_figures(&atlas);
    let counted = begin.elapsed().as_secs_f64() * 1e3;
    let mut pairs = RandomPairs::new(atlas.space(), SEED).expect("a map with problems");
    let problems: Vec<(StateId, StateId)> = (0..options.problems).map(|_| pairs.draw()).collect();
    let competing =
        PLANNERS.iter().filter(is_counted).filter(|entry| entry.planner.refusal(&atlas).is_none());
    let mut times: Vec<(&str, f64)> = Vec::new();
    for entry in competing {
        let (time, units) = time(&atlas, entry, &problems, options.passes);
        let figure = atlas.figures().iter().find(|figure| figure.planner == entry.name);
        let expected = figure.zip(entry.unit_picoseconds);
        let expected = expected.map_or(f64::NAN, |(figure, unit)| figure.expected_nanoseconds(unit) / 1000.0);
        let unit = time * 1000.0 / units;
        println!("{map:<20} {:>16} {time:>9.2} {units:>9.1} {unit:>9.2} {expected:>9.2}", entry.name);
        logarithms.entry(entry.name).or_default().push(unit.ln());
        times.push((entry.name, time));
    }
    let best = times.iter().min_by(|one, two| one.1.total_cmp(&two.1)).expect("a planner");
    let chosen = times.iter().find(|(name, _)| *name == atlas.fastest().name).expect("it was timed");
    let problems = atlas.figures().first().map_or(0, |figure| figure.problems);
    println!(
        "{map:<20} chosen {} {:.2}, best {} {:.2}, ratio {:.3}; {problems} problems counted in {counted:.0} ms",
        chosen.0,
        chosen.1,
        best.0,
        best.1,
        chosen.1 / best.1
    );
}

/// The mean over all problems of the best time of each, in microseconds, and of its units.
fn time(atlas: &Atlas, entry: &PlannerEntry, problems: &[(StateId, StateId)], passes: u32) -> (f64, f64) {
    let (mut scratch, mut units) = (Scratch::new(), 0);
    let mut best = vec![f64::INFINITY; problems.len()];
    for _ in 0..=passes {
        units = 0;
        for (&(start, goal), best) in problems.iter().zip(&mut best) {
            let mut budget = Budget::unlimited();
            let begin = Instant::now();
            black_box(entry.planner.plan(atlas, &Query::new(start, goal), &mut scratch, &mut budget));
            *best = best.min(begin.elapsed().as_secs_f64() * 1e6);
            units += budget.spent();
        }
    }
    let count = problems.len() as f64;
    (best.iter().sum::<f64>() / count, units as f64 / count)
}
