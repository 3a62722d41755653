//! What reading and switching a group cost beside the bare system calls on an equal group.
//!
//! `cargo bench -p counterpoint-perf --bench read` prints medians of paired rounds, and fails when a limit is passed.
//! A read may take 20 ns more than `read(2)`, a start and stop 1.1 times the two `ioctl(2)`.

#![allow(unsafe_code, reason = "the yardstick is the bare system call")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_perf::{Attr, Count, Group, Host, Placement, Setup, pmu_type};
use nix::libc;
use perf_event_open_sys::{bindings, ioctls, perf_event_open};
use std::hint::black_box;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::ExitCode;
use std::time::Instant;

const PAIRS: usize = 40;
const ROUNDS: usize = 20;
const CALLS: usize = 250;
const READ_LIMIT_NS: f64 = 20.0;
const SWITCH_LIMIT: f64 = 1.1;

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    println!("{:<24} {:>9} {:>9} {:>10} {:>10}", "", "ours", "raw", "more", "limit");
    let rows = [1, 4, 8].into_iter().flat_map(|events| [read(events), switch(events)]);
    if rows.collect::<Vec<bool>>().contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read(events: u64) -> bool {
    let paired = paired(events, |ours, raw| {
        let mut counts = vec![Count::default(); events as usize];
        let mut words = vec![0_u64; 3 + 3 * events as usize];
        rounds(
            || ours.read_into(black_box(&mut counts)).unwrap(),
            || assert_eq!(raw.read(black_box(&mut words)), words.len()),
        )
    });
    let more = paired.difference;
    let ok = more <= READ_LIMIT_NS;
    let (more, limit) = (format!("{more:+.1} ns"), format!("{READ_LIMIT_NS:+.1} ns"));
    paired.print(&format!("read, {events} events"), &more, &limit, ok)
}

fn switch(events: u64) -> bool {
    let paired = paired(events, |ours, raw| {
        let stop_and_start = || {
            ours.disable().unwrap();
            ours.enable().unwrap();
        };
        rounds(stop_and_start, || raw.switch())
    });
    let ok = paired.ratio <= SWITCH_LIMIT;
    let (ratio, limit) = (format!("x {:.3}", paired.ratio), format!("x {SWITCH_LIMIT:.3}"));
    paired.print(&format!("stop + start, {events} events"), &ratio, &limit, ok)
}

/// Nanoseconds a call; medians over the rounds, the last two of the rounds' own differences and ratios.
struct Paired {
    ours: f64,
    raw: f64,
    difference: f64,
    ratio: f64,
}

impl Paired {
    fn print(&self, what: &str, more: &str, limit: &str, ok: bool) -> bool {
        let (ours, raw) = (self.ours, self.raw);
        let verdict = if ok { "ok" } else { "over" };
        println!("{what:<24} {ours:>6.0} ns {raw:>6.0} ns {more:>10} {limit:>10} {verdict}");
        ok
    }
}

/// Measures fresh groups again and again: where the kernel happens to place a group changes its reads by 40 ns and more.
fn paired(events: u64, measure: impl Fn(&mut Group, &RawGroup) -> Vec<(f64, f64)>) -> Paired {
    let rounds: Vec<(f64, f64)> = (0..PAIRS)
        .flat_map(|pair| {
            if pair % 2 == 0 {
                let mut ours = open_ours(events);
                measure(&mut ours, &RawGroup::open(events))
            } else {
                let raw = RawGroup::open(events);
                measure(&mut open_ours(events), &raw)
            }
        })
        .collect();
    let median_of = |value: fn(&(f64, f64)) -> f64| median(rounds.iter().map(value).collect());
    Paired {
        ours: median_of(|(ours, _)| *ours),
        raw: median_of(|(_, raw)| *raw),
        difference: median_of(|(ours, raw)| ours - raw),
        ratio: median_of(|(ours, raw)| ours / raw),
    }
}

fn rounds(mut ours: impl FnMut(), mut raw: impl FnMut()) -> Vec<(f64, f64)> {
    let round = |round| {
        // Each goes first in every other round, so that neither always finds the caches warm.
        if round % 2 == 0 {
            let ours = time(&mut ours);
            (ours, time(&mut raw))
        } else {
            let raw = time(&mut raw);
            (time(&mut ours), raw)
        }
    };
    (0..ROUNDS).map(round).collect()
}

fn time(call: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed().as_nanos() as f64 / CALLS as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Software events from 1, the task clock, on; at user level, so that anybody may run this.
fn open_ours(events: u64) -> Group {
    let events: Vec<Attr> =
        (1..=events).map(|code| Attr::new(pmu_type::SOFTWARE, code).user_only()).collect();
    Host::local().open(&events, Placement::ThisThread, Setup::default()).unwrap()
}

/// The same events in the same read format, and nothing between them and the system calls.
struct RawGroup {
    events: Vec<OwnedFd>,
}

impl RawGroup {
    fn open(events: u64) -> RawGroup {
        let mut group = RawGroup { events: Vec::new() };
        for code in 1..=events {
            let mut attr = bindings::perf_event_attr {
                type_: bindings::PERF_TYPE_SOFTWARE,
                size: size_of::<bindings::perf_event_attr>() as u32,
                config: code,
                read_format: (bindings::PERF_FORMAT_TOTAL_TIME_ENABLED
                    | bindings::PERF_FORMAT_TOTAL_TIME_RUNNING
                    | bindings::PERF_FORMAT_ID
                    | bindings::PERF_FORMAT_GROUP
                    | bindings::PERF_FORMAT_LOST)
                    .into(),
                ..Default::default()
            };
            attr.set_exclude_kernel(1);
            attr.set_exclude_hv(1);
            let leader = group.events.first().map_or(-1, |fd| fd.as_raw_fd());
            // SAFETY: `attr` is whole and initialized, and lives through the call.
            let fd = unsafe { perf_event_open(&mut attr, 0, -1, leader, 0) };
            assert!(fd >= 0, "{}", std::io::Error::last_os_error());
            // SAFETY: the call succeeded, so `fd` is open and nobody else owns it.
            group.events.push(unsafe { OwnedFd::from_raw_fd(fd) });
        }
        group
    }

    fn read(&self, words: &mut [u64]) -> usize {
        let (fd, size) = (self.events[0].as_raw_fd(), size_of_val(words));
        // SAFETY: the buffer is writable for the length given, and every bit pattern is a u64.
        let bytes = unsafe { libc::read(fd, words.as_mut_ptr().cast(), size) };
        bytes as usize / size_of::<u64>()
    }

    fn switch(&self) {
        let fd = self.events[0].as_raw_fd();
        // SAFETY: takes a number, touches no memory.
        let stopped = unsafe { ioctls::DISABLE(fd, 0) };
        // SAFETY: as above.
        let started = unsafe { ioctls::ENABLE(fd, 0) };
        assert_eq!((stopped, started), (0, 0));
    }
}
