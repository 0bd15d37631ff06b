//! Whatever the bytes, the reader of scenarios answers with problems or an error, and problems that were
//! read survive being written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use milepost_maps::scenario;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(problems) = scenario::read(bytes) {
        let again = scenario::read(scenario::write(&problems).as_bytes())
            .expect("a scenario we wrote must be readable");
        assert_eq!(problems.len(), again.len(), "writing and reading a scenario again lost problems");
    }
});
