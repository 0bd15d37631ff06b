//! What is seen along lines of sight: the cells that no wall hides, row by row outwards, the four quarters of the map in turn.
//!
//! A free cell is told if the line between both middles passes no wall, so that sight is mutual; a wall if any part of it is
//! seen. Cells on the diagonals, which two quarters share, are told in the first and the third.
//!
//! # Paper
//! A. Ford: Symmetric shadowcasting: a row of a quarter is looked at between two slopes, and the free
//! cells in it are the gaps through which the next row is seen.
//!
//! # Guarantees
//! A look stops behind any cell and goes on there. Between two cells that it tells of it looks at no more than the gaps that
//! show nothing.

use super::sensor::{LookCursor, SensorRange};
use crate::core::{Point, StateId};
use crate::space::{Grid, SpaceKind};
use std::collections::VecDeque;

/// The place of a cursor before the first row; behind it, the gaps wait in its queue, those of the nearest row first.
const BEFORE_ROWS: u64 = 1;

/// The place of a cursor that has not come into the first gap of its queue.
const BEFORE_GAP: u64 = 2;

/// A row has at most as many gaps as every other one of its cells, and those of two rows wait in the four quarters.
const MOST_GAPS: usize = 4 * 2 * (SensorRange::FARTHEST as usize + 1);

/// What the queue of a cursor allocates at most, as it grows.
pub(super) const CURSOR_BYTES: usize = 2 * MOST_GAPS.next_power_of_two() * size_of::<u64>();

/// Columns for each row, as a fraction: numerator and denominator.
type Slope = (i64, i64);

/// A part of a row that is seen, between two slopes of lines from the middle of the cell where one stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Gap {
    /// The quarter, from the north with the clock.
    quarter: u64,
    /// How many rows it is away.
    depth: i64,
    begin: Slope,
    end: Slope,
}

/// How much of a gap was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scan {
    /// The next column.
    column: i64,
    /// Where the free cells before it begin.
    begin: Slope,
    /// Whether the cell before it was free; none was, at the beginning.
    was_free: Option<bool>,
}

/// The cells around one, beside itself, from where the cursor stands.
pub(super) fn look_along_lines(
    grid: &Grid,
    at: StateId,
    cursor: &mut LookCursor,
    tell: &mut dyn FnMut(StateId) -> bool,
) {
    let centre = grid.point(at);
    let LookCursor { place, rest: gaps } = cursor;
    if *place == BEFORE_ROWS {
        gaps.clear();
        gaps.extend((0..4).map(|quarter| Gap { quarter, depth: 1, begin: (-1, 1), end: (1, 1) }.to_word()));
        *place = BEFORE_GAP;
    }
    // No look leaves more behind; a forged cursor is at its end.
    if gaps.len() > MOST_GAPS {
        gaps.clear();
    }
    while let Some(gap) = gaps.front().copied().and_then(Gap::from_word) {
        let Gap { quarter, depth, .. } = gap;
        let (first, last) = (round_ties_up(depth, gap.begin), round_ties_down(depth, gap.end));
        let mut scan =
            Scan::from_place(*place).unwrap_or(Scan { column: first, begin: gap.begin, was_free: None });
        let open = |gaps: &mut VecDeque<u64>, begin: Slope, end: Slope| {
            if depth < i64::from(SensorRange::FARTHEST) {
                gaps.push_back(Gap { quarter, depth: depth + 1, begin, end }.to_word());
            }
        };
        while scan.column <= last {
            let column = scan.column;
            let (dx, dy) = match quarter {
                0 => (column, -depth),
                1 => (depth, column),
                2 => (column, depth),
                _ => (-depth, column),
            };
            let cell = grid.state_at(Point::new(centre.x + dx, centre.y + dy));
            let is_free = cell.is_some_and(|cell| grid.is_free(cell));
            let edge = (2 * column - 1, 2 * depth);
            match (scan.was_free, is_free) {
                (Some(false), true) => scan.begin = edge,
                (Some(true), false) => open(gaps, scan.begin, edge),
                _ => {}
            }
            (scan.column, scan.was_free) = (column + 1, Some(is_free));
            // Both middles see each other if this column lies between the slopes.
            let is_mutual =
                column * gap.begin.1 >= depth * gap.begin.0 && column * gap.end.1 <= depth * gap.end.0;
            let is_told_elsewhere = quarter % 2 == 1 && column.abs() == depth;
            if let Some(cell) = cell.filter(|_| (!is_free || is_mutual) && !is_told_elsewhere) {
                *place = scan.to_place();
                if !tell(cell) {
                    return;
                }
            }
        }
        if scan.was_free == Some(true) {
            open(gaps, scan.begin, gap.end);
        }
        gaps.pop_front();
        *place = BEFORE_GAP;
    }
    // What is left was forged.
    gaps.clear();
}

/// The column that a slope passes in a row, rounded; halves up.
fn round_ties_up(depth: i64, slope: Slope) -> i64 {
    (2 * depth * slope.0 + slope.1).div_euclid(2 * slope.1)
}

/// The column that a slope passes in a row, rounded; halves down.
fn round_ties_down(depth: i64, slope: Slope) -> i64 {
    -(-2 * depth * slope.0 + slope.1).div_euclid(2 * slope.1)
}

/// Numerators and columns are kept as numbers above this.
const OFFSET: i64 = 512;

/// A slope in 18 bits.
fn slope_to_bits((numerator, denominator): Slope) -> u64 {
    ((numerator + OFFSET) as u64) << 8 | denominator as u64
}

/// Slopes go to the edges of cells in the rows that are seen, and hardly beyond the diagonals.
fn slope_from_bits(bits: u64) -> Option<Slope> {
    let (numerator, denominator) = ((bits >> 8 & 0x3ff) as i64 - OFFSET, (bits & 0xff) as i64);
    let is_slope = (1..=2 * i64::from(SensorRange::FARTHEST)).contains(&denominator)
        && numerator.abs() <= denominator + 1;
    is_slope.then_some((numerator, denominator))
}

impl Gap {
    fn to_word(self) -> u64 {
        let slopes = slope_to_bits(self.begin) << 18 | slope_to_bits(self.end);
        slopes << 10 | (self.depth as u64) << 2 | self.quarter
    }

    fn from_word(word: u64) -> Option<Gap> {
        let (quarter, depth) = (word & 3, (word >> 2 & 0xff) as i64);
        let (begin, end) = (slope_from_bits(word >> 28)?, slope_from_bits(word >> 10)?);
        let is_gap = word >> 46 == 0 && (1..=i64::from(SensorRange::FARTHEST)).contains(&depth);
        is_gap.then_some(Gap { quarter, depth, begin, end })
    }
}

impl Scan {
    fn to_place(self) -> u64 {
        let was_free = self.was_free.map_or(0, |is_free| 1 + u64::from(is_free));
        let numbers = ((self.column + OFFSET) as u64) << 20 | slope_to_bits(self.begin) << 2 | was_free;
        BEFORE_GAP + 1 + numbers
    }

    fn from_place(place: u64) -> Option<Scan> {
        let numbers = place.checked_sub(BEFORE_GAP + 1)?;
        let begin = slope_from_bits(numbers >> 2)?;
        let was_free = [None, Some(false), Some(true), None][(numbers & 3) as usize];
        // A row has no columns beyond these.
        let column = ((numbers >> 20) as i64 - OFFSET).max(-2 * i64::from(SensorRange::FARTHEST) - 2);
        Some(Scan { column, begin, was_free })
    }
}
