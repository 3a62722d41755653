//! Any bytes as the records of a ring, in any layout: `cargo xtask fuzz records`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| walk::any_layout(bytes));
