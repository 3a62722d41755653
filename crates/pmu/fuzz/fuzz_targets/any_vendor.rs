//! Any vendor's file of events: `cargo xtask fuzz any_vendor`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_vendor.rs"]
mod any_vendor;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_vendor::check(&String::from_utf8_lossy(
    bytes
)));
