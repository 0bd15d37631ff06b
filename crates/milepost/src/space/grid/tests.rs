use super::*;
use crate::core::{Expander, Rng};
use crate::space::{Edit, Space};
use std::collections::BTreeMap;

/// A random map of up to 12 x 12 cells, or a wide one that crosses words.
fn random_cells(rng: &mut Rng) -> Vec<Vec<bool>> {
    let (width, height) = if rng.chance(1, 5) {
        (50 + rng.below(100), 1 + rng.below(4))
    } else {
        (1 + rng.below(12), 1 + rng.below(12))
    };
    let blocked = rng.below(60);
    (0..height).map(|_| (0..width).map(|_| rng.below(100) >= blocked).collect()).collect()
}

fn grid_of(cells: &[Vec<bool>], rule: Rule) -> Grid {
    let (width, height) = (cells[0].len() as u32, cells.len() as u32);
    Grid::new(width, height, rule, |x, y| cells[y as usize][x as usize]).unwrap()
}

fn free(cells: &[Vec<bool>], x: i64, y: i64) -> bool {
    y >= 0 && x >= 0 && cells.get(y as usize).and_then(|row| row.get(x as usize)) == Some(&true)
}

/// The rule in words, cell by cell.
fn neighbours(cells: &[Vec<bool>], rule: Rule, x: i64, y: i64) -> Vec<(i64, i64, bool)> {
    let mut found = Vec::new();
    for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
        let is_diagonal = dx != 0 && dy != 0;
        let beside = free(cells, x + dx, y) && free(cells, x, y + dy);
        let allowed = match rule {
            Rule::OctileCutting | Rule::Octile14Cutting => true,
            Rule::Octile | Rule::Octile14 => !is_diagonal || beside,
            Rule::Four => !is_diagonal,
            // Odd or even rows lie half a cell to the right, odd or even columns half a cell down.
            Rule::Hex => !is_diagonal || dx == if y % 2 == 1 { 1 } else { -1 },
            Rule::HexEvenR => !is_diagonal || dx == if y % 2 == 0 { 1 } else { -1 },
            Rule::HexOddQ => !is_diagonal || dy == if x % 2 == 1 { 1 } else { -1 },
            Rule::HexEvenQ => !is_diagonal || dy == if x % 2 == 0 { 1 } else { -1 },
        };
        if (dx, dy) != (0, 0) && free(cells, x + dx, y + dy) && allowed {
            found.push((x + dx, y + dy, is_diagonal));
        }
    }
    found
}

#[test]
fn moves_are_those_of_the_rule_on_random_maps() {
    let mut rng = Rng::new(11);
    for round in 0..600 {
        let cells = random_cells(&mut rng);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let grid = grid_of(&cells, rule);
        let (straight, diagonal) = (grid.scale().straight(), grid.scale().diagonal());
        for state in grid.free_states() {
            let at = grid.point(state);
            assert!(free(&cells, at.x, at.y));
            let mut expected: Vec<_> = neighbours(&cells, rule, at.x, at.y)
                .into_iter()
                .map(|(x, y, is_diagonal)| (x, y, if is_diagonal { diagonal } else { straight }))
                .collect();
            let mut got = Vec::new();
            grid.moves().expand(state, None, |child, cost| {
                let to = grid.point(child);
                got.push((to.x, to.y, cost.units()));
                assert_eq!(grid.step_cost(state, child, None), Some(cost));
            });
            expected.sort_unstable();
            got.sort_unstable();
            assert_eq!(got, expected);
        }
        let count = cells.iter().flatten().filter(|&&free| free).count();
        assert_eq!((grid.states() as usize, grid.free_states().count()), (count, count));
    }
}

#[test]
fn columns_hold_the_same_cells_as_rows_also_after_edits() {
    let mut rng = Rng::new(12);
    for _ in 0..200 {
        let mut cells = random_cells(&mut rng);
        let mut grid = grid_of(&cells, Rule::Octile);
        for _ in 0..3 {
            for (y, row) in cells.iter().enumerate() {
                for (x, &free) in row.iter().enumerate() {
                    let at = Point::new(x as i64, y as i64);
                    assert_eq!(grid.is_free_at(at), free);
                    assert_eq!(grid.columns.get(grid.column_index(at)), free);
                }
            }
            assert_eq!(grid.columns.count_ones(), grid.rows.count_ones());
            let (x, y) = (rng.below(grid.width()), rng.below(grid.height()));
            let cell = &mut cells[y as usize][x as usize];
            *cell = !*cell;
            let at = Point::new(x.into(), y.into());
            grid = grid.edited(&[if *cell { Edit::open(at) } else { Edit::close(at) }]).unwrap();
        }
    }
}

