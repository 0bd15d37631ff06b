//! First moves on real maps: how long a table takes to build, its bytes, and the time of a look-up.
//!
//! `MILEPOST_MAPS=FOLDER cargo bench --bench first_moves -- dao/brc202d dao/ost100d --moves octile --passes 5`

use milepost::Rng;
use milepost::build::{SILENT, add_index};
use milepost::index::{IndexKind, NextMove};
use milepost::{Atlas, Rule, StateId};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Pairs that are looked up.
const PAIRS: u32 = 1_000_000;

fn main() {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
        println!("skipped: MILEPOST_MAPS is unset");
        return;
    };
    let (mut maps, mut rule, mut passes) = (Vec::new(), Rule::Octile, 5);
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--moves" => rule = words.next().and_then(|word| Rule::from_name(&word)).unwrap_or(rule),
            "--passes" => passes = words.next().and_then(|word| word.parse().ok()).unwrap_or(passes),
            _ => maps.push(word),
        }
    }
    if maps.is_empty() {
        maps = ["dao/brc202d", "dao/orz900d", "dao/ost100d"].map(str::to_owned).into();
    }
    println!(
        "{:<20} {:>14} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9}",
        "map", "moves", "states", "build s", "B/state", "ns a pair", "by atlas", "ns a step"
    );
    for map in maps {
        measure(Path::new(&folder), &map, rule, passes);
    }
}

fn measure(folder: &Path, map: &str, rule: Rule, passes: u32) {
    let tiles =
        milepost_maps::read_map(folder.join(format!("{map}.map"))).unwrap_or_else(|error| panic!("{error}"));
    let atlas = Atlas::new(tiles.grid(rule).expect("a map that fits"));
    let begin = Instant::now();
    let atlas = match add_index(&atlas, IndexKind::FIRST_MOVES, SILENT, None) {
        Ok(built) => built,
        Err(error) => return println!("{map:<20} {error}"),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let states: Vec<StateId> = atlas.space().free_states().collect();
    let bytes = atlas.to_bytes().len() as f64 / states.len() as f64;
    let mut rng = Rng::new(12345);
    let mut any = || states[rng.below(states.len() as u32) as usize];
    let pairs: Vec<(StateId, StateId)> = (0..PAIRS).map(|_| (any(), any())).collect();
    let moves = atlas.first_moves().expect("it was built");
    let by_view = best(passes, &pairs, |state, goal| moves.next_move(state, goal));
    let by_atlas = best(passes, &pairs, |state, goal| atlas.next_move(state, goal));
    // Walks, each step waiting for the one before.
    let mut steps = 0_u64;
    let begin = Instant::now();
    for &(start, goal) in pairs.iter().take(20_000) {
        let mut at = start;
        while let NextMove::Move(next) = moves.next_move(at, goal) {
            (at, steps) = (next, steps + 1);
        }
    }
    let step = begin.elapsed().as_secs_f64() * 1e9 / steps.max(1) as f64;
    let of_pair = |seconds: f64| seconds * 1e9 / f64::from(PAIRS);
    println!(
        "{map:<20} {:>14} {:>8} {seconds:>8.2} {bytes:>8.1} {:>9.1} {:>9.1} {step:>9.1}",
        rule.name(),
        states.len(),
        of_pair(by_view),
        of_pair(by_atlas),
    );
}

/// Seconds for all pairs: for every thousand of them the least of some runs, since other programs disturb the others.
fn best(passes: u32, pairs: &[(StateId, StateId)], next_move: impl Fn(StateId, StateId) -> NextMove) -> f64 {
    let mut best = vec![f64::INFINITY; pairs.len().div_ceil(1000)];
    for _ in 0..passes {
        for (pairs, best) in pairs.chunks(1000).zip(&mut best) {
            let begin = Instant::now();
            let mut sum = 0_u64;
            for &(state, goal) in pairs {
                if let NextMove::Move(next) = next_move(state, goal) {
                    sum += u64::from(next.number());
                }
            }
            black_box(sum);
            *best = best.min(begin.elapsed().as_secs_f64());
        }
    }
    best.iter().sum()
}
