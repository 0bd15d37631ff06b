use super::*;
use crate::core::{Budget, Cost, CostScale, Expander, Goal, Rng, Search, StateId, StepRange};
use crate::space::{Grid, SpaceKind, Target};

fn heuristics(rule: Rule) -> Vec<Heuristic> {
    let mut all = vec![Heuristic::Zero, Heuristic::Octile, Heuristic::Manhattan, Heuristic::Euclidean];
    // On hexagons larger powers exceed the cost only on maps of hundreds of rows.
    let powers = [1000, 1500, 2000, 2061, 3000, 10_000].into_iter();
    for p in powers.filter(|&p| rule.hexagons().is_none() || p < 3000) {
        all.push(Heuristic::PNorm(Power::from_thousandths(p).unwrap()));
    }
    if rule.hexagons().is_some() {
        all.push(Heuristic::Hex);
    }
    all
}

/// The estimate of `heuristic` between two cells of a grid.
fn estimate(grid: &Grid, heuristic: Heuristic, from: StateId, to: StateId) -> u64 {
    let scale = grid.scale();
    let metric = GridMetric::new(heuristic, grid.rule(), scale.straight(), scale.diagonal());
    let cost = Target::new(grid, to, metric, scale.one()).estimate(from);
    cost.units()
}

fn flood(search: &mut Search, grid: &Grid, start: StateId) {
    let nowhere = Target::new(grid, StateId::NONE, ZeroMetric, 1);
    search.begin(&grid.moves(), &nowhere, start);
    search.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
}

#[test]
fn admissible_estimates_never_exceed_true_costs_on_random_maps_and_the_others_do() {
    let mut rng = Rng::new(21);
    let mut search: Search = Search::new();
    let mut exceeded = std::collections::HashSet::new();
    for round in 0..250 {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let (width, height, blocked) = (1 + rng.below(14), 1 + rng.below(14), rng.below(45));
        let grid = Grid::new(width, height, rule, |_, _| rng.below(100) >= blocked).unwrap();
        for start in grid.free_states().step_by(5) {
            flood(&mut search, &grid, start);
            for goal in grid.free_states().filter(|&goal| search.is_closed(goal)) {
                let cost = search.cost(goal).unwrap().units();
                for heuristic in heuristics(rule) {
                    let h = estimate(&grid, heuristic, start, goal);
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
        for heuristic in heuristics(rule) {
            let labelled = !heuristic.is_admissible(rule);
            assert_eq!(labelled, exceeded.contains(&(heuristic, rule)), "{heuristic:?} under {rule}");
        }
    }
}

#[test]
fn admissible_estimates_are_consistent_along_every_step() {
    for rule in Rule::ALL {
        let grid = Grid::new(40, 30, rule, |_, _| true).unwrap();
        let goal = grid.state_at(crate::core::Point::new(17, 9)).unwrap();
        for heuristic in heuristics(rule).into_iter().filter(|heuristic| heuristic.is_admissible(rule)) {
            // A p-norm is lowered by up to 2^-40 of its value; the others are exact.
            let slack = |h: u64| if matches!(heuristic, Heuristic::PNorm(_)) { (h >> 40) + 2 } else { 0 };
            let h = |state| estimate(&grid, heuristic, state, goal);
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
fn the_tightest_estimate_is_exact_on_an_empty_map() {
    for rule in Rule::ALL {
        let grid = Grid::new(15, 11, rule, |_, _| true).unwrap();
        let mut search: Search = Search::new();
        for start in grid.free_states().step_by(13) {
            flood(&mut search, &grid, start);
            for goal in grid.free_states() {
                let h = estimate(&grid, Heuristic::tightest(rule), start, goal);
                assert_eq!(Some(Cost::new(h)), search.cost(goal), "{rule}");
            }
        }
    }
}

#[test]
fn the_euclidean_root_is_the_integer_floor() {
    let mut rng = Rng::new(22);
    for cells in [16, 10_000, 589_824, 4_000_000_000] {
        let straight = CostScale::octile(StepRange::plain(cells)).straight();
        let metric = GridMetric::new(Heuristic::Euclidean, Rule::Octile, straight, straight);
        let side = (cells as f64).sqrt() as u32;
        for _ in 0..2000 {
            let (x, y) = (rng.below(side), rng.below(side));
            let root = u128::from(metric.distance((0, 0), (x, y)));
            let square = u128::from(straight).pow(2) * (u128::from(x).pow(2) + u128::from(y).pow(2));
            assert_eq!(root, square.isqrt());
        }
    }
}
