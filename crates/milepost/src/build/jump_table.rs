//! Builds the [jump table](crate::index::JumpTable): two sweeps over the map, a few milliseconds.
//!
//! In each direction a cell's value follows from its neighbour's: one step more, or 1 if that neighbour is a jump
//! point for this direction. So every sweep visits neighbours first: straight west and east within a row, the other
//! six from row to row.

use super::BuildError;
use super::jump_points::blocks::Bounds;
use super::jump_points::first_jump_points::{FirstJumpPoints, Leg};
use super::jump_points::flat::FlatTable;
use super::parallel;
use crate::core::{Csr, StateId};
use crate::index::jump_links::MOST_NARROW;
use crate::index::jump_table::{JumpTable, MOST_CELLS, Square, squares};
use crate::index::jumps::{Entry, Jumps, READ_ON};
use crate::index::small_box::SmallBox;
use crate::index::{Bytes, LegCosts, MOST_COLUMNS, PackedCell, SectionWriter};
use crate::space::{Grid, SpaceKind};

/// The table of a grid with strict corners, no weights and no links.
pub(super) fn build(grid: &Grid) -> Result<Bytes, BuildError> {
    let (squares, entries) = table(grid)?;
    let table = JumpTable::of(grid, &squares, &entries);
    let points = points(grid, &table);
    let flat = FlatTable::new(grid, &table);
    let links = links(&flat, &points);
    let link_directions: Vec<u8> = (0..points.len())
        .flat_map(|point| links.list(point).iter().map(move |&next| (point, next)))
        .map(|(point, next)| points[point].run_to(points[next as usize]).first_direction() as u8)
        .collect();
    let mut section = SectionWriter::default();
    section.push(&squares).push(&entries).push(&points).push(links.starts());
    if points.len() <= MOST_NARROW {
        section.push(&links.items().iter().map(|&link| link as u16).collect::<Vec<u16>>());
    } else {
        section.push(links.items());
    }
    let shift = SmallBox::shift(grid.width().max(grid.height()) + 2);
    let sight: Vec<SmallBox> = parallel::map_list(&points, |&cell| sight(&flat, cell).small(shift));
    let unbeaten: Vec<[u8; 4]> = points.iter().map(|&cell| grid.corner(table.state(cell)).unbeaten).collect();
    Ok(section.push(&sight).push(&link_directions).push(&unbeaten).finish())
}

/// The cells that one sees: by diagonal steps, then straight ones.
fn sight(table: &FlatTable, from: PackedCell) -> Bounds {
    const MOST: i32 = 1 << 16;
    let mut bounds = Bounds::EMPTY;
    bounds.add(from);
    for direction in [0, 2, 4, 6] {
        bounds.add(from.ahead(direction, table.clear_steps(from, direction, MOST)));
    }
    for direction in [1, 3, 5, 7] {
        for steps in 1..=table.clear_steps(from, direction, MOST) {
            let turn = from.ahead(direction, steps);
            for beside in [direction - 1, (direction + 1) % 8] {
                bounds.add(turn.ahead(beside, table.clear_steps(turn, beside, MOST)));
            }
        }
    }
    bounds
}

/// The jump points along the curve.
pub(super) fn points(grid: &Grid, table: &JumpTable<'_>) -> Vec<PackedCell> {
    let mut points = vec![PackedCell::default(); table.jump_points()];
    for cell in grid.free_states().map(|state| PackedCell::of(grid, state)) {
        if table.is_jump_point(cell) {
            points[table.jump_point(cell) as usize] = cell;
        }
    }
    points
}

/// The links of the jump points: for each the numbers of others.
fn links(table: &FlatTable, points: &[PackedCell]) -> Csr<u32> {
    // What steps cost decides nothing here.
    let costs = LegCosts::COARSE;
    let room = || FirstJumpPoints::new(table, costs);
    let lists: Vec<Vec<Leg>> = parallel::map_list_with(points, room, |jump_points, &cell| {
        let mut list = Vec::new();
        jump_points.append(cell, &mut list);
        list
    });
    lists.iter().map(|list| list.iter().map(|leg| leg.point)).collect()
}

