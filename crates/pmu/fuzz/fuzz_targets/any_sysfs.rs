//! Any files of sysfs: `cargo xtask fuzz any_sysfs`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_sysfs.rs"]
mod any_sysfs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_sysfs::check(&String::from_utf8_lossy(bytes)));
