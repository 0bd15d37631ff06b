//! Maze: winding corridors, from one to three cells wide, with one wall between them and some ways around.
//!
//! 1. Columns and rows are cut into lanes with walls of one cell between them. Lanes of the same width come
//!    in runs, so that there are narrow quarters and wide ones.
//! 2. Where a lane of columns crosses a lane of rows is a junction. A tree that spans all junctions grows
//!    from a random one: mostly from its newest junction, which makes corridors long and winding, and now and
//!    then from an older one, which makes them branch.
//! 3. Of the walls that are left between two junctions, one in twenty opens: without them every pair of cells
//!    would have a single way, and a planner little to decide.
//!
//! # Guarantees
//! All free cells are connected. Time is linear in the cells; at most two bytes of scratch a cell.

use super::{Area, Canvas, FLOOR, ROCK, Rng};

/// The widest corridor.
const MAX_LANE: u32 = 3;

/// Draws the maze.
pub(super) fn draw(canvas: &mut Canvas, rng: &mut Rng) {
    let maze =
        Maze { columns: cut_lanes(canvas.width as u32, rng), rows: cut_lanes(canvas.height as u32, rng) };
    maze.grow(canvas, rng);
    maze.open_loops(canvas, rng);
}

/// The cells `begin..end` of all columns, or of all rows.
#[derive(Debug, Clone, Copy)]
struct Lane {
    begin: u32,
    end: u32,
}

/// Cuts a side of the map into lanes of one to three cells: a wall before each of them and after the last.
fn cut_lanes(side: u32, rng: &mut Rng) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let (mut begin, mut wanted, mut run) = (1, 1, 0);
    while begin + 1 < side {
        if run == 0 {
            wanted = rng.range(1..MAX_LANE + 1);
            run = rng.range(4..16);
        }
        run -= 1;
        let left = side - 1 - begin;
        let mut width = wanted.min(left);
        // A single cell at the end has no room for a wall and a lane.
        if left - width == 1 {
            width = if width < MAX_LANE { width + 1 } else { width - 1 };
        }
        lanes.push(Lane { begin, end: begin + width });
        begin += width + 1;
    }
    lanes
}

struct Maze {
    columns: Vec<Lane>,
    rows: Vec<Lane>,
}

/// A lane of columns and a lane of rows.
type Junction = (u32, u32);

impl Maze {
    /// Digs a tree of corridors through all junctions.
    fn grow(&self, canvas: &mut Canvas, rng: &mut Rng) {
        let first = (rng.below(self.columns.len() as u32), rng.below(self.rows.len() as u32));
        canvas.fill(self.area(first), FLOOR);
        let mut ends: Vec<Junction> = vec![first];
        while !ends.is_empty() {
            // Corridors branch where growth goes on from another junction than the newest.
            let at = if rng.chance(1, 10) { rng.below(ends.len() as u32) as usize } else { ends.len() - 1 };
            let junction = ends[at];
            let solid = |next: &Junction| {
                let area = self.area(*next);
                canvas.get(area.left, area.top) == ROCK
            };
            let mut choices = [junction; 4];
            let mut count = 0;
            for next in self.around(junction).into_iter().flatten().filter(solid) {
                choices[count] = next;
                count += 1;
            }
            if count == 0 {
                ends.swap_remove(at);
                continue;
            }
            let next = choices[rng.below(count as u32) as usize];
            canvas.fill(self.area(junction).with(self.area(next)), FLOOR);
            ends.push(next);
        }
    }

    /// Opens some walls between neighbours that are connected already.
    fn open_loops(&self, canvas: &mut Canvas, rng: &mut Rng) {
        for row in 0..self.rows.len() as u32 {
            for column in 0..self.columns.len() as u32 {
                let junction = (column, row);
                let [_, right, _, below] = self.around(junction);
                for next in [right, below].into_iter().flatten() {
                    if rng.chance(1, 20) {
                        canvas.fill(self.area(junction).with(self.area(next)), FLOOR);
                    }
                }
            }
        }
    }

    /// The junctions left, right, above and below.
    fn around(&self, (column, row): Junction) -> [Option<Junction>; 4] {
        let (columns, rows) = (self.columns.len() as u32, self.rows.len() as u32);
        [
            (column > 0).then(|| (column - 1, row)),
            (column + 1 < columns).then_some((column + 1, row)),
            (row > 0).then(|| (column, row - 1)),
            (row + 1 < rows).then_some((column, row + 1)),
        ]
    }

    /// The cells of a junction.
    fn area(&self, (column, row): Junction) -> Area {
        let (columns, rows) = (self.columns[column as usize], self.rows[row as usize]);
        Area { left: columns.begin, right: columns.end, top: rows.begin, bottom: rows.end }
    }
}

impl Area {
    /// The smallest rectangle that holds both.
    fn with(&self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}
