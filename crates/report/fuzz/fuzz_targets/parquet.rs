//! Any bytes as a file of Parquet: `cargo xtask fuzz parquet`.
#![no_main]

#[path = "../../tests/it/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(init: walk::be_quiet(), |bytes: &[u8]| {
    walk::any_parquet(bytes);
});
