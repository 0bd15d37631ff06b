//! Arena: a field for two teams, which looks the same from both sides.
//!
//! 1. A field with cut corners. At either end of its longer axis lies a base; three lanes join the bases: one
//!    straight through the middle, one bending along each side. A fourth crosses them.
//! 2. In the middle is a plaza with a pool or a ring of pillars; each base is a walled court with three gates
//!    and a keep.
//! 3. Between the lanes the ground is strewn with cover: pillars, walls, bunkers, trenches with a bridge,
//!    groves, marsh. Every piece keeps its distance from all others and from the lanes: [`cover`].
//!
//! Lanes, plaza and bases are floor, the land between them is ground and marsh, so that weights can tell them
//! apart.
//!
//! # Guarantees
//! The map is the same when it is turned by 180 degrees, letter by letter. All free cells are connected. Time
//! is linear in the cells; about two bytes of scratch a cell.

mod cover;

use super::{Area, Canvas, FLOOR, GROUND, ROCK, Rng, TREES, WATER};

/// Draws the arena.
pub(super) fn draw(canvas: &mut Canvas, rng: &mut Rng) {
    let mut field = Field::new(canvas);
    field.lay_out(rng);
    let lane = field.lane_width();
    field.draw_lanes(lane, rng);
    field.draw_plaza(lane, rng);
    field.draw_bases(lane, rng);
    cover::strew(&mut field, rng);
    let (u, v) = (field.length / 3, field.breadth / 2);
    let (x, y) = field.cell(u, v);
    canvas.fill_unreached(x, y);
}

/// The map, seen so that the bases lie left and right. Whatever is drawn is drawn twice: once as told, and
/// once turned by 180 degrees about the middle of the map.
struct Field<'a> {
    canvas: &'a mut Canvas,
    /// From base to base.
    length: u32,
    /// Across; not above `length`.
    breadth: u32,
    /// Whether the longer axis of the map runs from top to bottom.
    is_tall: bool,
    /// How many cells thick a wall is.
    scale: u32,
}

impl<'a> Field<'a> {
    fn new(canvas: &'a mut Canvas) -> Self {
        let (width, height) = (canvas.width as u32, canvas.height as u32);
        let (length, breadth) = (width.max(height), width.min(height));
        Field { canvas, length, breadth, is_tall: height > width, scale: (breadth / 96).clamp(1, 4) }
    }

    /// The cell on the map that is `u` away from one end and `v` from one side.
    fn cell(&self, u: u32, v: u32) -> (u32, u32) {
        if self.is_tall { (v, u) } else { (u, v) }
    }

    fn get(&self, u: u32, v: u32) -> u8 {
        let (x, y) = self.cell(u, v);
        self.canvas.get(x, y)
    }

    /// Draws a cell and its twin, unless they are outside the map or on its border.
    fn set(&mut self, u: i64, v: i64, letter: u8) {
        let is_inside = |at: i64, side: u32| at > 0 && at < i64::from(side) - 1;
        if is_inside(u, self.length) && is_inside(v, self.breadth) {
            let (x, y) = self.cell(u as u32, v as u32);
            self.canvas.set(x, y, letter);
            let (x, y) = self.cell(self.length - 1 - u as u32, self.breadth - 1 - v as u32);
            self.canvas.set(x, y, letter);
        }
    }

    /// Draws a rectangle and its twin.
    fn fill(&mut self, area: Area, letter: u8) {
        for v in area.top..area.bottom {
            for u in area.left..area.right {
                self.set(i64::from(u), i64::from(v), letter);
            }
        }
    }

    /// Draws a disc and its twin; its middle is given in halves of a cell.
    fn disc(&mut self, (twice_u, twice_v): (i64, i64), radius: i64, letter: u8) {
        for v in (twice_v / 2 - radius - 1)..=(twice_v / 2 + radius + 1) {
            for u in (twice_u / 2 - radius - 1)..=(twice_u / 2 + radius + 1) {
                let (du, dv) = (2 * u + 1 - twice_u, 2 * v + 1 - twice_v);
                if du * du + dv * dv <= 4 * radius * radius {
                    self.set(u, v, letter);
                }
            }
        }
    }

    /// Ground inside an outline with cut corners.
    fn lay_out(&mut self, rng: &mut Rng) {
        let cut = rng.range(self.breadth / 8..self.breadth / 4 + 1);
        for v in 1..self.breadth - 1 {
            for u in 1..self.length - 1 {
                let (from_end, from_side) = (u.min(self.length - 1 - u), v.min(self.breadth - 1 - v));
                if from_end + from_side > cut {
                    self.set(i64::from(u), i64::from(v), GROUND);
                }
            }
        }
    }

    /// Odd or even like the breadth, so that the middle lane lies in the middle.
    fn lane_width(&self) -> u32 {
        let width = (self.breadth / 18).clamp(2, 20);
        width + (width + self.breadth) % 2
    }

