//! A mesh from a map of cells.
//!
//! The outlines of the free cells, and those between cells of different weight, become edges of a constrained Delaunay triangulation, by
//! the crate `spade`; triangles are then merged to convex polygons. Cell x,y covers the square from x,y to x+1,y+1, so that places on
//! the map and on the mesh are the same.
//!
//! # Guarantees
//! Polygons cover the free cells and nothing else, and do not overlap. Each is of one area. Two are neighbours if they share an edge: cells that touch
//! at a corner alone are not joined, as under the movement rule `octile`. The same map gives the same mesh on every machine.
//!
//! # Deviations
//! 1. A triangulation of whole numbers is made by exact predicates in floats, and what is merged is decided in whole numbers.

use super::merge::{Corner, merge, orient};
use crate::TileMap;
use crate::error::debug_as_sentence;
use milepost::{MeshArea, MeshParts, Position};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use thiserror::Error;

/// A rectangle of cells that becomes polygons of its own, such as a door.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// Its first column.
    pub x: u32,
    /// Its first row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// How a mesh is made.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The weight of each cell, row by row, 1 to 255; all are 1 without.
    pub weights: Option<&'a [u8]>,
    /// Rectangles that become polygons of their own. Where two overlap, the later one has the cells.
    pub keep: &'a [Keep],
    /// Triangles are left as they are.
    pub is_unmerged: bool,
}

/// Why no mesh can be made.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// There is nothing to cover.
    #[error("the map has no free cell, so there is nothing for a mesh to cover")]
    NoFreeCell,
    /// A rectangle reaches beyond the map.
    #[error(
        "the rectangle {},{},{},{} to keep lies outside the map of {width} x {height}; expected X,Y,W,H inside it, each side \
         at least 1", keep.x, keep.y, keep.width, keep.height
    )]
    KeepOutside {
        /// The rectangle.
        keep: Keep,
        /// The width of the map.
        width: u32,
        /// The height of the map.
        height: u32,
    },
    /// The list of weights is not as long as the map.
    #[error("{found} weights for {cells} cells")]
    Weights {
        /// How many there are.
        found: usize,
        /// How many cells.
        cells: usize,
    },
    /// The triangulation failed.
    #[error("the outlines of the map cannot be triangulated: {0}")]
    Triangulation(String),
}

debug_as_sentence!(MakeError);

/// The mesh of the free cells of a map.
pub fn mesh(map: &TileMap, options: &Options<'_>) -> Result<MeshParts, MakeError> {
    let labels = Labels::new(map, options)?;
    let corners = labels.corners();
    if corners.is_empty() {
        return Err(MakeError::NoFreeCell);
    }
    let numbers: HashMap<Corner, u32> = corners.iter().copied().zip(0..).collect();
    let triangles = triangulate(&corners, labels.edges(&numbers))?;
    let middle = |triangle: &[u32]| {
        let sum = |axis: usize| triangle.iter().map(|&at| corners[at as usize][axis]).sum::<i64>();
        // The middle is inside, so that the cells on both sides of a line that it lies on have the same label.
        (sum(0).div_euclid(3), sum(1).div_euclid(3))
    };
    let of = |triangle: &Vec<u32>| {
        let (x, y) = middle(triangle);
        labels.at(x, y)
    };
    let triangles: Vec<Vec<u32>> = triangles.into_iter().filter(|triangle| of(triangle) != BLOCKED).collect();
    let triangle_labels: Vec<u32> = triangles.iter().map(of).collect();
    let polygons = match options.is_unmerged {
        true => triangles.into_iter().zip(triangle_labels).collect(),
        false => merge(&corners, triangles, &triangle_labels),
    };

    let position = |at: &Corner| Position::new(at[0] as f64, at[1] as f64, 0.0);
    let mut parts = MeshParts::flat(corners.iter().map(position).collect(), Vec::new());
    let areas = labels.areas(map);
    let numbers: HashMap<u8, u16> = areas.keys().copied().zip(0..).collect();
    for (polygon, label) in polygons {
        parts.polygons.push(polygon);
        if areas.len() > 1 || labels.is_weighted {
            parts.areas.push(numbers[&labels.weight_of(label)]);
        }
    }
    if !parts.areas.is_empty() {
        parts.area_kinds =
            areas.iter().map(|(&weight, name)| MeshArea::new(name, 100 * u32::from(weight))).collect();
    }
    Ok(parts)
}

/// The label of cells that are blocked or outside.
const BLOCKED: u32 = 0;

/// What each cell belongs to: nothing, or ground of a weight, outside or inside a rectangle that is kept.
struct Labels {
    width: i64,
    height: i64,
    labels: Vec<u32>,
    is_weighted: bool,
}

