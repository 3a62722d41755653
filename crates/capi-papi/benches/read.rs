//! What `PAPI_read` of four software events costs beside the bare system call on the same group, here and in the system's PAPI.
//!
//! `cargo bench -p counterpoint-capi-papi --bench read` prints medians of paired rounds, and fails when the limit is passed:
//! 50 ns more than `read(2)`. A third of what it takes more is the exchange by which one call at a time uses an event set.

#![allow(unsafe_code, reason = "C functions and system calls are measured")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]
#![allow(clippy::missing_transmute_annotations, reason = "the types are those of the fields")]

use nix::libc;
use row::{Limit, row};
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int};
use std::hint::black_box;
use std::os::fd::RawFd;
use std::process::ExitCode;
use turns::{median, turns};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const SETS: usize = 10;
const ROUNDS: usize = 60;
const CALLS: usize = 250;
const LIMIT_NS: f64 = 50.0;
const EVENTS: [&CStr; 4] =
    [c"perf::TASK-CLOCK", c"perf::PAGE-FAULTS", c"perf::MINOR-FAULTS", c"perf::MAJOR-FAULTS"];

/// The functions of a library.
struct Api {
    init: extern "C" fn(c_int) -> c_int,
    create: unsafe extern "C" fn(*mut c_int) -> c_int,
    add: unsafe extern "C" fn(c_int, *const c_char) -> c_int,
    start: extern "C" fn(c_int) -> c_int,
    read: unsafe extern "C" fn(c_int, *mut i64) -> c_int,
    stop: unsafe extern "C" fn(c_int, *mut i64) -> c_int,
    cleanup: extern "C" fn(c_int) -> c_int,
    destroy: unsafe extern "C" fn(*mut c_int) -> c_int,
}

const OURS: Api = Api {
    init: papi::PAPI_library_init,
    create: papi::PAPI_create_eventset,
    add: papi::PAPI_add_named_event,
    start: papi::PAPI_start,
    read: papi::PAPI_read,
    stop: papi::PAPI_stop,
    cleanup: papi::PAPI_cleanup_eventset,
    destroy: papi::PAPI_destroy_eventset,
};

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let (ours, ratio) = measure(&OURS).unwrap();
    let raw = ours / ratio;
    let limit = Limit::More(LIMIT_NS);
    let within = row("PAPI_read, 4 events", "ns", ours, Some(("read(2)", raw)), limit);
    match system().and_then(|system| measure(&system)) {
        Some((theirs, ratio)) => {
            let raw = Some(("read(2)", theirs / ratio));
            row("PAPI_read of the system's PAPI, 4 events", "ns", theirs, raw, Limit::None);
        }
        None => println!("skipped: needs a libpapi.so.7.0 that counts (Debian: libpapi7.0)"),
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The system's library.
fn system() -> Option<Api> {
    // SAFETY: a C string.
    let library = unsafe { libc::dlopen(c"libpapi.so.7.0".as_ptr(), libc::RTLD_NOW) };
    if library.is_null() {
        return None;
    }
    let symbol = |name: &CStr| {
        // SAFETY: the library stays loaded.
        let address = unsafe { libc::dlsym(library, name.as_ptr()) };
        (!address.is_null()).then_some(address)
    };
    let symbols = [
        symbol(c"PAPI_library_init")?,
        symbol(c"PAPI_create_eventset")?,
        symbol(c"PAPI_add_named_event")?,
        symbol(c"PAPI_start")?,
        symbol(c"PAPI_read")?,
        symbol(c"PAPI_stop")?,
        symbol(c"PAPI_cleanup_eventset")?,
        symbol(c"PAPI_destroy_eventset")?,
    ];
    // SAFETY: the fields are functions of these types, in this order.
    Some(unsafe { std::mem::transmute::<[*mut libc::c_void; 8], Api>(symbols) })
}

/// Nanoseconds of a read, and its ratio to the bare read of the same group: medians over fresh sets. `None` if the library
/// cannot count.
fn measure(api: &Api) -> Option<(f64, f64)> {
    if (api.init)(7 << 24) != 7 << 24 {
        return None;
    }
    let rounds: Option<Vec<_>> = (0..SETS).map(|_| one(api)).collect();
    let rounds: Vec<(f64, f64)> = rounds?.into_iter().flatten().collect();
    let times = median(rounds.iter().map(|(ours, _)| *ours));
    Some((times, median(rounds.iter().map(|(ours, raw)| ours / raw))))
}

fn one(api: &Api) -> Option<Vec<(f64, f64)>> {
    let before = open_events();
    let mut set = -1;
    // SAFETY: a place for a number.
    unsafe { (api.create)(&mut set) };
    for event in EVENTS {
        // SAFETY: a C string.
        if unsafe { (api.add)(set, event.as_ptr()) } != 0 {
            return None;
        }
    }
    assert_eq!((api.start)(set), 0);
    // The leader is the first that was opened.
    let leader = *open_events().difference(&before).next()?;
    let mut values = [0_i64; 4];
    let mut words = [0_u64; 32];
    let read = || {
        // SAFETY: there is room for four values.
        assert_eq!(unsafe { (api.read)(set, black_box(values.as_mut_ptr())) }, 0);
    };
    let raw = || {
        // SAFETY: the buffer is as large as it says.
        let bytes = unsafe {
            libc::read(leader, black_box(words.as_mut_ptr()).cast(), size_of_val(&words))
        };
        assert!(bytes > 32);
    };
    let rounds = turns(ROUNDS, CALLS, read, raw);
    // SAFETY: null is allowed.
    unsafe { (api.stop)(set, std::ptr::null_mut()) };
    (api.cleanup)(set);
    // SAFETY: a place for a number.
    unsafe { (api.destroy)(&mut set) };
    Some(rounds)
}

fn open_events() -> BTreeSet<RawFd> {
    let is_event = |fd: &RawFd| {
        let target = std::fs::read_link(format!("/proc/self/fd/{fd}"));
        target.is_ok_and(|target| target.as_os_str() == "anon_inode:[perf_event]")
    };
    (0..200).filter(is_event).collect()
}
