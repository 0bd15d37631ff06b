//! Straight-looking paths: pull the string tight between cells that see each other.
//!
//! A path over cells turns by 45 degrees at a time. Walking over ground of one weight, an agent may as well go
//! straight from one cell to any other that it sees. Greedily, from the last corner kept, the path is followed as
//! long as the corner sees it; where sight ends the cell before becomes the next corner.
//!
//! # Guarantees
//! No segment touches a blocked cell, not even at a corner (under `octile-cutting`, which allows diagonal steps
//! between blocked cells, it may pass through the point where they meet). Links stay what they are. The result is
//! never longer than the path. Time at most quadratic in the cells of the path.

use crate::core::{Path, Point, StateId};
use crate::space::{Grid, SpaceKind};

/// A path as straight segments from the middle of one cell to the middle of another.
///
/// ```
/// use milepost::space::StraightPath;
/// use milepost::{Atlas, Grid, Point, Rule, Scratch};
///
/// let grid = Grid::new(5, 3, Rule::Octile, |_, _| true)?;
/// let mut scratch = Scratch::new();
/// Atlas::new(&grid).path(Point::new(0, 0), Point::new(4, 2), &mut scratch);
/// assert_eq!(scratch.path().points().len(), 3); // it turns once
/// let StraightPath { corners, length } = grid.straighten(scratch.path()).expect("squares");
/// assert_eq!((corners.len(), length), (2, 20_f64.sqrt()));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct StraightPath {
    /// Where it turns, both ends included.
    pub corners: Vec<Point>,
    /// Its length on the plane; links count nothing.
    pub length: f64,
}

impl Grid {
    /// Pulls a path straight. `None` on hexagons, whose cells see each other otherwise.
    pub fn straighten(&self, path: &Path) -> Option<StraightPath> {
        if self.rule().hexagons().is_some() {
            return None;
        }
        let cells: Vec<StateId> = self.cells(path).collect();
        let mut corners: Vec<StateId> = cells.first().copied().into_iter().collect();
        let mut length = 0.0;
        let mut keep = |corners: &mut Vec<StateId>, corner: StateId| {
            let (a, b) = (self.point(corners[corners.len() - 1]), self.point(corner));
            length += (((b.x - a.x).pow(2) + (b.y - a.y).pow(2)) as f64).sqrt();
            corners.push(corner);
        };
        for pair in cells.windows(2) {
            let (at, next) = (pair[0], pair[1]);
            let anchor = corners[corners.len() - 1];
            if self.is_hop(at, next) {
                if at != anchor {
                    keep(&mut corners, at);
                }
                corners.push(next);
            } else if !self.sees(anchor, next) {
                keep(&mut corners, at);
            }
        }
        if let Some(&end) = cells.last().filter(|&&end| corners[corners.len() - 1] != end) {
            keep(&mut corners, end);
        }
        Some(StraightPath { corners: corners.into_iter().map(|corner| self.point(corner)).collect(), length })
    }

    /// Whether one cell sees another: the segment between their middles touches free cells of one weight alone.
    pub fn sees(&self, from: StateId, to: StateId) -> bool {
        let weight = self.weight(from);
        let is_open = |x: i64, y: i64| {
            self.state_at(Point::new(x, y))
                .is_some_and(|state| self.is_free(state) && self.weight(state) == weight)
        };
        let (a, b) = (self.point(from), self.point(to));
        let (dx, dy) = ((b.x - a.x).abs(), (b.y - a.y).abs());
        let (step_x, step_y) = ((b.x - a.x).signum(), (b.y - a.y).signum());
        let (mut x, mut y, mut columns, mut rows) = (a.x, a.y, 0, 0);
        if !is_open(x, y) {
            return false;
        }
        while columns < dx || rows < dy {
            // Which border does the segment cross next: that of the column, of the row, or both in a corner?
            match ((1 + 2 * columns) * dy).cmp(&((1 + 2 * rows) * dx)) {
                std::cmp::Ordering::Less => {
                    x += step_x;
                    columns += 1;
                }
                std::cmp::Ordering::Greater => {
                    y += step_y;
                    rows += 1;
                }
                std::cmp::Ordering::Equal => {
                    let both_beside = is_open(x + step_x, y) && is_open(x, y + step_y);
                    if !both_beside && !self.rule().cuts_corners() {
                        return false;
                    }
                    (x, y) = (x + step_x, y + step_y);
                    (columns, rows) = (columns + 1, rows + 1);
                }
            }
            if !is_open(x, y) {
                return false;
            }
        }
        true
    }
}
