//! The turn rule: in which directions a path may leave a corner without being strictly shortcut.
//!
//! W(c, g) for a path that arrives at c by g: g, g + 1, g - 1, and, if g is straight, g + 2 where g + 3 is in kind(c), g - 2
//! where g - 3 is. **L1**: a path that leaves otherwise has a strictly shorter way around c, so no shortest path turns so.
//! Edges, shortcuts and label entries carry sets of first directions; a turn is *forbidden* if some incoming direction
//! does not allow some outgoing one. **L8**: since each direction of a set begins a legal way of the right length, a
//! forbidden turn lies on no shortest path.

use crate::index::corner_labels::{Broken, Listed, ProofRule};
use crate::space::{CornerKind, Direction};

/// Directions, a bit each.
pub(super) type Directions = u8;

/// W: the directions by which a path that arrived by `arrival` may leave.
pub(super) fn allowed(kind: CornerKind, arrival: Direction, broken: Broken) -> Directions {
    let turn = |eighths: usize| 1 << arrival.clockwise(eighths).number();
    let mut allowed = turn(0) | turn(1) | turn(7);
    if !arrival.is_diagonal() {
        if broken.breaks(ProofRule::Turns) {
            // As jump point search prunes: a diagonal only where it is forced.
            let forced = |eighths: usize, by: usize| {
                if kind.contains(arrival.clockwise(by)) { turn(eighths) } else { 0 }
            };
            allowed = turn(0) | forced(1, 3) | forced(7, 5);
        }
        if kind.contains(arrival.clockwise(3)) {
            allowed |= turn(2);
        }
        if kind.contains(arrival.clockwise(5)) {
            allowed |= turn(6);
        }
    }
    allowed
}

/// By kind of corner and by the directions that lead back to where a path comes from: the directions that it cannot go on
/// by.
pub(super) struct Turns(Vec<[Directions; 256]>);

impl Turns {
    pub(super) fn new(broken: Broken) -> Turns {
        let forbidden = |kind: CornerKind, back: usize| {
            let incoming = Direction::ALL.into_iter().filter(|direction| back >> direction.number() & 1 == 1);
            incoming.fold(0, |all, direction| all | !allowed(kind, direction.opposite(), broken))
        };
        let kinds = (0..CornerKind::COUNT).map(CornerKind::from_number);
        Turns(kinds.map(|kind| std::array::from_fn(|back| forbidden(kind, back))).collect())
    }

    #[inline(always)]
    pub(super) fn forbidden(&self, kind: CornerKind, back: Directions) -> Directions {
        self.0[kind.number()][usize::from(back)]
    }
}

/// The first direction of a leg between two cells, diagonal steps first or, if the other end is the one that sees, last.
pub(super) fn leaving(from: (u32, u32), to: (u32, u32), is_seen: bool) -> Direction {
    let (dx, dy) = (i64::from(to.0) - i64::from(from.0), i64::from(to.1) - i64::from(from.1));
    let (wide, high) = (dx.abs(), dy.abs());
    let columns = if is_seen && wide < high { 0 } else { dx.signum() };
    let rows = if is_seen && high < wide { 0 } else { dy.signum() };
    Direction::towards(columns, rows).unwrap_or(Direction::North)
}

/// The group of a first direction: clockwise from the first blocked diagonal, 0 to 7.
pub(super) fn group(kind: CornerKind, direction: Direction) -> usize {
    let first = (0..4).find(|place| kind.contains(Direction::from_number(2 * place + 1))).unwrap_or(0);
    (direction.number() + 14 - 2 * first) & 7
}

/// The first group that both halves of a label share, and the one behind it. (Group 7 is the blocked diagonal itself.)
pub(super) const SHARED: usize = 3;

/// Which half of a label a path can go on with: 0 has groups up to [`SHARED`], 1 those from there on; both where neither
/// holds all of W.
pub(super) fn side(kind: CornerKind, arrival: Direction, broken: Broken) -> u32 {
    let allowed = allowed(kind, arrival, broken);
    let groups = || {
        let directions =
            Direction::ALL.into_iter().filter(|direction| allowed >> direction.number() & 1 == 1);
        directions.map(|direction| group(kind, direction)).filter(|&group| group != 7)
    };
    if groups().all(|group| group <= SHARED) {
        0
    } else if groups().all(|group| group >= SHARED) {
        1
    } else {
        Listed::ALL
    }
}
