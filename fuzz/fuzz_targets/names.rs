//! Whatever the text, the catalog answers with a planner or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = milepost::catalog::planner(text);
});
