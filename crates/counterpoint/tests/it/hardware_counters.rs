//! A processor's own counters by name; without a PMU each test says that it was skipped.

#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use counterpoint::perf::{Every, Host, UserReads};
use counterpoint::pmu::Privilege;
use counterpoint::profil::{BucketWidth, Histogram, Region, Scale};
use counterpoint::profile::Profile;
use counterpoint::{Counters, EventSet, Reason, Report, Slices, Split, Target, Value};
use counterpoint_fixtures::{is_qemu_power, work};
use std::hint::black_box;
use std::time::Instant;

const TURNS: u64 = 500_000;

/// Returns true if there is a PMU; says so where there is none.
fn has_pmu() -> bool {
    let has = !Host::local().access().core_pmus.is_empty();
    if !has {
        println!("skipped: this machine shows no hardware PMU");
    }
    has
}

/// Events of this thread alone, in user space.
fn set(events: &str) -> EventSet {
    EventSet::new(Target::ThisThread).inherit(false).domain(Privilege::USER).event(events)
}

/// The same as [`work`] three times, at another place.
#[inline(never)]
fn thrice(turns: u64) -> u64 {
    let (mut n, mut value) = (0_u64, 2_u64);
    let turns = 3 * turns;
    while n < turns {
        value = ((value << 7) ^ (value >> 3)) ^ n;
        n += 1;
    }
    black_box(value)
}

/// The values of the events, in their order.
fn values(report: &Report) -> Vec<f64> {
    let value = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value:?}"));
    report.rows.iter().map(|row| value(&row.value)).collect()
}

fn is_near(found: f64, expected: f64, percent: f64) -> bool {
    (found - expected).abs() <= expected * percent / 100.0
}

#[test]
fn presets_count_what_the_kernels_own_events_count() {
    if !has_pmu() {
        return;
    }
    let mut counters = set("PAPI_TOT_INS,PAPI_TOT_CYC,instructions,cycles").open().unwrap();
    let mut count = |turns| {
        counters.reset().unwrap();
        work(turns);
        values(counters.read().unwrap())
    };
    let (one, two) = (count(TURNS), count(2 * TURNS));
    assert!(is_near(one[0], one[2], 1.0), "{one:?}");
    assert!(is_near(two[0], 2.0 * one[0], 1.0), "{one:?} {two:?}");
    assert!(one[0] >= 4.0 * TURNS as f64, "{one:?}: a turn is some instructions");
    if is_qemu_power() {
        return println!("skipped: QEMU counts no run cycles, which PAPI_TOT_CYC is on POWER");
    }
    assert!(is_near(one[1], one[3], 1.0), "{one:?}");
}

#[test]
fn a_profile_by_overflow_finds_a_known_split_of_the_work() {
    const PERIOD: u64 = 20_011;
    if !has_pmu() {
        return;
    }
    let address = |function: fn(u64) -> u64| function as usize as u64;
    let (first, second) = (address(work), address(thrice));
    // Neither is longer than this; they may follow each other.
    let end =
        |start: u64, other: u64| if other > start { other.min(start + 600) } else { start + 600 };
    let region = |range| Region::new(range, Scale::ONE_ADDRESS).unwrap();
    let regions = vec![region(first..end(first, second)), region(second..end(second, first))];
    let histogram = Histogram::new(regions, BucketWidth::Bits32).unwrap();

    let split = || {
        // Turns of ever other lengths: even ones could keep step with the samples.
        let mut turn = 1_u32;
        for _ in 0..400 {
            turn = turn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let turns = 1000 + u64::from(turn >> 16) % 4000;
            work(turns);
            thrice(turns);
        }
    };
    let mut counters = set("cycles").open().unwrap();
    split();
    let cycles = values(counters.read().unwrap())[0];
    drop(counters);

    let mut set = set("cycles:u").delayed(true);
    let profile = Profile::every(Every::Period(PERIOD)).histogram(histogram);
    set.profile("cycles:u", profile).unwrap();
    let mut profiling = set.open_profiles().unwrap();
    profiling.start().unwrap();
    split();
    let profiled = profiling.stop().unwrap().remove(0);
    assert!(!profiled.software && profiled.lost == 0 && profiled.throttled == 0);
    let expected = cycles / PERIOD as f64;
    assert!(is_near(profiled.samples as f64, expected, 2.0), "{} of {expected}", profiled.samples);
    let histogram = profiled.histogram.unwrap();
    let [once, thrice] = [0, 1].map(|region| histogram.counts(region).sum::<u64>() as f64);
    println!("{once} samples in one, {thrice} in the other");
    assert!(once + thrice > 0.98 * profiled.samples as f64, "{once} {thrice} {}", profiled.samples);
    assert!(is_near(thrice, 3.0 * once, 4.0), "{once} {thrice}");
}

