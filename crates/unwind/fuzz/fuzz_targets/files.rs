//! Any bytes as a file with unwind information: `cargo xtask fuzz files`.
#![no_main]

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/it/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| walk::any_file(bytes));
