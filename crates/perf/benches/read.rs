//! The cost of reading and switching a group beside the bare system calls on the same group.
//!
//! `cargo bench -p counterpoint-perf --bench read` measures paired rounds, and fails when a limit is passed.
//! A read may take 1.05 times `read(2)`, a stop and start 1.05 times the two `ioctl(2)`.

#![allow(unsafe_code, reason = "the yardstick is the bare system call")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_perf::{Attr, Count, Group, Host, Placement, Setup, pmu_type};
use nix::libc;
use perf_event_open_sys::ioctls;
use row::{Limit, compared};
use std::hint::black_box;
use std::os::fd::RawFd;
use std::process::ExitCode;
use turns::turns;

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const GROUPS: usize = 20;
const ROUNDS: usize = 40;
const CALLS: usize = 250;
const READ: Limit = Limit::Times(1.05);
const SWITCH: Limit = Limit::Times(1.05);

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let rows = [1, 4, 8].into_iter().flat_map(|events| [read(events), switch(events)]);
    if rows.collect::<Vec<bool>>().contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read(events: usize) -> bool {
    let rounds = fresh(events, |group, leader| {
        let mut counts = vec![Count::default(); events];
        let mut words = vec![0_u64; 3 + 3 * events];
        turns(
            ROUNDS,
            CALLS,
            || group.read_into(black_box(&mut counts)).unwrap(),
            || assert_eq!(raw_read(leader, black_box(&mut words)), words.len()),
        )
    });
    compared(&format!("read, {events} events"), "ns", "read(2)", &rounds, READ)
}

fn switch(events: usize) -> bool {
    let rounds = fresh(events, |group, leader| {
        let stop_and_start = || {
            group.disable().unwrap();
            group.enable().unwrap();
        };
        turns(ROUNDS, CALLS, stop_and_start, || raw_switch(leader))
    });
    compared(&format!("stop and start, {events} events"), "ns", "two ioctl(2)", &rounds, SWITCH)
}

/// Measures fresh groups again and again: where the kernel places one changes its reads by up to 100 ns.
fn fresh(events: usize, measure: impl Fn(&mut Group, RawFd) -> Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let one = |_| {
        let (mut group, leader) = open(events);
        measure(&mut group, leader)
    };
    (0..GROUPS).flat_map(one).collect()
}

/// Software events from 1, the task clock, on, at user level so that anybody may run this; and the leader's descriptor.
fn open(events: usize) -> (Group, RawFd) {
    let attrs: Vec<Attr> =
        (1..=events as u64).map(|code| Attr::new(pmu_type::SOFTWARE, code).user_only()).collect();
    let group = Host::local().open(&attrs, Placement::ThisThread, Setup::default()).unwrap();
    // A group keeps its descriptors to itself; the leader's is the lowest, and no other events are open.
    let is_event = |fd: &RawFd| {
        let target = std::fs::read_link(format!("/proc/self/fd/{fd}"));
        target.is_ok_and(|target| target.as_os_str() == "anon_inode:[perf_event]")
    };
    let leader = (0..1000).find(is_event).unwrap();
    (group, leader)
}

fn raw_read(event: RawFd, words: &mut [u64]) -> usize {
    // SAFETY: the buffer is writable for the length given, and every bit pattern is a u64.
    let bytes = unsafe { libc::read(event, words.as_mut_ptr().cast(), size_of_val(words)) };
    bytes as usize / size_of::<u64>()
}

fn raw_switch(event: RawFd) {
    // SAFETY: takes a number, touches no memory.
    let stopped = unsafe { ioctls::DISABLE(event, 0) };
    // SAFETY: as above.
    let started = unsafe { ioctls::ENABLE(event, 0) };
    assert_eq!((stopped, started), (0, 0));
}
