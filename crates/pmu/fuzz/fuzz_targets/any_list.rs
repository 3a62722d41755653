//! Any list of events: `cargo +nightly fuzz run any_list` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/any_list.rs"]
mod any_list;

libfuzzer_sys::fuzz_target!(|text: &str| any_list::check(text));
