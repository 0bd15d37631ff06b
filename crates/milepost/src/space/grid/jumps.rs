//! Moves that jump: from a state straight to the next ones where a path may have to turn, over everything between.
//!
//! On open ground one order of steps is as good as any other ([`CanonicalMoves`](crate::space::CanonicalMoves)), so nothing
//! has to be decided on the way: a search need only stop at corners. Where runs stop is kept as bits
//! (`stops.rs`), of which a straight run reads 64 at a time.
//!
//! # Paper
//! D. Harabor, A. Grastien: Online graph pruning for pathfinding on grid maps, AAAI 2011 (the rules and the jumps);
//! D. Harabor, A. Grastien: Improving jump point search, ICAPS 2014 (scanning by bits, and leaving out the
//! turning points of diagonal runs).
//!
//! # The rules
//! For diagonal steps that need both cells beside them free:
//! - after a straight step b -> x one goes on straight; where a cell beside b is blocked and the cell beside x on that
//!   side is free, x is *forced*: one may also go to that side, straight or diagonally onwards;
//! - after a diagonal step one goes on diagonally or in one of its two straight directions; nothing is forced;
//! - from the start one goes anywhere.
//!
//! A straight run stops at forced cells. A diagonal run looks along both its straight directions at every cell. Both
//! stop at the goal. Only where straight runs stop are there successors: where a diagonal run turns into a straight
//! one there is no choice to be made, so the elbow is no state of the search. The way to a successor is diagonal
//! first, then straight, and its last direction follows from where its parent lies.
//!
//! # Guarantees
//! Searches that keep the first parent of least cost, and open a state again when a better way is found, find
//! optimal costs to the goal, under rules where all straight steps cost one value and all diagonal ones another.
//!
//! *Why no cost is lost.* Say that a cell gets a value whenever a run from an expanded state passes over it or stops at
//! it, with the direction of the run; g* is the true distance from the start. Every cell that got g* with a direction
//! has had its successors by the rules looked at, for some direction in which it got g*: a run that passes over it
//! looks at them (nothing is forced there), and where a run stops the state is expanded with g* and the direction of
//! its first parent of least cost. Suppose n is a state of least g*(n) that never gets it. Every x with
//! g*(x) + c(x,n) = g*(n) got g*(x), from a cell b, and n is no successor of it by the rules. After a diagonal step
//! all other neighbours are reached at less cost without x, against g*(n). So b -> x is straight, say to the east.
//! Where n lies north of x, the cell north of b is free (else x is forced), and the diagonal from b is shorter. Where
//! n lies to the west it is nearer to b. There remain the north-east (or south-east) neighbour, with the cell north
//! of b free: then y = north of x is reached by the diagonal from b, y -> n is as good as x -> n, so y is such an x
//! too, and was entered by a straight step: from the west - but going on straight is a rule; from the north - then n
//! is cheaper by the diagonal from there, or y is forced and n is looked at; from x - then g*(y) = g*(x) + 1 and not
//! g*(b) + diagonal, which is less; from n - against g*(y) < g*(n). ∎

use super::bits::Bits;
use super::jump_expander::JumpExpander;
use super::stops::diagonal;
use crate::core::{Budget, Cost, StateId};
use crate::space::heuristic::Cell;
use crate::space::{CanonicalMoves, Direction, EdgeSlot, Grid, GridGeometry, SpaceKind};

/// The jumps of a grid towards one goal, under rules that
/// [have strict corners](crate::space::Rule::has_strict_corners). Right only where [`Grid::is_plain`] holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpMoves<'a> {
    canonical: CanonicalMoves<'a>,
    rows: Lines<'a>,
    columns: Lines<'a>,
    diagonals: &'a [Bits; 4],
    goal: Cell,
    geometry: GridGeometry,
    straight: u64,
    diagonal: u64,
}

/// Lines of cells, row by row or column by column: both look the same, and each has the goal's place in it.
#[derive(Clone, Copy, Debug)]
struct Lines<'a> {
    free: &'a Bits,
    /// Where runs stop, towards higher and towards lower numbers.
    stops_up: &'a Bits,
    stops_down: &'a Bits,
    stride: usize,
    goal: usize,
}

/// Where a straight run ends: this many steps on, at a state where it may turn or in front of a blocked cell (which
/// counts as the last step).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stop {
    steps: usize,
    is_open: bool,
}

impl Stop {
    /// The very next cell is blocked.
    #[inline]
    fn is_wall_ahead(self) -> bool {
        self.steps == 1 && !self.is_open
    }
}

