//! The slowdown of a busy program by a profile at 1 kHz and at 10 kHz, beside the least that sampling can cost on this machine, and beside `PAPI_profil`.
//!
//! The least is the kernel's timer: an event with the same period and no ring, so that nothing is written and nobody reads.
//! In many virtual machines each interrupt of a timer costs some 15 µs, which is more than the 1 % that one would like before anything is sampled.
//! `cargo bench -p counterpoint --bench profile` takes the processor time of the program and of the reader, and fails when a profile adds more than 1.1 times what the timer adds, or more than PAPI's.
//! PAPI's beginning is not counted, as ours is not; the end of a profile has a row in the benchmark `program`.
//! Rounds are paired: on a busy machine single rounds measure the neighbours.

#![allow(unsafe_code, reason = "the yardstick is the bare system call")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::perf::process::{Held, children_times, process_time};
use counterpoint::perf::{Every, Host, pmu_type};
use counterpoint::profile::Profile;
use counterpoint::{EventSet, Target};
use papi::Papi;
use perf_event_open_sys::{bindings, perf_event_open};
use row::{Limit, compared};
use std::ffi::{CStr, OsStr};
use std::hint::black_box;
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::ExitCode;
use std::time::Duration;
use turns::{in_turn, least};

#[path = "../../../xtask/bench/library.rs"]
mod library;
#[path = "../../../xtask/bench/papi.rs"]
mod papi;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

/// Nanoseconds of CPU time: 1 kHz and 10 kHz.
const PERIODS: [(&str, u64); 2] = [("1 kHz", 1_000_000), ("10 kHz", 100_000)];
const TASK_CLOCK: u64 = 1;
const ROUNDS: usize = 50;
/// Some 0.3 s: the reader looks at its rings several times.
const STEPS: u64 = 150_000_000;
const OF_TIMER: f64 = 1.1;
const OF_PAPI: f64 = 1.0;
/// The program that is measured is this one, with one of these, and then a period.
const WORK: &str = "--work";
const WORK_WITH_TIMER: &str = "--work-with-timer";
const WORK_WITH_PAPI: &str = "--work-with-papi";
const WORK_BESIDE_PAPI: &str = "--work-beside-papi";
const PAPI_EVENT: &CStr = c"perf::TASK-CLOCK";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let period = words.get(1).and_then(|period| period.parse().ok()).unwrap_or_default();
    match words.first().copied() {
        Some(WORK) => work(),
        Some(WORK_WITH_TIMER) => {
            let _timer = timer(period);
            work();
        }
        Some(WORK_WITH_PAPI) => work_with_papi(period),
        Some(WORK_BESIDE_PAPI) => {
            let _set = Papi::system().and_then(|papi| papi.set(&[PAPI_EVENT]));
            work();
        }
        Some("--bench") => return measure(),
        _ => println!("skipped: run it with cargo bench"),
    }
    ExitCode::SUCCESS
}

fn measure() -> ExitCode {
    let has_papi = Papi::system().is_some_and(|papi| papi.set(&[PAPI_EVENT]).is_some());
    let of_papi = |what, period| if has_papi { run(what, period, false) } else { f64::NAN };
    let within = PERIODS.map(|(name, period)| {
        let rounds = in_turn(
            ROUNDS,
            [
                &mut || run(WORK, period, false),
                &mut || run(WORK, period, true),
                &mut || run(WORK_WITH_TIMER, period, false),
                &mut || of_papi(WORK_BESIDE_PAPI, period),
                &mut || of_papi(WORK_WITH_PAPI, period),
            ],
        );
        let rounds = least(&rounds, 5);
        let percent = |slow: f64, alone: f64| 100.0 * (slow / alone - 1.0);
        let slower = |peer: usize, alone: usize| -> Vec<(f64, f64)> {
            let slower = |of: &[f64; 5]| (percent(of[1], of[0]), percent(of[peer], of[alone]));
            rounds.iter().map(slower).collect()
        };
        let name = format!("slow-down by a profile at {name}");
        let of_timer = compared(&name, "%", "timer alone", &slower(2, 0), Limit::Times(OF_TIMER));
        let of_papi =
            !has_papi || compared(&name, "%", "PAPI_profil", &slower(4, 3), Limit::Times(OF_PAPI));
        of_timer && of_papi
    });
    if within == [true; 2] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The seconds of CPU time that the program takes, and this one while it waits.
fn run(what: &str, period: u64, profiled: bool) -> f64 {
    let program = std::env::current_exe().unwrap();
    let words =
        [program.as_os_str(), what.as_ref(), period.to_string().as_ref()].map(OsStr::to_os_string);
    let held = Held::fork(&words, None).unwrap();
    let profiling = profiled.then(|| {
        let mut set = EventSet::new(Target::Command(held.pid())).event("task-clock");
        set.profile("task-clock", Profile::every(Every::Period(period))).unwrap();
        set.open_profiles().unwrap()
    });
    let begun = times();
    let ended = held.exec().unwrap().wait().unwrap();
    let taken = times() - begun;
    assert_eq!(ended.code(), 0);
    if let Some(profiling) = profiling {
        let samples = profiling.stop().unwrap()[0].samples;
        // A timer that is late, as on a busy host, is not made up for.
        let expected = taken.as_nanos() as f64 / period as f64;
        assert!(samples as f64 > 0.5 * expected, "{samples} samples in {taken:?}");
    }
    taken.as_secs_f64()
}

fn times() -> Duration {
    let (user, system) = children_times().unwrap();
    process_time().unwrap() + user + system
}

/// An event that is sampled into nothing.
fn timer(period: u64) -> OwnedFd {
    let mut attr = bindings::perf_event_attr {
        size: size_of::<bindings::perf_event_attr>() as u32,
        type_: pmu_type::SOFTWARE,
        config: TASK_CLOCK,
        sample_type: bindings::PERF_SAMPLE_IP.into(),
        ..Default::default()
    };
    attr.__bindgen_anon_1.sample_period = period;
    // SAFETY: `attr` is a whole perf_event_attr that lives through the call.
    let fd = unsafe { perf_event_open(&mut attr, 0, -1, -1, 0) };
    assert!(fd >= 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the call succeeded, so `fd` is open and nobody else owns it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Works with a histogram of the program's own code.
fn work_with_papi(period: u64) {
    let program = std::env::current_exe().unwrap();
    let maps = Host::local().maps(None).unwrap();
    let text = maps.text().find(|map| map.path.as_deref() == Some(&program)).unwrap();
    let start = usize::try_from(text.range.start).unwrap();
    // One for every two bytes.
    let mut buckets = vec![0_u16; (usize::try_from(text.range.end).unwrap() - start).div_ceil(2)];
    let set = Papi::system().and_then(|papi| papi.set(&[PAPI_EVENT])).unwrap();
    // SAFETY: the set is dropped before the buckets are looked at.
    unsafe { set.profile(PAPI_EVENT, period.try_into().unwrap(), start, &mut buckets) };
    assert!(set.start());
    work();
    drop(set);
    assert!(buckets.iter().any(|bucket| *bucket > 0));
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
