//! Between letters and free cells.

use super::TileMap;
use super::tiles::is_passable_letter;
use milepost::{Grid, GridError, Rule};

impl TileMap {
    /// The grid of this map's passable cells.
    pub fn grid(&self, rule: Rule) -> Result<Grid, GridError> {
        Grid::from_rows(self.width(), self.height(), rule, |y, row| {
            for (block, letters) in self.row(y).chunks(64).enumerate() {
                let free = letters
                    .iter()
                    .enumerate()
                    .fold(0, |word, (index, &letter)| word | u64::from(is_passable_letter(letter)) << index);
                row.free_word(block as u32 * 64, free);
            }
        })
    }
}
