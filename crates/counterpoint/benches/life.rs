//! The cost of a set beside the bare system calls on the same events, beside its own cheapest read, and beside PAPI.
//!
//! `cargo bench -p counterpoint --bench life` measures paired rounds, and fails when a limit is passed.
//! A read of 4 software events may take 1.1 times `read(2)` of the group, a region 1.1 times two reads, a stop and start 1.05 times the two `ioctl(2)`, and opening 8 events (their names looked up before) 1.2 times the bare opening.
//! A report may take 1.15 times a read without names and rows, a reset no longer than PAPI's, and opening one event by a new set 12 µs.

#![allow(unsafe_code, reason = "the yardstick is the bare system call")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::pmu_type;
use counterpoint::{Counters, EventSet, Target};
use nix::libc;
use papi::Papi;
use perf_event_open_sys::{bindings, ioctls, perf_event_open};
use row::{Limit, compared};
use std::cell::RefCell;
use std::ffi::CStr;
use std::hint::black_box;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::process::ExitCode;
use turns::{scaled, turn, turns};

#[path = "../../../xtask/bench/library.rs"]
mod library;
#[path = "../../../xtask/bench/papi.rs"]
mod papi;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const SETS: usize = 20;
const ROUNDS: usize = 30;
const CALLS: usize = 250;
/// Software events that PAPI counts, too.
const EVENTS: [&str; 8] = [
    "cpu-clock:u",
    "task-clock:u",
    "page-faults:u",
    "context-switches:u",
    "cpu-migrations:u",
    "minor-faults:u",
    "major-faults:u",
    "cgroup-switches:u",
];
/// The kernel's numbers of the same.
const NUMBERS: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 11];
/// PAPI's names of the same.
const OF_PAPI: [&CStr; 8] = [
    c"perf::CPU-CLOCK",
    c"perf::TASK-CLOCK",
    c"perf::PAGE-FAULTS",
    c"perf::CONTEXT-SWITCHES",
    c"perf::CPU-MIGRATIONS",
    c"perf::MINOR-FAULTS",
    c"perf::MAJOR-FAULTS",
    c"perf::CGROUP-SWITCHES",
];

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let mut within = true;
    let mut row = |name: &str, peer: &str, limit: f64, rounds: Vec<(f64, f64)>| {
        within &= compared(name, "ns", peer, &rounds, Limit::Times(limit));
    };
    row("read, 4 events", "read(2)", 1.1, read());
    row("region, 4 events", "2 read(2)", 1.1, region());
    for events in [1, 4] {
        row(&format!("report, {events} events"), "read_into", 1.15, report(events));
        let name = format!("stop and start, {events} events");
        row(&name, "two ioctl(2)", 1.05, switch(events));
    }
    if let Some(papi) = Papi::system() {
        for events in [1, 4, 8] {
            match reset(papi, events) {
                Some(rounds) => row(&format!("reset, {events} events"), "PAPI", 1.0, rounds),
                None => println!("skipped: libpapi.so.7.0: it does not count {events} events here"),
            }
        }
    }
    row("open, 8 events", "bare calls", 1.2, open());
    let rounds = scaled(&open_by_new_set(), 1e-3);
    within &= compared("open 1 event by a new set", "µs", "bare calls", &rounds, Limit::Most(12.0));
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A set of the first events, for this thread alone.
fn set(events: usize) -> EventSet {
    EventSet::new(Target::ThisThread).inherit(false).event(EVENTS[..events].join(","))
}

fn counters(events: usize) -> Counters {
    let counters = set(events).open_all().unwrap();
    assert_eq!(counters.open_count(), events);
    counters
}

fn read() -> Vec<(f64, f64)> {
    fresh(|| {
        let mut counters = counters(4);
        let group = raw_group(&NUMBERS[..4]);
        let mut snapshot = counters.zero();
        let mut words = [0_u64; 16];
        turns(
            ROUNDS,
            CALLS,
            || counters.read_into(black_box(&mut snapshot)).unwrap(),
            || raw_read(&group[0], black_box(&mut words)),
        )
    })
}

fn region() -> Vec<(f64, f64)> {
    fresh(|| {
        let events = EVENTS[..4].join(",");
        let regions = EventSet::new(Target::ThisThread).event(events).regions().unwrap();
        let group = raw_group(&NUMBERS[..4]);
        let mut words = [0_u64; 16];
        for name in ["read", "assemble", "factor", "exchange", "write"] {
            drop(regions.region(name));
        }
        turns(
            ROUNDS,
            CALLS,
            || drop(regions.region(black_box("solve"))),
            || {
                raw_read(&group[0], black_box(&mut words));
                raw_read(&group[0], black_box(&mut words));
            },
        )
    })
}

/// A report of the values, beside a read of the same counters into a snapshot.
fn report(events: usize) -> Vec<(f64, f64)> {
    fresh(|| {
        let counters = counters(events);
        let mut snapshot = counters.zero();
        let counters = RefCell::new(counters);
        turns(
            ROUNDS,
            CALLS,
            || {
                let mut counters = counters.borrow_mut();
                assert_eq!(black_box(counters.read().unwrap()).rows.len(), events);
            },
            || counters.borrow_mut().read_into(black_box(&mut snapshot)).unwrap(),
        )
    })
}

