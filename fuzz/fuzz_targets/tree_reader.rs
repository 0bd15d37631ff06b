//! Whatever the bytes, the readers of quadtrees, octrees and voxels answer with a graph or an error, and a tree that was read survives
//! being written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use milepost::SpaceKind;
use milepost_maps::{trees, voxels};

fuzz_target!(|bytes: &[u8]| {
    let tree = trees::read(bytes).ok();
    let octree = voxels::read(bytes).ok().and_then(|voxels| voxels.octree().ok());
    for tree in [tree, octree].into_iter().flatten() {
        let text = trees::write(&tree).expect("it is a tree");
        let again = trees::read(text.as_bytes()).expect("a tree we wrote must be readable");
        assert_eq!(again.hash(), tree.hash(), "the tree changed");
    }
});
