//! The scans by bits against jumps that step from cell to cell and ask for every one.

use super::*;
use crate::core::{Budget, Expander, Point, Rng, Search, rounds};
use crate::space::{Rule, Target, ZeroMetric};

/// A jump as the papers tell it, one cell at a time.
struct Plain<'a> {
    grid: &'a Grid,
    goal: Point,
}

impl Plain<'_> {
    fn is_free(&self, at: Point) -> bool {
        self.grid.is_free_at(at)
    }

    fn is_forced(&self, at: Point, (dx, dy): (i64, i64)) -> bool {
        [(dy, dx), (-dy, -dx)].into_iter().any(|(side_x, side_y)| {
            !self.is_free(Point::new(at.x - dx + side_x, at.y - dy + side_y))
                && self.is_free(Point::new(at.x + side_x, at.y + side_y))
        })
    }

    fn straight(&self, from: Point, (dx, dy): (i64, i64)) -> Option<(Point, u64)> {
        let mut at = from;
        for steps in 1.. {
            at = Point::new(at.x + dx, at.y + dy);
            if !self.is_free(at) {
                return None;
            }
            if at == self.goal || self.is_forced(at, (dx, dy)) {
                return Some((at, steps));
            }
        }
        None
    }

    /// All successors in one direction, as cells with straight and diagonal steps.
    fn jumps(&self, from: Point, direction: Direction) -> Vec<(Point, u64, u64)> {
        let (dx, dy) = direction.offset();
        if !direction.is_diagonal() {
            return self.straight(from, (dx, dy)).map(|(at, steps)| (at, steps, 0)).into_iter().collect();
        }
        let mut found = Vec::new();
        let mut at = from;
        for diagonal in 1.. {
            let beside = [Point::new(at.x + dx, at.y), Point::new(at.x, at.y + dy)];
            at = Point::new(at.x + dx, at.y + dy);
            if !self.is_free(at) || !beside.into_iter().all(|cell| self.is_free(cell)) {
                break;
            }
            if at == self.goal {
                found.push((at, 0, diagonal));
                break;
            }
            for side in [(dx, 0), (0, dy)] {
                found.extend(self.straight(at, side).map(|(end, steps)| (end, steps, diagonal)));
            }
        }
        found
    }
}

fn random_grid(rng: &mut Rng, rule: Rule) -> Grid {
    // Some are wider than a word, some higher, some nearly empty so that runs cross words.
    let mut side = || {
        let most = [6, 12, 70, 200][rng.below(4) as usize];
        1 + rng.below(most)
    };
    let (width, height) = (side(), side());
    let (width, height) = if width * height > 6000 { (width, 1 + height % 30) } else { (width, height) };
    let blocked = [0, 3, 20, 200, 400][rng.below(5) as usize];
    Grid::new(width, height, rule, |_, _| rng.below(1000) >= blocked).expect("a small map")
}

#[test]
fn scans_find_what_walking_finds_in_all_directions_on_thousands_of_random_maps() {
    let mut rng = Rng::new(43);
    for round in 0..rounds(3000) {
        let rule = [Rule::Octile, Rule::Octile14][round % 2];
        let grid = random_grid(&mut rng, rule);
        let states: Vec<StateId> = grid.free_states().collect();
        let Some(&goal) = states.get(rng.below(states.len().max(1) as u32) as usize) else { continue };
        let plain = Plain { grid: &grid, goal: grid.point(goal) };
        let moves = JumpMoves::new(&grid, goal).expect("strict corners");
        let scale = grid.scale();
        // All cells of small maps, 400 of the larger ones.
        for &state in states.iter().step_by(1 + states.len() / 400) {
            let from = grid.point(state);
            let mut found = Vec::new();
            moves.expand(state, None, |child, cost| found.push((grid.point(child), cost.units())));
            let expected: Vec<(Point, u64)> = Direction::ALL
                .into_iter()
                .flat_map(|direction| plain.jumps(from, direction))
                .map(|(at, straight, diagonal)| {
                    (at, straight * scale.straight() + diagonal * scale.diagonal())
                })
                .collect();
            found.sort_unstable();
            let mut expected = expected;
            expected.sort_unstable();
            assert_eq!(
                found,
                expected,
                "from {from} to {}, {} x {}",
                plain.goal,
                grid.width(),
                grid.height()
            );
        }
    }
}

#[test]
fn a_flood_of_jumps_gives_the_goal_the_cost_of_a_plain_flood() {
    let mut rng = Rng::new(44);
    let (mut plain, mut jumping): (Search, Search) = (Search::new(), Search::new());
    for round in 0..2000 {
        let grid = random_grid(&mut rng, [Rule::Octile, Rule::Octile14][round % 2]);
        let states: Vec<StateId> = grid.free_states().collect();
        if states.is_empty() {
            continue;
        }
        let start = states[rng.below(states.len() as u32) as usize];
        let nowhere = Target::new(&grid, StateId::NONE, ZeroMetric, 1);
        plain.begin(&grid.moves(), &nowhere, start);
        plain.run(&grid.moves(), &nowhere, &mut Budget::unlimited());
        for &goal in states.iter().step_by(1 + states.len() / 20) {
            // Nothing ends the flood early: every state that jumps reach is expanded.
            let moves = JumpMoves::new(&grid, goal).expect("strict corners");
            jumping.begin(&moves, &nowhere, start);
            jumping.run(&moves, &nowhere, &mut Budget::unlimited());
            assert_eq!(jumping.cost(goal), plain.cost(goal), "{} x {}", grid.width(), grid.height());
        }
    }
}

#[test]
fn after_a_jump_only_what_is_forced_turns() {
    // The wall ends above the middle: there, and only there, a run to the east may turn north.
    let rows = ["@@..", "....", "...."];
    let grid = Grid::new(4, 3, Rule::Octile, |x, y| rows[y as usize].as_bytes()[x as usize] == b'.')
        .expect("a small map");
    let at = |x, y| grid.state_at(Point::new(x, y)).expect("inside");
    let moves = JumpMoves::new(&grid, at(3, 0)).expect("strict corners");
    let successors = |state, parent| {
        let mut found = Vec::new();
        moves.expand(state, parent, |child, _| found.push(child));
        found
    };
    assert_eq!(successors(at(0, 1), None), [at(2, 1)]);
    assert_eq!(successors(at(2, 1), Some(at(0, 1))), [at(3, 0)]);
    assert_eq!(successors(at(2, 1), Some(at(0, 2))), successors(at(2, 1), Some(at(1, 1))), "after an elbow");
}
