//! Rooms: a building, cut into districts, corridors and rooms, with a door wherever the plan needs one.
//!
//! 1. The floor is cut in two again and again (binary space partition), by a wall or by a corridor between
//!    two walls, until the pieces are rooms. Each district has its own grain: halls here, closets there.
//! 2. Pieces that share a wall are neighbours. A random spanning tree of the neighbours gets doors, so that
//!    everything is connected, and some further neighbours get doors, so that there are ways around.
//! 3. Some rooms with a single door vanish into the rock; corners are cut, pillars and pools are set.
//!
//! # Guarantees
//! All free cells are connected. Time is linear in the cells plus n log n in the rooms.

use super::{Area, Canvas, FLOOR, Forest, ROCK, Rng, TREES, WATER};

/// The smallest side of a room.
const MIN_SIDE: u32 = 3;
/// The largest side of a district.
const DISTRICT: u32 = 96;

/// Draws the building.
pub(super) fn draw(canvas: &mut Canvas, rng: &mut Rng) {
    let floor = Area { left: 1, top: 1, right: canvas.width as u32 - 1, bottom: canvas.height as u32 - 1 };
    let pieces = partition(floor, rng);
    let doors = choose_doors(&pieces, rng);

    let mut count = vec![0u32; pieces.len()];
    doors.iter().for_each(|door| door.between.iter().for_each(|&piece| count[piece] += 1));
    // The doors connect at least three pieces. Without those that have one door the rest is still connected,
    // and there is a rest: only two pieces could both have no other door than the one between them.
    let may_vanish = |piece: usize| pieces.len() > 2 && !pieces[piece].is_corridor && count[piece] == 1;
    let is_rock: Vec<bool> = (0..pieces.len()).map(|piece| may_vanish(piece) && rng.chance(1, 3)).collect();

    for (piece, _) in pieces.iter().zip(&is_rock).filter(|(_, is_rock)| !**is_rock) {
        canvas.fill(piece.area, FLOOR);
        if !piece.is_corridor {
            furnish(canvas, piece.area, rng);
        }
    }
    for door in doors.iter().filter(|door| door.between.iter().all(|&piece| !is_rock[piece])) {
        canvas.fill(door.opening, FLOOR);
        door.between.iter().for_each(|&piece| clear_doorway(canvas, door.opening, pieces[piece].area));
    }
}

/// A room or corridor, without its walls.
#[derive(Debug, Clone, Copy)]
struct Piece {
    area: Area,
    is_corridor: bool,
}

/// Cuts the floor into rooms and corridors with walls of one cell between them.
fn partition(floor: Area, rng: &mut Rng) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // Each with its grain, once it belongs to a district: the side above which a room is cut.
    let mut open: Vec<(Area, Option<u32>)> = vec![(floor, None)];
    while let Some((area, grain)) = open.pop() {
        let (width, height) = (area.width(), area.height());
        let grain = grain.or_else(|| (width.max(height) <= DISTRICT).then(|| choose_grain(rng)));
        let limit = grain.unwrap_or(DISTRICT);
        // Across the longer side; either way where they are nearly the same.
        let cuts_columns = if width * 4 > height * 5 {
            true
        } else if height * 4 > width * 5 {
            false
        } else {
            rng.chance(1, 2)
        };
        let side = if cuts_columns { width } else { height };
        if side <= limit || side < 2 * MIN_SIDE + 1 {
            pieces.push(Piece { area, is_corridor: false });
            continue;
        }
        let corridor = corridor_width(side, grain, rng);
        // The cut takes one wall, or a corridor between two walls.
        let taken = if corridor == 0 { 1 } else { corridor + 2 };
        let free = side - taken - 2 * MIN_SIDE;
        // The mean of two throws prefers the middle.
        let first = MIN_SIDE + (rng.below(free + 1) + rng.below(free + 1)) / 2;
        if corridor > 0 {
            let hall = area.slice(cuts_columns, first + 1, first + 1 + corridor);
            pieces.push(Piece { area: hall, is_corridor: true });
        }
        open.push((area.slice(cuts_columns, 0, first), grain));
        open.push((area.slice(cuts_columns, first + taken, side), grain));
    }
    pieces
}

