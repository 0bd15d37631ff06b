//! Navigation meshes: readers of the formats of others and of our own, writers, and a maker from maps of cells.
//!
//! | module | what it does |
//! |---|---|
//! | [`polyanya`] | reads and writes `.mesh` files |
//! | [`recast`] | reads polygon meshes of Recast as JSON |
//! | [`obj`] | reads the faces of Wavefront `.obj` files |
//! | [`json`] | reads and writes our own JSON |
//! | [`make`] | makes a mesh from a map of cells |
//! | [`cells`] | makes a map of cells from a mesh |
//! | `merge` | makes convex polygons of triangles |
//!
//! # Guarantees
//! Whatever the bytes are, no reader panics, and its memory is bounded by the size of the file.

pub mod cells;
pub mod json;
pub mod make;
mod merge;
pub mod obj;
pub mod polyanya;
pub mod recast;

use crate::FormatError;
use crate::error::debug_as_sentence;
use milepost::{MeshError, MeshParts, NavMesh};
use thiserror::Error;

/// A mesh as its file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// What it is made of.
    pub parts: MeshParts,
    /// The line of each polygon, from 1; empty where that is not known.
    lines: Vec<u32>,
}

impl MeshFile {
    /// The mesh, or what is wrong with it, and in which line.
    pub fn mesh(&self) -> Result<NavMesh, MeshFileError> {
        NavMesh::from_parts(self.parts.clone()).map_err(|error| self.wrong(error))
    }

    fn wrong(&self, error: MeshError) -> MeshFileError {
        match polygon_of(&error).and_then(|polygon| self.lines.get(polygon as usize)) {
            Some(&line) => MeshFileError::Line { line, error },
            None => MeshFileError::Mesh(error),
        }
    }
}

/// Why bytes are not a mesh.
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshFileError {
    /// The text is wrong.
    #[error(transparent)]
    Text(#[from] FormatError),
    /// A number of a JSON document is wrong, or the document is none.
    #[error("line {line}, column {column}: {reason}; correct the document")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was expected and found.
        reason: String,
    },
    /// A part of a JSON document means nothing.
    #[error("{part}: expected {expected}, found {found}; correct the document")]
    Part {
        /// Which part.
        part: String,
        /// What could have stood there.
        expected: String,
        /// What does.
        found: String,
    },
    /// The polygon of a line cannot be.
    #[error("line {line}: {error}; correct the line")]
    Line {
        /// The line, from 1.
        line: u32,
        /// What is wrong.
        error: MeshError,
    },
    /// The parts make no mesh.
    #[error("{0}; correct the file")]
    Mesh(MeshError),
}

debug_as_sentence!(MeshFileError);

impl MeshFileError {
    pub(crate) fn part(
        part: impl Into<String>,
        expected: impl Into<String>,
        found: impl ToString,
    ) -> MeshFileError {
        let (part, expected, found) = (part.into(), expected.into(), found.to_string());
        MeshFileError::Part { part: shown(&part), expected, found: shown(&found) }
    }
}

impl From<serde_json::Error> for MeshFileError {
    fn from(error: serde_json::Error) -> MeshFileError {
        let (line, column) = (error.line(), error.column());
        let whole = error.to_string();
        // The place stands in front.
        let reason = whole.split(" at line ").next().unwrap_or(&whole);
        MeshFileError::Json { line, column, reason: shown(reason) }
    }
}

/// A text of a file as a message shows it: short, and without control characters.
fn shown(text: &str) -> String {
    let show = |letter: char| match letter.is_control() {
        true => letter.escape_debug().to_string(),
        false => letter.to_string(),
    };
    text.chars().take(120).map(show).collect()
}

/// The polygon that an error is about.
fn polygon_of(error: &MeshError) -> Option<u32> {
    Some(match *error {
        MeshError::TooFewVertices { polygon, .. }
        | MeshError::NoSuchVertex { polygon, .. }
        | MeshError::RepeatedVertex { polygon, .. }
        | MeshError::ZeroArea { polygon }
        | MeshError::NotConvex { polygon, .. }
        | MeshError::MixedWinding { polygon }
        | MeshError::TooFine { polygon, .. }
        | MeshError::NeighbourCount { polygon, .. }
        | MeshError::NoSharedEdge { polygon, .. }
        | MeshError::OneSidedWall { polygon, .. }
        | MeshError::NoSuchArea { polygon, .. } => polygon,
        MeshError::NonManifold { second, .. } => second,
        _ => return None,
    })
}

/// A mesh in JSON: Recast's where it has a member `nvp`, else our own. `config` is the document beside one of Recast's.
pub fn read_json(bytes: &[u8], config: Option<&[u8]>) -> Result<MeshFile, MeshFileError> {
    if recast::is_recast(bytes)? { recast::read(bytes, config) } else { json::read(bytes) }
}

/// A cost in hundredths, if it is one.
pub(crate) fn hundredths(cost: f64) -> Option<u32> {
    let scaled = cost * 100.0;
    let rounded = scaled.round();
    let is_cost = (1.0..=f64::from(u32::MAX)).contains(&rounded) && (scaled - rounded).abs() < 1e-6;
    is_cost.then_some(rounded as u32)
}
