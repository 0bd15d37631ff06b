//! An agent in unknown terrain that sees by a sensor of one's own: here four cells in each of the four straight
//! directions, up to the first wall.

use milepost::agent::{LookCursor, Sighting};
use milepost::space::{Direction, GridGeometry, PriorMap};
use milepost::{Budget, Grid, Rule, Scratch, Sensor, SpaceKind, StateId, Step, catalog};

/// Shows what lies ahead along rows and columns.
struct Beams<'a> {
    truth: &'a Grid,
}

/// The cells that a look tells of: the one where the agent stands, its neighbours, and three more in each straight direction.
const CELLS: u32 = 1 + 8 + 4 * 3;

impl Beams<'_> {
    /// The cell of this number, if it is seen. Agents count on their neighbours being told first.
    fn cell(&self, at: StateId, number: u64) -> Option<StateId> {
        let geometry = GridGeometry::of(self.truth);
        let (direction, steps) = match number as usize {
            0 => return Some(at).filter(|at| geometry.contains(*at)),
            number @ 1..=8 => (Direction::ALL[number - 1], 1),
            // Straight directions are every other one.
            number => (Direction::ALL[(number - 9) / 3 * 2], 2 + (number - 9) % 3),
        };
        let mut cell = at;
        for step in 0..steps {
            if step > 0 && !self.truth.is_free(cell) {
                return None;
            }
            cell = geometry.neighbour(cell, direction);
        }
        Some(cell).filter(|cell| geometry.contains(*cell))
    }
}

impl Sensor for Beams<'_> {
    fn prior(&self) -> PriorMap<'_> {
        // Size and rule are known from the beginning; walls are not.
        PriorMap::Grid(GridGeometry::of(self.truth))
    }

    fn most_seen(&self) -> u32 {
        CELLS - 1
    }

    fn look(&self, at: StateId, cursor: &mut LookCursor, tell: &mut dyn FnMut(Sighting<'_>) -> bool) {
        for number in cursor.place..CELLS.into() {
            cursor.place = number + 1;
            let Some(cell) = self.cell(at, number) else { continue };
            if !tell(Sighting::new(cell, self.truth.is_free(cell))) {
                return;
            }
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = Grid::from_ascii(
        "..........
         .@@@@@@@@.
         .@......@.
         .@.@@@@.@.
         .@....@.@.
         .@@@@.@.@.
         ......@...",
        Rule::Octile,
    )?;
    let sensor = Beams { truth: &truth };
    let free: Vec<_> = truth.free_states().collect();
    let mut agent = catalog::agent("block-dstar:64")?.start(&sensor, free[0], free[20]);
    let (mut scratch, mut moves) = (Scratch::new(), 0);
    let end = loop {
        match agent.step(&sensor, &mut scratch, &mut Budget::unlimited()) {
            Step::Move(_) => moves += 1,
            Step::Thinking => {}
            end => break end,
        }
    };
    println!("{end:?} after {moves} moves, {} states seen or remembered", agent.remembered());
    assert_eq!(end, Step::Arrived);
    Ok(())
}