/// A stop and a start, beside the bare calls on the same group.
fn switch(events: usize) -> Vec<(f64, f64)> {
    fresh(|| {
        let mut counters = counters(events);
        let leader = leader();
        turns(
            ROUNDS,
            CALLS,
            || {
                counters.stop().unwrap();
                counters.start().unwrap();
            },
            || {
                // SAFETY: takes a number, touches no memory.
                let stopped = unsafe { ioctls::DISABLE(leader, 0) };
                // SAFETY: as above.
                let started = unsafe { ioctls::ENABLE(leader, 0) };
                assert_eq!((stopped, started), (0, 0));
            },
        )
    })
}

/// The descriptor of the only open group's leader, which is the lowest.
fn leader() -> RawFd {
    let is_event = |fd: &RawFd| {
        let target = std::fs::read_link(format!("/proc/self/fd/{fd}"));
        target.is_ok_and(|target| target.as_os_str() == "anon_inode:[perf_event]")
    };
    (0..1000).find(is_event).unwrap()
}

/// A reset of running events, beside PAPI's; nothing if PAPI cannot count them.
fn reset(papi: Papi, events: usize) -> Option<Vec<(f64, f64)>> {
    papi.started(&OF_PAPI[..events])?;
    Some(fresh(|| {
        let mut counters = counters(events);
        let theirs = papi.started(&OF_PAPI[..events]).unwrap();
        turns(ROUNDS, CALLS, || counters.reset().unwrap(), || theirs.reset())
    }))
}

fn open() -> Vec<(f64, f64)> {
    let set = set(8);
    let resolved = set.resolve().unwrap();
    let copies = RefCell::new(Vec::new());
    opened(
        &NUMBERS,
        || copies.borrow_mut().extend(vec![resolved.clone(); OPEN_CALLS]),
        || {
            let resolved = copies.borrow_mut().pop().unwrap();
            set.open_resolved(resolved, &Target::ThisThread).unwrap()
        },
    )
}

/// From a name to an open event, with nothing made before but what the process keeps.
fn open_by_new_set() -> Vec<(f64, f64)> {
    let open = || {
        let set = EventSet::new(Target::ThisThread).inherit(false);
        set.event(black_box("task-clock:u")).open_all().unwrap()
    };
    opened(&NUMBERS[1..2], || {}, open)
}

/// The calls of a round that opens: all stay open until the round ends.
const OPEN_CALLS: usize = 4;

/// Opens these events by a function, and by the bare calls.
///
/// Closing waits for other CPUs, which takes a hundred times as long where they are busy: it is not timed.
fn opened(numbers: &[u64], prepare: impl Fn(), open: impl Fn() -> Counters) -> Vec<(f64, f64)> {
    let (ours, raw) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let round = |round| {
        // The first to open after a close finds the kernel's caches cold.
        let warm: Vec<_> = (0..OPEN_CALLS).map(|_| raw_group(numbers)).collect();
        prepare();
        let open = || ours.borrow_mut().push(open());
        let open_raw = || raw.borrow_mut().push(raw_group(numbers));
        let pair = turn(round, OPEN_CALLS, open, open_raw);
        assert!(ours.borrow().iter().all(|counters| counters.open_count() == numbers.len()));
        drop(warm);
        ours.borrow_mut().clear();
        raw.borrow_mut().clear();
        pair
    };
    (0..10 * ROUNDS).map(round).collect()
}

/// Measures fresh groups again and again: where the kernel places one changes its reads by up to 100 ns.
fn fresh(measure: impl Fn() -> Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    (0..SETS).flat_map(|_| measure()).collect()
}

/// The same software events in the same order, opened as a group and running, by the bare calls.
///
/// They have to be the same: the kernel patches its code when the first event of a kind is opened, which takes longer than opening four.
fn raw_group(numbers: &[u64]) -> Vec<OwnedFd> {
    let mut group: Vec<OwnedFd> = Vec::new();
    for &config in numbers {
        let mut attr = bindings::perf_event_attr {
            size: size_of::<bindings::perf_event_attr>() as u32,
            type_: pmu_type::SOFTWARE,
            config,
            ..Default::default()
        };
        attr.set_exclude_kernel(1);
        attr.set_exclude_hv(1);
        // An event that joins a running group does not count until the thread is next scheduled: the leader waits for the others.
        attr.set_disabled(group.is_empty().into());
        attr.read_format = u64::from(
            bindings::PERF_FORMAT_TOTAL_TIME_ENABLED
                | bindings::PERF_FORMAT_TOTAL_TIME_RUNNING
                | bindings::PERF_FORMAT_ID
                | bindings::PERF_FORMAT_LOST
                | bindings::PERF_FORMAT_GROUP,
        );
        let leader = group.first().map_or(-1, AsRawFd::as_raw_fd);
        // SAFETY: `attr` is a whole perf_event_attr that lives through the call.
        let fd = unsafe {
            perf_event_open(&mut attr, 0, -1, leader, bindings::PERF_FLAG_FD_CLOEXEC.into())
        };
        assert!(fd >= 0, "{}", std::io::Error::last_os_error());
        // SAFETY: the call succeeded, so `fd` is open and nobody else owns it.
        group.push(unsafe { OwnedFd::from_raw_fd(fd) });
    }
    // SAFETY: takes a number, touches no memory.
    assert_eq!(unsafe { ioctls::ENABLE(group[0].as_raw_fd(), 0) }, 0);
    group
}

fn raw_read(event: &OwnedFd, words: &mut [u64]) {
    // SAFETY: the buffer is writable for the length given, and every bit pattern is a u64.
    let bytes =
        unsafe { libc::read(event.as_raw_fd(), words.as_mut_ptr().cast(), size_of_val(words)) };
    assert_eq!(bytes, 8 * (3 + 3 * 4));
}
