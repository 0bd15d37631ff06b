//! Whatever the bytes, the reader of scenarios answers with problems or an error, and problems that were
//! read survive being written and read again.

use milepost_maps::scenario;

pub(super) fn check(bytes: &[u8]) {
    if let Ok(problems) = scenario::read(bytes) {
        let again = scenario::read(scenario::write(&problems).as_bytes())
            .expect("a scenario we wrote must be readable");
        assert_eq!(problems.len(), again.len(), "writing and reading a scenario again lost problems");
    }
}
