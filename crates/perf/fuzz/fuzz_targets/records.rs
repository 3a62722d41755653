//! Any bytes as the records of a ring, in any layout: what they claim is walked to its end.

#![no_main]

#[path = "../../tests/it/walk.rs"]
mod walk;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| walk::any_layout(bytes));
