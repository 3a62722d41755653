//! The cost of `PAPI_read` of four software events beside the bare system call on the same group, and beside the system's PAPI.
//!
//! `cargo bench -p counterpoint-capi-papi --bench read` measures paired rounds, and fails when a limit is passed:
//! 1.2 times `read(2)`, and the cost of PAPI. A third of what it takes more is the exchange by which one call at a time uses an event set.

#![allow(unsafe_code, reason = "C functions and system calls are measured")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use nix::libc;
use papi_of::{Papi, Set};
use row::{Limit, compared};
use std::collections::BTreeSet;
use std::ffi::CStr;
use std::hint::black_box;
use std::os::fd::RawFd;
use std::process::ExitCode;
use turns::turns;

#[path = "../../../xtask/bench/library.rs"]
mod library;
#[path = "../../../xtask/bench/papi.rs"]
mod papi_of;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const SETS: usize = 10;
const ROUNDS: usize = 60;
const CALLS: usize = 250;
const OF_READ: Limit = Limit::Times(1.2);
const OF_PAPI: Limit = Limit::Times(1.0);
const EVENTS: [&CStr; 4] =
    [c"perf::TASK-CLOCK", c"perf::PAGE-FAULTS", c"perf::MINOR-FAULTS", c"perf::MAJOR-FAULTS"];

const OURS: Papi = Papi {
    init: papi::PAPI_library_init,
    create: papi::PAPI_create_eventset,
    add: papi::PAPI_add_named_event,
    code: papi::PAPI_event_name_to_code,
    profil: papi::PAPI_profil,
    start: papi::PAPI_start,
    read: papi::PAPI_read,
    reset: papi::PAPI_reset,
    stop: papi::PAPI_stop,
    cleanup: papi::PAPI_cleanup_eventset,
    destroy: papi::PAPI_destroy_eventset,
};

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let name = "PAPI_read, 4 events";
    let mut within = compared(name, "ns", "read(2)", &beside_read(OURS).unwrap(), OF_READ);
    if let Some(system) = Papi::system() {
        match beside_read(system) {
            Some(rounds) => {
                let name = "PAPI_read of the system's PAPI, 4 events";
                compared(name, "ns", "read(2)", &rounds, Limit::None);
                within &= compared("PAPI_read, 4 events", "ns", "PAPI", &beside(system), OF_PAPI);
            }
            None => println!("skipped: libpapi.so.7.0: it does not count here"),
        }
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Reads by a library and bare reads of the same group, over fresh sets; nothing if the library cannot count.
fn beside_read(papi: Papi) -> Option<Vec<(f64, f64)>> {
    let one = |_| {
        let before = open_events();
        let set = papi.started(&EVENTS)?;
        // The leader is the first that was opened.
        let leader = *open_events().difference(&before).next()?;
        let mut words = [0_u64; 32];
        let raw = || {
            // SAFETY: the buffer is as large as it says.
            let bytes = unsafe {
                libc::read(leader, black_box(words.as_mut_ptr()).cast(), size_of_val(&words))
            };
            assert!(bytes > 32);
        };
        Some(turns(ROUNDS, CALLS, read(&set), raw))
    };
    let rounds: Option<Vec<_>> = (0..SETS).map(one).collect();
    Some(rounds?.into_iter().flatten().collect())
}

/// Our reads and those of another library, over fresh sets.
fn beside(other: Papi) -> Vec<(f64, f64)> {
    let one = |_| {
        let [ours, other] = [OURS, other].map(|papi| papi.started(&EVENTS).unwrap());
        turns(ROUNDS, CALLS, read(&ours), read(&other))
    };
    (0..SETS).flat_map(one).collect()
}

fn read(set: &Set) -> impl FnMut() {
    let mut values = [0; 8];
    move || set.read(black_box(&mut values))
}

fn open_events() -> BTreeSet<RawFd> {
    let is_event = |fd: &RawFd| {
        let target = std::fs::read_link(format!("/proc/self/fd/{fd}"));
        target.is_ok_and(|target| target.as_os_str() == "anon_inode:[perf_event]")
    };
    (0..200).filter(is_event).collect()
}
