//! Reads arbitrary text in every language of metrics: `cargo xtask fuzz metrics`.
#![no_main]

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/it/any_metrics.rs"]
mod any_metrics;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_metrics::check(&String::from_utf8_lossy(bytes)));
