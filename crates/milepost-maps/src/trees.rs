//! Quadtrees and octrees as text: `.quad` and `.oct` files.
//!
//! ```text
//! milepost-quadtree 1          milepost-octree 1
//! size 6 2                     size 3 2 2
//! leaves 3                     leaves 2
//! 0 0 2                        0 0 0 2
//! 2 0 2                        2 0 0 1
//! 4 0 1
//! ```
//!
//! A leaf is the column, the row and in an octree the layer where it begins, and its size: a power of two, of which the others are
//! multiples. Leaves stand in Z-order and are numbered from 0. What no leaf holds is blocked.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and its memory is bounded by the size of the file. What [`write()`] wrote,
//! [`read()`] reads back as the same graph.

use crate::format_error::{FormatError, Records, exactly, whole};
use milepost::{Extent, Graph, GraphError, Leaf};
use std::fmt::Write as _;

const QUADTREE: &str = "milepost-quadtree";
const OCTREE: &str = "milepost-octree";

/// Reads a quadtree or an octree.
pub fn read(bytes: &[u8]) -> Result<Graph, FormatError> {
    let first = "the line `milepost-quadtree 1` or `milepost-octree 1`";
    let mut records = Records::new(bytes, first)?;
    let line = records.expect(first)?;
    let [name, version] = exactly(&line, first)?;
    let is_flat = match name.1 {
        name if name == QUADTREE.as_bytes() => true,
        name if name == OCTREE.as_bytes() => false,
        _ => return Err(FormatError::line(&line, first)),
    };
    if version.1 != b"1" {
        return Err(FormatError::at(&line, version, "version 1"));
    }
    let size = if is_flat { "`size WIDTH HEIGHT`" } else { "`size WIDTH HEIGHT DEPTH`" };
    let size_line = records.expect(size)?;
    let (key, numbers): (_, Vec<_>) = if is_flat {
        let [key, width, height] = exactly(&size_line, size)?;
        (key, vec![width, height])
    } else {
        let [key, width, height, depth] = exactly(&size_line, size)?;
        (key, vec![width, height, depth])
    };
    if key.1 != b"size" {
        return Err(FormatError::at(&size_line, key, size));
    }
    let sides: Vec<u32> =
        numbers.into_iter().map(|word| whole(&size_line, word, "a size")).collect::<Result<_, _>>()?;
    let extent = Extent { width: sides[0], height: sides[1], depth: sides.get(2).copied().unwrap_or(0) };
    let is_none = extent.width == 0 || extent.height == 0 || (!is_flat && extent.depth == 0);
    let count_line = records.expect("`leaves COUNT`")?;
    let [key, count] = exactly(&count_line, "`leaves COUNT`")?;
    if key.1 != b"leaves" {
        return Err(FormatError::at(&count_line, key, "`leaves COUNT`"));
    }
    let count = whole(&count_line, count, "a count")?;
    let expected = if is_flat { "a leaf, `X Y SIZE`" } else { "a leaf, `X Y Z SIZE`" };
    let (mut leaves, mut places) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let line = records.expect(expected)?;
        let leaf = if is_flat {
            let numbers = exactly::<3>(&line, expected)?;
            let [x, y, size] = numbers.map(|word| whole(&line, word, "a coordinate or size"));
            Leaf { x: x?, y: y?, z: 0, size: size? }
        } else {
            let numbers = exactly::<4>(&line, expected)?;
            let [x, y, z, size] = numbers.map(|word| whole(&line, word, "a coordinate or size"));
            Leaf { x: x?, y: y?, z: z?, size: size? }
        };
        leaves.push(leaf);
        places.push(line.place);
    }
    records.end("the last leaf")?;
    if is_none {
        let Extent { width, height, depth } = extent;
        return Err(FormatError::Tree {
            place: size_line.place,
            error: GraphError::Extent { width, height, depth },
        });
    }
    Graph::from_leaves(extent, leaves).map_err(|error| {
        let place = match error {
            GraphError::Leaf { leaf, .. } => places.get(leaf.index()).copied(),
            _ => None,
        };
        FormatError::Tree { place: place.unwrap_or(size_line.place), error }
    })
}

