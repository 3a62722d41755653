//! Values that are called exact are exact: `cargo xtask fuzz exact`.
#![no_main]

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/it/exact.rs"]
mod exact;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exact::check(bytes));
