//! Cover: what soldiers hide behind, strewn over the ground between the lanes.

use super::{Area, FLOOR, Field, GROUND, ROCK, Rng, TREES, WATER};

/// Walkable, but slow where weights say so.
const MARSH: u8 = b'S';

/// Strews cover over one half of the field; its twin covers the other half.
pub(super) fn strew(field: &mut Field<'_>, rng: &mut Rng) {
    // Large pieces first, then small ones into the gaps.
    for (scale, stride) in [(field.scale, 6 * field.scale), (field.scale.div_ceil(2), 4 * field.scale)] {
        for v in (1..field.breadth / 2).step_by(stride as usize) {
            for u in (1..field.length - 1).step_by(stride as usize) {
                let piece = choose(scale, rng);
                let (u, v) = (u + rng.below(stride), v + rng.below(stride));
                if has_room(field, &piece, u, v) {
                    for part in &piece.parts {
                        field.fill(part.area.moved(u, v), part.letter);
                    }
                }
            }
        }
    }
}

/// Whether there is only ground under a piece and two cells around it.
fn has_room(field: &Field<'_>, piece: &Piece, u: u32, v: u32) -> bool {
    const MARGIN: u32 = 2;
    let (right, bottom) = (u + piece.length + MARGIN, v + piece.breadth + MARGIN);
    u > MARGIN
        && v > MARGIN
        && right < field.length
        && bottom < field.breadth
        && (v - MARGIN..bottom).all(|v| (u - MARGIN..right).all(|u| field.get(u, v) == GROUND))
}

/// Something to hide behind: rectangles inside `length` x `breadth`.
struct Piece {
    length: u32,
    breadth: u32,
    parts: Vec<Part>,
}

struct Part {
    area: Area,
    letter: u8,
}

impl Piece {
    fn new(length: u32, breadth: u32) -> Self {
        Piece { length, breadth, parts: Vec::new() }
    }

    /// Adds the rectangle `left`, `top`, `right`, `bottom`.
    fn with(mut self, [left, top, right, bottom]: [u32; 4], letter: u8) -> Self {
        self.parts.push(Part { area: Area { left, top, right, bottom }, letter });
        self
    }

    /// Turned and mirrored at random.
    fn turned(mut self, rng: &mut Rng) -> Self {
        let (is_mirrored, is_flipped, is_turned) = (rng.chance(1, 2), rng.chance(1, 2), rng.chance(1, 2));
        for Part { area, .. } in &mut self.parts {
            if is_mirrored {
                (area.left, area.right) = (self.length - area.right, self.length - area.left);
            }
            if is_flipped {
                (area.top, area.bottom) = (self.breadth - area.bottom, self.breadth - area.top);
            }
            if is_turned {
                *area = area.turned();
            }
        }
        if is_turned {
            (self.length, self.breadth) = (self.breadth, self.length);
        }
        self
    }
}

/// A piece of cover at random. `s` is the thickness of a wall.
fn choose(s: u32, rng: &mut Rng) -> Piece {
    let piece = match rng.below(16) {
        0..4 => {
            // Pillars, two or four.
            let (gap, size) = (rng.range(2..4) * s, rng.range(1..3) * s);
            let end = 2 * size + gap;
            let pair = Piece::new(end, end).with([0, 0, size, size], ROCK);
            let pair = pair.with([size + gap, size + gap, end, end], ROCK);
            if rng.chance(1, 2) {
                pair
            } else {
                pair.with([size + gap, 0, end, size], ROCK).with([0, size + gap, size, end], ROCK)
            }
        }
        4..7 => {
            let length = rng.range(4..11) * s;
            Piece::new(length, s).with([0, 0, length, s], ROCK)
        }
        7..9 => {
            // A corner.
            let (length, breadth) = (rng.range(4..9) * s, rng.range(3..7) * s);
            let corner = Piece::new(length, breadth).with([0, 0, length, s], ROCK);
            corner.with([0, 0, s, breadth], ROCK)
        }
        9..11 => {
            // A bunker, open on one side.
            let (length, breadth) = (rng.range(5..8) * s, rng.range(4..6) * s);
            let walls = Piece::new(length, breadth).with([0, 0, length, breadth], ROCK);
            walls.with([s, s, length - s, breadth], FLOOR)
        }
        11..13 => {
            // A trench, with a bridge unless it is short.
            let (length, breadth) = (rng.range(6..16) * s, 2 * s);
            let trench = Piece::new(length, breadth).with([0, 0, length, breadth], WATER);
            if length < 8 * s {
                trench
            } else {
                let at = length / 3 + rng.below(length / 3);
                trench.with([at, 0, at + 1 + s / 2, breadth], FLOOR)
            }
        }
        13..15 => round(rng.range(3..6) * s, TREES),
        _ => round(rng.range(5..10) * s, MARSH),
    };
    piece.turned(rng)
}

/// A disc as wide as `side`.
fn round(side: u32, letter: u8) -> Piece {
    let mut piece = Piece::new(side, side);
    for v in 0..side {
        let inside = |u: &u32| {
            let (du, dv) = (2 * i64::from(*u) + 1 - i64::from(side), 2 * i64::from(v) + 1 - i64::from(side));
            du * du + dv * dv <= i64::from(side * side)
        };
        if let Some(left) = (0..side).find(inside) {
            piece = piece.with([left, v, side - left, v + 1], letter);
        }
    }
    piece
}

impl Area {
    /// The same rectangle, further right and further down.
    fn moved(&self, right: u32, down: u32) -> Area {
        Area {
            left: self.left + right,
            top: self.top + down,
            right: self.right + right,
            bottom: self.bottom + down,
        }
    }
}
