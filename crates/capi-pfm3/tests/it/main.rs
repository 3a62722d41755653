//! The C functions, called as C programs call them.

#![allow(unsafe_code, reason = "the functions of a C library are called")]
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "many calls are wrong for one reason")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test says what it lacks")]

#[path = "../../../capi-pfm/tests/it/alone.rs"]
mod alone;
mod any_request;
mod functions;
mod layout;
mod programs;
#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
mod structures;
mod vectors;

use counterpoint_pmu as pmu;

#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../cli/src/commands/dispatch/answer.rs"]
mod answer;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../cli/src/commands/dispatch/event.rs"]
mod event;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../cli/src/commands/dispatch/input.rs"]
mod input;
#[path = "../../../cli/src/commands/dispatch/reader.rs"]
mod reader;
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../../cli/src/commands/dispatch/request.rs"]
mod request;

use std::ffi::CString;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes the model of this name; one test at a time, because a process has one model.
fn forced(model: &str) -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    force(model);
    alone
}

fn force(model: &str) {
    // SAFETY: tests that read or write the environment hold the lock of `forced`.
    unsafe { std::env::set_var("LIBPFM_FORCE_PMU", model) };
    assert_eq!(pfm3::pfm_initialize(), 0, "{model}");
}

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero")
}

fn zeroed<T: Copy>() -> T {
    // SAFETY: the structures have numbers only.
    unsafe { std::mem::zeroed() }
}

/// A structure that is too large to be moved about.
fn boxed<T: Copy>() -> Box<T> {
    Box::new(zeroed())
}
