//! Reads, links and prints arbitrary bytes: `cargo xtask fuzz read`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::read(bytes));
