//! Recordings of several machines as one profile.

use crate::samples::{file, of_machine, sample};
use counterpoint::profile::SampleKey;
use counterpoint_recording::file::Facts;
use counterpoint_recording::{Filters, Joining, Remark};
use std::time::Duration;

/// The process 7 of two machines, whose clocks began at different times, in one program.
#[test]
fn processes_of_two_machines_are_two_and_their_programs_one() {
    let machine = |name: &str, rank: u32, begin: u64| Facts {
        hostname: name.into(),
        os_release: "6.1".into(),
        sample_time: Some((begin, begin + 20_000_000)),
        rank: Some((rank, 2)),
        ..Facts::default()
    };
    let mut joining = Joining::default();
    for (name, rank, begin) in [("a", 0, 5_000_000_000), ("b", 1, 900_000_000_000_000)] {
        let samples = [0x5010, 0x5020, 0x5020].map(|ip| sample(ip, begin + ip, &[]));
        let bytes = of_machine(&samples, &machine(name, rank, begin));
        let remarks = joining.add(file(&bytes), &Filters::default(), &|profile, _| {
            profile.keys(&[SampleKey::Pid]).threads_over_time(100)
        });
        assert!(!remarks.unwrap().iter().any(|of| matches!(of, Remark::Kernels)), "no kernel");
    }
    let joined = joining.finish();
    let ranks: Vec<_> = joined.recordings.iter().map(|of| of.facts.rank).collect();
    assert_eq!(ranks, [Some((0, 2)), Some((1, 2))]);
    let [profiled] = &joined.profiles[..] else { panic!("{:?}", joined.profiles) };
    assert_eq!(profiled.samples, 6);
    assert_eq!(profiled.snapshot.regions.len(), 1, "the file is one on both");
    let counts: Vec<u64> =
        profiled.snapshot.regions[0].buckets.iter().map(|bucket| bucket.count).collect();
    // Each sample stands for 1000 events.
    assert_eq!(counts, [2000, 4000]);
    let origins: Vec<_> =
        profiled.parts.iter().map(|part| joined.origin(part.pid.unwrap())).collect();
    assert_eq!(origins, [Some((0, 7)), Some((1, 7))]);
    let threads = profiled.threads.as_ref().unwrap();
    assert_eq!(threads.threads.len(), 2);
    let length = threads.interval * u32::try_from(threads.intervals).unwrap();
    assert!(length < Duration::from_secs(1), "{length:?}: they began at the same time");
}
