//! Any calls of libpapi: `cargo xtask fuzz any_papi_call`.
#![no_main]

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/it/any_call.rs"]
mod any_call;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_call::check(bytes));
