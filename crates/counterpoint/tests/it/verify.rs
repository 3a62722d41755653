//! The trust report: on this machine, and on scripted ones.

#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use counterpoint::perf::{Errno, Host, pmu_type};
use counterpoint::verify::{Measured, Trust, TrustReport, Unmeasured, Verdict, Way, verify};
use counterpoint_fixtures::{FakeKernel, machine};
use proptest::prelude::*;
use std::time::Duration;

fn row<'r>(report: &'r TrustReport, event: &str, way: Way) -> Option<&'r Trust> {
    report.rows.iter().find(|row| row.event == event && row.way == way)
}

/// What the kernel counts needs no PMU, and is right on every machine.
#[test]
fn software_events_count_what_is_expected_here() {
    let report = verify(&Host::local());
    for (event, way) in [
        ("page-faults", Way::Count),
        ("minor-faults", Way::Count),
        ("page-faults", Way::Overflow),
        ("task-clock", Way::Count),
        ("context-switches", Way::Count),
    ] {
        let row = row(&report, event, way).unwrap_or_else(|| panic!("{event}"));
        match &row.measured {
            Ok(measured) if event == "context-switches" => {
                // A busy machine takes the CPU away more often, and never gives it for a sleep.
                assert!(measured.median >= row.expected, "{row:?}");
            }
            Ok(_) if event == "task-clock" => {
                assert!(matches!(row.verdict(), Verdict::Exact | Verdict::Near), "{row:?}");
            }
            Ok(measured) => assert_eq!(measured.median, row.expected, "{row:?}"),
            Err(why) => println!("skipped: {event}: {why:?}"),
        }
    }
    match &report.no_hardware {
        Some(why) => {
            assert!(!why.is_empty());
            assert!(row(&report, "instructions", Way::Count).is_none(), "{report:?}");
        }
        None => {
            let instructions = report.rows.iter().filter(|row| row.event == "instructions");
            let counted = instructions.filter(|row| row.way == Way::Count && row.measured.is_ok());
            assert!(counted.count() > 3, "{report:?}");
        }
    }
}

/// A read is timed, alone and of a group, and nothing is expected of the time.
#[test]
fn a_read_has_a_time() {
    let report = verify(&Host::local());
    for event in ["page-faults", "page-faults,context-switches,cpu-migrations"] {
        let row = row(&report, event, Way::ReadTime).unwrap_or_else(|| panic!("{event}"));
        match &row.measured {
            Ok(measured) => {
                assert_eq!((row.verdict(), measured.rounds), (Verdict::Measured, 7), "{row:?}");
                // No system call is as short as a nanosecond, and none of these as long as a millisecond.
                assert!((1.0..1e6).contains(&measured.median), "{row:?}");
            }
            Err(why) => println!("skipped: {event}: {why:?}"),
        }
    }
}

/// Where a thread cannot read its counters itself, there is a reason and no time; precise samples are asked for.
#[test]
fn reads_and_precise_samples_of_the_processor_have_their_rows() {
    let report = scripted(FakeKernel::new().files_of(&machine("amd-zen4")).counters(6));
    let read = row(&report, "instructions", Way::ReadTime).unwrap();
    assert_eq!(read.verdict(), Verdict::Measured, "{read:?}");
    let user = row(&report, "instructions", Way::UserReadTime).unwrap();
    assert_eq!(user.verdict(), Verdict::NotSupported, "{user:?}");
    let times = report.rows.iter().filter(|row| row.way == Way::ReadTime);
    let sizes: Vec<usize> = times.map(|row| row.event.split(',').count()).collect();
    assert_eq!(sizes, [1, 6, 1, 3], "the largest group of six counters: {report:?}");
    for (precise, event) in (1..).zip(["instructions:p", "instructions:pp", "instructions:ppp"]) {
        let row = row(&report, event, Way::Overflow).unwrap_or_else(|| panic!("{event}"));
        assert_eq!(row.asked.attrs[0].precise, precise, "{row:?}");
    }
    // Its samples are none of the loop.
    for (precise, event) in (0..).zip(["branches", "branches:p", "branches:pp", "branches:ppp"]) {
        let row = row(&report, event, Way::Skid).unwrap_or_else(|| panic!("{event}"));
        assert_eq!(row.asked.attrs[0].precise, precise, "{row:?}");
        assert_eq!(row.verdict(), Verdict::NotCounted, "{row:?}");
    }
}

