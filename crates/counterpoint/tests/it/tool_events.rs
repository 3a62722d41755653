//! Times that are named like events.

use crate::world::{hold, holds, open, recorded, row, set, two_sockets};
use counterpoint::events::CandidateEvent;
use counterpoint::formula::Number;
use counterpoint::listing::{Availability, list};
use counterpoint::perf::process::Held;
use counterpoint::{
    Counters, EventSet, Machine, NoCpuTime, Reason, Report, Snapshot, Split, Target, Value,
};
use proptest::prelude::*;
use std::cell::LazyCell;
use std::time::{Duration, Instant};

const TIMES: &str = "duration_time,user_time,system_time";

fn ns(report: &Report, event: &str) -> i128 {
    match row(report, event).value {
        Value::Counted(Number::Int(ns)) => ns,
        ref other => panic!("{event}: {other:?}"),
    }
}

fn reason(report: &Report, event: &str) -> Reason {
    row(report, event).value.reason().cloned().unwrap_or_else(|| panic!("{event} has a value"))
}

/// Runs a command to its end; the report is read a while later.
fn run(command: &[&str], events: &str) -> Report {
    let held = Held::fork(command, None).unwrap();
    let set = EventSet::new(Target::Command(held.pid())).event(events);
    let mut counters = set.open().unwrap();
    // Neither the time before exec nor that after the end belongs to the command.
    std::thread::sleep(Duration::from_millis(150));
    assert_eq!(ns(counters.read().unwrap(), "duration_time"), 0, "it has not begun");
    held.exec().unwrap().wait().unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    counters.read().unwrap().clone()
}

#[test]
fn the_duration_of_a_command_is_that_from_exec_to_its_end() {
    let report = run(&["sleep", "0.1"], TIMES);
    let elapsed = ns(&report, "duration_time");
    assert!((100_000_000..1_000_000_000).contains(&elapsed), "{elapsed} ns");
    let cpu = ns(&report, "user_time") + ns(&report, "system_time");
    assert!((0..elapsed).contains(&cpu), "{cpu} ns of CPU time");
    let row = row(&report, "duration_time");
    assert_eq!((row.unit.as_deref(), row.raw), (Some("ns"), None));
    assert_eq!((row.enabled, row.running), (Duration::ZERO, Duration::ZERO));
}

/// A command that touches 256 MiB, more than the program of the tests has, of which only its end tells.
#[test]
fn a_command_has_its_greatest_memory_faults_and_switches_when_it_has_ended() {
    const EVENTS: &str = "max_rss,minor_faults,voluntary_switches";
    let fill = ["sh", "-c", "head -c 256M /dev/zero | tail -c 256M >/dev/null; sleep 0.01"];
    let held = Held::fork(&fill, None).unwrap();
    let mut counters = EventSet::new(Target::Command(held.pid())).event(EVENTS).open().unwrap();
    let mut running = held.exec().unwrap();
    assert_eq!(reason(counters.read().unwrap(), "max_rss"), Reason::NotEnded);
    let early = counters.snapshot().unwrap();
    running.wait().unwrap();
    let report = counters.read().unwrap().clone();
    let value = |event| row(&report, event).value.as_f64().unwrap();
    assert!((256e6..1e9).contains(&value("max_rss")), "{} bytes", value("max_rss"));
    assert_eq!(row(&report, "max_rss").unit.as_deref(), Some("bytes"));
    assert!(value("minor_faults") > 1000.0 && value("voluntary_switches") > 0.0, "{report}");
    // The greatest is not a sum: an interval has it as it is.
    let first = counters.snapshot().unwrap();
    let since = counters.snapshot().unwrap().since(&first);
    let interval = counters.report(&since, &Split::Total);
    assert_eq!(row(&interval, "max_rss").value, row(&report, "max_rss").value);
    assert_eq!(row(&interval, "minor_faults").value.as_f64(), Some(0.0));
    // Nor does it need a reading at the begin of the interval, as a count does.
    let since = counters.snapshot().unwrap().since(&early);
    let last = counters.report(&since, &Split::Total);
    assert_eq!(row(&last, "max_rss").value, row(&report, "max_rss").value);
    assert_eq!(reason(&last, "minor_faults"), Reason::NotEnded);
    let mut other = EventSet::new(Target::ThisThread).event("max_rss").open().unwrap();
    assert_eq!(reason(other.read().unwrap(), "max_rss"), Reason::NotACommand);
}

