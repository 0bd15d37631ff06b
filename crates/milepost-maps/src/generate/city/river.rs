//! Rivers: they wander from one side of the city to the other, between banks of ground. Streets that cross
//! them on bridges stay as they are.

use super::{BRIDGE, Canvas, GROUND, Rng, WATER};

/// Cells of ground on each side.
const BANK: i64 = 3;
/// Positions and widths are counted in these parts of a cell.
const PARTS: i64 = 16;
/// A city so many cells wide has one river, one twice as wide has two, and so on.
const CELLS_PER_RIVER: usize = 900;

/// Draws all rivers, from top to bottom or from left to right.
pub(super) fn draw(canvas: &mut Canvas, flows_down: bool, rng: &mut Rng) {
    let (length, breadth) =
        if flows_down { (canvas.height, canvas.width) } else { (canvas.width, canvas.height) };
    let count = 1 + breadth / CELLS_PER_RIVER;
    for river in 0..count {
        // Each has a strip of the city to itself.
        let strip = (breadth - 2) / count;
        wander(canvas, flows_down, length, (1 + river * strip, 1 + (river + 1) * strip), rng);
    }
}

/// Draws one river inside a strip.
fn wander(canvas: &mut Canvas, flows_down: bool, length: usize, strip: (usize, usize), rng: &mut Rng) {
    let (from, to) = (strip.0 as i64 * PARTS, strip.1 as i64 * PARTS);
    let margin = (to - from) / 5;
    let third = (to - from) / 3;
    let mut middle = from + third + i64::from(rng.below(third as u32 + 1));
    let mut width = i64::from(rng.range(6..11)) * PARTS;
    // Parts of a cell that the river moves aside on each cell of its way, and where that tends to.
    let (mut drift, mut tendency) = (0i64, 0i64);
    for at in 1..length - 1 {
        if rng.chance(1, 24) {
            tendency = i64::from(rng.below(25)) - 12;
        }
        if middle < from + margin {
            tendency = 8;
        } else if middle > to - margin {
            tendency = -8;
        }
        drift += (tendency - drift).signum();
        middle += drift;
        width = (width + i64::from(rng.below(3)) - 1).clamp(5 * PARTS, 11 * PARTS);
        let (first, last) = ((middle - width / 2) / PARTS, (middle + width / 2) / PARTS);
        for side in (first - BANK).max(1)..=(last + BANK).min(strip.1 as i64 - 1) {
            let cell = if flows_down {
                at * canvas.width + side as usize
            } else {
                side as usize * canvas.width + at
            };
            let tile = &mut canvas.tiles[cell];
            let is_water = (first..=last).contains(&side);
            match *tile {
                BRIDGE => {}
                _ if is_water => *tile = WATER,
                _ => *tile = GROUND,
            }
        }
    }
}
