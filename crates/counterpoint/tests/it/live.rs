//! Tests on the machine that runs them, with events that every kernel counts.

use counterpoint::perf::{Access, Host};
use counterpoint::{EventSet, Machine, Note, Split, Target, Value, doctor};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Returns true if `task-clock` can be counted here; if not, the test has nothing to say.
#[allow(clippy::print_stderr, reason = "reports which tests are skipped")]
pub(crate) fn can_count() -> bool {
    let findings = doctor::examine(&Machine::new(Host::local()));
    let software = findings.iter().find(|finding| finding.subject == "software events").unwrap();
    let can = software.status != doctor::Status::Blocked;
    if !can {
        eprintln!("skipped: {}", software.text);
    }
    can
}

pub(crate) fn work(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::black_box((0..1000_u64).sum::<u64>());
    }
}

#[test]
fn a_thread_is_counted_between_reset_and_stop() {
    if !can_count() {
        return;
    }
    let mut counters =
        EventSet::new(Target::ThisThread).event("task-clock,page-faults").open().unwrap();
    work(Duration::from_millis(2));
    counters.reset().unwrap();
    let start = Instant::now();
    work(Duration::from_millis(5));
    // More than an allocator keeps for a later call.
    let pages: Vec<u8> = std::hint::black_box(vec![1; 40 << 20]);
    let report = counters.read().unwrap();
    let elapsed = start.elapsed().as_nanos() as f64;
    let clock = report.rows[0].value.as_f64().unwrap();
    assert!(clock > 0.0 && clock <= elapsed, "{clock} ns in {elapsed} ns");
    assert!(report.rows[1].value.as_f64().unwrap() >= 1.0, "{} bytes were touched", pages.len());
    assert_eq!(report.rows[0].unit.as_deref(), Some("ns"));

    counters.stop().unwrap();
    let before = counters.snapshot().unwrap();
    work(Duration::from_millis(1));
    let after = counters.snapshot().unwrap();
    let between = counters.report(&after.since(&before), &Split::Total);
    assert_eq!(between.rows[0].value.as_f64(), None, "nothing ran in between");
}

#[test]
fn a_formula_over_live_counts_agrees_with_them() {
    if !can_count() {
        return;
    }
    let mut counters = EventSet::new(Target::ThisThread)
        .define("EVENT,TWICE,DERIVED_INFIX,N0*2,task-clock\n")
        .event("task-clock,TWICE")
        .open()
        .unwrap();
    work(Duration::from_millis(1));
    let report = counters.read().unwrap();
    let (Value::Counted(one), Value::Counted(two)) = (&report.rows[0].value, &report.rows[1].value)
    else {
        panic!("{report:?}")
    };
    assert_eq!(one.as_int().unwrap() * 2, two.as_int().unwrap());
}

#[test]
fn threads_that_start_later_are_counted_by_default() {
    if !can_count() {
        return;
    }
    let count = |inherit: bool| {
        let set = EventSet::new(Target::ThisThread).inherit(inherit).event("task-clock");
        let mut counters = set.open().unwrap();
        std::thread::spawn(|| work(Duration::from_millis(10))).join().unwrap();
        counters.read().unwrap().rows[0].value.as_f64().unwrap()
    };
    let (with, without) = (count(true), count(false));
    assert!(with > without, "{with} ns with the thread, {without} ns without");
}

#[test]
fn events_that_this_machine_cannot_count_have_a_reason_and_no_number() {
    let set = EventSet::new(Target::ThisThread).event("cycles,task-clock,context-switches");
    let mut counters = set.open().unwrap();
    work(Duration::from_millis(1));
    let access: Access = Host::local().access();
    for row in &counters.read().unwrap().rows {
        match row.value.reason() {
            Some(reason) => assert!(!reason.to_string().is_empty()),
            None => assert!(row.value.as_f64().is_some_and(|value| value >= 0.0)),
        }
        if row.notes == [Note::UserOnly] {
            assert!(!access.is_privileged());
        }
    }
}

/// While a thread ends, the kernel refuses for a moment to read a group that its threads inherited (ECHILD).
#[test]
fn groups_are_read_while_threads_come_and_go() {
    if !can_count() {
        return;
    }
    let set = EventSet::new(Target::ThisThread).event("{task-clock,page-faults,context-switches}");
    let mut counters = set.open().unwrap();
    let is_over = AtomicBool::new(false);
    let reads = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !is_over.load(Ordering::Relaxed) {
                counters.read().unwrap();
                reads += 1;
            }
            reads
        });
        // The threads of this one are counted.
        for _ in 0..2000 {
            thread::spawn(|| ()).join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert!(reads > 100, "{reads}");
}
