//! Loading a map with its components and fingerprint, and closing one cell of it: always the same one, and 200 others
//! that a seed gives, of which the mean and the slowest are printed. Then opening it as an index file, checks included:
//! nanoseconds for each byte.
//!
//! `MILEPOST_MAPS=folder cargo bench --bench load`; without the folder a generated map serves.

use milepost::Rng;
use milepost::build::{SILENT, build};
use milepost::index::IndexKind;
use milepost::space::SpaceKind;
use milepost::{Atlas, Edit, Grid, Point, Rule, StateId, files};
use milepost_maps::{Kind, generate, movingai};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

/// How often what takes the same time again and again is timed, after a first time that makes memory warm.
const TIMES: usize = 20;

fn main() {
    let bytes = match std::env::var_os("MILEPOST_MAPS").map(PathBuf::from) {
        Some(folder) => files::read(&folder.join("sc1/ArcticStation.map")).expect("a readable file"),
        None => movingai::write(&generate(Kind::Caves, 768, 768, 1).expect("a size that fits")),
    };
    let grid = || movingai::read(&bytes).expect("a sound map").grid(Rule::Octile).expect("a map that fits");
    let (mean, best) = timed(grid);
    println!("load a map of 768 x 768: {mean:.2} ms on average, {best:.2} ms at best");
    let grid = grid();
    let (mean, best) = timed(|| grid.edited(&[Edit::close(Point::new(300, 300))]));
    println!("close one cell of it: {mean:.3} ms on average, {best:.3} ms at best");
    close_random_cells(&grid);
    open_index_files(&grid);
}

/// Milliseconds, on average and at best.
fn timed<T>(work: impl Fn() -> T) -> (f64, f64) {
    black_box(work());
    let (mut sum, mut best) = (0.0, f64::MAX);
    for _ in 0..TIMES {
        let begin = Instant::now();
        black_box(work());
        let millis = begin.elapsed().as_secs_f64() * 1e3;
        (sum, best) = (sum + millis, best.min(millis));
    }
    (sum / TIMES as f64, best)
}

/// Opens index files of the map again and again, each with one more index.
fn open_index_files(grid: &Grid) {
    let path = std::env::temp_dir().join(format!("milepost-load-{}.milepost", std::process::id()));
    let mut atlas = Atlas::new(grid.clone());
    for kind in [None, Some(IndexKind::JUMP_TABLE), Some(IndexKind::CORNER_LABELS)] {
        if let Some(kind) = kind {
            atlas = build(&atlas, kind, SILENT).expect("no map is refused");
        }
        let bytes = atlas.save(&path).expect("a place for a file");
        let (mean, best) = timed(|| Atlas::open(&path).expect("a sound file"));
        println!(
            "open an index file with {}: {bytes} bytes, {:.2} ms on average, {:.2} ms at best, {:.3} ns a byte",
            kind.map_or("the map alone", IndexKind::name),
            mean,
            best,
            best * 1e6 / bytes as f64
        );
    }
    std::fs::remove_file(&path).expect("the file that was written");
}

/// Edits, and where their random numbers begin.
const EDITS: usize = 200;
const SEED: u64 = 1;

/// Closes one free cell of the map, again and again another one, and each time knows the components and the fingerprint
/// of the version that comes of it.
fn close_random_cells(grid: &Grid) {
    let free: Vec<StateId> = grid.free_states().collect();
    let mut random = Rng::new(SEED);
    let mut micros = Vec::with_capacity(EDITS);
    let mut split = 0;
    for _ in 0..EDITS {
        let cell = grid.point(free[random.below(grid.states()) as usize]);
        let begin = Instant::now();
        let edited = grid.edited(&[Edit::close(cell)]).expect("a cell of the map");
        black_box((edited.component_count(), edited.hash()));
        micros.push(begin.elapsed().as_secs_f64() * 1e6);
        assert_eq!(edited.states(), grid.states() - 1);
        split += usize::from(edited.component_count() != grid.component_count());
    }
    let mean = micros.iter().sum::<f64>() / EDITS as f64;
    let largest = micros.iter().copied().fold(0.0, f64::max);
    println!(
        "close each of {EDITS} random cells (seed {SEED}): {mean:.1} us on average, {largest:.1} us at most; \
         {split} changed the number of components"
    );
}
