//! The C functions, called as C programs call them, and by programs that were compiled for PAPI.

#![allow(unsafe_code, reason = "the functions of a C library are called")]
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::print_stdout, reason = "a test says what it lacks")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "many calls are wrong for one reason")]

#[path = "../../../capi-pfm/tests/it/alone.rs"]
mod alone;
mod any_call;
mod arguments;
mod built;
mod lifetime;
mod programs;
mod rates;
mod regions;
#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
mod tools;
mod values;

use counterpoint_fixtures::touch;
use std::ffi::{CString, c_int};

const VERSION: c_int = 7 << 24;
const OK: c_int = 0;
const EINVAL: c_int = -1;
const ENOEVNT: c_int = -7;
const ENOTRUN: c_int = -9;
const ENOINIT: c_int = -16;
const ENOCMP: c_int = -17;
const ENOSUPP: c_int = -18;
const NULL: c_int = -1;

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero")
}

/// Starts the library, which other tests of this process may have started.
fn start() {
    assert_eq!(papi::PAPI_library_init(VERSION), VERSION);
}

fn code(name: &str) -> c_int {
    let mut code = 0;
    // SAFETY: a C string, and a place for a number.
    assert_eq!(unsafe { papi::PAPI_event_name_to_code(c(name).as_ptr(), &mut code) }, OK, "{name}");
    code
}

/// A set with these events.
fn set(events: &[&str]) -> c_int {
    let mut set = NULL;
    // SAFETY: a place for a number.
    assert_eq!(unsafe { papi::PAPI_create_eventset(&mut set) }, OK);
    for event in events {
        assert_eq!(papi::PAPI_add_event(set, code(event)), OK, "{event}");
    }
    set
}

fn remove(mut set: c_int) {
    assert_eq!(papi::PAPI_cleanup_eventset(set), OK);
    // SAFETY: a place for a number.
    assert_eq!(unsafe { papi::PAPI_destroy_eventset(&mut set) }, OK);
}

/// A file of presets that this test alone has; its path.
fn presets(test: &str, lines: &str) -> String {
    let file = std::env::temp_dir().join(format!("papi-{test}-{}.csv", std::process::id()));
    std::fs::write(&file, format!("CPU,perf\n{lines}")).expect("a file");
    file.display().to_string()
}
