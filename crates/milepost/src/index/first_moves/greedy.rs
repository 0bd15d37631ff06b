//! The greedy move: the first that is allowed of the diagonal step towards a target, the straight step along the longer
//! side, and the straight step along the shorter side. On game maps it is right for most pairs, and takes no room.

/// How a target lies, as seen from a cell: the signs of columns and rows, and which of the two is larger.
pub(crate) type Bearing = usize;

/// How many bearings there are.
pub(crate) const BEARINGS: usize = 18;

/// The bearing of a target so many columns and rows away.
#[inline(always)]
pub(crate) fn bearing(dx: i32, dy: i32) -> Bearing {
    let sign = |value: i32| (usize::from(value > 0) + 1) - usize::from(value < 0);
    (sign(dy) * 3 + sign(dx)) * 2 + usize::from(dx.abs() >= dy.abs())
}

/// For each bearing the directions to try, in 4 bits each; 8 is none.
const TRIES: [u16; BEARINGS] = {
    const NUMBERS: [u16; 9] = [7, 0, 1, 6, 8, 2, 5, 4, 3];
    let mut tries = [0; BEARINGS];
    let mut bearing = 0;
    while bearing < BEARINGS {
        let (x, y) = (bearing / 2 % 3, bearing / 6);
        let (along_x, along_y) = (NUMBERS[3 + x], NUMBERS[y * 3 + 1]);
        let (longer, shorter) = if bearing % 2 == 1 { (along_x, along_y) } else { (along_y, along_x) };
        tries[bearing] = NUMBERS[y * 3 + x] | longer << 4 | shorter << 8;
        bearing += 1;
    }
    tries
};

/// The greedy move from a cell with these allowed directions. One that is not allowed, or 8, if there is none.
#[inline(always)]
pub(crate) fn greedy(allowed: u8, bearing: Bearing) -> usize {
    let (tries, allowed) = (u32::from(TRIES[bearing % BEARINGS]), u32::from(allowed));
    let (diagonal, longer, shorter) = (tries & 15, tries >> 4 & 15, tries >> 8);
    let straight = if allowed >> longer & 1 == 1 { longer } else { shorter };
    (if allowed >> diagonal & 1 == 1 { diagonal } else { straight }) as usize
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
