//! Whatever the bytes, the reader of Tiled maps answers with cells or an error, and cells that were read survive being
//! written and read again. Bytes behind a first zero byte are the tileset that the map may ask for.

use milepost_maps::tiled::{self, Options};

pub(super) fn check(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let (map, tileset) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if let Ok(level) = tiled::read(map, &Options::default(), |_| Ok(tileset.to_vec())) {
        if let Some(weights) = &level.weights {
            assert_eq!(weights.len(), level.map.tiles().len(), "a weight for every cell");
            assert!(!weights.contains(&0), "a weight of nothing");
        }
        // Larger ones only take time.
        if level.map.tiles().len() > 1 << 20 {
            return;
        }
        let written =
            tiled::write(&level.map, level.weights.as_deref(), level.shape).expect("a map that fits");
        let again =
            tiled::read(&written, &Options::default(), |_| unreachable!("the tileset is in the file"))
                .expect("a map we wrote must be readable");
        assert!(
            level.map == again.map && level.weights == again.weights,
            "writing and reading again changed it"
        );
        assert_eq!(level.shape, again.shape);
    }
}
