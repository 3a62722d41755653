//! Any text as a formula: `cargo xtask fuzz any_text`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_text.rs"]
mod any_text;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_text::check(&String::from_utf8_lossy(bytes)));
