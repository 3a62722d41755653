//! Any formulas as those of a catalog: `cargo xtask fuzz metrics`.
#![no_main]

#[allow(dead_code, reason = "tests and other targets use the rest")]
#[path = "../../tests/it/any_metrics.rs"]
mod any_metrics;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_metrics::check(&String::from_utf8_lossy(bytes)));