/// The largest side of the rooms of a district.
fn choose_grain(rng: &mut Rng) -> u32 {
    match rng.below(10) {
        0..3 => rng.range(6..10),
        3..7 => rng.range(10..17),
        7..9 => rng.range(17..27),
        _ => rng.range(27..45),
    }
}

/// How wide a corridor the cut leaves; 0 for a bare wall.
fn corridor_width(side: u32, grain: Option<u32>, rng: &mut Rng) -> u32 {
    match grain {
        None if rng.chance(5, 6) => rng.range(3..6),
        Some(grain) if side >= 2 * grain + 8 && rng.chance(2, 3) => rng.range(2..4),
        Some(grain) if side >= grain + 8 && rng.chance(1, 5) => rng.range(1..3),
        _ => 0,
    }
}

/// A wall that two pieces share, or the part of it that is a door.
struct Door {
    between: [usize; 2],
    /// One cell thick.
    opening: Area,
}

/// Which neighbours get a door, and where.
fn choose_doors(pieces: &[Piece], rng: &mut Rng) -> Vec<Door> {
    let mut walls = neighbours(pieces);
    rng.shuffle(&mut walls);
    // Corridors join corridors, rooms open to corridors, and only then to each other; narrow contacts come
    // last.
    let corridors = |wall: &Door| wall.between.iter().filter(|&&piece| pieces[piece].is_corridor).count();
    walls.sort_by_key(|wall| (wall.opening.width().max(wall.opening.height()) < 3, 2 - corridors(wall)));

    let mut forest = Forest::new(pieces.len());
    let mut doors = Vec::new();
    for wall in walls {
        let is_needed = forest.join(wall.between[0], wall.between[1]);
        let is_wanted = match corridors(&wall) {
            2 => true,
            1 => rng.chance(1, 3),
            _ => rng.chance(1, 7),
        };
        if is_needed || is_wanted {
            let opening = place_door(wall.opening, corridors(&wall) == 2, rng);
            doors.push(Door { opening, ..wall });
        }
    }
    doors
}

/// Finds the pieces on both sides of each wall.
fn neighbours(pieces: &[Piece]) -> Vec<Door> {
    let areas: Vec<Area> = pieces.iter().map(|piece| piece.area).collect();
    let turned: Vec<Area> = areas.iter().map(Area::turned).collect();
    let below = side_by_side(&turned).into_iter().map(|wall| Door { opening: wall.opening.turned(), ..wall });
    let mut walls = side_by_side(&areas);
    walls.extend(below);
    walls
}

/// Finds the pieces with one column of wall between them.
fn side_by_side(areas: &[Area]) -> Vec<Door> {
    // Pieces with the same left side do not overlap, so they are sorted by their bottoms, too.
    let mut by_left: Vec<usize> = (0..areas.len()).collect();
    by_left.sort_unstable_by_key(|&piece| (areas[piece].left, areas[piece].top));
    let mut walls = Vec::new();
    for (piece, area) in areas.iter().enumerate() {
        let left = area.right + 1;
        let first =
            by_left.partition_point(|&other| (areas[other].left, areas[other].bottom) <= (left, area.top));
        for &other in &by_left[first..] {
            if areas[other].left != left || areas[other].top >= area.bottom {
                break;
            }
            let (top, bottom) = (area.top.max(areas[other].top), area.bottom.min(areas[other].bottom));
            let opening = Area { left: area.right, right: left, top, bottom };
            walls.push(Door { between: [piece, other], opening });
        }
    }
    walls
}

/// The part of a wall that becomes the door.
fn place_door(wall: Area, joins_corridors: bool, rng: &mut Rng) -> Area {
    let is_upright = wall.height() > 1;
    let length = wall.height().max(wall.width());
    if joins_corridors && length <= 5 {
        return wall;
    }
    let door = match rng.below(8) {
        0..4 => 1,
        4..7 => 2,
        _ => 3 + length / 16,
    };
    // Not in a corner, if there is room.
    let margin = u32::from(length >= door + 2);
    let door = door.min(length - 2 * margin);
    let first = rng.range(margin..length - margin - door + 1);
    wall.slice(!is_upright, first, first + door)
}

