//! City: avenues and streets, blocks of buildings, squares, parks, and a river under its bridges.
//!
//! 1. A ring road runs inside the city wall. The rest is cut in two again and again, first by avenues into
//!    districts, then by streets into blocks. Each district has its own character: a downtown of courtyards,
//!    an old town of alleys, gardens with houses, works with halls.
//! 2. Each block is built up as its district wants it, or is a park or a square: [`blocks`].
//! 3. Large cities have rivers from one side to the other, which the avenues cross on bridges: [`river`].
//! 4. What cannot be reached from the ring road is closed: courts without a passage, gaps between houses.
//!
//! Streets, squares and bridges are floor, parks, gardens and banks are ground, so that weights can tell them
//! apart.
//!
//! # Guarantees
//! All free cells are connected. Time is linear in the cells; about two bytes of scratch a cell.

mod blocks;
mod river;

use super::{Area, Canvas, FLOOR, GROUND, ROCK, Rng, TREES, WATER};

/// A city with a smaller side has no river.
const MIN_RIVER_SIDE: u32 = 96;
/// The largest side of a district.
const DISTRICT: u32 = 120;
/// The smallest side of a block.
const MIN_BLOCK: u32 = 5;
/// Streets that a river passes under, until the rivers have been drawn; then they become floor.
const BRIDGE: u8 = b'S';

/// Draws the city.
pub(super) fn draw(canvas: &mut Canvas, rng: &mut Rng) {
    let city = Area { left: 1, top: 1, right: canvas.width as u32 - 1, bottom: canvas.height as u32 - 1 };
    canvas.fill(city, FLOOR);
    let side = city.width().min(city.height());
    let has_river = side >= MIN_RIVER_SIDE && rng.chance(4, 5);
    let flows_down = if has_river { Some(rng.chance(1, 2)) } else { None };

    let ring = if side < 24 { 1 } else { 3 };
    let plan = plan(city.shrunk(ring), rng);
    for block in &plan.blocks {
        blocks::build(canvas, block, rng);
    }
    if let Some(flows_down) = flows_down {
        let bridges = plan.avenues.iter().filter(|avenue| avenue.is_upright != flows_down);
        bridges.for_each(|avenue| canvas.fill(avenue.area, BRIDGE));
        for area in [city.slice(!flows_down, 0, ring), city.end(!flows_down, ring)] {
            canvas.fill(area, BRIDGE);
        }
        river::draw(canvas, flows_down, rng);
        canvas.tiles.iter_mut().filter(|tile| **tile == BRIDGE).for_each(|tile| *tile = FLOOR);
    }
    plan.avenues.iter().for_each(|avenue| plant_trees(canvas, avenue));
    canvas.fill_unreached(1, 1);
}

/// What the blocks of a district are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum District {
    /// Buildings around courtyards, towers.
    Downtown,
    /// Narrow houses wall to wall, with alleys.
    OldTown,
    /// Houses in gardens.
    Gardens,
    /// Large halls and yards.
    Works,
}

/// Land between streets.
#[derive(Debug, Clone, Copy)]
struct Block {
    area: Area,
    district: District,
}

#[derive(Debug, Clone, Copy)]
struct Avenue {
    area: Area,
    /// Whether it runs from top to bottom.
    is_upright: bool,
}

struct Plan {
    blocks: Vec<Block>,
    avenues: Vec<Avenue>,
}

/// Cuts the land into blocks. What lies between them is streets.
fn plan(land: Area, rng: &mut Rng) -> Plan {
    let mut plan = Plan { blocks: Vec::new(), avenues: Vec::new() };
    let mut open: Vec<(Area, Option<(District, u32)>)> = vec![(land, None)];
    while let Some((area, district)) = open.pop() {
        let longer = area.width().max(area.height());
        let district = district.or_else(|| (longer <= DISTRICT).then(|| choose_district(rng)));
        let (largest_block, street) = match district {
            None => (DISTRICT, rng.range(5..9)),
            Some((District::OldTown, size)) => (size, rng.range(1..3)),
            Some((District::Works, size)) => (size, rng.range(3..5)),
            Some((_, size)) => (size, rng.range(2..4)),
        };
        if longer <= largest_block || longer < 2 * MIN_BLOCK + street {
            // Without a district only where the whole city is one block.
            let district = district.map_or(District::OldTown, |(district, _)| district);
            plan.blocks.push(Block { area, district });
            continue;
        }
        let is_upright = area.width() >= area.height();
        let free = longer - street - 2 * MIN_BLOCK;
        // The mean of three throws prefers the middle.
        let first = MIN_BLOCK + (rng.below(free + 1) + rng.below(free + 1) + rng.below(free + 1)) / 3;
        if district.is_none() {
            plan.avenues.push(Avenue { area: area.slice(is_upright, first, first + street), is_upright });
        }
        open.push((area.slice(is_upright, 0, first), district));
        open.push((area.slice(is_upright, first + street, longer), district));
    }
    plan
}

/// A district and the largest side of its blocks.
fn choose_district(rng: &mut Rng) -> (District, u32) {
    match rng.below(10) {
        0..3 => (District::Downtown, rng.range(24..36)),
        3..6 => (District::OldTown, rng.range(16..26)),
        6..9 => (District::Gardens, rng.range(22..38)),
        _ => (District::Works, rng.range(34..52)),
    }
}

/// A row of trees along the middle of a wide avenue.
fn plant_trees(canvas: &mut Canvas, avenue: &Avenue) {
    let (length, width) = if avenue.is_upright {
        (avenue.area.height(), avenue.area.width())
    } else {
        (avenue.area.width(), avenue.area.height())
    };
    if width < 7 {
        return;
    }
    for at in (3..length.saturating_sub(3)).step_by(6) {
        let cell = avenue.area.slice(avenue.is_upright, width / 2, width / 2 + 1);
        let cell = cell.slice(!avenue.is_upright, at, at + 1);
        if canvas.get(cell.left, cell.top) == FLOOR {
            canvas.fill(cell, TREES);
        }
    }
}

impl Area {
    /// Without `rim` cells on each side; nothing is left of an area that is too small.
    fn shrunk(&self, rim: u32) -> Area {
        let (left, top) = ((self.left + rim).min(self.right), (self.top + rim).min(self.bottom));
        Area { left, top, right: (self.right - rim).max(left), bottom: (self.bottom - rim).max(top) }
    }

    /// Its last `count` columns, or else rows.
    fn end(&self, is_columns: bool, count: u32) -> Area {
        let side = if is_columns { self.width() } else { self.height() };
        self.slice(is_columns, side - count.min(side), side)
    }
}
