//! Any bytes as the answers of a recorded machine: `cargo xtask fuzz opens`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_opens.rs"]
mod any_opens;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_opens::check(bytes));
