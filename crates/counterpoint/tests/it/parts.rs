//! Recorded samples by process, thread, name and CPU.

use counterpoint::perf::records::{Comm, Record, Sample};
use counterpoint::perf::{Every, Host};
use counterpoint::profile::{Part, Profile, Profiled, Replay, SampleKey};

fn sample(tid: u32, time: u64, cpu: u32) -> Record<'static> {
    let (pid, tid, time, cpu) = (Some(1), Some(tid), Some(time), Some(cpu));
    Record::Sample(Sample { ip: Some(0x1000), pid, tid, time, cpu, ..Sample::default() })
}

fn replayed(profile: &Profile, records: &[Record<'_>]) -> Profiled {
    let mut replay = Replay::new(&Host::local(), "page-faults", profile);
    records.iter().for_each(|record| replay.take(record));
    replay.finish()
}

fn named(tid: u32, time: u64, name: &str) -> Record<'_> {
    Record::Comm(Comm { pid: 1, tid, name: name.as_ref(), exec: false, time: Some(time) })
}

#[test]
fn a_sample_has_the_name_that_its_thread_had() {
    let records = [
        named(2, 10, "before"),
        sample(2, 15, 0),
        sample(2, 25, 1),
        named(2, 20, "after"),
        sample(2, 30, 1),
        sample(3, 30, 1),
    ];
    let profile = Profile::every(Every::Period(1)).keys(&[SampleKey::Name]);
    let parts = replayed(&profile, &records).parts;
    let of = |part: &Part| (part.name.clone(), part.snapshot.outside);
    let found: Vec<_> = parts.iter().map(of).collect();
    let name = |name: &str| Some(name.to_string());
    assert_eq!(found, [(None, 1), (name("after"), 2), (name("before"), 1)]);
    assert!(parts.iter().all(|part| part.tid.is_none() && part.cpu.is_none()));

    let profile = profile.keys(&[SampleKey::Tid, SampleKey::Cpu]);
    let parts = replayed(&profile, &records).parts;
    let of = |part: &Part| (part.tid, part.cpu, part.snapshot.outside);
    let found: Vec<_> = parts.iter().map(of).collect();
    assert_eq!(found, [(Some(2), Some(0), 1), (Some(2), Some(1), 2), (Some(3), Some(1), 1)]);
}

/// A file may have any times.
#[test]
fn times_at_the_ends_of_the_range_are_counted() {
    let records = [sample(1, 0, 0), sample(1, u64::MAX, 0), sample(1, 1 << 63, 0)];
    let profile = Profile::every(Every::Period(1)).threads_over_time(1);
    let threads = replayed(&profile, &records).threads.unwrap().threads;
    assert_eq!(threads.iter().map(|thread| thread.samples()).sum::<u64>(), 3);
}
