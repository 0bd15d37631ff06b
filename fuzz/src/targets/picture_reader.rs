//! Whatever the bytes, the reader of pictures answers with a map or an error, and a map that was read survives
//! being drawn and read again.

use milepost_maps::picture::{self, Options};

pub(super) fn check(bytes: &[u8]) {
    let options = Options { has_weights: true, ..Options::default() };
    if let Ok(picture) = picture::read(bytes, options) {
        let weights = picture.weights.expect("weights were asked for");
        assert_eq!(weights.len(), picture.map.tiles().len(), "a weight for every cell");
        assert!(weights.iter().all(|weight| (1..=9).contains(weight)), "a weight out of range");
        let drawn = picture::write(&picture.map).expect("a map that was a picture can be one again");
        let again = picture::read(&drawn, Options::default()).expect("a picture we wrote must be readable");
        assert!(picture.map == again.map, "drawing and reading a map again changed it");
    }
}
