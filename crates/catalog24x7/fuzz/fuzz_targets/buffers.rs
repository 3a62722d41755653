//! Any bytes as buffers of the hypervisor call: `cargo +nightly fuzz run buffers` in the crate's directory.
#![no_main]

#[allow(dead_code)]
#[path = "../../tests/it/whole.rs"]
mod whole;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whole::buffers(bytes));
