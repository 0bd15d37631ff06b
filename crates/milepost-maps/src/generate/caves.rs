//! Caves: noise, smoothed until it looks like rock, with ponds, and joined by tunnels into one.
//!
//! 1. Every square of 2 x 2 cells is rock or air at random. Slow noise shifts the odds, so that there are
//!    wide caverns here and narrow ones there.
//! 2. A cellular automaton smooths: a square becomes what most of its 3 x 3 neighbourhood is. Then the
//!    squares become cells, some cells at random change sides, and the automaton smooths again: rough walls.
//! 3. Other slow noise floods the middle of some caverns.
//! 4. Small pockets are filled. From all other regions waves spread through the rock at the same speed; where
//!    two waves meet for the first time, a tunnel is dug back along both.
//!
//! # Paper
//! L. Johnson, G. Yannakakis, J. Togelius: Cellular Automata for Real-time Generation of Infinite Cave
//! Levels, PCGames 2010, for step 2. Step 4 is Kruskal's algorithm on regions, with waves for distances.
//!
//! # Guarantees
//! All free cells are connected. Time is linear in the cells; about ten bytes of scratch a cell.

use super::{Canvas, FLOOR, Forest, ROCK, Rng, WATER};

/// How often the automaton runs on squares.
const SQUARE_SMOOTHINGS: usize = 4;
/// How often the automaton runs on cells.
const CELL_SMOOTHINGS: usize = 3;
/// Regions with fewer cells are filled.
const MIN_REGION: usize = 40;

/// Draws the caves.
pub(super) fn draw(canvas: &mut Canvas, rng: &mut Rng) {
    let (half_width, half_height) = (canvas.width.div_ceil(2), canvas.height.div_ceil(2));
    let mut squares = sow(half_width, half_height, rng);
    for _ in 0..SQUARE_SMOOTHINGS {
        squares = smooth(&squares, half_width, half_height);
    }
    let mut rock = roughen(&squares, half_width, canvas.width, canvas.height, rng);
    drop(squares);
    for _ in 0..CELL_SMOOTHINGS {
        rock = smooth(&rock, canvas.width, canvas.height);
    }
    let free = rock.iter().filter(|cell| **cell == 0).count();
    if free * 6 < rock.len() {
        // Happens to small maps only.
        dig_cavern(&mut rock, canvas.width, canvas.height);
    }
    for (tile, _) in canvas.tiles.iter_mut().zip(&rock).filter(|(_, rock)| **rock == 0) {
        *tile = FLOOR;
    }
    flood(canvas, &rock, rng);
    let regions = fill_pockets(canvas);
    join(canvas, regions, rng);
}

/// Rock (1) or air (0) at random, with rock all around.
fn sow(width: usize, height: usize, rng: &mut Rng) -> Vec<u8> {
    let coarse = Noise::new(width, height, 31, rng);
    let fine = Noise::new(width, height, 11, rng);
    let mut rock = vec![1; width * height];
    let (mut slow, mut slower) = (vec![0; width], vec![0; width]);
    for y in 1..height - 1 {
        coarse.row(y, &mut slower);
        fine.row(y, &mut slow);
        for x in 1..width - 1 {
            // Of 1024; the noise, 0..=255 each, moves the odds by about a tenth.
            let odds = 385 + (2 * slower[x] + slow[x]) / 4;
            rock[y * width + x] = u8::from((rng.next_u64() >> 54) < u64::from(odds));
        }
    }
    rock
}

/// Squares as cells, of which one in six is thrown anew.
fn roughen(squares: &[u8], half_width: usize, width: usize, height: usize, rng: &mut Rng) -> Vec<u8> {
    let mut rock = vec![1; width * height];
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let is_thrown = rng.chance(1, 6);
            rock[y * width + x] =
                if is_thrown { rng.below(2) as u8 } else { squares[y / 2 * half_width + x / 2] };
        }
    }
    rock
}

