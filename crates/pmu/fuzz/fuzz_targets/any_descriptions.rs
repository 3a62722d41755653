//! Any file of descriptions: `cargo xtask fuzz any_descriptions`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_descriptions.rs"]
mod any_descriptions;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_descriptions::check(&String::from_utf8_lossy(
    bytes
)));