impl Lines<'_> {
    /// Runs straight on from a free cell, towards higher numbers if `UP`.
    #[inline]
    fn run<const UP: bool>(&self, from: usize, words: &mut u64) -> Stop {
        let mut steps = 1;
        loop {
            *words += 1;
            let (stops, passed) = if UP {
                let stops = self.stops_up.window(from + steps);
                (stops, stops.trailing_zeros())
            } else {
                let stops = self.stops_down.window_ending(from - steps);
                (stops, stops.leading_zeros())
            };
            // All 64 if there is no stop. The border is one, so a run never leaves the map.
            steps += passed as usize;
            if stops != 0 {
                break;
            }
        }
        // Steps to the goal, far too many if it lies elsewhere.
        let to_goal = if UP { self.goal.wrapping_sub(from) } else { from.wrapping_sub(self.goal) };
        if to_goal.wrapping_sub(1) < steps {
            return Stop { steps: to_goal, is_open: true };
        }
        Stop { steps, is_open: self.free.get(if UP { from + steps } else { from - steps }) }
    }
}

/// A cell by its numbers in the rows (which is its id) and in the columns.
#[derive(Clone, Copy, Debug)]
struct Place {
    in_rows: usize,
    in_columns: usize,
}

impl<'a> JumpMoves<'a> {
    /// The jumps towards `goal`; `None` under rules by which one cannot jump.
    pub(crate) fn new(grid: &'a Grid, goal: StateId) -> Option<JumpMoves<'a>> {
        let (stops, geometry) = (grid.stops()?, *grid.geometry());
        let (stride, column_stride) = (geometry.stride() as usize, grid.column_stride());
        let (column, row) = geometry.cell(goal);
        Some(JumpMoves {
            canonical: grid.canonical_moves(),
            rows: Lines {
                free: grid.rows(),
                stops_up: &stops.east,
                stops_down: &stops.west,
                stride,
                goal: goal.index(),
            },
            columns: Lines {
                free: grid.columns(),
                stops_up: &stops.south,
                stops_down: &stops.north,
                stride: column_stride,
                goal: column as usize * column_stride + row as usize,
            },
            diagonals: &stops.diagonals,
            goal: (column, row),
            geometry,
            straight: grid.scale().straight(),
            diagonal: grid.scale().diagonal(),
        })
    }

    /// The direction of the last step on the way from a parent: diagonal first, then straight.
    #[inline]
    fn last_step(&self, (column, row): Cell, parent: Option<StateId>) -> (i64, i64) {
        let Some(parent) = parent else { return (0, 0) };
        let (parent_column, parent_row) = self.geometry.cell(parent);
        let dx = i64::from(column) - i64::from(parent_column);
        let dy = i64::from(row) - i64::from(parent_row);
        let is_straight = |this: i64, other: i64| i64::from(this.abs() >= other.abs());
        (dx.signum() * is_straight(dx, dy), dy.signum() * is_straight(dy, dx))
    }

    /// A straight run along the rows, to the east if `UP`.
    #[inline]
    fn along_row<const UP: bool>(&self, at: Place, words: &mut u64) -> (Stop, StateId) {
        let stop = self.rows.run::<UP>(at.in_rows, words);
        let end = if UP { at.in_rows + stop.steps } else { at.in_rows - stop.steps };
        (stop, StateId::new(end as u32))
    }

    /// A straight run along the columns, to the south if `UP`.
    #[inline]
    fn along_column<const UP: bool>(&self, at: Place, words: &mut u64) -> (Stop, StateId) {
        let stop = self.columns.run::<UP>(at.in_columns, words);
        let distance = stop.steps * self.rows.stride;
        (stop, StateId::new(if UP { at.in_rows + distance } else { at.in_rows - distance } as u32))
    }

    /// A diagonal run whose first step is allowed, with the straight ones that branch off it, from behind so many steps on.
    /// Where `most` words and cells have been looked at it stops, and says after how many steps; the straight runs of the
    /// last cell may exceed that.
    #[inline]
    fn diagonally<const EAST: bool, const SOUTH: bool>(
        &self,
        (cell, mut at): (Cell, Place),
        mut steps: usize,
        most: u64,
        words: &mut u64,
        visit: &mut impl FnMut(StateId, Cost),
    ) -> Option<usize> {
        let stops = &self.diagonals[diagonal(EAST, SOUTH)];
        // What a step adds to the numbers of a cell, modulo 2^64.
        let step = |one: bool, line: bool, stride: usize| {
            let one = if one { 1 } else { usize::MAX };
            one.wrapping_add(if line { stride } else { stride.wrapping_neg() })
        };
        let in_rows = step(EAST, SOUTH, self.rows.stride);
        let in_columns = step(SOUTH, EAST, self.columns.stride);
        let to_goal = self.steps_to_goal::<EAST, SOUTH>(cell);
        at.in_rows = at.in_rows.wrapping_add(in_rows.wrapping_mul(steps));
        let first_in_columns = at.in_columns;
        while *words < most {
            // Nothing branches off before the next stop, or the row or the column of the goal.
            let ahead = |to: usize| if to > steps { to } else { usize::MAX };
            let room = usize::try_from(most - *words).unwrap_or(usize::MAX);
            let last = ahead(to_goal[0]).min(ahead(to_goal[1])).min(steps.saturating_add(room));
            let before = steps;
            loop {
                steps += 1;
                at.in_rows = at.in_rows.wrapping_add(in_rows);
                if steps == last || stops.get(at.in_rows) {
                    break;
                }
            }
            *words += (steps - before) as u64;
            if !stops.get(at.in_rows) && steps != to_goal[0] && steps != to_goal[1] {
                continue;
            }
            let cost = steps as u64 * self.diagonal;
            if at.in_rows == self.rows.goal {
                visit(StateId::new(at.in_rows as u32), Cost::new(cost));
                return None;
            }
            at.in_columns = first_in_columns.wrapping_add(in_columns.wrapping_mul(steps));
            let (in_row, row_end) = self.along_row::<EAST>(at, words);
            if in_row.is_open {
                visit(row_end, Cost::new(cost + in_row.steps as u64 * self.straight));
            }
            let (in_column, column_end) = self.along_column::<SOUTH>(at, words);
            if in_column.is_open {
                visit(column_end, Cost::new(cost + in_column.steps as u64 * self.straight));
            }
            let is_wall_ahead = in_row.is_wall_ahead() || in_column.is_wall_ahead();
            if is_wall_ahead || !self.rows.free.get(at.in_rows.wrapping_add(in_rows)) {
                return None;
            }
        }
        Some(steps)
    }

    /// After how many diagonal steps the goal lies in the same row and in the same column; far too many if never.
    #[inline]
    fn steps_to_goal<const EAST: bool, const SOUTH: bool>(&self, (column, row): Cell) -> [usize; 2] {
        let (goal_column, goal_row) = self.goal;
        let steps = |up: bool, from: u32, to: u32| {
            (if up { to.wrapping_sub(from) } else { from.wrapping_sub(to) }) as usize
        };
        [steps(SOUTH, row, goal_row), steps(EAST, column, goal_column)]
    }
}

impl JumpExpander for JumpMoves<'_> {
    fn geometry(&self) -> &GridGeometry {
        &self.geometry
    }

