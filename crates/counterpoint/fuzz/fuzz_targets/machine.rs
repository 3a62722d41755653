//! Any files as a machine: `cargo xtask fuzz machine`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_machine.rs"]
mod any_machine;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_machine::check(&String::from_utf8_lossy(bytes)));
