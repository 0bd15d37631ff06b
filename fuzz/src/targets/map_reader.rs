//! Whatever the bytes, the reader of MovingAI maps answers with a map or an error, and a map that was
//! read survives being written and read again.

use milepost_maps::movingai;

pub(super) fn check(bytes: &[u8]) {
    if let Ok(map) = movingai::read(bytes) {
        let again = movingai::read(&movingai::write(&map)).expect("a map we wrote must be readable");
        assert!(map == again, "writing and reading a map again changed it");
    }
}
