//! The C functions, called as C programs call them, and programs in C, Fortran and Python that call them.

#![allow(unsafe_code, reason = "the functions of a C library are called")]
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "many calls are wrong for one reason")]
#![allow(clippy::print_stdout, reason = "a test says what it lacks")]

mod any_call;
mod arguments;
mod counting;
mod programs;
mod regions;
#[path = "../../../../fixtures/seeds.rs"]
mod seeds;

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::PathBuf;
use std::ptr;

use counterpoint_c::*;

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero")
}

/// The text of a string that the library keeps.
fn text(string: *const c_char) -> String {
    assert!(!string.is_null());
    // SAFETY: the library's strings end in a zero.
    unsafe { CStr::from_ptr(string) }.to_str().expect("UTF-8").to_owned()
}

fn error() -> String {
    text(counterpoint_error())
}

/// A set of these events for this thread.
fn opened(events: &str) -> *mut Set {
    let mut set = ptr::null_mut();
    // SAFETY: a place, a string, and no options.
    let result = unsafe { counterpoint_open(&mut set, c(events).as_ptr(), ptr::null()) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    set
}

/// The result of opening these events with these options; what was opened is closed.
fn open_with(events: &str, options: &Options) -> c_int {
    let mut set = ptr::null_mut();
    // SAFETY: a place, a string, and options of their own size.
    let result = unsafe { counterpoint_open(&mut set, c(events).as_ptr(), options) };
    assert_eq!(set.is_null(), result != COUNTERPOINT_OK);
    if result == COUNTERPOINT_OK {
        assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
    }
    result
}

const DEFAULTS: Options = Options {
    size: size_of::<Options>(),
    metrics: ptr::null(),
    definitions: ptr::null(),
    target: COUNTERPOINT_TARGET_SELF,
    id: 0,
    flags: 0,
    timeline: 0,
};

const NOTHING: Value = Value {
    name: ptr::null(),
    unit: ptr::null(),
    reason: ptr::null(),
    note: ptr::null(),
    value: 0.0,
    coverage: 0.0,
    raw: 0,
    enabled_ns: 0,
    running_ns: 0,
    least: 0.0,
    greatest: 0.0,
    status: 0,
    reserved: 0,
};

fn read(set: *mut Set) -> Vec<Value> {
    let mut values = [NOTHING; 16];
    // SAFETY: as many structures of their own size.
    let count = unsafe { counterpoint_read(set, values.as_mut_ptr(), 16, size_of::<Value>()) };
    assert_eq!(count, counterpoint_count(set), "{}", error());
    values[..usize::try_from(count).expect("no error")].to_vec()
}

/// A file of a test.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("capi-{}-{name}", std::process::id()))
}

/// Has the kernel give this thread new memory: at least two faults, where its pages are huge.
fn touch_pages() {
    // More than what the allocator keeps for later.
    let mut pages = vec![0_u8; 64 << 20];
    pages.iter_mut().take(4 << 20).step_by(4096).for_each(|byte| *byte = 1);
    std::hint::black_box(pages);
}
