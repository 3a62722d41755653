//! Decodes arbitrary bytes as buffers of the hypervisor call: `cargo xtask fuzz buffers`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::buffers(bytes));
