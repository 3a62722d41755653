//! Profiles that are read, paused and continued, and the flags of PAPI.

use crate::profile::{Writer, by_module, every, in_text, machine, pair, set, words};
use crate::world::recorded;
use counterpoint::perf::{Every, Host};
use counterpoint::profil::{BucketWidth, Histogram, PapiFlags, Region, Scale};
use counterpoint::profile::{CallGraph, Profiled, Profiling};
use counterpoint::{EventSet, Target};
use counterpoint_fixtures::{Fault, FaultyKernel, Site};
use counterpoint_perf::Errno;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A running profile is read without an end of it, and one that is paused counts nothing until it starts again.
#[test]
fn a_profile_is_read_while_it_runs_and_starts_again_where_it_was() {
    let kernel = machine();
    let mut profiling = in_text(&kernel, Target::Processes(vec![70]), BucketWidth::Bits32);
    let writer = Writer(kernel.rings()[0].clone());
    let counts = |profiled: &[Profiled]| by_module(&profiled[0]).into_values().flatten().collect();
    let at = |count| -> Vec<(u64, u64)> { vec![(0x400010, count)] };
    writer.sample(70, 5, 0x400010);
    profiling.pause().unwrap();
    for _ in 0..2 {
        let snapshot = profiling.snapshot();
        let found: Vec<(u64, u64)> = counts(&snapshot);
        assert_eq!((snapshot[0].samples, found), (1, at(1)), "reading changes nothing");
    }
    assert_eq!(profiling.samples(), 1);
    profiling.start().unwrap();
    writer.sample(70, 6, 0x400010);
    // Of a running profile, what has been read from the rings.
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while profiling.snapshot()[0].samples < 2 {
        assert!(std::time::Instant::now() < end, "the ring is not read");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let found: Vec<(u64, u64)> = counts(&profiling.snapshot());
    assert_eq!(found, at(2));
    writer.sample(70, 7, 0x400010);
    let found: Vec<(u64, u64)> = counts(&profiling.stop().unwrap());
    assert_eq!(found, at(3));
}

/// A sample that is taken is counted once, and modules and names are known as before.
#[test]
fn samples_that_are_taken_are_in_no_later_profile() {
    let kernel = machine().file("/proc/70/comm", "solve\n");
    let mut set = set(&kernel, Target::Processes(vec![70]), "task-clock");
    let profile = every(1000).text(Scale::ONE_ADDRESS, BucketWidth::Bits64).threads_over_time(1);
    let profile = profile.call_graph(CallGraph::FramePointers);
    set.profile("task-clock", profile).unwrap();
    let mut profiling = set.open_profiles().unwrap();
    let writer = Writer(kernel.rings()[0].clone());
    // The stack of a sample: its number of addresses, the level of user space, and the address.
    let sample = |time, ip: u64| {
        let chain = words(&[2, (-512_i64) as u64, ip]);
        writer.record(9, 2, &[words(&[ip]), pair(70, 70), words(&[time]), chain].concat());
    };
    for (round, address) in [(1, 0x400010), (2, 0x400020), (3, 0x400010)] {
        sample(round << 30, address);
        sample((round << 30) + 1, address);
        profiling.pause().unwrap();
        let taken = profiling.take().remove(0);
        assert_eq!((taken.samples, taken.snapshot.total(), taken.snapshot.outside), (2, 2, 0));
        assert_eq!(by_module(&taken).into_values().flatten().collect::<Vec<_>>(), [(address, 2)]);
        let threads = taken.threads.unwrap();
        let of_thread = (threads.threads[0].samples(), threads.threads[0].name.as_deref());
        assert_eq!(of_thread, (2, Some("solve")));
        let stacks = taken.stacks.unwrap().stacks;
        assert_eq!(stacks.frames().iter().map(|frame| frame.count).sum::<u64>(), 2);
        assert_eq!(profiling.take()[0].samples, 0, "they are gone");
        profiling.start().unwrap();
    }
    let rest = profiling.stop().unwrap().remove(0);
    assert_eq!((rest.samples, rest.snapshot.total(), rest.modules.len()), (0, 0, 0));
}

/// Of two events, the kernel refuses to start or stop the first: the profile of the second is kept, and runs and pauses like any other.
#[test]
fn a_profile_that_fails_does_not_take_others_with_it() {
    let open = |site: Site| {
        let kernel = FaultyKernel::new(machine()).fail(site, 0, Fault::Errno(Errno::EIO));
        let host = Host::with_kernel(kernel);
        let target = Target::Processes(vec![70]);
        let mut set = EventSet::on(host, target).event("task-clock,page-faults").delayed(true);
        for event in ["task-clock", "page-faults"] {
            set.profile(event, every(10)).unwrap();
        }
        set.open_profiles().unwrap()
    };
    let events = |profiling: &Profiling| -> Vec<String> {
        profiling.snapshot().into_iter().map(|profiled| profiled.event).collect()
    };
    // One that did not start can still do so.
    let mut profiling = open(Site::Enable);
    assert!(profiling.start().is_err());
    assert_eq!(events(&profiling), ["task-clock", "page-faults"]);
    profiling.start().unwrap();
    assert_eq!(profiling.stop().unwrap().len(), 2);

    let mut profiling = open(Site::Disable);
    profiling.start().unwrap();
    assert!(profiling.pause().is_err());
    assert_eq!(events(&profiling), ["page-faults"]);
    profiling.start().unwrap();
    profiling.pause().unwrap();
    assert_eq!(profiling.stop().unwrap()[0].event, "page-faults");
}

/// The buckets of the caller hold the counts while the profile runs, each region with buckets of its own width.
#[test]
fn shared_buckets_of_the_caller_are_filled_while_the_profile_runs() {
    let kernel = machine();
    let narrow: Arc<[AtomicU16]> = (0..0x100).map(|_| AtomicU16::new(7)).collect();
    let wide: Arc<[AtomicU64]> = Arc::new([AtomicU64::new(0)]);
    let code = Region::new(0x400000..0x400100, Scale::ONE_ADDRESS).unwrap();
    let regions = vec![(code, narrow.clone().into()), (Region::catch_all(), wide.clone().into())];
    let histogram = Histogram::with_buckets(regions).unwrap();
    let mut set = set(&kernel, Target::Processes(vec![70]), "task-clock");
    set.profile("task-clock", every(10).shared_histogram(histogram)).unwrap();
    let mut profiling = set.open_profiles().unwrap();
    let writer = Writer(kernel.rings()[0].clone());
    for time in 0..5 {
        writer.sample(70, time, 0x400010);
    }
    writer.sample(70, 5, 0x500000);
    let counts = || (narrow[0x10].load(Ordering::Relaxed), wide[0].load(Ordering::Relaxed));
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while counts() != (12, 1) {
        assert!(std::time::Instant::now() < end, "{:?}", counts());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(!profiling.is_finished());
    // The caller may change them as well.
    narrow[0x10].store(0, Ordering::Relaxed);
    profiling.pause().unwrap();
    profiling.start().unwrap();
    writer.sample(70, 6, 0x400010);
    let profiled = profiling.stop().unwrap().remove(0);
    assert_eq!((counts(), profiled.samples), ((1, 1), 7));
    assert!(profiled.histogram.is_none() && profiled.modules.is_empty());
    let widths: Vec<_> = profiled.snapshot.regions.iter().map(|region| region.width).collect();
    assert_eq!(widths, [BucketWidth::Bits16, BucketWidth::Bits64]);
    assert_eq!(profiled.snapshot.regions[0].total(), 1 + 7 * 0xff);
    assert_eq!((Arc::strong_count(&narrow), Arc::strong_count(&wide)), (1, 1));
}

/// Live: a thread reads its own buckets while it is profiled.
#[test]
fn a_thread_reads_its_shared_buckets_while_it_is_profiled() {
    let counts: Arc<[AtomicU32]> = Arc::new([AtomicU32::new(0)]);
    let regions = vec![(Region::catch_all(), counts.clone().into())];
    let profile = every(100_000).shared_histogram(Histogram::with_buckets(regions).unwrap());
    let mut set = EventSet::new(Target::ThisThread).event("task-clock:u");
    set.profile("task-clock:u", profile).unwrap();
    let profiling = set.open_profiles().unwrap();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while counts[0].load(Ordering::Relaxed) < 100 {
        assert!(std::time::Instant::now() < end, "{counts:?}");
        black_box((0..100_000_u64).fold(0, |sum, n| black_box(sum ^ n)));
    }
    let profiled = profiling.stop().unwrap().remove(0);
    assert_eq!(profiled.samples, u64::from(counts[0].load(Ordering::Relaxed)));
}

/// Live: the thread is not sampled while its profile is paused.
#[test]
fn a_paused_profile_takes_no_samples() {
    let mut set = EventSet::new(Target::ThisThread).event("task-clock:u");
    set.profile("task-clock:u", every(100_000)).unwrap();
    let mut profiling = set.open_profiles().unwrap();
    let spin = || (0..20_000_000_u64).fold(0, |sum, n| black_box(sum ^ n));
    spin();
    profiling.pause().unwrap();
    let paused = profiling.samples();
    assert!(paused > 10, "{paused}");
    spin();
    assert_eq!(profiling.snapshot()[0].samples, paused);
    profiling.start().unwrap();
    spin();
    let all = profiling.stop().unwrap().remove(0).samples;
    assert!(all > paused + 10, "{paused}, then {all}");
}

/// Live: an event that is listed twice, or has two names in the set, is sampled once for each of its profiles.
#[test]
fn each_overflow_is_counted_once_in_the_profile_of_a_metric() {
    let names = ["page-faults:u", "faults:u"];
    for (events, asked, profiles) in [
        ("page-faults:u", &names[..1], &names[..1]),
        ("page-faults:u,page-faults:u", &names[..1], &names[..1]),
        ("faults:u,page-faults:u", &names[..1], &names[..1]),
        ("faults:u,page-faults:u", &names, &names),
        // The usual name of an event stands for the one that is in the set.
        ("faults:u", &names, &names[1..]),
    ] {
        let mut set = EventSet::new(Target::ThisThread).event(events).inherit(false).delayed(true);
        for event in asked {
            set.profile(event, every(1)).unwrap();
        }
        let mut profiling = set.open_profiles().unwrap();
        // The heap of a thread holds 64 MiB at most: more is not taken from memory that was used before.
        let mut memory = vec![0_u8; 80 << 20];
        profiling.start().unwrap();
        for byte in memory[..4 << 20].iter_mut().step_by(1 << 12) {
            *byte = black_box(1);
        }
        let profiled = profiling.stop().unwrap();
        let texts: Vec<&str> = profiled.iter().map(|of| of.event.as_str()).collect();
        assert_eq!(texts, profiles, "{events}");
        for Profiled { samples, lost, .. } in profiled {
            assert!(samples > 0 && lost == 0, "{events}: {samples}, {lost} lost");
            // A fault for each of 1024 pages, or fewer where the kernel gives large pages.
            assert!(samples < 1100, "{events}: {samples}");
        }
    }
}

/// The usual name and the text of an event stand for one profile.
#[test]
fn a_metric_of_a_set_has_one_profile() {
    let kernel = machine();
    let mut set = set(&kernel, Target::ThisThread, "faults,faults").inherit(false);
    assert!(set.profile("faults", every(1)).unwrap().is_none());
    assert!(set.profile("page-faults", every(2)).unwrap().is_some());
    assert_eq!(set.profiled(), ["faults"]);
    assert!(set.profile("page-faults", None).unwrap().is_some());
    set.profile("page-faults", every(3)).unwrap();
    set.open_profiles().unwrap();
    let opened = kernel.opened();
    let periods: Vec<Every> = opened.iter().map(|opened| opened.attr.every).collect();
    assert_eq!(periods, [Every::Period(3)], "{opened:?}");
}

/// The event on one kind of core is not that on all of them.
#[test]
fn each_kind_of_core_may_have_a_profile_of_its_own() {
    let mut set = EventSet::on(recorded("intel-hybrid"), Target::ThisThread).event("cycles,cycles");
    let mut names: Vec<String> =
        set.resolve().unwrap().natives().iter().map(|native| native.id.to_string()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    names.push("cycles".to_string());
    for name in &names {
        assert!(set.profile(name, every(1)).unwrap().is_none(), "{name}");
    }
    assert_eq!(set.profiled(), names, "in the order in which they were set");
}

/// The flags of PAPI are accepted whole: RANDOM, BUCKET_64 and FORCE_SW.
#[test]
fn the_flags_of_papi_select_width_software_and_increments() {
    let profiled = |bits: u32| {
        let kernel = machine();
        let mut set = set(&kernel, Target::Processes(vec![70]), "task-clock");
        let flags = PapiFlags::from_bits(bits).unwrap();
        set.profile("task-clock", every(1000).papi_flags(flags)).unwrap();
        let profiling = set.open_profiles().unwrap();
        if bits & 0x40 == 0 {
            for time in 0..100 {
                Writer(kernel.rings()[0].clone()).sample(70, 5 + time, 0x400010);
            }
        }
        profiling.stop().unwrap().remove(0)
    };
    let posix = profiled(0);
    assert_eq!(posix.snapshot.regions[0].width, BucketWidth::Bits16);
    assert_eq!((posix.snapshot.dropped, posix.software), (0, false));
    let random = profiled(0x1 | 0x20);
    assert_eq!(random.snapshot.regions[0].width, BucketWidth::Bits64);
    assert!((10..50).contains(&random.snapshot.dropped), "{}", random.snapshot.dropped);
    assert!(profiled(0x40).software);
}
