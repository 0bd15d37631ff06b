//! Road networks in the text formats of the DIMACS shortest-path challenge: `.gr` (arcs), `.co` (coordinates)
//! and `.p2p` (problems).
//!
//! ```text
//! c what a program should not read      p aux sp co 3          p aux sp p2p 2
//! p sp 3 2                              v 1 -73530767 41085396  q 1 3
//! a 1 2 803                             v 2 -73530538 41086098  q 3 1
//! a 2 3 158                             v 3 -73519366 41048796
//! ```
//!
//! Nodes are numbered from 1. A street that can be driven both ways is two arcs.
//!
//! # Paper
//! C. Demetrescu, A. Goldberg, D. Johnson (editors): The Shortest Path Problem: Ninth DIMACS Implementation
//! Challenge, 2009; the formats are those of its web page.
//!
//! # Guarantees
//! Whatever the bytes are, no reader panics, and memory for a promised number of lines is reserved only after
//! the file has been seen to be long enough for them. What a writer wrote, its reader reads back. Reading is
//! one pass without allocation a line: some 100 MB a second and more.
//!
//! # Deviations
//! 1. CR LF, a byte order mark, blank lines, blanks around lines and between words are accepted.
//! 2. Costs are from 1 to 4294967295; the challenge leaves both ends open. A cost of 0 would allow cycles for
//!    nothing, and more than 32 bits do not occur.

mod error;
mod parse;

pub use error::{DimacsError, DimacsKind};

use parse::{Records, push_signed, push_unsigned};

/// A way from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arc {
    /// Where it begins, from 1.
    pub from: u32,
    /// Where it ends, from 1.
    pub to: u32,
    /// What it costs, at least 1.
    pub cost: u32,
}

/// A road network: the contents of a `.gr` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoadGraph {
    /// How many nodes there are; they are numbered from 1 up to and including this.
    pub nodes: u32,
    /// The arcs, in the order of the file. Parallel arcs and loops may occur.
    pub arcs: Vec<Arc>,
}

/// A node and where it lies: its number from 1, x, and y. The challenge's own files have millionths of a
/// degree of longitude and latitude.
pub type Coordinate = (u32, i64, i64);

/// A problem: from which node to which, numbered from 1.
pub type Pair = (u32, u32);

/// Reads a `.gr` file.
///
/// ```
/// let graph = milepost_maps::dimacs::read_graph(b"p sp 2 1\na 1 2 803\n")?;
/// assert_eq!((graph.nodes, graph.arcs[0].cost), (2, 803));
/// # Ok::<(), milepost_maps::DimacsError>(())
/// ```
pub fn read_graph(bytes: &[u8]) -> Result<RoadGraph, DimacsError> {
    let mut records = Records::open(DimacsKind::Graph, bytes)?;
    let nodes = records.nodes();
    let mut arcs = Vec::with_capacity(records.promised());
    while let Some(record) = records.next_record()? {
        let [from, to] = [record.node(0, "FROM", nodes)?, record.node(1, "TO", nodes)?];
        arcs.push(Arc { from, to, cost: record.cost(2)? });
    }
    Ok(RoadGraph { nodes, arcs })
}

/// Reads a `.co` file: every node once, in the order of the file. `nodes` is how many the graph has, if that
/// is known; the file must then have as many.
pub fn read_coordinates(bytes: &[u8], nodes: Option<u32>) -> Result<Vec<Coordinate>, DimacsError> {
    let mut records = Records::open(DimacsKind::Coordinates, bytes)?;
    let found = records.nodes();
    records.check_nodes(nodes)?;
    let mut coordinates = Vec::with_capacity(records.promised());
    // The file is long enough for a line a node, so this takes less memory than the file.
    let mut is_known = vec![0u64; records.promised() / 64 + 1];
    while let Some(record) = records.next_record()? {
        let id = record.node(0, "ID", found)?;
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if is_known[word] & bit != 0 {
            return Err(record.twice(id));
        }
        is_known[word] |= bit;
        coordinates.push((id, record.coordinate(1, "X")?, record.coordinate(2, "Y")?));
    }
    Ok(coordinates)
}

/// Reads a `.p2p` file. `nodes` is how many the graph has, if that is known: numbers above it are refused.
pub fn read_pairs(bytes: &[u8], nodes: Option<u32>) -> Result<Vec<Pair>, DimacsError> {
    let mut records = Records::open(DimacsKind::Pairs, bytes)?;
    let nodes = nodes.unwrap_or(u32::MAX);
    let mut pairs = Vec::with_capacity(records.promised());
    while let Some(record) = records.next_record()? {
        pairs.push((record.node(0, "FROM", nodes)?, record.node(1, "TO", nodes)?));
    }
    Ok(pairs)
}

/// Writes a `.gr` file: LF, single blanks, no comments.
///
/// To be read back, every number must be in range: nodes from 1 to `graph.nodes`, costs at least 1.
pub fn write_graph(graph: &RoadGraph) -> Vec<u8> {
    let mut bytes = format!("p sp {} {}\n", graph.nodes, graph.arcs.len()).into_bytes();
    for arc in &graph.arcs {
        bytes.push(b'a');
        for number in [arc.from, arc.to, arc.cost] {
            bytes.push(b' ');
            push_unsigned(&mut bytes, u64::from(number));
        }
        bytes.push(b'\n');
    }
    bytes
}

/// Writes a `.co` file. To be read back, it must hold every node from 1 to their number once.
pub fn write_coordinates(coordinates: &[Coordinate]) -> Vec<u8> {
    let mut bytes = format!("p aux sp co {}\n", coordinates.len()).into_bytes();
    for &(id, x, y) in coordinates {
        bytes.extend_from_slice(b"v ");
        push_unsigned(&mut bytes, u64::from(id));
        for number in [x, y] {
            bytes.push(b' ');
            push_signed(&mut bytes, number);
        }
        bytes.push(b'\n');
    }
    bytes
}

/// Writes a `.p2p` file. To be read back, numbers must be at least 1.
pub fn write_pairs(pairs: &[Pair]) -> Vec<u8> {
    let mut bytes = format!("p aux sp p2p {}\n", pairs.len()).into_bytes();
    for &(from, to) in pairs {
        bytes.extend_from_slice(b"q ");
        push_unsigned(&mut bytes, u64::from(from));
        bytes.push(b' ');
        push_unsigned(&mut bytes, u64::from(to));
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests;
