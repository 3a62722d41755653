//! Any files for `merge`: `cargo xtask fuzz reports`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../../../tests/program/any_line.rs"]
mod any_line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_line::merge(&String::from_utf8_lossy(bytes)));
