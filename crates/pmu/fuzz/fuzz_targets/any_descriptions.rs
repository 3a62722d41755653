//! Any file of descriptions: `cargo +nightly fuzz run any_descriptions` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/any_descriptions.rs"]
mod any_descriptions;

libfuzzer_sys::fuzz_target!(|text: &str| any_descriptions::check(text));
