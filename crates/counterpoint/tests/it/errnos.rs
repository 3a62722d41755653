//! Every error number at every call: an answer, and never a number that was not measured.

use crate::world::{cpu_of, ms, set, two_sockets};
use counterpoint::perf::Errno;
use counterpoint::{Counters, EventSet, Split, Target, Value};
use counterpoint_fixtures::{FakeKernel, Opening};

/// The numbers that Linux names, and one that it does not.
fn errnos() -> Vec<Errno> {
    let named = (1..134).map(Errno).filter(|errno| errno.name().is_some());
    named.chain([Errno(517)]).collect()
}

const EVENTS: &str = "{cycles,instructions},task-clock,page-faults,RATIO,context-switches:u";

fn events(kernel: &FakeKernel, target: &Target) -> EventSet {
    set(kernel, target.clone())
        .define("EVENT,RATIO,DERIVED_INFIX,N0/N1,branches,branch-misses\n")
        .event(EVENTS)
}

/// Whatever has a number was counted for the millisecond, and whatever has none says why.
fn check(counters: &mut Counters, kernel: &FakeKernel, errno: Errno) {
    kernel.run(ms(1));
    let snapshot = match counters.snapshot() {
        Ok(snapshot) => snapshot,
        Err(error) => return assert!(error.to_string().contains(&errno.to_string()), "{error}"),
    };
    for split in [Split::Total, Split::Cpu] {
        let report = counters.report(&snapshot, &split);
        assert!(!report.rows.is_empty());
        for row in report.rows {
            let places = if split == Split::Total { 1e6..=4e6 } else { 1e6..=1e6 };
            match &row.value {
                Value::Counted(number) if row.event == "RATIO" => assert_eq!(number.as_f64(), 1.0),
                Value::Counted(number) => {
                    assert!(places.contains(&number.as_f64()), "{errno}: {row:?}")
                }
                Value::NotCounted(reason) | Value::NotSupported(reason) => {
                    assert!(!reason.to_string().trim().is_empty(), "{errno}: {row:?}");
                    assert!(
                        reason.help().is_none_or(|help| !help.to_string().is_empty()),
                        "{errno}: {row:?}"
                    );
                    assert_eq!(row.raw, None, "{errno}: {row:?}");
                }
                other => panic!("{errno}: {other:?}"),
            }
        }
    }
}

type Rule = fn(&Opening) -> bool;

#[test]
fn opening() {
    let here = Target::ThisThread;
    // Everything, some events, members of groups, and one CPU.
    let cases: [(Target, Rule); 4] = [
        (here.clone(), |_| true),
        (here.clone(), |o| o.attr.config == 1),
        (here, |o| o.leader.is_some()),
        (Target::AllCpus, |o| cpu_of(o) == Some(2)),
    ];
    for errno in errnos() {
        for (target, rule) in &cases {
            let kernel = two_sockets().refuse_with(errno, *rule);
            let mut counters = events(&kernel, target).open().unwrap();
            check(&mut counters, &kernel, errno);
            drop(counters);
            assert_eq!(kernel.still_open(), 0, "{errno}");
        }
    }
}

#[test]
fn asking_for_ids() {
    for errno in errnos() {
        let kernel = two_sockets();
        kernel.fail_ids(errno);
        if let Ok(mut counters) = events(&kernel, &Target::ThisThread).open() {
            check(&mut counters, &kernel, errno);
        }
    }
}

#[test]
fn reading() {
    for errno in errnos() {
        let kernel = two_sockets();
        let mut counters = events(&kernel, &Target::ThisThread).open().unwrap();
        kernel.run(ms(1));
        kernel.fail_reads(errno);
        let error = counters.snapshot().unwrap_err();
        assert!(error.to_string().contains(&errno.to_string()), "{error}");
        assert!(counters.read().is_err() && counters.reset().is_err());
    }
}

#[test]
fn starting_and_stopping() {
    for errno in errnos() {
        let kernel = two_sockets();
        kernel.fail_switching(errno);
        let error = events(&kernel, &Target::ThisThread).open().err().unwrap();
        assert!(error.to_string().contains(&errno.to_string()), "{error}");
        assert_eq!(kernel.still_open(), 0, "{errno}");
        let mut counters = events(&kernel, &Target::ThisThread).delayed(true).open().unwrap();
        assert!(counters.start().is_err() && counters.stop().is_err());
        kernel.fail_switching(None);
        counters.start().unwrap();
        kernel.fail_switching(errno);
        assert!(counters.stop().is_err());
        check(&mut counters, &kernel, errno);
    }
}