/// Whether a map is small enough.
pub(super) fn fits(grid: &Grid) -> bool {
    grid.width().max(grid.height()) + 2 <= MOST_COLUMNS && grid.states() <= MOST_CELLS
}

/// The two arrays of the section.
pub(super) fn table(grid: &Grid) -> Result<(Vec<Square>, Vec<Entry>), BuildError> {
    if !fits(grid) {
        return Err(BuildError::TooLarge { most_columns: MOST_COLUMNS - 2, most_cells: MOST_CELLS });
    }
    let mut corners = vec![0_u8; grid.id_bound()];
    for state in grid.free_states() {
        corners[state.index()] = grid.corner(state).arrivals;
    }
    let squares = squares(grid, |state| corners[state.index()] != 0);
    let mut entries = vec![Entry::default(); grid.states() as usize];
    let numbering = JumpTable::of(grid, &squares, &[]);
    let sweep = Sweep { grid, corners: &corners, numbering };
    let mut straight = vec![[0; 2]; grid.id_bound()];
    for row in 0..grid.height() {
        sweep.along_row(row, &mut straight);
    }
    sweep.rows((0..grid.height()).collect(), [0, 1, 7], &straight, &mut entries);
    sweep.rows((0..grid.height()).rev().collect(), [4, 3, 5], &straight, &mut entries);
    Ok((squares, entries))
}

/// Exact distances: above 0 to a jump point, else minus the free steps to the wall.
type Distance = i32;

struct Sweep<'a> {
    grid: &'a Grid,
    /// For which arrivals a cell is a jump point.
    corners: &'a [u8],
    numbering: JumpTable<'a>,
}

impl Sweep<'_> {
    /// West (0) and east (1) of every cell of a row.
    fn along_row(&self, row: u32, straight: &mut [[Distance; 2]]) {
        let first = PackedCell::new(1, row + 1).state(self.grid.stride()).index();
        let last = first + self.grid.width() as usize;
        for index in first..last {
            straight[index][0] = self.next(index, index - 1, 3, straight[index - 1][0]);
        }
        for index in (first..last).rev() {
            straight[index][1] = self.next(index, index + 1, 1, straight[index + 1][1]);
        }
    }

    /// The value of a cell from that of its neighbour in a straight direction.
    fn next(&self, index: usize, neighbour: usize, arrival: u32, beyond: Distance) -> Distance {
        let is_free = |index: usize| self.grid.is_free(StateId::new(index as u32));
        if !is_free(index) || !is_free(neighbour) {
            0
        } else if self.corners[neighbour] >> arrival & 1 == 1 {
            1
        } else {
            one_more(beyond)
        }
    }

    /// The straight direction across the rows and the two diagonals beside it, in an order of rows that has neighbours
    /// first. Also writes west and east, whose values are there already, into the entries.
    fn rows(
        &self,
        order: Vec<u32>,
        directions: [usize; 3],
        straight: &[[Distance; 2]],
        entries: &mut [Entry],
    ) {
        let (grid, width) = (self.grid, self.grid.width() as usize);
        // Columns of the padded rectangle; [straight across, diagonal to the east, diagonal to the west].
        let mut before = vec![[0; 3]; width + 2];
        let mut here = before.clone();
        for row in order {
            for column in 1..=width {
                let cell = PackedCell::new(column as u32, row + 1);
                let state = cell.state(grid.stride());
                here[column] = [0; 3];
                if !grid.is_free(state) {
                    continue;
                }
                let neighbour = |direction: usize| cell.ahead(direction, 1).state(grid.stride());
                let across = neighbour(directions[0]).index();
                here[column][0] =
                    self.next(state.index(), across, directions[0] as u32 / 2, before[column][0]);
                let (west, east) = (state.index() - 1, state.index() + 1);
                for (slot, beside, ahead, side) in [(1, east, column + 1, 1), (2, west, column - 1, 0)] {
                    let diagonal = neighbour(directions[slot]);
                    let may_step = [across, beside, diagonal.index()]
                        .into_iter()
                        .all(|index| grid.is_free(StateId::new(index as u32)));
                    // From the diagonal neighbour: straight across, or straight on to this side.
                    let leads_on = before[ahead][0] > 0 || straight[diagonal.index()][side] > 0;
                    here[column][slot] = match (may_step, leads_on) {
                        (false, _) => 0,
                        (true, true) => 1,
                        (true, false) => one_more(before[ahead][slot]),
                    };
                }
                let entry = &mut entries[self.numbering.number(cell) as usize];
                for (slot, direction) in directions.into_iter().enumerate() {
                    entry[direction] = in_a_byte(here[column][slot]);
                }
                entry[6] = in_a_byte(straight[state.index()][0]);
                entry[2] = in_a_byte(straight[state.index()][1]);
            }
            std::mem::swap(&mut before, &mut here);
        }
    }
}

