//! Shuts what no path reaches, so that a map that was drawn freely is connected all the same.

use super::{Canvas, ROCK};
use crate::tiles::is_passable_letter;

impl Canvas {
    /// Fills every free cell that cannot be reached in four directions from the free cell `x`, `y`. The
    /// border of the map must be blocked.
    pub(super) fn fill_unreached(&mut self, x: u32, y: u32) {
        let mut is_reached = vec![false; self.tiles.len()];
        let first = y as usize * self.width + x as usize;
        debug_assert!(is_passable_letter(self.tiles[first]), "the flood begins in a free cell");
        is_reached[first] = true;
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            for next in [cell - 1, cell + 1, cell - self.width, cell + self.width] {
                if is_passable_letter(self.tiles[next]) && !is_reached[next] {
                    is_reached[next] = true;
                    open.push(next);
                }
            }
        }
        for (tile, _) in self.tiles.iter_mut().zip(is_reached).filter(|(_, is_reached)| !is_reached) {
            if is_passable_letter(*tile) {
                *tile = ROCK;
            }
        }
    }
}
