//! A navigation mesh: convex polygons that share edges. States are polygons.
//!
//! Vertices lie on a lattice that is chosen when the mesh is made, and every decision is made in whole numbers. Costs and
//! lengths are those of the plane; heights choose among floors that lie over each other, and stand in the points of paths.

mod geometry;
mod lattice;
mod parts;
mod shape;

use crate::core::Position;
use shape::Shape;
use std::sync::Arc;

pub use parts::{MeshArea, MeshError, MeshLink, MeshLinkEnd, MeshParts};

/// A navigation mesh. Cheap to clone, never changed by a query.
#[derive(Clone, Debug)]
pub struct NavMesh {
    shape: Arc<Shape>,
}

impl NavMesh {
    /// The mesh of these polygons, each a loop of vertices, all in the same sense. `areas` says what a unit of length costs
    /// in each polygon, in hundredths; it is empty if all of them cost 1.
    pub fn new(
        vertices: Vec<Position>,
        polygons: Vec<Vec<u32>>,
        areas: &[u32],
    ) -> Result<NavMesh, MeshError> {
        let mut parts = MeshParts::flat(vertices, polygons);
        let mut kinds: Vec<u32> = areas.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let of = |cost: &u32| kinds.binary_search(cost).unwrap_or(0) as u16;
        parts.areas = areas.iter().map(of).collect();
        parts.area_kinds =
            kinds.iter().map(|&cost| MeshArea::new(format!("{}", f64::from(cost) / 100.0), cost)).collect();
        NavMesh::from_parts(parts)
    }

    /// The mesh of these parts, or what is wrong with them.
    pub fn from_parts(mut parts: MeshParts) -> Result<NavMesh, MeshError> {
        let shape = Shape::new(&mut parts)?;
        Ok(NavMesh { shape: Arc::new(shape) })
    }

    /// Polygons, blocked ones included.
    pub fn polygon_count(&self) -> u32 {
        self.shape.len() as u32
    }
}
