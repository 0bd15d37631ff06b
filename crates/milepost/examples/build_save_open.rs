//! Offline: an index is built and saved beside the map. Online: the file is opened, and paths are looked up.

use milepost::{Atlas, Indexes, Outcome, Rule, Scratch};
use milepost_maps::{Kind, generate};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("milepost-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("level.milepost");

    let map = generate(Kind::Rooms, 80, 60, 1)?;
    let grid = map.grid(Rule::Octile)?;
    Atlas::build(&grid, Indexes::standard())?.save(&file)?;

    let atlas = Atlas::open(&file)?;
    let free: Vec<_> = atlas.space().free_states().collect();
    let mut scratch = Scratch::new();
    let outcome = atlas.path(free[0], free[free.len() - 1], &mut scratch);
    println!("{outcome:?}, by {}", atlas.fastest().name);
    assert!(matches!(outcome, Outcome::Found { .. }));

    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
