//! Loading a map with its components and fingerprint, and closing one cell of it.
//!
//! `MILEPOST_MAPS=folder cargo bench --bench load`; without the folder a generated map serves.

use criterion::{Criterion, criterion_group, criterion_main};
use milepost::maps::{Kind, generate, movingai};
use milepost::{Edit, Point, Rule, files};
use std::path::PathBuf;

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
}

criterion_group!(benches, load);
criterion_main!(benches);
