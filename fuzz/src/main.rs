//! All fuzz targets in one program: the engine is compiled and linked once, not once a target. The environment variable
//! `MILEPOST_FUZZ_TARGET` says which one gets the input.
#![no_main]

// Damaged files and forged saves are made and judged as in the engine's own tests.
#[path = "../../crates/milepost/tests/it/support/mod.rs"]
mod support;
mod targets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| targets::chosen()(input));
