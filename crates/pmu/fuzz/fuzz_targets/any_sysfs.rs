//! Any files of sysfs: `cargo +nightly fuzz run any_sysfs` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/any_sysfs.rs"]
mod any_sysfs;

libfuzzer_sys::fuzz_target!(|text: &str| any_sysfs::check(text));