/// Labels by flooding over the neighbours of the rule.
fn flood(cells: &[Vec<bool>], rule: Rule) -> BTreeMap<(i64, i64), usize> {
    let mut labels = BTreeMap::new();
    let mut next = 0;
    for (y, row) in cells.iter().enumerate() {
        for x in (0..row.len()).filter(|&x| row[x]) {
            if labels.contains_key(&(x as i64, y as i64)) {
                continue;
            }
            let mut stack = vec![(x as i64, y as i64)];
            while let Some((x, y)) = stack.pop() {
                if labels.insert((x, y), next).is_none() {
                    stack.extend(neighbours(cells, rule, x, y).into_iter().map(|(x, y, _)| (x, y)));
                }
            }
            next += 1;
        }
    }
    labels
}

#[test]
fn components_of_a_new_grid_equal_a_flood_and_are_numbered_by_their_least_ids() {
    let mut rng = Rng::new(13);
    for round in 0..600 {
        let cells = random_cells(&mut rng);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let grid = grid_of(&cells, rule);
        let labels = flood(&cells, rule);
        for (&(x, y), &label) in &labels {
            let state = grid.state_at(Point::new(x, y)).unwrap();
            assert_eq!(grid.components().of(&grid, state), Some(label as u32), "{rule} {x},{y}");
        }
        let sizes: Vec<u32> = (0..grid.components().count())
            .map(|label| labels.values().filter(|&&l| l == label as usize).count() as u32)
            .collect();
        assert_eq!(grid.components().sizes(), sizes);
    }
}

#[test]
fn components_equal_a_flood_after_each_of_500_random_edits() {
    let mut rng = Rng::new(16);
    for rule in Rule::ALL {
        let mut cells: Vec<Vec<bool>> =
            (0..14).map(|_| (0..17).map(|_| rng.below(100) < 60).collect()).collect();
        let mut grid = grid_of(&cells, rule);
        for _ in 0..500 {
            let (x, y) = (rng.below(17), rng.below(14));
            // Mostly single cells, sometimes a rectangle.
            let (x2, y2) = if rng.chance(1, 8) { (rng.below(17), rng.below(14)) } else { (x, y) };
            let free = if rng.chance(1, 4) { rng.chance(1, 2) } else { !cells[y as usize][x as usize] };
            for row in &mut cells[y.min(y2) as usize..=y.max(y2) as usize] {
                row[x.min(x2) as usize..=x.max(x2) as usize].fill(free);
            }
            let point = |x: u32, y: u32| Point::new(x.into(), y.into());
            grid = grid.edited(&[Edit::Cells { from: point(x, y), to: point(x2, y2), free }]).unwrap();
            let labels = flood(&cells, rule);
            let mut renamed = BTreeMap::new();
            for (&(x, y), &label) in &labels {
                let state = grid.state_at(Point::new(x, y)).unwrap();
                let component = grid.components().of(&grid, state).expect("a free cell");
                assert_eq!(*renamed.entry(component).or_insert(label), label, "{rule} {x},{y}");
            }
            let floods: std::collections::BTreeSet<usize> = labels.values().copied().collect();
            assert_eq!((renamed.len(), grid.components().count() as usize), (floods.len(), floods.len()));
            for (component, label) in renamed {
                let size = labels.values().filter(|&&l| l == label).count() as u32;
                assert_eq!(grid.components().sizes()[component as usize], size);
            }
            let fresh = grid_of(&cells, rule);
            assert_eq!((grid.hash(), grid.states()), (fresh.hash(), fresh.states()));
        }
    }
}

#[test]
fn an_edited_grid_is_a_new_version_and_leaves_the_old_one_alone() {
    let grid = Grid::new(100, 100, Rule::Octile, |_, _| true).unwrap();
    let at = Point::new(40, 50);
    let closed = grid.edited(&[Edit::close(at)]).unwrap();
    assert!(grid.is_free_at(at) && !closed.is_free_at(at));
    assert_eq!((grid.states(), closed.states()), (10_000, 9_999));
    assert!(closed.version() != grid.version() && closed.version().is_same_map(grid.version()));
    assert_ne!(closed.hash(), grid.hash());
    let opened = closed.edited(&[Edit::open(at)]).unwrap();
    assert_eq!(opened.hash(), grid.hash());
    assert_eq!(opened.version(), grid.version());
    assert!(Arc::ptr_eq(&grid.clone().rows, &grid.rows), "clones share their cells");
    assert!(grid.edited(&[Edit::close(at), Edit::close(Point::new(-1, 7))]).is_err(), "all edits or none");
}

