//! The greedy move: the first that is allowed of the diagonal step towards a target, the straight step along the longer
//! side, and the straight step along the shorter side. On game maps it is right for most pairs, and takes no room.

/// How a target lies, as seen from a cell: bits 0 to 3 whether it lies to the west, east, north and south, bit 4 whether
/// there are at least as many columns between them as rows.
pub(crate) type Bearing = usize;

/// Bearings are below this. (Not all of them occur.)
pub(crate) const BEARINGS: usize = 32;

/// The bearing of a target so many columns and rows away. Signs are shifted out: comparing would take twice as many
/// instructions.
#[inline(always)]
pub(crate) fn bearing(dx: i32, dy: i32) -> Bearing {
    let is_negative = |value: i32| (value as u32 >> 31) as usize;
    let is_wide = usize::from(dx.wrapping_mul(dx) >= dy.wrapping_mul(dy));
    is_negative(dx) | is_negative(-dx) << 1 | is_negative(dy) << 2 | is_negative(-dy) << 3 | is_wide << 4
}

/// For each bearing the directions to try, in 4 bits each; 8 is none.
const TRIES: [u16; BEARINGS] = {
    const NUMBERS: [u16; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];
    // By a pair of bits: not at all, before, behind, and what does not occur.
    const OFFSETS: [usize; 4] = [1, 0, 2, 1];
    let mut tries = [0; BEARINGS];
    let mut bearing = 0;
    while bearing < BEARINGS {
        let (x, y) = (OFFSETS[bearing & 3], OFFSETS[bearing >> 2 & 3]);
        let (along_x, along_y) = (NUMBERS[3 + x], NUMBERS[y * 3 + 1]);
        let (longer, shorter) = if bearing >> 4 == 1 { (along_x, along_y) } else { (along_y, along_x) };
        tries[bearing] = NUMBERS[y * 3 + x] | longer << 4 | shorter << 8;
        bearing += 1;
    }
    tries
};

/// By the directions that are allowed, and by bearing: the greedy move.
static MOVES: [[u8; BEARINGS]; 256] = {
    let mut moves = [[8; BEARINGS]; 256];
    let mut allowed = 0;
    while allowed < 256 {
        let mut bearing = 0;
        while bearing < BEARINGS {
            // From the last to the first, which has the last word.
            let mut shift = 12;
            while shift > 0 {
                shift -= 4;
                let direction = TRIES[bearing] >> shift & 15;
                if direction < 8 && allowed >> direction & 1 == 1 {
                    moves[allowed][bearing] = direction as u8;
                }
            }
            bearing += 1;
        }
        allowed += 1;
    }
    moves
};

/// The greedy move from a cell with these allowed directions; 8 if there is none.
#[inline(always)]
pub(crate) fn greedy(allowed: u8, bearing: Bearing) -> usize {
    usize::from(MOVES[usize::from(allowed)][bearing % BEARINGS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greedy_move_is_diagonal_then_along_the_longer_side() {
        let all = u8::MAX;
        assert_eq!(greedy(all, bearing(5, -2)), 1);
        assert_eq!(greedy(all & !(1 << 1), bearing(5, -2)), 2);
        assert_eq!(greedy(all & !(1 << 1 | 1 << 2), bearing(5, -2)), 0);
        assert_eq!(greedy(all & !(1 << 1), bearing(2, -5)), 0);
        assert_eq!(greedy(all, bearing(0, 3)), 4);
        assert_eq!(greedy(0, bearing(0, 3)), 8, "the side that has no length");
        assert_eq!(greedy(all, bearing(0, 0)), 8);
    }
}
