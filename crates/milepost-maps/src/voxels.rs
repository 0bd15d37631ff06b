//! MovingAI's voxel maps: `.3dmap` files.
//!
//! ```text
//! voxel 4 3 2
//! 0 0 1
//! 3 2 0
//! ```
//!
//! `voxel` and the width, the height and the depth; then a blocked voxel a line, in any order. All others are free.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and its memory is bounded by the size of the file.

use crate::format_error::{FormatError, Records, exactly, whole};
use milepost::{Extent, Graph, GraphError};

/// A world of voxels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voxels {
    /// How many there are.
    pub extent: Extent,
    /// Those that are blocked, in the order of the file.
    pub blocked: Vec<[u32; 3]>,
}

impl Voxels {
    /// The octree of the free voxels.
    pub fn octree(&self) -> Result<Graph, GraphError> {
        Graph::octree(self.extent, &self.blocked)
    }
}

/// Reads a `.3dmap` file.
pub fn read(bytes: &[u8]) -> Result<Voxels, FormatError> {
    let first = "the line `voxel WIDTH HEIGHT DEPTH`";
    let mut records = Records::new(bytes, first)?;
    let line = records.expect(first)?;
    let [key, sides @ ..] = exactly::<4>(&line, first)?;
    if key.1 != b"voxel" {
        return Err(FormatError::at(&line, key, first));
    }
    let most = format!("a side of 1 to {} voxels", Extent::MOST);
    let [width, height, depth] = sides.map(|word| match whole(&line, word, "a side") {
        Ok(side) if side == 0 || side > Extent::MOST => Err(FormatError::at(&line, word, most.as_str())),
        side => side,
    });
    let extent = Extent { width: width?, height: height?, depth: depth? };
    let mut blocked = Vec::new();
    for line in records {
        let voxel = exactly::<3>(&line, "a blocked voxel, `X Y Z`")?;
        let [x, y, z] = voxel.map(|word| whole(&line, word, "a coordinate"));
        let voxel = [x?, y?, z?];
        if !extent.holds(voxel.map(i64::from)) {
            let Extent { width, height, depth } = extent;
            return Err(FormatError::line(&line, format!("a voxel inside {width} x {height} x {depth}")));
        }
        blocked.push(voxel);
    }
    Ok(Voxels { extent, blocked })
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::SpaceKind;
    use proptest::prelude::*;

    #[test]
    fn blocked_voxels_are_read_and_all_others_are_free() {
        let voxels = read(b"voxel 4 3 2\n0 0 1\n3 2 0\n").unwrap();
        assert_eq!(voxels.blocked, [[0, 0, 1], [3, 2, 0]]);
        let tree = voxels.octree().unwrap();
        let free: u32 = tree.leaves().iter().map(|leaf| leaf.size.pow(3)).sum();
        assert_eq!((free, tree.component_count()), (22, 1));
    }

    #[test]
    fn what_is_broken_is_named_with_its_line() {
        for (text, pieces) in [
            ("", ["empty", "voxel WIDTH"]),
            ("map 1 2 3", ["line 1", "voxel WIDTH"]),
            ("voxel 1 2", ["line 1", "voxel WIDTH"]),
            ("voxel 0 2 3", ["line 1", "1 to 65536"]),
            ("voxel 1 2 65537", ["line 1", "1 to 65536"]),
            ("voxel 4 4 4\n1 2\n", ["line 2", "X Y Z"]),
            ("voxel 4 4 4\n1 2 3\n1 2 4\n", ["line 3", "inside 4 x 4 x 4"]),
            ("voxel 4 4 4\n1 2 -1\n", ["line 2", "whole number"]),
        ] {
            let message = read(text.as_bytes()).expect_err(text).to_string();
            assert!(pieces.iter().all(|piece| message.contains(piece)), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }
    }
}