/// One step of the automaton: the majority of each 3 x 3 square. The border stays rock.
fn smooth(rock: &[u8], width: usize, height: usize) -> Vec<u8> {
    let mut next = vec![1; rock.len()];
    let mut columns = vec![0u8; width];
    for y in 1..height - 1 {
        let rows = &rock[(y - 1) * width..(y + 2) * width];
        for (x, column) in columns.iter_mut().enumerate() {
            *column = rows[x] + rows[width + x] + rows[2 * width + x];
        }
        let inner = &mut next[y * width + 1..(y + 1) * width - 1];
        for (cell, three) in inner.iter_mut().zip(columns.windows(3)) {
            *cell = u8::from(three[0] + three[1] + three[2] >= 5);
        }
    }
    next
}

/// Digs a round cavern in the middle.
fn dig_cavern(rock: &mut [u8], width: usize, height: usize) {
    let (radius_x, radius_y) = ((width as i128 - 2) / 2, (height as i128 - 2) / 2);
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let (dx, dy) = (2 * x as i128 + 1 - width as i128, 2 * y as i128 + 1 - height as i128);
            // (dx / 2rx)^2 + (dy / 2ry)^2 < 1, without fractions.
            let outside = dx * dx * radius_y * radius_y + dy * dy * radius_x * radius_x;
            if outside < 4 * radius_x * radius_x * radius_y * radius_y {
                rock[y * width + x] = 0;
            }
        }
    }
}

/// Makes ponds in caverns, two cells away from the rock.
fn flood(canvas: &mut Canvas, rock: &[u8], rng: &mut Rng) {
    let (width, height) = (canvas.width, canvas.height);
    let noise = Noise::new(width, height, 23, rng);
    let mut depth = vec![0; width];
    for y in 2..height - 2 {
        noise.row(y, &mut depth);
        for x in 2..width - 2 {
            let is_dry = |y: usize| rock[y * width + x - 2..=y * width + x + 2] != [0; 5];
            if depth[x] > 176 && !(y - 2..=y + 2).any(is_dry) {
                canvas.tiles[y * width + x] = WATER;
            }
        }
    }
}

/// Which region each cell belongs to.
struct Regions {
    /// 0 for no region.
    label: Vec<u32>,
    count: usize,
}

/// Labels the regions of floor and fills all small ones, except if that would leave none.
fn fill_pockets(canvas: &mut Canvas) -> Regions {
    let mut regions = Regions { label: vec![0; canvas.tiles.len()], count: 0 };
    let mut cells: Vec<usize> = Vec::new();
    let mut largest_pocket: Vec<usize> = Vec::new();
    for first in 0..canvas.tiles.len() {
        if canvas.tiles[first] != FLOOR || regions.label[first] != 0 {
            continue;
        }
        let label = regions.count as u32 + 1;
        cells.clear();
        cells.push(first);
        regions.label[first] = label;
        let mut next = 0;
        while next < cells.len() {
            let cell = cells[next];
            next += 1;
            for neighbour in canvas.around(cell) {
                if canvas.tiles[neighbour] == FLOOR && regions.label[neighbour] == 0 {
                    regions.label[neighbour] = label;
                    cells.push(neighbour);
                }
            }
        }
        if cells.len() >= MIN_REGION {
            regions.count += 1;
            continue;
        }
        // A pocket: rock, or water if it is an island.
        let is_island =
            cells.iter().all(|&cell| canvas.around(cell).iter().all(|&at| canvas.tiles[at] != ROCK));
        for &cell in &cells {
            canvas.tiles[cell] = if is_island { WATER } else { ROCK };
            regions.label[cell] = 0;
        }
        if cells.len() > largest_pocket.len() {
            largest_pocket.clone_from(&cells);
        }
    }
    if regions.count == 0 {
        regions.count = 1;
        for cell in largest_pocket {
            canvas.tiles[cell] = FLOOR;
            regions.label[cell] = 1;
        }
    }
    regions
}