impl Labels {
    fn new(map: &TileMap, options: &Options<'_>) -> Result<Labels, MakeError> {
        let (width, height) = (map.width(), map.height());
        let cells = map.tiles().len();
        if let Some(weights) = options.weights.filter(|weights| weights.len() != cells) {
            return Err(MakeError::Weights { found: weights.len(), cells });
        }
        let mut labels = vec![BLOCKED; cells];
        let number = |x: u32, y: u32| y as usize * width as usize + x as usize;
        for y in 0..height {
            for x in 0..width {
                if map.is_passable(x, y) {
                    let weight = options.weights.map_or(1, |weights| weights[number(x, y)].max(1));
                    labels[number(x, y)] = weight.into();
                }
            }
        }
        for (place, keep) in (1..).zip(options.keep) {
            let end = |at: u32, size: u32| at.checked_add(size).filter(|_| size > 0);
            let (Some(right), Some(bottom)) = (
                end(keep.x, keep.width).filter(|&right| right <= width),
                end(keep.y, keep.height).filter(|&bottom| bottom <= height),
            ) else {
                return Err(MakeError::KeepOutside { keep: *keep, width, height });
            };
            for y in keep.y..bottom {
                for label in &mut labels[number(keep.x, y)..number(right - 1, y) + 1] {
                    if *label != BLOCKED {
                        *label = (*label & 0xff) | place << 8;
                    }
                }
            }
        }
        let is_weighted = labels.iter().any(|&label| label & 0xff > 1);
        Ok(Labels { width: width.into(), height: height.into(), labels, is_weighted })
    }

    fn at(&self, x: i64, y: i64) -> u32 {
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return BLOCKED;
        }
        self.labels[(y * self.width + x) as usize]
    }

    fn weight_of(&self, label: u32) -> u8 {
        (label & 0xff) as u8
    }

    /// Whether an outline runs upwards, downwards, to the left and to the right of a corner of cells.
    fn outlines(&self, x: i64, y: i64) -> [bool; 4] {
        let (a, b) = (self.at(x - 1, y - 1), self.at(x, y - 1));
        let (c, d) = (self.at(x - 1, y), self.at(x, y));
        [a != b, c != d, a != c, b != d]
    }

    /// Where outlines turn, meet or cross, row by row.
    fn corners(&self) -> Vec<Corner> {
        let mut corners = Vec::new();
        for y in 0..=self.height {
            for x in 0..=self.width {
                let is_straight = match self.outlines(x, y) {
                    [false, false, false, false] => true,
                    [up, down, left, right] => up == down && left == right && up != left,
                };
                if !is_straight {
                    corners.push([x, y]);
                }
            }
        }
        corners
    }

    /// The outlines between two corners that follow each other.
    fn edges(&self, numbers: &HashMap<Corner, u32>) -> Vec<[usize; 2]> {
        let mut edges = Vec::new();
        let mut line = |corners: &mut dyn Iterator<Item = (i64, i64)>,
                        leads_on: &dyn Fn([bool; 4]) -> bool| {
            let mut last: Option<u32> = None;
            for (x, y) in corners {
                let Some(&corner) = numbers.get(&[x, y]) else { continue };
                if let Some(last) = last {
                    edges.push([last as usize, corner as usize]);
                }
                last = leads_on(self.outlines(x, y)).then_some(corner);
            }
        };
        for y in 0..=self.height {
            line(&mut (0..=self.width).map(|x| (x, y)), &|[_, _, _, right]| right);
        }
        for x in 0..=self.width {
            line(&mut (0..=self.height).map(|y| (x, y)), &|[_, down, _, _]| down);
        }
        edges
    }

    /// The weights that occur, with a name for each: the letter, where all cells of the weight have the same one and no others have
    /// it, else the number.
    fn areas(&self, map: &TileMap) -> BTreeMap<u8, String> {
        let mut letters: BTreeMap<u8, Option<u8>> = BTreeMap::new();
        for (&label, &letter) in self.labels.iter().zip(map.tiles()) {
            if label != BLOCKED {
                let known = letters.entry(self.weight_of(label)).or_insert(Some(letter));
                *known = known.filter(|&known| known == letter);
            }
        }
        let weights_of = |letter: u8| {
            let cells = self.labels.iter().zip(map.tiles());
            let of_letter = cells.filter(|&(&label, &other)| label != BLOCKED && other == letter);
            of_letter.map(|(&label, _)| self.weight_of(label)).collect::<BTreeSet<u8>>().len()
        };
        let name = |(&weight, letter): (&u8, &Option<u8>)| {
            let letter = letter.filter(|&letter| weights_of(letter) == 1);
            (weight, letter.map_or(weight.to_string(), |letter| char::from(letter).to_string()))
        };
        letters.iter().map(name).collect()
    }
}

/// The triangles between corners that keep these edges, counter-clockwise where y leads upwards.
fn triangulate(corners: &[Corner], edges: Vec<[usize; 2]>) -> Result<Vec<Vec<u32>>, MakeError> {
    let wrong = |error: &dyn std::fmt::Debug| MakeError::Triangulation(format!("{error:?}"));
    let points = corners.iter().map(|at| Point2::new(at[0] as f64, at[1] as f64)).collect();
    let triangulation = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(points, edges)
        .map_err(|error| wrong(&error))?;
    let number: HashMap<Corner, u32> = corners.iter().copied().zip(0..).collect();
    let mut triangles = Vec::new();
    for face in triangulation.inner_faces() {
        let found = face.vertices().map(|vertex| {
            let at = vertex.position();
            number.get(&[at.x as i64, at.y as i64]).copied()
        });
        let [Some(a), Some(b), Some(c)] = found else {
            return Err(wrong(&"a vertex that is none"));
        };
        let at = |vertex: u32| corners[vertex as usize];
        if orient(at(a), at(b), at(c)) <= 0 {
            return Err(wrong(&"a triangle without area"));
        }
        // The lowest number first, so that nothing depends on how the triangulation counts.
        let triangle = if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        };
        triangles.push(triangle.to_vec());
    }
    triangles.sort_unstable();
    Ok(triangles)
}