/// Writes a tree: LF and single blanks. `None` where the graph is none. Edits of its nodes and edges are not written.
pub fn write(tree: &Graph) -> Option<String> {
    let extent = tree.extent()?;
    let is_flat = extent.is_flat();
    let mut text = format!("{} 1\n", if is_flat { QUADTREE } else { OCTREE });
    // Writing to a string cannot fail.
    let _ = write!(text, "size {} {}", extent.width, extent.height);
    let _ = match is_flat {
        true => writeln!(text),
        false => writeln!(text, " {}", extent.depth),
    };
    let _ = writeln!(text, "leaves {}", tree.leaves().len());
    for Leaf { x, y, z, size } in tree.leaves() {
        let _ = match is_flat {
            true => writeln!(text, "{x} {y} {size}"),
            false => writeln!(text, "{x} {y} {z} {size}"),
        };
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::{Grid, Rule, SpaceKind};
    use proptest::prelude::*;

    const SMALL: &str = "milepost-quadtree 1\nsize 6 2 # cells\nleaves 3\n0 0 2\n2 0 2\n4 0 1\n";

    #[test]
    fn small_trees_are_read() {
        let tree = read(SMALL.as_bytes()).unwrap();
        assert_eq!((tree.states(), tree.edge_count()), (3, 4));
        assert_eq!(tree.extent(), Some(Extent { width: 6, height: 2, depth: 0 }));
        let tree = read(b"milepost-octree 1\r\nsize 3 2 2\nleaves 2\n0 0 0 2\n2 0 0 1").unwrap();
        assert_eq!((tree.states(), tree.edge_count()), (2, 2));
        assert_eq!(read(b"milepost-octree 1\nsize 3 2 2\nleaves 0\n").unwrap().states(), 0);
    }

    #[test]
    fn what_is_broken_is_named_with_its_line() {
        for (text, pieces) in [
            ("", ["empty", "milepost-quadtree 1"]),
            ("milepost-tree 1\n", ["line 1", "milepost-octree 1"]),
            ("milepost-quadtree 2\n", ["line 1", "version 1"]),
            ("milepost-quadtree 1\n", ["line 2", "size WIDTH HEIGHT"]),
            ("milepost-quadtree 1\nsize 1\n", ["line 2", "size WIDTH HEIGHT"]),
            ("milepost-quadtree 1\nsize 1 2 3\n", ["line 2", "no more than"]),
            ("milepost-octree 1\nsize 1 1 0\nleaves 0\n", ["line 2", "sides of 1 to 65536"]),
            ("milepost-quadtree 1\nsize 65537 1\nleaves 0\n", ["line 2", "sides of 1 to 65536"]),
            ("milepost-quadtree 1\nsize 4 4\n", ["line 3", "leaves COUNT"]),
            ("milepost-quadtree 1\nsize 4 4\nleaves 2\n0 0 1\n", ["line 5", "found the end"]),
            ("milepost-quadtree 1\nsize 4 4\nleaves 1\n0 0 1\n1 0 1\n", ["line 5", "nothing after"]),
            ("milepost-quadtree 1\nsize 4 4\nleaves 1\n0 0 x\n", ["line 4", "\"x\""]),
            ("milepost-quadtree 1\nsize 4 4\nleaves 1\n0 0 3\n", ["line 4", "power of two"]),
            ("milepost-quadtree 1\nsize 4 4\nleaves 2\n2 0 1\n0 0 1\n", ["line 5", "Z-order"]),
            ("milepost-quadtree 1\nsize 4 4\nleaves 4294967295\n", ["line 4", "found the end"]),
        ] {
            let message = read(text.as_bytes()).expect_err(text).to_string();
            assert!(pieces.iter().all(|piece| message.contains(piece)), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn every_grid_becomes_a_tree_that_survives_the_round_trip(
            width in 1u32..12, height in 1u32..12, bits: u128,
        ) {
            let grid = Grid::new(width, height, Rule::Octile, |x, y| bits >> ((y * width + x) % 128) & 1 == 1);
            let tree = Graph::quadtree(&grid.unwrap()).unwrap();
            let again = read(write(&tree).unwrap().as_bytes()).unwrap();
            prop_assert_eq!(again.hash(), tree.hash());
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }

        #[test]
        fn a_damaged_tree_never_panics(at: prop::sample::Index, byte: u8) {
            let mut bytes = SMALL.as_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = read(&bytes);
        }
    }
}