/// Digs tunnels until all regions are one.
fn join(canvas: &mut Canvas, regions: Regions, rng: &mut Rng) {
    let Regions { mut label, count } = regions;
    let mut left = count - 1;
    let mut forest = Forest::new(count + 1);
    // From which of the four sides a wave came to a cell of rock.
    let mut from = vec![HOME; canvas.tiles.len()];
    let mut wave: Vec<usize> = (0..canvas.tiles.len())
        .filter(|&cell| label[cell] != 0 && canvas.around(cell).iter().any(|&at| label[at] == 0))
        .collect();
    while left > 0 && !wave.is_empty() {
        let mut next = Vec::new();
        for cell in wave {
            let around = canvas.around(cell);
            let turn = rng.below(4) as usize;
            for side in (0..4).map(|side| (side + turn) % 4) {
                let neighbour = around[side];
                if canvas.is_border(neighbour) {
                    continue;
                }
                if label[neighbour] == 0 {
                    label[neighbour] = label[cell];
                    from[neighbour] = side as u8;
                    next.push(neighbour);
                } else if forest.join(label[cell] as usize, label[neighbour] as usize) {
                    dig_home(canvas, &from, cell, rng);
                    dig_home(canvas, &from, neighbour, rng);
                    left -= 1;
                }
            }
        }
        wave = next;
    }
}

/// The cell belongs to a region, no wave came to it.
const HOME: u8 = 4;

/// Digs a tunnel, mostly two cells wide, back along the wave that came to `cell`.
fn dig_home(canvas: &mut Canvas, from: &[u8], mut cell: usize, rng: &mut Rng) {
    while from[cell] != HOME {
        canvas.tiles[cell] = FLOOR;
        let around = canvas.around(cell);
        let beside = around[rng.below(4) as usize];
        for widened in [around[1], around[3], beside] {
            if !canvas.is_border(widened) {
                canvas.tiles[widened] = FLOOR;
            }
        }
        // Sides are numbered so that the opposite one differs in the first bit.
        cell = around[usize::from(from[cell] ^ 1)];
    }
}

impl Canvas {
    /// The cells left, right, above and below. The cell must not lie on the border.
    fn around(&self, cell: usize) -> [usize; 4] {
        [cell - 1, cell + 1, cell - self.width, cell + self.width]
    }

    fn is_border(&self, cell: usize) -> bool {
        let (x, y) = (cell % self.width, cell / self.width);
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
    }
}

/// Slow noise from 0 to 255: random values at the corners of large squares, smooth in between.
struct Noise {
    square: usize,
    columns: usize,
    corners: Vec<u32>,
}

impl Noise {
    fn new(width: usize, height: usize, square: usize, rng: &mut Rng) -> Self {
        let columns = width / square + 2;
        let corners = (0..columns * (height / square + 2)).map(|_| rng.below(256)).collect();
        Noise { square, columns, corners }
    }

    /// The noise of row `y`.
    fn row(&self, y: usize, values: &mut [u32]) {
        let above = &self.corners[y / self.square * self.columns..][..2 * self.columns];
        let mix_y = self.ease(y % self.square);
        let edge = |column: usize| above[column] * (256 - mix_y) + above[column + self.columns] * mix_y;
        for (column, part) in values.chunks_mut(self.square).enumerate() {
            let (left, right) = (edge(column), edge(column + 1));
            for (step, value) in part.iter_mut().enumerate() {
                let mix = self.ease(step);
                *value = (left * (256 - mix) + right * mix) >> 16;
            }
        }
    }

    /// From 0 to 256 across a square, level at both ends: 3t^2 - 2t^3.
    fn ease(&self, step: usize) -> u32 {
        (256 * step * step * (3 * self.square - 2 * step) / self.square.pow(3)) as u32
    }
}
