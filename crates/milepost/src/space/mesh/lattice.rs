//! The lattice that a mesh lies on: an origin and a unit. It is the coarsest of 1/16, 1/64, 1/256, ... of the file's own
//! unit on which no polygon collapses or turns concave.

use super::geometry::{FINE_BITS, FinePoint, LatticePoint, MOST_STEPS, find_dent};
use super::parts::{MeshError, MeshParts};
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
        let most = (4 * MOST_STEPS << FINE_BITS) as f64;
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
        let origin = parts
            .vertices
            .iter()
            .fold((f64::INFINITY, f64::INFINITY), |(x, y), vertex| (x.min(vertex.x), y.min(vertex.y)));
        let extent = parts
            .vertices
            .iter()
            .fold(0.0_f64, |extent, vertex| extent.max(vertex.x - origin.0).max(vertex.y - origin.1));
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
                let vertex = corners[find_dent(&points)?];
                Some(MeshError::TooFine { polygon: polygon as u32, vertex, unit: lattice.step() })
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
