//! A path over a small map: the cost, the turning points, every cell.

use milepost::{Atlas, Grid, Outcome, Point, Rule, Scratch};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(
        "........
         .@@@@@@.
         ......@.
         .@@@@.@.
         ........",
        Rule::Octile,
    )?;
    let atlas = Atlas::new(grid);
    let cell = |x, y| atlas.state_at(Point::new(x, y)).ok_or("outside the map");

    // One scratch for each thread; after the first queries it allocates nothing.
    let mut scratch = Scratch::new();
    match atlas.path(cell(0, 2)?, cell(7, 2)?, &mut scratch) {
        Outcome::Found { cost, .. } => println!("cost {}", atlas.space().scale().to_f64(cost)),
        other => println!("no path: {other:?}"),
    }
    for position in scratch.path().points() {
        println!("turn at {}, {}", position.x, position.y);
    }
    Ok(())
}