/// As many events in braces as no PMU has counters: those that fit are counted, the others say what is in their way.
#[test]
fn events_that_do_not_fit_their_braces_say_so_before_the_kernel() {
    if !has_pmu() {
        return;
    }
    let events: Vec<String> = (1..=30).map(|code| format!("r{code:x}")).collect();
    let set = set(&format!("{{{}}}", events.join(",")));
    if set.plan().unwrap().pmus.iter().all(|pmu| pmu.conflicting().next().is_none()) {
        return println!("skipped: the counters of this PMU stand in no table");
    }
    let mut counters = set.open().unwrap();
    work(TURNS);
    let (mut counted, mut refused) = (0, 0);
    for row in &counters.read().unwrap().rows {
        match &row.value {
            Value::Counted(_) => counted += 1,
            Value::NotSupported(Reason::Conflicting { rivals }) => {
                assert!(rivals.len() > 1, "{row:?}");
                refused += 1;
            }
            other => panic!("{}: {other:?}", row.event),
        }
    }
    assert!(counted > 1 && counted + refused == 30, "{counted} counted");
}

#[test]
fn the_error_of_an_estimate_covers_what_is_missing() {
    /// Slices of work, each of a few turns of the kernel.
    const SLICES: u64 = 60;
    /// Calls that tell what one of them takes.
    const CALLS: u64 = 10;
    if !has_pmu() {
        return;
    }
    let mut alone = set("instructions").open().unwrap();
    for _ in 0..CALLS {
        work(TURNS / 10);
    }
    let each = values(alone.read().unwrap())[0] / CALLS as f64;
    drop(alone);
    let others: Vec<String> = (1..=12).map(|code| format!("r{code:x}")).collect();
    let mut counters = set(&format!("instructions,{}", others.join(","))).open().unwrap();
    let mut slices = Slices::since(counters.zero());
    let mut calls = 0_u32;
    for _ in 0..SLICES {
        let start = Instant::now();
        while start.elapsed() < 2 * slices.wait() {
            work(TURNS / 10);
            calls += 1;
        }
        slices.read(&mut counters).unwrap();
    }
    let total = slices.total(&counters.snapshot().unwrap());
    let report = counters.report(&total, &Split::Total);
    let row = &report.rows[0];
    let Value::Estimated { value, standard_error: Some(error), .. } = row.value else {
        return println!("skipped: thirteen events do not take turns: {row:?}");
    };
    let truth = f64::from(calls) * each;
    println!("{value} ± {error} of {truth} instructions");
    // What is beside the work, such as looking at the clock, is a small part.
    assert!((value - truth).abs() < 5.0 * error + 0.02 * truth, "{value} ± {error} of {truth}");
    assert!(error < 0.2 * truth, "{value} ± {error} of {truth}");
}

/// The cost of a read of four events in instructions, the kernel's too.
fn cost(reads: UserReads) -> Option<f64> {
    let set = EventSet::new(Target::ThisThread).inherit(false).user_reads(reads);
    let mut counters: Counters = set.event("{instructions,cycles,r8,r11}").open().unwrap();
    let (mut before, mut after) = (counters.zero(), counters.zero());
    let mut cost = |_| {
        counters.read_into(&mut before).unwrap();
        counters.read_into(&mut after).unwrap();
        counters.report(&after.since(&before), &Split::Total).rows[0].value.as_f64()
    };
    (0..20).filter_map(&mut cost).reduce(f64::min)
}

#[test]
fn a_thread_that_counts_itself_reads_without_a_system_call() {
    if !has_pmu() {
        return;
    }
    if Host::local().text("/proc/sys/kernel/perf_user_access").as_deref().ok() != Some("1") {
        return println!("skipped: this kernel does not let a thread read its own counters");
    }
    let (Some(user), Some(kernel)) = (cost(UserReads::default()), cost(UserReads::Never)) else {
        return println!("skipped: the kernel may not be counted");
    };
    println!("a read of 4 events: {user} instructions, by the kernel {kernel}");
    assert!(user * 1.5 < kernel, "{user} instructions, by the kernel {kernel}");

    let regions = set("instructions").regions().unwrap();
    for _ in 0..10 {
        let _solve = regions.region("solve");
        work(TURNS / 10);
    }
    let mut counters = set("instructions").open().unwrap();
    counters.reset().unwrap();
    work(TURNS);
    let whole = values(counters.read().unwrap())[0];
    let solve = values(&regions.report().total("solve").unwrap().report)[0];
    assert!(is_near(solve, whole, 2.0), "{solve} in regions, {whole} at once");
}
