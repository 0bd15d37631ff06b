use super::*;
use crate::core::{Budget, Cost, Expander, Goal, Rng, Search};
use crate::space::{Grid, Target};

fn metrics(grid: &Grid) -> Vec<(Heuristic, Option<OtherMetric>)> {
    let straight = grid.scale().straight();
    let power = |thousandths| Power::from_thousandths(thousandths).unwrap();
    let mut all = vec![
        (Heuristic::Zero, None),
        (Heuristic::Octile, None),
        (Heuristic::Manhattan, Some(OtherMetric::manhattan(straight))),
        (Heuristic::Euclidean, Some(OtherMetric::euclidean(straight))),
    ];
    for p in [1000, 1500, 2000, 2061, 3000, 10_000, 1_000_000] {
        all.push((Heuristic::PNorm(power(p)), Some(OtherMetric::p_norm(straight, power(p)))));
    }
    all
}

/// The estimate of `heuristic` between two cells of a grid.
fn estimate(grid: &Grid, heuristic: Heuristic, other: Option<OtherMetric>, columns: u32, rows: u32) -> u64 {
    match (heuristic, other) {
        (Heuristic::Zero, _) => ZeroMetric.distance(columns, rows),
        (_, Some(metric)) => metric.distance(columns, rows),
        _ => OctileMetric::new(grid.scale().straight(), grid.scale().diagonal()).distance(columns, rows),
    }
}

#[test]
fn admissible_estimates_never_exceed_true_costs_on_random_maps_and_the_others_do() {
    let mut rng = Rng::new(21);
    let mut search: Search = Search::new();
    let mut exceeded = std::collections::HashSet::new();
    for round in 0..150 {
        let rule = Rule::ALL[round % 3];
        let (width, height, blocked) = (1 + rng.below(14), 1 + rng.below(14), rng.below(45));
        let grid = Grid::new(width, height, rule, |_, _| rng.below(100) >= blocked).unwrap();
        let moves = grid.moves();
        for start in grid.free_states().step_by(5) {
            let nowhere = Target::new(&grid, crate::core::StateId::NONE, ZeroMetric);
            search.begin(&moves, &nowhere, start);
            search.run(&moves, &nowhere, &mut Budget::unlimited());
            for goal in grid.free_states().filter(|&goal| search.is_closed(goal)) {
                let (a, b) = (grid.point(start), grid.point(goal));
                let (columns, rows) = (a.x.abs_diff(b.x) as u32, a.y.abs_diff(b.y) as u32);
                let cost = search.cost(goal).unwrap().units();
                for (heuristic, other) in metrics(&grid) {
                    let h = estimate(&grid, heuristic, other, columns, rows);
                    if heuristic.is_admissible(rule) {
                        assert!(h <= cost, "{heuristic:?} under {rule}: {h} > {cost}");
                    } else if h > cost {
                        exceeded.insert((heuristic, rule));
                    }
                }
            }
        }
    }
    for rule in Rule::ALL {
        let grid = Grid::new(2, 2, rule, |_, _| true).unwrap();
        for (heuristic, _) in metrics(&grid) {
            let labelled = !heuristic.is_admissible(rule);
            assert_eq!(labelled, exceeded.contains(&(heuristic, rule)), "{heuristic:?} under {rule}");
        }
    }
}

#[test]
fn admissible_estimates_are_consistent_along_every_step() {
    for rule in Rule::ALL {
        let grid = Grid::new(60, 40, rule, |_, _| true).unwrap();
        let goal = grid.state_at(crate::core::Point::new(17, 9)).unwrap();
        for (heuristic, other) in metrics(&grid).into_iter().filter(|(h, _)| h.is_admissible(rule)) {
            // A p-norm is lowered by up to 2^-40 of its value; the others are exact.
            let slack = |h: u64| if matches!(heuristic, Heuristic::PNorm(_)) { (h >> 40) + 2 } else { 0 };
            let h = |state| {
                let (a, b) = (grid.point(state), grid.point(goal));
                estimate(&grid, heuristic, other, a.x.abs_diff(b.x) as u32, a.y.abs_diff(b.y) as u32)
            };
            assert_eq!(h(goal), 0);
            for state in grid.free_states() {
                grid.moves().expand(state, None, |child, cost| {
                    assert!(
                        h(state) <= cost.units() + h(child) + slack(h(state)),
                        "{heuristic:?} under {rule}"
                    );
                });
            }
        }
    }
}

#[test]
fn octile_is_exact_on_an_empty_map() {
    for rule in Rule::ALL {
        let grid = Grid::new(15, 11, rule, |_, _| true).unwrap();
        let metric = OctileMetric::new(grid.scale().straight(), grid.scale().diagonal());
        let start = grid.state_at(crate::core::Point::new(3, 4)).unwrap();
        let mut search: Search = Search::new();
        let nowhere = Target::new(&grid, crate::core::StateId::NONE, ZeroMetric);
        search.begin(&grid.moves(), &nowhere, start);
        search.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
        for goal in grid.free_states() {
            assert_eq!(
                Target::new(&grid, goal, metric).estimate(start),
                search.cost(goal).unwrap_or(Cost::MAX)
            );
        }
    }
}

#[test]
fn the_euclidean_root_is_the_integer_floor() {
    let mut rng = Rng::new(22);
    for cells in [16, 10_000, 589_824, 4_000_000_000] {
        let straight = crate::core::CostScale::octile(cells, 1).straight();
        let side = (cells as f64).sqrt() as u32;
        for _ in 0..2000 {
            let (x, y) = (rng.below(side), rng.below(side));
            let root = u128::from(OtherMetric::euclidean(straight).distance(x, y));
            let square = u128::from(straight).pow(2) * (u128::from(x).pow(2) + u128::from(y).pow(2));
            assert_eq!(root, square.isqrt());
        }
    }
}