#[test]
fn the_hash_is_of_size_and_cells_and_is_pinned() {
    let checkers = |width, height| Grid::new(width, height, Rule::Octile, |x, y| (x + y) % 2 == 0).unwrap();
    assert_eq!(checkers(10, 7).hash(), checkers(10, 7).with_rule(Rule::OctileCutting).hash());
    assert_ne!(checkers(10, 7).hash(), checkers(7, 10).hash());
    // Index files carry this number: it must never change.
    assert_eq!(format!("{:016x}", checkers(10, 7).hash()), "6243fe68026c9d7c");
}

#[test]
fn ids_of_padding_and_beyond_are_no_free_states() {
    let space = Space::from(Grid::new(3, 3, Rule::Octile, |_, _| true).unwrap());
    let free = (0..100).filter(|&number| space.is_free(StateId::new(number))).count();
    assert_eq!(free, 9);
    assert!(!space.is_free(StateId::NONE));
    assert_eq!(space.component(StateId::new(0)), None);
    assert_eq!(space.component(StateId::NONE), None);
}

#[test]
fn maps_without_cells_or_with_more_than_ids_are_refused_by_name() {
    let refuse = |width, height| Grid::new(width, height, Rule::Octile, |_, _| true).unwrap_err().to_string();
    assert!(refuse(0, 5).contains("0 x 5"));
    assert!(refuse(1_000_000_000, 1_000_000_000).contains("too large"));
    assert!(refuse(u32::MAX, u32::MAX).contains("too large"));
    assert!(refuse(65_536, 65_536).contains("state numbers"));
}

#[test]
fn nearest_free_is_the_nearest_by_the_rules_distance_then_by_id() {
    let mut rng = Rng::new(14);
    for round in 0..400 {
        let cells = random_cells(&mut rng);
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let grid = grid_of(&cells, rule);
        for _ in 0..10 {
            let point = Point::new(i64::from(rng.below(40)) - 15, i64::from(rng.below(40)) - 15);
            let scale = grid.scale();
            let distance = |state: &StateId| {
                let at = grid.point(*state);
                let (dx, dy) = (u128::from(at.x.abs_diff(point.x)), u128::from(at.y.abs_diff(point.y)));
                let (straight, diagonal) = (u128::from(scale.straight()), u128::from(scale.diagonal()));
                // Each row (or column) further moves up to half a cell sideways for nothing.
                let hexagons = |along: fn(Point) -> (i64, i64), shifted: i64| {
                    let half = |(x, y): (i64, i64)| 2 * x + i64::from(y.rem_euclid(2) == shifted);
                    let (a, b) = (along(at), along(point));
                    let (rows, aside) =
                        (u128::from(a.1.abs_diff(b.1)), u128::from(half(a).abs_diff(half(b))));
                    rows + aside.saturating_sub(rows).div_ceil(2)
                };
                match rule {
                    Rule::Four => dx + dy,
                    Rule::Hex => hexagons(|at| (at.x, at.y), 1),
                    Rule::HexEvenR => hexagons(|at| (at.x, at.y), 0),
                    Rule::HexOddQ => hexagons(|at| (at.y, at.x), 1),
                    Rule::HexEvenQ => hexagons(|at| (at.y, at.x), 0),
                    _ => dx.max(dy) * straight + dx.min(dy) * (diagonal - straight),
                }
            };
            let expected = grid.free_states().min_by_key(|state| (distance(state), *state));
            assert_eq!(grid.nearest_free(point), expected, "from {point}");
        }
    }
    let empty = Grid::new(5, 5, Rule::Octile, |_, _| false).unwrap();
    assert_eq!(empty.nearest_free(Point::new(2, 2)), None);
    let far = Grid::new(5, 5, Rule::Octile, |_, _| true).unwrap();
    let corner = far.nearest_free(Point::new(1_000_000_000_000, -1_000_000_000_000));
    assert_eq!(corner, far.state_at(Point::new(4, 0)));
    assert_eq!(far.nearest_free(Point::new(i64::MIN, i64::MAX)), far.state_at(Point::new(0, 4)));
}

#[test]
fn ids_turn_into_columns_and_rows_for_every_width() {
    let mut rng = Rng::new(15);
    for _ in 0..20_000 {
        let width = 1 + (rng.next_u64() % (1 << (1 + rng.below(31)))) as u32;
        let geometry = GridGeometry::new(width.min(u32::MAX - 2), 1, Rule::Octile);
        let state = StateId::new(rng.next_u64() as u32);
        let stride = geometry.stride();
        assert_eq!(geometry.cell(state), (state.number() % stride, state.number() / stride));
    }
}
