//! Any bytes are read, linked and printed; `cargo +nightly fuzz run read` in `crates/definitions`.

#![no_main]

#[path = "../../tests/it/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::read(bytes));