/// A kernel that refuses every event leaves no number.
#[test]
fn what_cannot_be_counted_has_a_reason_and_no_number() {
    let kernel = FakeKernel::new().refuse_with(Errno::ENOENT, |_| true);
    let report = verify(&Host::with_kernel(kernel));
    assert!(report.no_hardware.is_some());
    assert!(report.rows.len() >= 7, "{report:?}");
    for row in &report.rows {
        let Err(Unmeasured::NotSupported(why)) = &row.measured else { panic!("{row:?}") };
        assert!(!why.is_empty() && row.verdict() == Verdict::NotSupported, "{row:?}");
        // A tracepoint is looked up in a file, and here there is none.
        let is_asked = row.event != "raw_syscalls:sys_enter";
        assert_eq!(row.asked.errno, is_asked.then_some(Errno::ENOENT), "{row:?}");
        let events = row.event.split(',').count();
        assert_eq!(row.asked.attrs.len(), if is_asked { events } else { 0 }, "{row:?}");
    }
}

/// The report of a kernel whose events count the same whatever runs.
fn scripted(kernel: FakeKernel) -> TrustReport {
    verify(&Host::with_kernel(kernel.runs_until_stopped(Duration::from_millis(1))))
}

/// Zen 4 has six counters: a kernel with as many runs what is planned, and one with fewer does not.
#[test]
fn a_plan_is_compared_with_what_the_kernel_runs_together() {
    let zen4 = || FakeKernel::new().files_of(&machine("amd-zen4"));
    let plans = |report: &TrustReport| -> Vec<(usize, Verdict)> {
        let plans = report.rows.iter().filter(|row| row.way == Way::Plan);
        plans.map(|row| (row.event.split(',').count(), row.verdict())).collect()
    };
    let six = scripted(zen4().counters(6));
    assert_eq!(six.no_hardware, None);
    let sizes: Vec<usize> = plans(&six).iter().map(|(size, _)| *size).collect();
    assert_eq!(sizes, (2..=10).collect::<Vec<_>>(), "{six:?}");
    assert!(plans(&six).iter().all(|(_, verdict)| *verdict == Verdict::Exact), "{:?}", plans(&six));
    let four = scripted(zen4().counters(4));
    for (size, verdict) in plans(&four) {
        let expected = if matches!(size, 5 | 6) { Verdict::Differs } else { Verdict::Exact };
        assert_eq!(verdict, expected, "{size} events on four counters");
    }
}

/// Counts of a script have nothing to do with the code, and a report says so.
#[test]
fn events_that_count_something_else_differ() {
    let kernel = FakeKernel::new().files_of(&machine("amd-zen4"));
    let report = scripted(kernel);
    let (zen4, mispredicted) = ("amd64_fam19h_zen4", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED");
    let of_table = format!("{zen4}::{mispredicted}:u");
    for event in
        ["instructions", "branch-misses", "PAPI_BR_MSP", &of_table, "branch_share", "page-faults"]
    {
        let rows: Vec<&Trust> =
            report.rows.iter().filter(|row| row.event == event && row.way == Way::Count).collect();
        let differs = |row: &&Trust| row.verdict() == Verdict::Differs;
        assert!(!rows.is_empty() && rows.iter().all(differs), "{event}: {rows:?}");
    }
    let unpredicted = row(&report, "cycles", Way::Count).unwrap();
    assert_eq!((unpredicted.verdict(), unpredicted.kernel.as_str()), (Verdict::NoPrediction, ""));
    let turns = row(&report, "instructions", Way::Multiplexed).unwrap();
    assert_eq!(turns.verdict(), Verdict::NotCounted, "nothing takes turns: {turns:?}");
}

/// An event that the user may not count is not a false 0.
#[test]
fn hardware_that_may_not_be_counted_is_not_verified() {
    let kernel = FakeKernel::new()
        .files_of(&machine("amd-zen4"))
        .refuse_with(Errno::EACCES, |asked| asked.attr.kind != pmu_type::SOFTWARE);
    let report = scripted(kernel);
    assert!(report.no_hardware.is_some(), "{report:?}");
    assert!(row(&report, "instructions", Way::Count).is_none());
}

proptest! {
    #[test]
    fn a_verdict_follows_from_the_numbers(
        expected in 1_u32..1_000_000,
        tolerance in 0.0..0.5,
        mut rounds in proptest::collection::vec(0_u32..2_000_000, 1..9),
    ) {
        rounds.sort_unstable();
        let mut values: Vec<f64> = rounds.iter().map(|round| f64::from(*round)).collect();
        let measured = Measured::of(&mut values).unwrap();
        prop_assert!(measured.least <= measured.median && measured.median <= measured.greatest);
        prop_assert_eq!(measured.rounds, rounds.len());
        let expected = f64::from(expected);
        let verdict = Verdict::of(expected, tolerance, &measured);
        let is_exact = rounds.iter().all(|round| f64::from(*round) == expected);
        prop_assert_eq!(verdict == Verdict::Exact, is_exact);
        let is_near = (measured.median - expected).abs() <= tolerance * expected;
        prop_assert_eq!(verdict == Verdict::Differs, !is_exact && !is_near);
    }
}
