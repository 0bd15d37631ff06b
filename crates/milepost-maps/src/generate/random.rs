//! Random: obstacles at random, the plainest of all benchmarks, and the hardest on tricks that want rooms or
//! symmetry.
//!
//! Exactly a quarter of the cells inside the outer wall, rounded down, is blocked; every choice of that many
//! cells is equally likely.
//!
//! # Paper
//! C. Fan, M. Muller, I. Rezucha: Development of Sampling Plans by Using Sequential (Item by Item) Selection
//! Techniques and Digital Computers, Journal of the American Statistical Association 57, 1962; D. Knuth calls
//! it Algorithm S (The Art of Computer Programming, volume 2, section 3.4.2).
//!
//! # Guarantees
//! Not all free cells are connected: some are shut in. The largest region holds nearly all of them, because
//! three free cells in four are well above the density (0.593 in four directions) at which regions fall
//! apart. Time is linear in the cells.

use super::{Canvas, FLOOR, Rng, TREES};

/// One cell in so many is blocked.
const ONE_IN: u32 = 4;

/// Draws the obstacles.
pub(super) fn draw(canvas: &mut Canvas, rng: &mut Rng) {
    let (width, height) = (canvas.width, canvas.height);
    // fits(width, height) holds, so the cells can be counted in 32 bits.
    let mut cells_left = ((width - 2) * (height - 2)) as u32;
    let mut obstacles_left = cells_left / ONE_IN;
    for row in canvas.tiles.chunks_exact_mut(width).skip(1).take(height - 2) {
        for tile in &mut row[1..width - 1] {
            let is_obstacle = rng.chance(obstacles_left, cells_left);
            *tile = if is_obstacle { TREES } else { FLOOR };
            obstacles_left -= u32::from(is_obstacle);
            cells_left -= 1;
        }
    }
}
