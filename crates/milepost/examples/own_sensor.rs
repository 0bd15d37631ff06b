//! An agent in unknown terrain that sees by a sensor of one's own: here four cells in each of the four straight
//! directions, up to the first wall.

use milepost::space::{Direction, GridGeometry, PriorMap};
use milepost::{Budget, Grid, Rule, Scratch, Sensor, SpaceKind, StateId, Step, catalog};

/// Shows what lies ahead along rows and columns.
struct Beams<'a> {
    truth: &'a Grid,
}

impl Sensor for Beams<'_> {
    fn prior(&self) -> PriorMap<'_> {
        // Size and rule are known from the beginning; walls are not.
        PriorMap::Grid(GridGeometry::of(self.truth))
    }

    fn look(&self, at: StateId, tell: &mut dyn FnMut(StateId, bool) -> bool) {
        let geometry = GridGeometry::of(self.truth);
        if !geometry.contains(at) || !tell(at, self.truth.is_free(at)) {
            return;
        }
        // Agents count on their neighbours being told first.
        let neighbours = Direction::ALL.map(|direction| geometry.neighbour(at, direction));
        for cell in neighbours.into_iter().filter(|cell| geometry.contains(*cell)) {
            if !tell(cell, self.truth.is_free(cell)) {
                return;
            }
        }
        for direction in Direction::ALL.into_iter().filter(|direction| !direction.is_diagonal()) {
            let mut cell = at;
            for _ in 0..4 {
                cell = geometry.neighbour(cell, direction);
                if !geometry.contains(cell) || !tell(cell, self.truth.is_free(cell)) {
                    break;
                }
                if !self.truth.is_free(cell) {
                    break;
                }
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
