//! What a set costs beside the bare system calls on the same events.
//!
//! `cargo bench -p counterpoint --bench life` prints medians of paired rounds, and fails when a limit is passed.
//! A read of 4 software events may take 1.1 times `read(2)` of the group, a region 1.1 times two reads, and opening 8 events (their names looked up before) 1.2 times the bare opening.

#![allow(unsafe_code, reason = "the yardstick is the bare system call")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::pmu_type;
use counterpoint::{EventSet, Target};
use nix::libc;
use perf_event_open_sys::{bindings, ioctls, perf_event_open};
use row::{Limit, row};
use std::hint::black_box;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::ExitCode;
use turns::{median, turn, turns};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const SETS: usize = 20;
const ROUNDS: usize = 30;
const FOUR: &str = "cpu-clock:u,task-clock:u,page-faults:u,context-switches:u";
const EIGHT: &str = "cpu-clock:u,task-clock:u,page-faults:u,context-switches:u,cpu-migrations:u,minor-faults:u,major-faults:u,alignment-faults:u";

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let within = [
        report("read, 4 events", 1.1, read()),
        report("region, 4 events, 2 reads", 1.1, region()),
        report("open, 8 events", 1.2, open()),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read() -> Vec<(f64, f64)> {
    let set = EventSet::new(Target::ThisThread).inherit(false).event(FOUR);
    fresh(|| {
        let mut counters = set.open_all().unwrap();
        let group = raw_group(4);
        let mut snapshot = counters.zero();
        let mut words = [0_u64; 16];
        turns(
            ROUNDS,
            250,
            || counters.read_into(black_box(&mut snapshot)).unwrap(),
            || raw_read(&group[0], black_box(&mut words)),
        )
    })
}

fn region() -> Vec<(f64, f64)> {
    fresh(|| {
        let regions = EventSet::new(Target::ThisThread).event(FOUR).regions().unwrap();
        let group = raw_group(4);
        let mut words = [0_u64; 16];
        for name in ["read", "assemble", "factor", "exchange", "write"] {
            drop(regions.region(name));
        }
        turns(
            ROUNDS,
            250,
            || drop(regions.region(black_box("solve"))),
            || {
                raw_read(&group[0], black_box(&mut words));
                raw_read(&group[0], black_box(&mut words));
            },
        )
    })
}

fn open() -> Vec<(f64, f64)> {
    let set = EventSet::new(Target::ThisThread).inherit(false).event(EIGHT);
    let resolved = set.resolve().unwrap();
    // Closing waits for other CPUs, which takes a hundred times as long where they are busy: it is not timed.
    let (mut ours, mut raw) = (Vec::new(), Vec::new());
    (0..10 * ROUNDS)
        .map(|round| {
            // The first to open after a close finds the kernel's caches cold.
            let warm: Vec<_> = (0..4).map(|_| raw_group(8)).collect();
            let mut copies = vec![resolved.clone(); 4];
            let mut open = || {
                let resolved = copies.pop().unwrap();
                ours.push(set.open_resolved(resolved, &Target::ThisThread).unwrap());
            };
            let mut open_raw = || raw.push(raw_group(8));
            let pair = turn(round, 4, &mut open, &mut open_raw);
            assert!(ours.iter().all(|counters| counters.open_count() == 8));
            drop(warm);
            ours.clear();
            raw.clear();
            pair
        })
        .collect()
}

/// Measures fresh groups again and again: where the kernel places one changes its reads by up to 100 ns.
fn fresh(measure: impl Fn() -> Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    (0..SETS).flat_map(|_| measure()).collect()
}

fn report(what: &str, limit: f64, rounds: Vec<(f64, f64)>) -> bool {
    let median_of = |value: fn(&(f64, f64)) -> f64| median(rounds.iter().map(value));
    let (ours, ratio) = (median_of(|(ours, _)| *ours), median_of(|(ours, raw)| ours / raw));
    // The peer that the rounds' own ratios leave.
    row(what, "ns", ours, Some(("raw calls", ours / ratio)), Limit::Times(limit))
}

/// The same software events in the same order, opened as a group and running, by the bare calls.
///
/// They have to be the same: the kernel patches its code when the first event of a kind is opened, which takes longer than opening four.
fn raw_group(events: u64) -> Vec<OwnedFd> {
    let mut group: Vec<OwnedFd> = Vec::new();
    for config in 0..events {
        let mut attr = bindings::perf_event_attr {
            size: size_of::<bindings::perf_event_attr>() as u32,
            type_: pmu_type::SOFTWARE,
            config,
            ..Default::default()
        };
        attr.set_exclude_kernel(1);
        attr.set_exclude_hv(1);
        // What joins a running group does not count until the thread is next scheduled: the leader waits for the others.
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
