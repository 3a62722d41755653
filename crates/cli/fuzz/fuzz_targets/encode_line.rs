//! Any line for `encode --batch --perf-syntax`: `cargo xtask fuzz encode_line`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../../../tests/program/any_line.rs"]
mod any_line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_line::encode(&String::from_utf8_lossy(bytes)));
