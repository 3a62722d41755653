//! Any list of events: `cargo xtask fuzz any_list`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_list.rs"]
mod any_list;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_list::check(&String::from_utf8_lossy(bytes)));
