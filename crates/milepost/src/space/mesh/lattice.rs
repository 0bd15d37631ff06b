//! The lattice that a mesh lies on: an origin and a unit. It is the coarsest of 1/16, 1/64, 1/256, ... of the file's own
//! unit on which no polygon collapses or turns concave.

use super::geometry::{FINE_BITS, FinePoint, LatticePoint, MOST_STEPS, find_dent};
use super::parts::{MeshError, MeshParts};
use super::shape::used_vertices;
use crate::core::Position;

/// The coarsest lattice has this many steps to a unit, as a power of 2; each finer one has 4 times as many.
const COARSEST_BITS: u32 = 4;
const FINEST_BITS: u32 = 28;

/// Where lattice points lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lattice {
    pub(super) origin: (f64, f64),
    /// The file's own unit, in which costs are measured.
    pub(super) unit: f64,
    /// Steps to a unit, as a power of 2.
    pub(super) bits: u32,
}

impl Lattice {
    /// The length of a step.
    pub(super) fn step(&self) -> f64 {
        self.unit / (1_u64 << self.bits) as f64
    }

    /// The nearest lattice point to a vertex.
    fn round(&self, at: Position) -> LatticePoint {
        let step = |value: f64, origin: f64| ((value - origin) / self.step()).round() as i32;
        LatticePoint::new(step(at.x, self.origin.0), step(at.y, self.origin.1))
    }

    /// The point of the finer lattice that is nearest to a place; `None` far outside.
    pub(super) fn fine(&self, x: f64, y: f64) -> Option<FinePoint> {
        let most = ((4 * MOST_STEPS) << FINE_BITS) as f64;
        let step = |value: f64, origin: f64| {
            let steps = ((value - origin) / self.step() * (1_u64 << FINE_BITS) as f64).round();
            (steps.abs() < most).then_some(steps as i64)
        };
        Some(FinePoint { x: step(x, self.origin.0)?, y: step(y, self.origin.1)? })
    }

    /// Where a point of the finer lattice lies.
    pub(super) fn place(&self, point: FinePoint) -> (f64, f64) {
        let place =
            |steps: i64, origin: f64| steps as f64 / (1_u64 << FINE_BITS) as f64 * self.step() + origin;
        (place(point.x, self.origin.0), place(point.y, self.origin.1))
    }

    /// The lattice for these parts, whose numbers are all in range, and their vertices on it.
    pub(super) fn choose(parts: &MeshParts) -> Result<(Lattice, Vec<LatticePoint>), MeshError> {
        let is_used = used_vertices(parts);
        let used = || parts.vertices.iter().zip(&is_used).filter(|(_, is_used)| **is_used).map(|(at, _)| at);
        let least = |(x, y): (f64, f64), at: &Position| (x.min(at.x), y.min(at.y));
        let origin = used().fold((f64::INFINITY, f64::INFINITY), least);
        let extent = used().fold(0.0_f64, |extent, at| extent.max(at.x - origin.0).max(at.y - origin.1));
        let mut failed = None;
        for bits in (COARSEST_BITS..=FINEST_BITS).step_by(2) {
            let lattice = Lattice { origin, unit: parts.unit, bits };
            // One step is kept for rounding.
            if extent / lattice.step() >= (MOST_STEPS - 1) as f64 {
                break;
            }
            let vertices: Vec<LatticePoint> = parts.vertices.iter().map(|&at| lattice.round(at)).collect();
            let mut points = Vec::new();
            let dent = parts.polygons.iter().enumerate().find_map(|(polygon, corners)| {
                points.clear();
                points.extend(corners.iter().map(|&vertex| vertices[vertex as usize]));
                let place = find_dent(&points)?;
                let (polygon, vertex) = (polygon as u32, corners[place]);
                let at = |by: usize| parts.vertices[corners[(place + by) % corners.len()] as usize];
                let (before, here, after) = (at(corners.len() - 1), at(0), at(1));
                let turn =
                    (here.x - before.x) * (after.y - here.y) - (here.y - before.y) * (after.x - here.x);
                Some(match turn < 0.0 {
                    true => MeshError::NotConvex { polygon, vertex },
                    false => MeshError::TooFine { polygon, vertex, unit: lattice.step() },
                })
            });
            match dent {
                None => return Ok((lattice, vertices)),
                dent => failed = dent,
            }
        }
        let most = (MOST_STEPS - 1) as f64 / f64::from(1 << COARSEST_BITS);
        Err(failed.unwrap_or(MeshError::TooWide { extent, most, unit: parts.unit }))
    }
}
