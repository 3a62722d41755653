//! Any line for `dispatch --batch`: `cargo xtask fuzz dispatch_line`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../../../tests/program/any_line.rs"]
mod any_line;

libfuzzer_sys::fuzz_target!(|line: &[u8]| any_line::dispatch(line));
