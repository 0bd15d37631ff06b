//! The bucket queue against the 4-ary heap inside the very search that uses them, on real maps.
//!
//! `MILEPOST_MAPS=folder cargo bench --bench open_lists`; without the folder a generated map serves.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use milepost::core::open::{Buckets, Heap, OpenList};
use milepost::core::{Budget, Expander, Goal, Rng, Search};
use milepost::space::SpaceKind;
use milepost::space::{OctileMetric, Target, ZeroMetric};
use milepost::{Grid, Rule, StateId};
use milepost_maps::{Kind, generate};
use std::path::PathBuf;

fn maps() -> Vec<(String, Grid)> {
    let Some(folder) = std::env::var_os("MILEPOST_MAPS").map(PathBuf::from) else {
        let map = generate(Kind::Caves, 768, 768, 1).expect("a size that fits");
        return vec![("caves-768".to_owned(), map.grid(Rule::Octile).expect("a map that fits"))];
    };
    ["dao/orz900d", "sc1/ArcticStation", "random/random512-25-0", "rooms/8room_000"]
        .into_iter()
        .map(|name| {
            (
                name.to_owned(),
                milepost_maps::open_grid(folder.join(format!("{name}.map")), Rule::Octile)
                    .expect("a readable map"),
            )
        })
        .collect()
}

/// Problems drawn at random within the largest component.
fn problems(grid: &Grid) -> Vec<(StateId, StateId)> {
    let sizes = grid.components().sizes();
    let largest = (0..sizes.len()).max_by_key(|&index| sizes[index]).unwrap_or(0) as u32;
    let inside: Vec<StateId> =
        grid.free_states().filter(|&state| grid.components().of(grid, state) == Some(largest)).collect();
    let mut rng = Rng::new(1);
    let mut draw = || inside[rng.below(inside.len() as u32) as usize];
    (0..20).map(|_| (draw(), draw())).collect()
}

fn run<Q: OpenList, E: Expander>(search: &mut Search<Q>, moves: &E, goal: &impl Goal, start: StateId) {
    search.begin(moves, goal, start);
    search.run(moves, goal, &mut Budget::unlimited());
}

fn race<Q: OpenList>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, grid: &Grid) {
    let problems = problems(grid);
    let mut search: Search<Q> = Search::new();
    let metric = OctileMetric::new(grid.scale().straight(), grid.scale().diagonal());
    group.bench_function(format!("{name}, A*"), |bencher| {
        let moves = grid.canonical_moves();
        bencher.iter(|| {
            for &(start, goal) in &problems {
                run(&mut search, &moves, &Target::new(grid, goal, metric, 1), start);
            }
        });
    });
    group.bench_function(format!("{name}, A* with all moves"), |bencher| {
        let moves = grid.moves();
        bencher.iter(|| {
            for &(start, goal) in &problems {
                run(&mut search, &moves, &Target::new(grid, goal, metric, 1), start);
            }
        });
    });
    group.bench_function(format!("{name}, Dijkstra"), |bencher| {
        let moves = grid.moves();
        bencher.iter(|| {
            for &(start, goal) in &problems {
                run(&mut search, &moves, &Target::new(grid, goal, ZeroMetric, 1), start);
            }
        });
    });
}

fn open_lists(criterion: &mut Criterion) {
    for (name, grid) in maps() {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        race::<Heap>(&mut group, "heap", &grid);
        race::<Buckets>(&mut group, "buckets", &grid);
        group.finish();
    }
}

criterion_group!(benches, open_lists);
criterion_main!(benches);
