//! Any text: `cargo +nightly fuzz run any_text` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/any_text.rs"]
mod any_text;

libfuzzer_sys::fuzz_target!(|text: &str| any_text::check(text));
