//! Any text as a configuration of the exporter: `cargo xtask fuzz exporter_config`.
#![no_main]

#[path = "../../tests/it/any_config.rs"]
mod any_config;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_config::check(&String::from_utf8_lossy(bytes));
});
