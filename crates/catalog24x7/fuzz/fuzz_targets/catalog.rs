//! Any bytes as a catalog: `cargo +nightly fuzz run catalog` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::catalog(bytes));
