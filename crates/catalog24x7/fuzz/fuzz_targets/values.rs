//! Parses arbitrary text as the value of an event in sysfs: `cargo xtask fuzz values`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::value(&String::from_utf8_lossy(bytes)));
