//! The samples of each thread over time, against a kernel whose rings the test writes.

use crate::profile::{Writer, every, machine, pair, set, words};
use counterpoint::Target;
use counterpoint::profile::{Profiling, ThreadTimes};
use counterpoint_fixtures::FakeKernel;
use std::time::Duration;

/// The length of the shortest interval in ns.
const SHORTEST: u64 = 1 << 20;

fn open(kernel: &FakeKernel, intervals: usize) -> (Profiling, [Writer; 2]) {
    let mut set = set(kernel, Target::Processes(vec![70]), "task-clock");
    set.profile("task-clock", every(1000).threads_over_time(intervals)).unwrap();
    let profiling = set.open_profiles().unwrap();
    (profiling, [0, 1].map(|ring| Writer(kernel.rings()[ring].clone())))
}

fn sample(writer: &Writer, tid: u32, interval: u64) {
    let time = interval * SHORTEST + 17;
    writer.record(9, 2, &[words(&[0x400010]), pair(70, tid), words(&[time])].concat());
}

fn times(profiling: Profiling) -> ThreadTimes {
    profiling.stop().unwrap().remove(0).threads.unwrap()
}

#[test]
fn samples_are_counted_by_thread_in_intervals_that_become_longer() {
    let kernel = machine().file("/proc/70/comm", "solve\n");
    let (profiling, [first, second]) = open(&kernel, 4);
    for interval in [5, 6, 9] {
        sample(&first, 70, interval);
    }
    // Read later, although it was earlier; a new thread has the name of the one that created it.
    let tail = [pair(70, 71), words(&[3 * SHORTEST])].concat();
    second.record(3, 0, &[pair(70, 71), b"worker\0\0".to_vec(), tail.clone()].concat());
    let created = [pair(70, 70), pair(72, 71), words(&[3 * SHORTEST])].concat();
    second.record(7, 0, &[created, tail].concat());
    sample(&second, 71, 3);
    sample(&second, 72, 4);
    sample(&second, 72, 4);
    // Nothing is known of this one, but of its process.
    sample(&second, 73, 9);
    let times = times(profiling);
    assert_eq!(times.interval, Duration::from_nanos(2 * SHORTEST));
    let threads: Vec<_> = times
        .threads
        .iter()
        .map(|of| (of.pid, of.tid, of.name.as_deref().unwrap(), of.counts.as_slice()))
        .collect();
    let expected: [(u32, u32, &str, &[u64]); 4] = [
        (70, 70, "solve", &[0, 1, 1, 1]),
        (70, 72, "worker", &[0, 2, 0, 0]),
        (70, 71, "worker", &[1, 0, 0, 0]),
        (70, 73, "solve", &[0, 0, 0, 1]),
    ];
    assert_eq!(threads, expected);
    assert_eq!((times.intervals, times.others), (4, vec![]));
}

#[test]
fn of_many_threads_the_first_are_kept_apart_and_nothing_is_lost() {
    let kernel = machine();
    let (profiling, [writer, _]) = open(&kernel, 2);
    for tid in 0..1030 {
        sample(&writer, 100 + tid, 8);
    }
    let times = times(profiling);
    assert_eq!((times.threads.len(), times.others), (1024, vec![6]));
    assert!(times.threads.iter().all(|of| of.name.is_none() && of.samples() == 1));
}