    /// Where it stops: the number of a direction in the upper half, and behind how many diagonal steps in the lower one.
    #[inline]
    fn jump_part(
        &self,
        (state, parent): (StateId, Option<StateId>),
        from: u64,
        budget: &mut Budget,
        keeps: impl Fn(EdgeSlot) -> bool,
        mut visit: impl FnMut(StateId, Cost),
    ) -> Option<u64> {
        let cell = self.geometry.cell(state);
        let in_columns = cell.0 as usize * self.columns.stride + cell.1 as usize;
        let at = Place { in_rows: state.index(), in_columns };
        let (first, mut steps) = ((from >> 32) as usize, from as u32 as usize);
        // The first word has its unit from the expansion.
        let paid = u64::from(from == 0);
        let (most, mut words) = (budget.left().saturating_add(paid), 0);
        let mut stopped = None;
        for direction in self.canonical.directions_after(state, self.last_step(cell, parent)) {
            if direction.number() < first || !keeps(EdgeSlot::Direction(direction.number())) {
                continue;
            }
            let place = |steps: usize| (direction.number() as u64) << 32 | steps as u64;
            if words >= most {
                stopped = Some(place(steps));
                break;
            }
            let (stop, end) = match direction {
                Direction::North => self.along_column::<false>(at, &mut words),
                Direction::East => self.along_row::<true>(at, &mut words),
                Direction::South => self.along_column::<true>(at, &mut words),
                Direction::West => self.along_row::<false>(at, &mut words),
                diagonal => {
                    let (from, visit, words) = ((cell, at), &mut visit, &mut words);
                    let steps = std::mem::take(&mut steps);
                    let last = match diagonal {
                        Direction::NorthEast => {
                            self.diagonally::<true, false>(from, steps, most, words, visit)
                        }
                        Direction::SouthEast => {
                            self.diagonally::<true, true>(from, steps, most, words, visit)
                        }
                        Direction::SouthWest => {
                            self.diagonally::<false, true>(from, steps, most, words, visit)
                        }
                        _ => self.diagonally::<false, false>(from, steps, most, words, visit),
                    };
                    stopped = last.map(place);
                    if stopped.is_some() {
                        break;
                    }
                    continue;
                }
            };
            if stop.is_open {
                visit(end, Cost::new(stop.steps as u64 * self.straight));
            }
        }
        budget.charge(words.saturating_sub(paid));
        stopped
    }
}

#[cfg(test)]
#[path = "jumps_tests.rs"]
mod tests;
