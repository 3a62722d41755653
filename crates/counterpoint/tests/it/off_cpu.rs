//! The time off the CPU, by records as the kernel writes them.

use counterpoint::perf::Host;
use counterpoint::perf::records::{Level, Record, Sample, Switch, Task};
use counterpoint::profile::{OffCpu, Profile, Profiled, Replay};
use proptest::prelude::*;

const MS: u64 = 1_000_000;

fn stops<'a>(tid: u32, at: u64) -> Record<'a> {
    Record::Sample(Sample {
        ip: Some(0x1000),
        pid: Some(1),
        tid: Some(tid),
        time: Some(at),
        level: Level::User,
        ..Sample::default()
    })
}

fn switch<'a>(tid: u32, time: u64, is_out: bool, is_preempted: bool) -> Record<'a> {
    Record::Switch(Switch { pid: 1, tid, time, is_out, is_preempted })
}

fn runs<'a>(tid: u32, at: u64) -> Record<'a> {
    switch(tid, at, false, false)
}

fn task(tid: u32, time: u64) -> Task {
    Task { pid: 1, tid, parent_pid: 1, parent_tid: 1, time }
}

fn replayed(records: &[Record<'_>]) -> Profiled {
    let mut replay = Replay::new(&Host::local(), "off-cpu", &Profile::off_cpu());
    records.iter().for_each(|record| replay.take(record));
    replay.finish()
}

/// The time in µs, all of it without a module.
fn time(profiled: &Profiled) -> u64 {
    assert_eq!(profiled.snapshot.total(), 0);
    profiled.snapshot.outside
}

fn known(profiled: &Profiled) -> (u64, u64, u64) {
    let OffCpu { preempted, unfinished, without_end, .. } = profiled.off_cpu.unwrap();
    (preempted, unfinished, without_end)
}

#[test]
fn a_wait_is_from_the_sample_to_the_record_that_its_thread_runs() {
    let profiled = replayed(&[
        stops(7, 10 * MS),
        switch(7, 10 * MS, true, false),
        stops(8, 11 * MS),
        switch(8, 11 * MS + 5, true, true),
        runs(7, 15 * MS),
        runs(8, 13 * MS),
        // One that was waiting before, and runs now.
        runs(9, 14 * MS),
    ]);
    assert_eq!(time(&profiled), 5000 + 2000);
    assert_eq!(profiled.snapshot.outside_squares, 5000 * 5000 + 2000 * 2000);
    assert_eq!((profiled.samples, known(&profiled)), (2, (2000, 0, 0)));
}

#[test]
fn a_wait_without_an_end_is_counted_up_to_the_last_record() {
    let profiled = replayed(&[stops(7, MS), stops(8, 2 * MS), runs(8, 9 * MS)]);
    assert_eq!((time(&profiled), known(&profiled)), (8000 + 7000, (0, 1, 0)));
    let profiled = replayed(&[stops(7, MS), stops(7, 5 * MS), runs(7, 6 * MS)]);
    assert_eq!((time(&profiled), known(&profiled)), (1000, (0, 0, 1)));
}

#[test]
fn a_thread_that_has_ended_does_not_wait_but_the_next_one_of_its_number_does() {
    let mut records = vec![
        Record::Exit(task(7, MS)),
        stops(7, 2 * MS),
        runs(7, 3 * MS),
        stops(7, 4 * MS),
        runs(1, 100 * MS),
    ];
    assert_eq!((time(&replayed(&records)), known(&replayed(&records))), (0, (0, 0, 0)));
    records.extend([Record::Fork(task(7, 50 * MS)), stops(7, 60 * MS), runs(7, 61 * MS)]);
    assert_eq!(time(&replayed(&records)), 1000);
}

#[test]
fn an_idle_cpu_does_not_wait() {
    let profiled = replayed(&[stops(0, MS), runs(0, 2 * MS)]);
    assert_eq!((time(&profiled), known(&profiled)), (0, (0, 0, 0)));
}

proptest! {
    /// Each CPU has a ring of its own, and rings are read one after the other.
    #[test]
    fn the_order_in_which_rings_are_read_does_not_matter(
        waits in prop::collection::vec((0_u32..4, 1_u64..50, 1_u64..50), 0..60),
        cpus in prop::collection::vec(0_usize..3, 240),
    ) {
        let (mut at, mut rings, mut expected) = ([0; 4], vec![Vec::new(); 3], 0);
        let mut cpus = cpus.into_iter();
        for (thread, ran, waited) in waits {
            let (tid, now) = (thread + 1, at[thread as usize] + ran * MS);
            let ring = &mut rings[cpus.next().unwrap()];
            ring.push((now, stops(tid, now)));
            ring.push((now, switch(tid, now, true, false)));
            let end = now + waited * MS;
            rings[cpus.next().unwrap()].push((end, runs(tid, end)));
            at[thread as usize] = end;
            expected += waited * 1000;
        }
        let all = rings.iter_mut().flat_map(|ring| {
            ring.sort_by_key(|(time, _)| *time);
            ring.iter().map(|(_, record)| *record)
        });
        let all: Vec<Record<'_>> = all.collect();
        let profiled = replayed(&all);
        prop_assert_eq!((time(&profiled), known(&profiled)), (expected, (0, 0, 0)));
    }
}