    /// One lane through the middle, one along each side, one across.
    fn draw_lanes(&mut self, lane: u32, rng: &mut Rng) {
        let (length, breadth) = (i64::from(self.length), i64::from(self.breadth));
        let middle = Area {
            left: 1,
            right: self.length - 1,
            top: (self.breadth - lane) / 2,
            bottom: (self.breadth + lane) / 2,
        };
        self.fill(middle, FLOOR);
        if self.breadth < 24 {
            return;
        }
        let radius = i64::from(lane) / 2 + 1;
        let somewhat = |rng: &mut Rng, side: i64| i64::from(rng.below(side as u32 / 16 + 1));
        let bends = [
            (self.base_middle(), breadth / 2),
            (length / 4 - somewhat(rng, length), breadth / 6 + somewhat(rng, breadth)),
            (length / 2, breadth / 8 + somewhat(rng, breadth) * 2),
            (length * 3 / 4 + somewhat(rng, length), breadth / 6 + somewhat(rng, breadth)),
            (length - self.base_middle(), breadth / 2),
        ];
        for pair in bends.windows(2) {
            self.line(pair[0], pair[1], radius, FLOOR);
        }
        let lean = i64::from(rng.below(self.length / 4 + 1)) - length / 8;
        self.line((length / 2 + lean, breadth / 7), (length / 2, breadth / 2), radius, FLOOR);
    }

    /// A straight strip between two points.
    fn line(&mut self, from: (i64, i64), to: (i64, i64), radius: i64, letter: u8) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
        for step in 0..=steps {
            let u = from.0 * 2 + (to.0 - from.0) * 2 * step / steps;
            let v = from.1 * 2 + (to.1 - from.1) * 2 * step / steps;
            self.disc((u, v), radius, letter);
        }
    }

    /// A round plaza in the middle of the map.
    fn draw_plaza(&mut self, lane: u32, rng: &mut Rng) {
        if self.breadth < 24 {
            return;
        }
        let middle = (i64::from(self.length), i64::from(self.breadth));
        let radius = (middle.1 / 7).max(i64::from(lane));
        self.disc(middle, radius, FLOOR);
        let inner = radius - i64::from(lane / 2) - 2;
        let pillar = i64::from(self.scale) + 1;
        match rng.below(3) {
            _ if inner < 5 * pillar => self.disc(middle, inner, WATER),
            0 => self.disc(middle, inner, WATER),
            1 => {
                // A wall around a court, with openings where the lanes cross it.
                self.disc(middle, inner, ROCK);
                self.disc(middle, inner - i64::from(self.scale), GROUND);
                let half = i64::from(lane) / 2;
                for along in -inner..=inner {
                    for across in -half..=half {
                        self.set(middle.0 / 2 + along, middle.1 / 2 + across, FLOOR);
                        self.set(middle.0 / 2 + across, middle.1 / 2 + along, FLOOR);
                    }
                }
            }
            _ => {
                for (u, v) in [(-2, -1), (-1, -2), (1, -2), (2, -1)] {
                    self.disc((middle.0 + u * inner, middle.1 + v * inner), pillar, ROCK);
                }
                self.disc(middle, pillar, WATER);
            }
        }
    }

    /// How far the middle of a base is from its end of the map.
    fn base_middle(&self) -> i64 {
        i64::from(self.breadth / 6 + self.scale + 1)
    }

    /// A walled court at each end, with three gates and a keep.
    fn draw_bases(&mut self, lane: u32, rng: &mut Rng) {
        if self.breadth < 24 {
            return;
        }
        let (half_length, half_breadth) =
            (self.breadth / 10, self.breadth / 8 + rng.below(self.breadth / 16));
        let middle = (self.base_middle() as u32, self.breadth / 2);
        let court = Area {
            left: middle.0 - half_length,
            right: middle.0 + half_length,
            // Like the breadth, so that both halves of the court are alike.
            top: middle.1 - half_breadth,
            bottom: self.breadth - (middle.1 - half_breadth),
        };
        let wall = self.scale;
        let around = Area {
            left: court.left.saturating_sub(wall + 2).max(1),
            top: court.top - wall - 2,
            right: court.right + wall + 2,
            bottom: court.bottom + wall + 2,
        };
        self.fill(around, FLOOR);
        let outside = Area {
            left: court.left - wall,
            top: court.top - wall,
            right: court.right + wall,
            bottom: court.bottom + wall,
        };
        self.fill(outside, ROCK);
        self.fill(court, FLOOR);
        let gate = (self.breadth - lane) / 2..(self.breadth + lane) / 2;
        self.fill(Area { left: court.right, right: outside.right, top: gate.start, bottom: gate.end }, FLOOR);
        let (left, right) = (middle.0 - lane / 2, middle.0 + lane.div_ceil(2));
        self.fill(Area { left, right, top: outside.top, bottom: court.top }, FLOOR);
        self.fill(Area { left, right, top: court.bottom, bottom: outside.bottom }, FLOOR);
        let keep = half_breadth / 3;
        let keep = Area {
            left: court.left,
            right: court.left + half_length / 2,
            top: middle.1 - keep,
            bottom: self.breadth - (middle.1 - keep),
        };
        self.fill(keep, ROCK);
    }
}
