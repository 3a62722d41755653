//! Any structures for pfm_dispatch_events: `cargo xtask fuzz any_pfm3_request`.
#![no_main]

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/it/any_request.rs"]
mod any_request;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_request::check(bytes));
