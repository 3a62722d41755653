//! Any string: `cargo +nightly fuzz run any_string` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/any_string.rs"]
mod any_string;

libfuzzer_sys::fuzz_target!(|string: &str| any_string::check(string));
