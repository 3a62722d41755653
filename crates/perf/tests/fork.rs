//! Rings across a fork without exec.
//!
//! A program of its own with this one test, because a process with other threads at work may not do much after a fork.

#![allow(unsafe_code, reason = "forking is unsafe; what runs in the child is here to see")]
#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use counterpoint_perf::{Attr, Every, Fields, Host, Placement, Sampler, Sampling, Setup, pmu_type};
use nix::libc;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};

/// The unshared child could not be made.
const NO_NAMESPACE: i32 = 77;

/// Runs `work` in a forked process that is number 1 of a PID namespace of its own, and gives what it returns.
fn as_first_process(work: impl FnOnce() -> i32) -> i32 {
    in_child(|| {
        // SAFETY: changes where later children of this process are numbered, and nothing else.
        match unsafe { libc::unshare(libc::CLONE_NEWPID) } {
            0 => in_child(work),
            _ => NO_NAMESPACE,
        }
    })
}

/// Runs `work` in a forked process; -1 if it did not end by itself.
fn in_child(work: impl FnOnce() -> i32) -> i32 {
    // SAFETY: no other thread of this program does anything at this time.
    match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            let result = work();
            // SAFETY: ends this process, whose other values nobody needs.
            unsafe { libc::_exit(result) }
        }
        Ok(ForkResult::Parent { child }) => match waitpid(child, None) {
            Ok(WaitStatus::Exited(_, code)) => code,
            _ => -1,
        },
        Err(_) => -2,
    }
}

/// Page faults of this thread, of which there are some already.
fn faults() -> Option<Sampler> {
    let faults = Attr { every: Every::Period(1), ..Attr::new(pmu_type::SOFTWARE, 2).user_only() };
    let mut sampler = Host::local().sampler(Sampling::new(Fields::IP), Setup::default());
    sampler.add(&[faults], &Placement::ThisThread).ok()?;
    std::hint::black_box(vec![1_u8; 1 << 22]);
    Some(sampler)
}

fn records(sampler: &mut Sampler) -> Option<u64> {
    sampler.drain(|_| {}).ok().map(|drained| drained.records)
}

/// The problem of a process whose ring a child sees too, by number: 0 is nothing.
fn parent() -> i32 {
    let Some(mut sampler) = faults() else { return 1 };
    let number = std::process::id();
    let in_child = as_first_process(|| {
        if std::process::id() != number {
            return 2;
        }
        // The memory of the ring is not here, though the process has the number of the one that made it.
        if records(&mut sampler) != Some(0) {
            return 3;
        }
        // One of its own is.
        match faults().as_mut().and_then(records) {
            Some(1..) => 0,
            _ => 4,
        }
    });
    match (in_child, records(&mut sampler)) {
        (0, Some(1..)) => 0,
        (0, _) => 5,
        (wrong, _) => wrong,
    }
}

#[test]
fn a_child_with_the_same_number_does_not_read_its_parents_ring() {
    match as_first_process(parent) {
        NO_NAMESPACE => println!("skipped: this user may make no PID namespaces"),
        wrong => assert_eq!(wrong, 0),
    }
}