/// The process has the memory of this program before it becomes the command, and the kernel keeps the greater.
#[test]
fn memory_that_is_hidden_by_that_of_the_parent_is_no_number() {
    let report = run(&["true"], "duration_time,max_rss");
    let row = row(&report, "max_rss");
    match (&row.value, row.value.reason()) {
        // A test that is linked into a small program may see it.
        (Value::Counted(Number::Int(bytes)), _) => assert!(*bytes < 4 << 20, "{bytes} of true"),
        (_, Some(Reason::Failed(text))) => assert!(text.contains("hidden"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_user_time_of_a_command_that_spins_is_that_on_a_cpu() {
    const SPIN: &str = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
    let report = run(&["sh", "-c", SPIN], "duration_time,user_time,system_time,task-clock");
    let user = ns(&report, "user_time") as f64;
    let both = user + ns(&report, "system_time") as f64;
    assert!(user > 50e6, "it spins for {user} ns only");
    let Some(clock) = row(&report, "task-clock").value.as_f64() else {
        println!("skipped: counting task-clock of a command is not permitted here");
        return;
    };
    assert!((both / clock - 1.0).abs() < 0.3, "{both} ns of CPU time, {clock} ns by task-clock");
    assert!((user / clock - 1.0).abs() < 0.3, "{user} ns in user space, {clock} ns by task-clock");
}

#[test]
fn only_times_while_events_count_are_added_up() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::ThisThread)
        .event("duration_time,cycles")
        .delayed(true)
        .open()
        .unwrap();
    let nap = || std::thread::sleep(Duration::from_millis(30));
    nap();
    let read = |counters: &mut Counters| ns(counters.read().unwrap(), "duration_time");
    assert_eq!(read(&mut counters), 0);
    let began = Instant::now();
    counters.start().unwrap();
    nap();
    counters.stop().unwrap();
    let most = began.elapsed().as_nanos() as i128;
    let first = read(&mut counters);
    assert!((30_000_000..=most).contains(&first), "{first} of {most} ns");
    nap();
    counters.stop().unwrap();
    assert_eq!(read(&mut counters), first, "stopped");
    counters.start().unwrap();
    counters.start().unwrap();
    nap();
    assert!(read(&mut counters) >= first + 30_000_000, "resumed");
    counters.stop().unwrap();
    counters.reset().unwrap();
    assert_eq!(read(&mut counters), 0, "reset");
    let mut sum = counters.zero();
    counters.start().unwrap();
    nap();
    counters.accumulate(&mut sum).unwrap();
    nap();
    counters.accumulate(&mut sum).unwrap();
    let sum = ns(&counters.report(&sum, &Split::Total), "duration_time");
    let rest = read(&mut counters);
    assert!(sum >= 60_000_000 && rest < sum, "{sum} and {rest} ns");
}

thread_local! {
    static SNAPSHOTS: LazyCell<(Counters, Vec<Snapshot>)> = LazyCell::new(|| {
        let mut counters = open(&two_sockets(), "duration_time,cycles");
        let snapshots = (0..16).map(|_| counters.snapshot().unwrap()).collect();
        (counters, snapshots)
    });
}

proptest! {
    #[test]
    fn differences_of_snapshots_add_up(
        mut cuts in prop::collection::vec(0_usize..16, 0..8),
    ) {
        SNAPSHOTS.with(|made| {
            let (counters, snapshots) = &**made;
            let elapsed = |snapshot: &Snapshot| {
                ns(&counters.report(snapshot, &Split::Total), "duration_time")
            };
            cuts.extend([0, 15]);
            cuts.sort_unstable();
            let mut sum = counters.zero();
            for pair in cuts.windows(2) {
                let part = snapshots[pair[1]].since(&snapshots[pair[0]]);
                prop_assert_eq!(elapsed(&part), elapsed(&snapshots[pair[1]]) - elapsed(&snapshots[pair[0]]));
                sum.add(&part);
            }
            prop_assert_eq!(elapsed(&sum), elapsed(&snapshots[15]) - elapsed(&snapshots[0]));
            let runs: Vec<Snapshot> = cuts.iter().map(|cut| snapshots[*cut].clone()).collect();
            let mean = counters.report_runs(&runs, &Split::Total);
            let row = row(&mean, "duration_time");
            let total: i128 = runs.iter().map(elapsed).sum();
            let expected = total as f64 / runs.len() as f64;
            prop_assert!((row.value.as_f64().unwrap() - expected).abs() <= 1e-9 * expected.abs());
            prop_assert_eq!(row.spread.as_ref().map(|spread| spread.runs()), Some(runs.len()));
            Ok(())
        })?;
    }
}

#[test]
fn times_are_inputs_of_formulas() {
    let kernel = two_sockets();
    let define = "EVENT,RATE,DERIVED_INFIX,N0*1000000000/N1,cycles,duration_time\n\
        EVENT,SECONDS,DERIVED_INFIX,N0/1000000000,duration_time\n\
        EVENT,BUSY,DERIVED_INFIX,N0/N1,user_time,duration_time\n";
    let set = set(&kernel, Target::AllCpus).define(define).event("RATE,SECONDS,BUSY");
    let mut counters = set.open().unwrap();
    hold(&kernel, holds(1000, 1, 1), |_| true);
    std::thread::sleep(Duration::from_millis(10));
    let snapshot = counters.snapshot().unwrap();
    let report = counters.report(&snapshot, &Split::Total);
    let seconds = row(&report, "SECONDS").value.as_f64().unwrap();
    assert!((0.01..100.0).contains(&seconds), "{seconds}");
    let rate = row(&report, "RATE").value.as_f64().unwrap();
    assert!((rate * seconds / 4000.0 - 1.0).abs() < 1e-9, "{rate} in {seconds} s");
    let why = Reason::NoCpuTime(NoCpuTime::NotAProcess);
    let why = Reason::Term { name: "user_time".to_string(), reason: Box::new(why) };
    assert_eq!(reason(&report, "BUSY"), why);
    let by_cpu = counters.report(&snapshot, &Split::Cpu);
    let rates: Vec<f64> = by_cpu
        .rows
        .iter()
        .filter(|row| row.event == "RATE")
        .filter_map(|row| row.value.as_f64())
        .collect();
    assert_eq!(rates.len(), 4);
    assert!(rates.iter().all(|of_cpu| (of_cpu / rate * 4.0 - 1.0).abs() < 1e-9), "{rates:?}");
    assert_eq!(by_cpu.rows.iter().filter(|row| row.event == "SECONDS").count(), 1);
}

#[test]
fn cpu_time_that_is_not_known_has_a_reason() {
    let kernel = two_sockets().file("/proc/77/task/77/comm", "ended\n");
    let of = |target: Target, inherit: bool| {
        let set = set(&kernel, target).inherit(inherit).event(TIMES);
        set.open().unwrap().read().unwrap().clone()
    };
    let why = |report: &Report| match reason(report, "user_time") {
        Reason::NoCpuTime(why) => why,
        other => panic!("{other}"),
    };
    assert_eq!(why(&of(Target::AllCpus, true)), NoCpuTime::NotAProcess);
    assert_eq!(why(&of(Target::ThisThread, true)), NoCpuTime::Children);
    assert_eq!(why(&of(Target::Processes(vec![77]), true)), NoCpuTime::Ended(77));
    assert!(ns(&of(Target::ThisThread, false), "user_time") >= 0);
    let mut counters = set(&kernel, Target::ThisThread).inherit(false).event(TIMES).open().unwrap();
    let elsewhere = std::thread::spawn(move || counters.read().unwrap().clone()).join().unwrap();
    assert_eq!(why(&elsewhere), NoCpuTime::OtherThread);
    assert!(ns(&elsewhere, "duration_time") > 0);
}

#[test]
fn the_cpu_time_of_a_process_includes_the_children_for_which_it_waited() {
    let stat = "77 (a) name) R 1 2 3 4 5 6 7 8 9 10 120 30 5 2 20 0 1 0 4711\n";
    let kernel = two_sockets().file("/proc/77/stat", stat).file("/proc/77/task/77/stat", stat);
    for target in [Target::Processes(vec![77, 77]), Target::Threads(vec![77])] {
        let set = set(&kernel, target).inherit(false).event(TIMES);
        let report = set.open().unwrap().read().unwrap().clone();
        assert_eq!(
            (ns(&report, "user_time"), ns(&report, "system_time")),
            (0, 0),
            "no time passed"
        );
    }
    let this = Target::Processes(vec![std::process::id()]);
    let mut counters = EventSet::new(this).event(TIMES).open().unwrap();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(200) {
        std::hint::black_box(counterpoint_fixtures::work(10_000));
    }
    let report = counters.read().unwrap();
    let cpu = ns(report, "user_time") + ns(report, "system_time");
    assert!(cpu >= 20_000_000, "{cpu} ns of a thread that spins");
}

#[test]
fn names_are_found_listed_and_planned() {
    let set = EventSet::on(recorded("vm-no-pmu"), Target::ThisThread);
    for (name, usual) in [
        ("duration_time", "duration_time"),
        ("DURATION_TIME", "duration_time"),
        ("tool/user_time/", "user_time"),
        ("system_time", "system_time"),
    ] {
        let candidates = set.candidates(name).unwrap();
        assert!(
            matches!(&candidates[0].events[..], [CandidateEvent::Source(found)] if found.name() == usual),
            "{name}"
        );
        assert_eq!(candidates[0].events[0].kind(), "tool");
        let resolved = set.resolve_list(name).unwrap();
        assert!(resolved.natives().is_empty());
        let sources: Vec<_> =
            resolved.sources().map(|(text, found)| (text, found.name())).collect();
        assert_eq!(sources, [(name, usual)]);
        assert_eq!(set.availability(name).unwrap(), [Availability::Available]);
        let planning = set.plan_of(&[name.to_string()]).unwrap();
        assert_eq!(
            (planning.software.as_slice(), planning.is_complete()),
            (&[name.to_string()][..], true)
        );
    }
    let error = set.candidates("duration_time:u").unwrap_err().to_string();
    assert_eq!(error, "`u` is not a valid modifier for `duration_time`");
    let error = set.candidates("duration_tim").unwrap_err();
    assert!(error.similar().contains(&"duration_time".to_string()), "{:?}", error.similar());
    let listed = list(&Machine::new(recorded("vm-no-pmu")));
    let tools: Vec<&str> = listed
        .iter()
        .filter(|event| event.group == "tool")
        .map(|event| event.name.as_str())
        .collect();
    assert_eq!(tools, TIMES.split(',').collect::<Vec<_>>());
    let own = set.define("EVENT,duration_time,NOT_DERIVED,page-faults");
    let hidden = own.candidates("duration_time").unwrap();
    assert!(
        matches!(hidden[0].events[..], [CandidateEvent::Definition { .. }]),
        "it hides the other"
    );
}

#[test]
fn groups_may_hold_times() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "{cycles,duration_time,instructions}:u,{user_time}");
    assert_eq!((counters.open_count(), counters.is_any_open()), (2, true));
    let report = counters.read().unwrap();
    assert_eq!(report.rows.len(), 4);
    let counters = open(&kernel, "duration_time");
    assert_eq!((counters.open_count(), counters.is_any_open()), (0, true), "no event is needed");
}

#[test]
fn of_times_regions_measure_the_elapsed_one_alone() {
    let kernel = two_sockets();
    let rate = "EVENT,RATE,DERIVED_INFIX,N0*1000000000/N1,cycles,duration_time\n";
    let set = set(&kernel, Target::ThisThread).define(rate);
    let regions = set.event("duration_time,cycles,user_time,RATE").regions().unwrap();
    {
        let _region = regions.region("r");
        hold(&kernel, holds(1000, 1, 1), |_| true);
        std::thread::sleep(Duration::from_millis(10));
    }
    let report = regions.report();
    let report = &report.total("r").unwrap().report;
    let events: Vec<_> = report.rows.iter().map(|row| row.event.as_str()).collect();
    assert_eq!(events, ["duration_time", "cycles", "user_time", "RATE"], "each once");
    let wall = ns(report, "duration_time");
    assert!(wall >= 10_000_000, "{wall}");
    let rate = row(report, "RATE").value.as_f64().unwrap();
    assert!((rate * wall as f64 / 1e12 - 1.0).abs() < 1e-9, "{rate}");
    let text = reason(report, "user_time").to_string();
    assert_eq!(text, "user_time is not measured in regions");
}
