//! What stands on a block: buildings with different footprints, a park, or a square.

use super::{Area, Block, Canvas, District, FLOOR, GROUND, ROCK, Rng, TREES, WATER};

/// Fills a block, which is floor until now.
pub(super) fn build(canvas: &mut Canvas, block: &Block, rng: &mut Rng) {
    let area = block.area;
    let side = area.width().min(area.height());
    let is_open = match block.district {
        District::Downtown => 7,
        District::OldTown => 12,
        District::Gardens => 10,
        District::Works => 16,
    };
    if side >= 9 && rng.chance(1, is_open) {
        return if rng.chance(1, 2) { park(canvas, area, rng) } else { square(canvas, area, rng) };
    }
    match block.district {
        District::Downtown if side >= 16 && rng.chance(2, 3) => courtyard(canvas, area, rng),
        District::Downtown if side >= 8 && rng.chance(1, 3) => tower(canvas, area, rng),
        District::Downtown => lots(canvas, area, 13, 3, rng),
        District::OldTown => lots(canvas, area, 9, 2, rng),
        District::Gardens => houses(canvas, area, rng),
        District::Works => halls(canvas, area, rng),
    }
}

/// Cuts a block into lots and fills each with a building. One cut in `alley_in` leaves an alley.
fn lots(canvas: &mut Canvas, block: Area, largest: u32, alley_in: u32, rng: &mut Rng) {
    for lot in cut(block, largest, 4, alley_in, rng) {
        let mut building = lot;
        // Some stand back from the street.
        if lot.width().min(lot.height()) >= 5 {
            for side in 0..4 {
                if rng.chance(1, 5) {
                    building = building.without(side, 1 + rng.below(2));
                }
            }
        }
        canvas.fill(building, ROCK);
        if lot.width().min(lot.height()) >= 7 && rng.chance(1, 4) {
            let corner = corner_of(building, rng);
            canvas.fill(corner, FLOOR);
        }
    }
}

/// Cuts an area in two again and again, until no side is longer than `largest`; no side gets shorter than
/// `shortest`. One cut in `gap_in` leaves a gap of one cell.
fn cut(area: Area, largest: u32, shortest: u32, gap_in: u32, rng: &mut Rng) -> Vec<Area> {
    let mut pieces = Vec::new();
    let mut open = vec![area];
    while let Some(area) = open.pop() {
        let longer = area.width().max(area.height());
        if longer <= largest || longer < 2 * shortest + 1 {
            pieces.push(area);
            continue;
        }
        let is_columns = area.width() >= area.height();
        let gap = u32::from(rng.chance(1, gap_in));
        let first = shortest + rng.below(longer - gap - 2 * shortest + 1);
        open.push(area.slice(is_columns, 0, first));
        open.push(area.slice(is_columns, first + gap, longer));
    }
    pieces
}

/// A corner of a building, between a third and a half of each side.
fn corner_of(building: Area, rng: &mut Rng) -> Area {
    let columns = building.width() / 3 + rng.below(building.width() / 6 + 1);
    let rows = building.height() / 3 + rng.below(building.height() / 6 + 1);
    let corner =
        if rng.chance(1, 2) { building.slice(true, 0, columns) } else { building.end(true, columns) };
    if rng.chance(1, 2) { corner.slice(false, 0, rows) } else { corner.end(false, rows) }
}

/// Buildings around a court, with one to three passages.
fn courtyard(canvas: &mut Canvas, block: Area, rng: &mut Rng) {
    let side = block.width().min(block.height());
    let court = block.shrunk(rng.range(4..side / 3 + 1));
    canvas.fill(block, ROCK);
    let is_green = rng.chance(1, 2);
    canvas.fill(court, if is_green { GROUND } else { FLOOR });
    if is_green {
        scatter(canvas, court, 9, rng);
    } else if court.width().min(court.height()) >= 8 && rng.chance(1, 2) {
        canvas.fill(court.shrunk(3), ROCK);
    }
    for _ in 0..rng.range(1..4) {
        // A passage leads from the court through the building, and away from its corners.
        let is_columns = rng.chance(1, 2);
        let (from, to, begin, depth) = if is_columns {
            (court.left - block.left, court.right - block.left, court.top - block.top, block.height())
        } else {
            (court.top - block.top, court.bottom - block.top, court.left - block.left, block.width())
        };
        let width = rng.range(1..4);
        let at = from + rng.below(to - from - width + 1);
        let passage = block.slice(is_columns, at, at + width);
        let passage = if rng.chance(1, 2) {
            passage.slice(!is_columns, 0, begin)
        } else {
            passage.slice(!is_columns, depth - begin, depth)
        };
        canvas.fill(passage, FLOOR);
    }
}

/// A tall building in the middle of its own square, with cut corners or as a cross.
fn tower(canvas: &mut Canvas, block: Area, rng: &mut Rng) {
    let side = block.width().min(block.height());
    let tower = block.shrunk(1 + rng.below(side / 6 + 1));
    canvas.fill(tower, ROCK);
    let size = rng.below(tower.width().min(tower.height()) / 3 + 1);
    let is_slanted = rng.chance(1, 2);
    for y in 0..size {
        for x in 0..if is_slanted { size - y } else { size } {
            for x in [tower.left + x, tower.right - 1 - x] {
                canvas.set(x, tower.top + y, FLOOR);
                canvas.set(x, tower.bottom - 1 - y, FLOOR);
            }
        }
    }
}

