//! A door closes while an agent walks: the edited map is a new version, the agent goes on from what still holds, and a path
//! that was found before knows that it is stale.

use milepost::{Atlas, Budget, Edit, Grid, Point, Rule, Scratch, Step};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(
        ".....@.....
         .....@.....
         ...........
         .....@.....
         ...........",
        Rule::Octile,
    )?;
    let mut atlas = Atlas::new(grid);
    let cell = |atlas: &Atlas, x, y| atlas.state_at(Point::new(x, y)).ok_or("outside the map");
    let (from, to) = (cell(&atlas, 0, 2)?, cell(&atlas, 10, 2)?);

    let mut scratch = Scratch::new();
    atlas.path(from, to, &mut scratch);
    let path = scratch.path().to_owned();

    let mut agent = atlas.agent("lss-lrta", from, to)?;
    let mut moves = 0;
    let end = loop {
        match agent.step(&atlas, &mut scratch, &mut Budget::unlimited()) {
            Step::Move(_) => moves += 1,
            Step::Thinking => {}
            end => break end,
        }
        if moves == 2 {
            // The door in the middle closes. The older version is left as it is.
            atlas = atlas.edited(&[Edit::close(Point::new(5, 2))])?;
        }
    };
    println!("{end:?} after {moves} moves; the path is stale: {}", atlas.space().is_stale(&path));
    assert!(end == Step::Arrived && atlas.space().is_stale(&path));
    Ok(())
}
