//! Any string as an event: `cargo xtask fuzz any_string`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_string.rs"]
mod any_string;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_string::check(&String::from_utf8_lossy(bytes)));
