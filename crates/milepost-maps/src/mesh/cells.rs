//! A map of cells from a mesh: a cell is free if its whole square lies in the mesh.
//!
//! The parts of a square that lie in each polygon are cut out and measured. Where they add up to the square, the cell is free.

use crate::TileMap;
use crate::error::debug_as_sentence;
use milepost::{MeshParts, Position};
use thiserror::Error;

/// A map of cells made from a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct CellMap {
    /// The map.
    pub map: TileMap,
    /// Where the top left corner of cell 0,0 lies on the mesh.
    pub origin: (f64, f64),
}

/// Why a mesh cannot become a map of cells.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CellsError {
    /// Cells have no size.
    #[error("a cell of {cell}; expected a size above 0")]
    Size {
        /// What was asked for.
        cell: f64,
    },
    /// There would be too many cells.
    #[error(
        "cells of {cell} would make a map of {width} x {height}; expected at most {most} cells, take larger ones"
    )]
    TooLarge {
        /// What was asked for.
        cell: f64,
        /// Columns.
        width: f64,
        /// Rows.
        height: f64,
        /// The most cells.
        most: u32,
    },
    /// A map has one floor.
    #[error("two floors of the mesh lie over each other at {x},{y}; a map of cells has one")]
    Floors {
        /// Where.
        x: f64,
        /// Where.
        y: f64,
    },
}

debug_as_sentence!(CellsError);

/// Larger maps are not made.
const MOST_CELLS: u32 = 1 << 26;

/// The map of the cells of this size that lie in polygons that are not blocked. A mesh without negative coordinates begins at 0,0.
pub fn map(parts: &MeshParts, cell: f64) -> Result<CellMap, CellsError> {
    if !(cell.is_finite() && cell > 0.0) {
        return Err(CellsError::Size { cell });
    }
    let used = || {
        let vertices = parts.polygons.iter().flatten();
        vertices.filter_map(|&vertex| parts.vertices.get(vertex as usize))
    };
    let range = |along: fn(&Position) -> f64| {
        let low = used().map(along).fold(0.0, f64::min);
        let high = used().map(along).fold(0.0, f64::max);
        let first = (low / cell).floor();
        (first * cell, (high / cell).ceil() - first)
    };
    let ((left, width), (top, height)) = (range(|at| at.x), range(|at| at.y));
    let (width, height) = (width.max(1.0), height.max(1.0));
    if width * height > f64::from(MOST_CELLS) || !width.is_finite() || !height.is_finite() {
        return Err(CellsError::TooLarge { cell, width, height, most: MOST_CELLS });
    }
    let too_large = CellsError::TooLarge { cell, width, height, most: MOST_CELLS };
    let (columns, rows) = (width as usize, height as usize);
    let mut covered = vec![0.0_f64; columns * rows];
    let mut square = Vec::new();
    for (number, corners) in parts.polygons.iter().enumerate() {
        let area = parts.areas.get(number).copied().unwrap_or(0);
        if parts.area_kinds.get(usize::from(area)).is_some_and(|area| area.is_blocked) {
            continue;
        }
        // In cells from the origin.
        let place = |&vertex: &u32| {
            let at = parts.vertices.get(vertex as usize).copied().unwrap_or_default();
            [(at.x - left) / cell, (at.y - top) / cell]
        };
        let polygon: Vec<[f64; 2]> = corners.iter().map(place).collect();
        let span = |axis: usize, most: usize| {
            let values = || polygon.iter().map(|at| at[axis]);
            let (low, high) =
                (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            (low.floor().max(0.0) as usize)..(high.ceil().max(0.0) as usize).min(most)
        };
        for row in span(1, rows) {
            // A row's band first, so that wide polygons are not cut anew for each cell.
            let band = clipped(&clipped(&polygon, 1, row as f64, 1.0), 1, row as f64 + 1.0, -1.0);
            if band.len() < 3 {
                continue;
            }
            for column in span(0, columns) {
                square.clear();
                square.extend(clipped(&band, 0, column as f64, 1.0));
                let part = clipped(&square, 0, column as f64 + 1.0, -1.0);
                covered[row * columns + column] += area_of(&part);
            }
        }
    }
    let mut map = TileMap::filled(columns as u32, rows as u32, b'@').map_err(|_| too_large.clone())?;
    for (number, &area) in covered.iter().enumerate() {
        let (column, row) = (number % columns, number / columns);
        if area > 1.0 + ROOM {
            let (x, y) = (left + column as f64 * cell, top + row as f64 * cell);
            return Err(CellsError::Floors { x, y });
        }
        if area > 1.0 - ROOM {
            map.set(column as u32, row as u32, b'.').map_err(|_| too_large.clone())?;
        }
    }
    Ok(CellMap { map, origin: (left, top) })
}

/// For the rounding of floats.
const ROOM: f64 = 1e-6;

/// The part of a convex polygon where a coordinate is at least `at`, or with the sign -1 at most.
fn clipped(polygon: &[[f64; 2]], axis: usize, at: f64, sign: f64) -> Vec<[f64; 2]> {
    let inside = |point: &[f64; 2]| (point[axis] - at) * sign;
    let mut part = Vec::with_capacity(polygon.len() + 2);
    for (place, point) in polygon.iter().enumerate() {
        let next = &polygon[(place + 1) % polygon.len()];
        let (here, there) = (inside(point), inside(next));
        if here >= 0.0 {
            part.push(*point);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            let share = here / (here - there);
            let mut cut = [0, 1].map(|axis| point[axis] + (next[axis] - point[axis]) * share);
            cut[axis] = at;
            part.push(cut);
        }
    }
    part
}

fn area_of(polygon: &[[f64; 2]]) -> f64 {
    let Some(first) = polygon.first() else { return 0.0 };
    let triangle = |pair: &[[f64; 2]]| {
        (pair[0][0] - first[0]) * (pair[1][1] - first[1]) - (pair[0][1] - first[1]) * (pair[1][0] - first[0])
    };
    polygon.windows(2).map(triangle).sum::<f64>().abs() / 2.0
}