/// Houses, each in a garden with some trees.
fn houses(canvas: &mut Canvas, block: Area, rng: &mut Rng) {
    for lot in cut(block, 12, 6, 6, rng) {
        canvas.fill(lot, GROUND);
        if lot.width() < 5 || lot.height() < 5 {
            canvas.fill(lot.shrunk(1), ROCK);
            continue;
        }
        let garden = lot.shrunk(1);
        let (columns, rows) = (house_side(garden.width(), rng), house_side(garden.height(), rng));
        let left = rng.below(garden.width() - columns + 1);
        let top = rng.below(garden.height() - rows + 1);
        let house = garden.slice(true, left, left + columns).slice(false, top, top + rows);
        canvas.fill(house, ROCK);
        if columns >= 5 && rows >= 5 && rng.chance(1, 2) {
            let corner = corner_of(house, rng);
            canvas.fill(corner, GROUND);
        }
        if rng.chance(1, 2) {
            scatter(canvas, lot, 14, rng);
        }
    }
}

/// About two thirds of a garden's side.
fn house_side(garden: u32, rng: &mut Rng) -> u32 {
    (garden / 2 + rng.below(garden / 3 + 1)).clamp(2, garden)
}

/// One or more halls with yards between them, and tanks in the yards.
fn halls(canvas: &mut Canvas, block: Area, rng: &mut Rng) {
    for yard in cut(block, 30, 8, 8, rng) {
        let side = yard.width().min(yard.height());
        if side < 8 {
            canvas.fill(yard.shrunk(1), ROCK);
            continue;
        }
        canvas.fill(yard.shrunk(1).without(rng.below(4), side / 4), ROCK);
        // Tanks stand where the hall leaves room: on floor that has floor all around.
        let is_clear = |canvas: &Canvas, area: Area| {
            (area.top..area.bottom).all(|y| (area.left..area.right).all(|x| canvas.get(x, y) == FLOOR))
        };
        for y in (yard.top..yard.bottom.saturating_sub(3)).step_by(4) {
            for x in (yard.left..yard.right.saturating_sub(3)).step_by(4) {
                let tank = Area { left: x, top: y, right: x + 4, bottom: y + 4 };
                if is_clear(canvas, tank) && rng.chance(3, 5) {
                    canvas.fill(tank.shrunk(1), ROCK);
                }
            }
        }
    }
}

/// Grass and trees, two crossing paths, perhaps a pond.
fn park(canvas: &mut Canvas, block: Area, rng: &mut Rng) {
    canvas.fill(block, GROUND);
    scatter(canvas, block, 7, rng);
    let (width, height) = (block.width(), block.height());
    let (x, y) = (width / 4 + rng.below(width / 2), height / 4 + rng.below(height / 2));
    let path = 1 + u32::from(width.min(height) >= 16);
    if width >= 14 && height >= 14 && rng.chance(2, 3) {
        pond(canvas, block.shrunk(3), rng);
    }
    canvas.fill(block.slice(true, x, x + path), FLOOR);
    canvas.fill(block.slice(false, y, y + path), FLOOR);
}

/// An ellipse of water that touches the sides of a part of the area.
fn pond(canvas: &mut Canvas, area: Area, rng: &mut Rng) {
    let (width, height) = (area.width() / 2 + rng.below(area.width() / 3), area.height() / 2);
    let left = area.left + rng.below(area.width() - width + 1);
    let top = area.top + rng.below(area.height() - height + 1);
    let (a, b) = (i64::from(width), i64::from(height));
    for y in 0..height {
        for x in 0..width {
            let (dx, dy) = (2 * i64::from(x) + 1 - a, 2 * i64::from(y) + 1 - b);
            if dx * dx * b * b + dy * dy * a * a < a * a * b * b {
                canvas.set(left + x, top + y, WATER);
            }
        }
    }
}

/// A paved square: trees along its sides, and in its middle a fountain or a monument.
fn square(canvas: &mut Canvas, block: Area, rng: &mut Rng) {
    let rim = block.shrunk(1);
    let gap = rng.range(3..5);
    for x in (rim.left..rim.right).step_by(gap as usize) {
        canvas.set(x, rim.top, TREES);
        canvas.set(x, rim.bottom - 1, TREES);
    }
    for y in (rim.top..rim.bottom).step_by(gap as usize) {
        canvas.set(rim.left, y, TREES);
        canvas.set(rim.right - 1, y, TREES);
    }
    let side = block.width().min(block.height());
    let (middle_x, middle_y) = (block.left + block.width() / 2, block.top + block.height() / 2);
    let size = 1 + rng.below(side / 8 + 1);
    let middle =
        Area { left: middle_x - size, top: middle_y - size, right: middle_x + size, bottom: middle_y + size };
    canvas.fill(middle, if rng.chance(1, 2) { WATER } else { ROCK });
}

/// Trees on one cell of ground in `one_in`.
fn scatter(canvas: &mut Canvas, area: Area, one_in: u32, rng: &mut Rng) {
    for y in area.top..area.bottom {
        for x in area.left..area.right {
            if canvas.get(x, y) == GROUND && rng.chance(1, one_in) {
                canvas.set(x, y, TREES);
            }
        }
    }
}

impl Area {
    /// Without `count` cells on one side: left, right, top or bottom.
    fn without(&self, side: u32, count: u32) -> Area {
        match side {
            0 => Area { left: (self.left + count).min(self.right), ..*self },
            1 => Area { right: (self.right - count).max(self.left), ..*self },
            2 => Area { top: (self.top + count).min(self.bottom), ..*self },
            _ => Area { bottom: (self.bottom - count).max(self.top), ..*self },
        }
    }
}