fn one_more(distance: Distance) -> Distance {
    if distance > 0 { distance + 1 } else { distance - 1 }
}

fn in_a_byte(distance: Distance) -> i8 {
    i8::try_from(distance).ok().filter(|&value| value > READ_ON).unwrap_or(READ_ON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;
    use crate::space::Rule;

    /// Steps one by one from a cell until a jump point or a wall.
    fn walk(grid: &Grid, from: PackedCell, direction: usize) -> Distance {
        let state = |cell: PackedCell| cell.state(grid.stride());
        let is_free = |cell: PackedCell| grid.is_free(state(cell));
        let mut at = from;
        for steps in 1.. {
            let next = at.ahead(direction, 1);
            let is_diagonal = direction % 2 == 1;
            let beside = [direction.wrapping_sub(1) & 7, (direction + 1) & 7];
            if !is_free(next) || is_diagonal && !beside.into_iter().all(|side| is_free(at.ahead(side, 1))) {
                return 1 - steps;
            }
            at = next;
            let is_jump_point = if is_diagonal {
                beside.into_iter().any(|side| walk(grid, at, side) > 0)
            } else {
                grid.corner(state(at)).arrivals >> (direction / 2) & 1 == 1
            };
            if is_jump_point {
                return steps;
            }
        }
        unreachable!()
    }

    #[test]
    fn the_table_says_what_walking_step_by_step_finds() {
        let mut rng = Rng::new(51);
        for round in 0..300 {
            let side = if round % 50 == 0 { 300 } else { 24 };
            let (width, height, blocked) = (1 + rng.below(side), 1 + rng.below(side.min(60)), rng.below(40));
            let thin = if side == 300 { 1000 } else { 100 };
            let grid = Grid::new(width, height, Rule::Octile, |_, _| rng.below(thin) >= blocked).unwrap();
            let (squares, entries) = table(&grid).unwrap();
            let table = JumpTable::of(&grid, &squares, &entries);
            let mut numbers = vec![false; grid.states() as usize];
            for state in grid.free_states() {
                let cell = PackedCell::of(&grid, state);
                assert!(!std::mem::replace(&mut numbers[table.number(cell) as usize], true));
                assert_eq!(table.is_jump_point(cell), grid.corner(state).arrivals != 0);
                for direction in 0..8 {
                    let expected = walk(&grid, cell, direction);
                    let entry = table.entry(cell);
                    assert_eq!(table.jump(entry, cell, direction), expected.max(0), "{cell:?} {direction}");
                    let free = table.clear_steps(cell, direction, 1000);
                    assert!(
                        table.is_clear(cell, direction, free) && !table.is_clear(cell, direction, free + 1)
                    );
                    assert!(free >= expected.abs());
                }
            }
        }
    }
}
