//! What a profile at 1 kHz slows a busy program down by, beside the least that sampling can cost on this machine.
//!
//! The least is the kernel's timer: an event with the same period and no ring, so that nothing is written and nobody reads.
//! In many virtual machines each interrupt of a timer costs some 15 µs, which is more than the 1 % that one would like before anything is sampled.
//! `cargo bench -p counterpoint --bench profile` takes the processor time of the program and of the reader, and fails when a profile adds more than 1.1 times what the timer adds.
//! Rounds are paired: on a busy machine single rounds measure the neighbours.

#![allow(unsafe_code, reason = "the yardstick is the bare system call")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::process::{Held, children_times, process_time};
use counterpoint::perf::{Every, pmu_type};
use counterpoint::profile::Profile;
use counterpoint::{EventSet, Target};
use perf_event_open_sys::{bindings, perf_event_open};
use row::{Limit, compared};
use std::hint::black_box;
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::ExitCode;
use std::time::Duration;
use turns::{in_turn, least};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

/// One millisecond of CPU time: 1 kHz.
const PERIOD: u64 = 1_000_000;
const TASK_CLOCK: u64 = 1;
const ROUNDS: usize = 50;
/// Some 0.3 s: the reader looks at its rings several times.
const STEPS: u64 = 150_000_000;
const LIMIT: f64 = 1.1;
/// The program that is measured is this one, with one of these.
const WORK: &str = "--work";
const WORK_WITH_TIMER: &str = "--work-with-timer";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(WORK) => work(),
        Some(WORK_WITH_TIMER) => {
            let _timer = timer();
            work();
        }
        Some("--bench") => return measure(),
        _ => println!("skipped: run it with cargo bench"),
    }
    ExitCode::SUCCESS
}

fn measure() -> ExitCode {
    let rounds = in_turn(
        ROUNDS,
        [&mut || run(WORK, false), &mut || run(WORK, true), &mut || run(WORK_WITH_TIMER, false)],
    );
    let slower = |[alone, ours, timer]: &[f64; 3]| {
        (100.0 * (ours / alone - 1.0), 100.0 * (timer / alone - 1.0))
    };
    let rounds: Vec<(f64, f64)> = least(&rounds, 5).iter().map(slower).collect();
    let name = "slow-down by a profile at 1 kHz";
    match compared(name, "%", "timer alone", &rounds, Limit::Times(LIMIT)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// The seconds of CPU time that the program takes, and this one while it waits.
fn run(what: &str, profiled: bool) -> f64 {
    let program = std::env::current_exe().unwrap();
    let held = Held::fork(&[program.as_os_str(), what.as_ref()], None).unwrap();
    let profiling = profiled.then(|| {
        let mut set = EventSet::new(Target::Command(held.pid())).event("task-clock");
        set.profile("task-clock", Profile::every(Every::Period(PERIOD))).unwrap();
        set.open_profiles().unwrap()
    });
    let begun = times();
    let ended = held.exec().unwrap().wait().unwrap();
    let taken = times() - begun;
    assert_eq!(ended.code(), 0);
    if let Some(profiling) = profiling {
        let samples = profiling.stop().unwrap()[0].samples;
        // A timer that is late, as on a busy host, is not made up for.
        assert!(samples as f64 > 500.0 * taken.as_secs_f64(), "{samples} samples in {taken:?}");
    }
    taken.as_secs_f64()
}

fn times() -> Duration {
    let (user, system) = children_times().unwrap();
    process_time().unwrap() + user + system
}

/// An event that is sampled into nothing.
fn timer() -> OwnedFd {
    let mut attr = bindings::perf_event_attr {
        size: size_of::<bindings::perf_event_attr>() as u32,
        type_: pmu_type::SOFTWARE,
        config: TASK_CLOCK,
        sample_type: bindings::PERF_SAMPLE_IP.into(),
        ..Default::default()
    };
    attr.__bindgen_anon_1.sample_period = PERIOD;
    // SAFETY: `attr` is a whole perf_event_attr that lives through the call.
    let fd = unsafe { perf_event_open(&mut attr, 0, -1, -1, 0) };
    assert!(fd >= 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the call succeeded, so `fd` is open and nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

fn work() {
    let mut x = 88_172_645_463_325_252_u64;
    for _ in 0..STEPS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    black_box(x);
}
