//! x
use milepost::core::{Budget, Search, Status, open::*};
use milepost::space::*;
use milepost::*;
use std::time::Instant;
fn race<Q: OpenList>(name: &str, grid: &Grid, qs: &[(StateId, StateId)], zero: bool) {
    let mut s = Search::<Q>::new();
    let m = grid.canonical_moves();
    let metric = OctileMetric::new(grid.scale().straight(), grid.scale().diagonal());
    let mut best = f64::MAX;
    let mut ex = 0;
    let mut spent = 0;
    for _ in 0..3 {
        ex = 0;
        spent = 0;
        let t = Instant::now();
        for &(a, b) in qs {
            let mut bud = Budget::unlimited();
            if zero {
                let g = Target::new(grid, b, ZeroMetric);
                s.begin(&m, &g, a);
                let Status::Reached(_) = s.run(&m, &g, &mut bud) else { panic!() };
            } else {
                let g = Target::new(grid, b, metric);
                s.begin(&m, &g, a);
                let Status::Reached(_) = s.run(&m, &g, &mut bud) else { panic!() };
            }
            ex += s.expanded();
            spent += bud.spent();
        }
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!(
        "{name} zero={zero}: {:.1} us a query, {:.1} ns an expansion, {} expanded, {} units, open bytes {}",
        best * 1e6 / qs.len() as f64,
        best * 1e9 / ex as f64,
        ex / qs.len() as u64,
        spent / qs.len() as u64,
        s.open().bytes()
    );
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let grid = Grid::open(&a[1]).unwrap();
    let qs: Vec<_> = files::read_scenario(format!("{}.scen", a[1]).as_ref())
        .unwrap()
        .iter()
        .step_by(a[2].parse().unwrap())
        .filter_map(|p| {
            Some((
                grid.state_at(Point::new(p.start.0.into(), p.start.1.into()))?,
                grid.state_at(Point::new(p.goal.0.into(), p.goal.1.into()))?,
            ))
        })
        .filter(|&(s, g)| {
            grid.components().of(&grid, s).is_some()
                && grid.components().of(&grid, s) == grid.components().of(&grid, g)
        })
        .collect();
    for zero in [false, true] {
        if zero && a.len() > 3 {
            break;
        }
        if a.get(3).is_none_or(|x| x == "b") {
            race::<Buckets>("buckets", &grid, &qs, zero);
        }
        if a.get(3).is_none_or(|x| x == "h") {
            race::<Heap>("heap   ", &grid, &qs, zero);
        }
    }
}
