//! Sets across a fork without exec.
//!
//! A program of its own with this one test, because a process with other threads at work may not do much after a fork.

#![allow(unsafe_code, reason = "forking is unsafe; what runs in the child is here to see")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it should do")]

use counterpoint::{Counters, EventSet, Target};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};

fn clock(counters: &mut Counters) -> Option<f64> {
    counters.read().ok()?.rows[0].value.as_f64()
}

fn work() {
    for _ in 0..200 {
        std::hint::black_box((0..1000_u64).sum::<u64>());
    }
}

/// The number of the first thing that is wrong in a child: 0 is nothing.
fn in_child(parents: &mut Counters) -> i32 {
    let Some(first) = clock(parents) else { return 1 };
    work();
    // Not inherited, so what this process does is not in it; the parent waits.
    let Some(second) = clock(parents) else { return 2 };
    if second < first {
        return 3;
    }
    let refused = |result: Result<(), counterpoint::Error>| {
        result.is_err_and(|e| e.to_string().contains("was forked") && e.help().is_some())
    };
    if !refused(parents.stop()) || !refused(parents.start()) || !refused(parents.reset()) {
        return 4;
    }
    let Ok(mut own) = EventSet::new(Target::ThisThread).event("task-clock").open() else {
        return 5;
    };
    work();
    if clock(&mut own).is_none_or(|clock| clock <= 0.0) || own.stop().is_err() {
        return 6;
    }
    let Ok(regions) = EventSet::new(Target::ThisThread).event("task-clock").regions() else {
        return 7;
    };
    {
        let _region = regions.region("child");
        work();
    }
    let report = regions.report();
    let counted = report.total("child").and_then(|total| total.report.rows[0].value.as_f64());
    if counted.is_some_and(|clock| clock > 0.0) { 0 } else { 8 }
}

#[test]
fn a_child_reads_what_the_parent_counts_and_opens_its_own() {
    let mut counters =
        EventSet::new(Target::ThisThread).inherit(false).event("task-clock").open().unwrap();
    work();
    if clock(&mut counters).is_none() {
        println!("skipped: task-clock cannot be counted here");
        return;
    }
    // SAFETY: the only other thread waits for this one; the child ends by _exit and returns to nothing of the parent's.
    match unsafe { fork() }.unwrap() {
        ForkResult::Child => {
            let wrong = in_child(&mut counters);
            drop(counters);
            // SAFETY: ends the process without running anything of the parent's.
            unsafe { nix::libc::_exit(wrong) }
        }
        ForkResult::Parent { child } => {
            assert_eq!(waitpid(child, None).unwrap(), WaitStatus::Exited(child, 0));
        }
    }
    // The child has closed its copies; here they count on.
    let before = clock(&mut counters).unwrap();
    work();
    assert!(clock(&mut counters).unwrap() > before);
    counters.stop().unwrap();
}
