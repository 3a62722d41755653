//! Any bytes as a file of perf record: `cargo xtask fuzz perf_data`.
#![no_main]

#[path = "../../tests/it/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    walk::any_file(bytes);
});