/// Puts something into a room. Two cells along the walls stay free, or at most two fifths of them next to a
/// corner are walled off, so that the room stays in one piece.
fn furnish(canvas: &mut Canvas, room: Area, rng: &mut Rng) {
    let (width, height) = (room.width(), room.height());
    if width < 6 || height < 6 {
        return;
    }
    match rng.below(12) {
        0..3 => cut_corners(canvas, room, rng),
        3 => notch(canvas, room, rng),
        4..7 if width >= 7 && height >= 7 => {
            let gap = rng.range(3..6);
            let thick = if width.min(height) >= 14 { rng.range(1..3) } else { 1 };
            for y in centred(room.top, room.bottom, gap, thick) {
                for x in centred(room.left, room.right, gap, thick) {
                    canvas.fill(Area { left: x, top: y, right: x + thick, bottom: y + thick }, TREES);
                }
            }
        }
        7 if width >= 9 && height >= 9 => {
            let (rim_x, rim_y) = (2 + rng.below(width / 6 + 1), 2 + rng.below(height / 6 + 1));
            let pool = Area {
                left: room.left + rim_x,
                top: room.top + rim_y,
                right: room.right - rim_x,
                bottom: room.bottom - rim_y,
            };
            canvas.fill(pool, WATER);
        }
        _ => {}
    }
}

/// The first coordinates of pillars between two walls, `gap` free cells apart and the same from both walls.
fn centred(from: u32, to: u32, gap: u32, thick: u32) -> impl Iterator<Item = u32> {
    // At least two free cells at either wall.
    let room = to - from - 4;
    let count = (room + gap) / (thick + gap);
    let used = (count * (thick + gap)).saturating_sub(gap);
    let first = from + 2 + (room - used) / 2;
    (0..count).map(move |pillar| first + pillar * (thick + gap))
}

/// Cuts all corners of a room, aslant.
fn cut_corners(canvas: &mut Canvas, room: Area, rng: &mut Rng) {
    let size = rng.range(1..room.width().min(room.height()) * 2 / 5 + 1);
    for y in 0..size {
        for x in 0..size - y {
            for x in [room.left + x, room.right - 1 - x] {
                canvas.set(x, room.top + y, ROCK);
                canvas.set(x, room.bottom - 1 - y, ROCK);
            }
        }
    }
}

/// Walls one or two opposite corners off, so that the room has the shape of an L or a Z.
fn notch(canvas: &mut Canvas, room: Area, rng: &mut Rng) {
    let (width, height) = (room.width(), room.height());
    let is_left = rng.chance(1, 2);
    for (is_top, is_wanted) in [(true, true), (false, rng.chance(1, 3))] {
        let (x, y) = (rng.range(2..width * 2 / 5 + 1), rng.range(2..height * 2 / 5 + 1));
        let left = if is_left == is_top { room.left } else { room.right - x };
        let top = if is_top { room.top } else { room.bottom - y };
        if is_wanted {
            canvas.fill(Area { left, top, right: left + x, bottom: top + y }, ROCK);
        }
    }
}

/// Opens what a cut corner or a notch has walled off in front of a door.
fn clear_doorway(canvas: &mut Canvas, door: Area, room: Area) {
    let is_side = door.left == room.right || door.right == room.left;
    let (cells, depth) = if is_side { (door.height(), room.width()) } else { (door.width(), room.height()) };
    for cell in 0..cells {
        for step in 0..depth {
            let (x, y) = if door.left == room.right {
                (room.right - 1 - step, door.top + cell)
            } else if door.right == room.left {
                (room.left + step, door.top + cell)
            } else if door.top == room.bottom {
                (door.left + cell, room.bottom - 1 - step)
            } else {
                (door.left + cell, room.top + step)
            };
            if canvas.get(x, y) == FLOOR {
                break;
            }
            canvas.set(x, y, FLOOR);
        }
    }
}
