//! Loading a map with its components and fingerprint, and closing one cell of it: always the same one, and 200 others
//! that a seed gives, of which the mean and the slowest are printed. Then opening it as an index file, checks included:
//! nanoseconds for each byte.
//!
//! `MILEPOST_MAPS=folder cargo bench --bench load`; without the folder a generated map serves.

use criterion::{Criterion, criterion_group, criterion_main};
use milepost::Rng;
use milepost::build::{SILENT, build};
use milepost::index::IndexKind;
use milepost::space::SpaceKind;
use milepost::{Atlas, Edit, Grid, Point, Rule, StateId, files};
use milepost_maps::{Kind, generate, movingai};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

fn load(criterion: &mut Criterion) {
    let bytes = match std::env::var_os("MILEPOST_MAPS").map(PathBuf::from) {
        Some(folder) => files::read(&folder.join("sc1/ArcticStation.map")).expect("a readable file"),
        None => movingai::write(&generate(Kind::Caves, 768, 768, 1).expect("a size that fits")),
    };
    let grid = || movingai::read(&bytes).expect("a sound map").grid(Rule::Octile).expect("a map that fits");
    criterion.bench_function("load a map of 768 x 768", |bencher| bencher.iter(grid));
    let grid = grid();
    criterion.bench_function("close one cell of it", |bencher| {
        bencher.iter(|| grid.edited(&[Edit::close(Point::new(300, 300))]));
    });
    close_random_cells(&grid);
    open_index_files(&grid);
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
        let open = || {
            let begin = Instant::now();
            black_box(Atlas::open(&path).expect("a sound file"));
            begin.elapsed().as_secs_f64() * 1e9
        };
        // The first one makes memory warm.
        open();
        let nanos: Vec<f64> = (0..20).map(|_| open()).collect();
        let (mean, best) = (nanos.iter().sum::<f64>() / 20.0, nanos.iter().copied().fold(f64::MAX, f64::min));
        println!(
            "open an index file with {}: {bytes} bytes, {:.2} ms on average, {:.2} ms at best, {:.3} ns a byte",
            kind.map_or("the map alone", IndexKind::name),
            mean / 1e6,
            best / 1e6,
            best / bytes as f64
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

criterion_group!(benches, load);
criterion_main!(benches);
