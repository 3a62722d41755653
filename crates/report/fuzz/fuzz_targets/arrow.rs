//! Any bytes as a file of Arrow's IPC format: `cargo xtask fuzz arrow`.
#![no_main]

#[path = "../../tests/it/walk.rs"]
mod walk;

libfuzzer_sys::fuzz_target!(init: walk::be_quiet(), |bytes: &[u8]| {
    walk::any_arrow(bytes);
});
