//! Whatever the bytes, the readers of quadtrees, octrees and voxels answer with a graph or an error, and a tree that was read survives
//! being written and read again.

use milepost::{Extent, SpaceKind};
use milepost_maps::{Voxels, trees, voxels};

pub(super) fn check(bytes: &[u8]) {
    let tree = trees::read(bytes).ok();
    // Larger worlds only take time.
    let small = |voxels: &Voxels| {
        let Extent { width, height, depth } = voxels.extent;
        [width, height, depth].into_iter().map(u64::from).product::<u64>() <= 1 << 16
    };
    let octree = voxels::read(bytes).ok().filter(small).and_then(|voxels| voxels.octree().ok());
    for tree in [tree, octree].into_iter().flatten() {
        let text = trees::write(&tree).expect("it is a tree");
        let again = trees::read(text.as_bytes()).expect("a tree we wrote must be readable");
        assert_eq!(again.hash(), tree.hash(), "the tree changed");
    }
}
