//! The sampler against a kernel that answers from a script, with rings that the test writes.

use crate::records::{record, words};
use crate::support::{disabled, software};
use counterpoint_fixtures::{Call, FakeKernel};
use counterpoint_perf::records::{Record, RecordErrorKind};
use counterpoint_perf::{
    Attr, Cause, Drained, Errno, Every, Fields, Host, Overflow, Placement, ReadFormat, Reader,
    Sampler, Sampling, Setup, StackParts, WaitResult, Wakeup, pmu_type,
};
use proptest::prelude::*;

const CPUS: &str = "/sys/devices/system/cpu/online";

fn sampler(kernel: &FakeKernel, fields: Fields, setup: Setup) -> Sampler {
    Host::with_kernel(kernel.clone()).sampler(Sampling::new(fields), setup)
}

/// A sampler of addresses on one thread, with a ring of `bytes`.
fn addresses(kernel: &FakeKernel, bytes: usize) -> Sampler {
    let mut sampler = sampler(kernel, Fields::IP, disabled()).ring_bytes(bytes);
    sampler.add(&[software(1)], &Placement::ThisThread).unwrap();
    sampler
}

fn sample(ip: u64) -> Vec<u8> {
    record(9, 2, &words(&[ip]))
}

fn drained(sampler: &mut Sampler) -> (Vec<u64>, Drained) {
    let mut ips = Vec::new();
    let drained = sampler.drain(|record| {
        if let Record::Sample(sample) = record {
            ips.extend(sample.ip);
        }
    });
    (ips, drained.unwrap())
}

#[test]
fn records_are_read_once_and_the_room_is_given_back() {
    let kernel = FakeKernel::new();
    let mut sampler = addresses(&kernel, 4096);
    let ring = &kernel.rings()[0];
    for round in 0..3 {
        assert!(ring.write(&sample(round)) && ring.write(&sample(round + 100)));
        assert_eq!(drained(&mut sampler).0, [round, round + 100]);
        assert_eq!(ring.unread(), 0);
        assert_eq!(drained(&mut sampler), (vec![], Drained::default()));
    }
}

/// The counts stand just before a place where arithmetic of fewer bits, or without wrapping, goes wrong.
#[test]
fn counts_of_more_than_two_gigabytes_are_no_different() {
    let edges = [0, 1 << 31, 1 << 32, 1 << 63, 0].map(|edge: u64| edge.wrapping_sub(24));
    for start in edges {
        let kernel = FakeKernel::new().rings_start(start);
        let mut sampler = addresses(&kernel, 64);
        let ring = &kernel.rings()[0];
        for ip in 0..100 {
            assert!(ring.write(&sample(ip)), "{start:x}");
            assert_eq!(drained(&mut sampler).0, [ip], "{start:x}");
        }
    }
}

proptest! {
    /// Whatever is written in whatever pieces from whatever place comes out whole and in order.
    #[test]
    fn what_is_written_comes_out(
        start in prop_oneof![any::<u64>(), Just(u64::MAX - 40), Just((1 << 31) - 8)],
        lengths in proptest::collection::vec((1..6_usize, 1..4_usize), 1..40),
    ) {
        let kernel = FakeKernel::new().rings_start(start & !7);
        let mut sampler = addresses(&kernel, 128);
        let ring = kernel.rings()[0].clone();
        let (mut next, mut expected, mut lost) = (0, Vec::new(), 0);
        for (extra, count) in lengths {
            for _ in 0..count {
                // A sample with more than was asked for: the rest is skipped by the record's length.
                let mut body = vec![next];
                body.resize(extra, 7);
                if ring.write(&record(9, 2, &words(&body))) { expected.push(next) } else { lost += 1 }
                next += 1;
            }
            let (ips, found) = drained(&mut sampler);
            prop_assert_eq!(&ips, &expected);
            prop_assert_eq!((found.records, found.unreadable), (ips.len() as u64, None));
            expected.clear();
        }
        prop_assert_eq!(ring.lost(), lost);
    }
}

#[test]
fn a_ring_that_cannot_be_is_skipped_and_said() {
    let kernel = FakeKernel::new();
    let mut sampler = addresses(&kernel, 64);
    let ring = &kernel.rings()[0];
    ring.jump(65);
    let (ips, found) = drained(&mut sampler);
    assert_eq!((ips, found.out_of_step, ring.unread()), (vec![], true, 0));
    // A whole ring of nothing that makes sense.
    ring.jump(64);
    let (ips, found) = drained(&mut sampler);
    assert_eq!(found.unreadable.unwrap().problem, RecordErrorKind::CutOff);
    assert_eq!((ips, found.out_of_step, ring.unread()), (vec![], false, 0));
    // And it goes on.
    ring.write(&[0; 64 - 65 % 64]);
    drained(&mut sampler);
    ring.write(&sample(5));
    assert_eq!(drained(&mut sampler).0, [5]);
}

#[test]
fn losses_are_added_up() {
    let kernel = FakeKernel::new().without_lost();
    let mut sampler = addresses(&kernel, 4096);
    assert_eq!(kernel.opened()[0].format, ReadFormat { group: false, lost: false });
    let ring = &kernel.rings()[0];
    ring.write(&record(2, 0, &words(&[1, 40])));
    ring.write(&record(13, 0, &words(&[2])));
    assert_eq!(drained(&mut sampler).1.lost, 42);
    ring.write(&record(2, 0, &words(&[1, u64::MAX])));
    assert_eq!(drained(&mut sampler).1.lost, u64::MAX);
    assert_eq!(sampler.lost().unwrap(), u64::MAX);
}

#[test]
fn the_kernel_knows_of_losses_that_no_record_tells() {
    let kernel = FakeKernel::new();
    for (fields, events) in [(Fields::IP, 1), (Fields::IP | Fields::READ, 3)] {
        let mut sampler = sampler(&kernel, fields, disabled());
        let first = kernel.opened().len();
        sampler.add(&vec![software(1); events], &Placement::ThisThread).unwrap();
        kernel.set(first, counterpoint_fixtures::Holds { lost: 9, value: 5, ..Default::default() });
        assert_eq!(sampler.lost().unwrap(), 9);
    }
}

#[test]
fn an_inherited_event_opens_on_every_cpu_and_threads_share_rings() {
    let kernel = FakeKernel::new().file(CPUS, "0-1,4\n");
    let setup = Setup { inherit: true, disabled: true, enable_on_exec: true, ..Setup::default() };
    let mut sampler = sampler(&kernel, Fields::IP, setup);
    assert_eq!(sampler.add(&[software(1)], &Placement::Thread(70)).unwrap(), 0);
    assert_eq!(sampler.add(&[software(1)], &Placement::Thread(71)).unwrap(), 1);
    let placements: Vec<String> =
        kernel.opened().iter().map(|opening| format!("{:?}", opening.placement)).collect();
    let on = |thread, cpu| format!("{:?}", Placement::ThreadOnCpu { thread, cpu });
    let expected =
        [(70, 0), (70, 1), (70, 4), (71, 0), (71, 1), (71, 4)].map(|(thread, cpu)| on(thread, cpu));
    assert_eq!(placements, expected);
    assert_eq!(kernel.rings().len(), 3);
    let redirects: Vec<Call> =
        kernel.calls().into_iter().filter(|call| matches!(call, Call::Redirect(..))).collect();
    assert_eq!(redirects, [Call::Redirect(3, 0), Call::Redirect(4, 1), Call::Redirect(5, 2)]);
    assert!(kernel.opened().iter().all(|opening| opening.setup == setup));
    for (event, call) in [(0, 0), (2, 0), (3, 1), (5, 1)] {
        assert_eq!(sampler.event_ids().event(kernel.id(event)), Some((call, 0)));
    }
    assert_eq!(sampler.event_ids().event(1), None);
}

/// As `mem-loads` behind `mem-loads-aux`: the leader counts and switches the group, and has no ring.
#[test]
fn an_event_behind_another_one_takes_the_samples() {
    let kernel = FakeKernel::new().file(CPUS, "0-1\n");
    let setup = Setup { inherit: true, disabled: true, enable_on_exec: true, ..Setup::default() };
    let mut sampler = sampler(&kernel, Fields::IP | Fields::ADDR, setup);
    let every = Every::Period(100);
    let event = Attr { every, ..software(2) };
    assert_eq!(sampler.add_behind(&software(1), &event, &Placement::Thread(70)).unwrap(), 0);
    let expected = [Call::Opened(0), Call::Opened(1), Call::Map(1, 512 << 10)];
    assert_eq!(kernel.calls()[..3], expected);
    let opened = kernel.opened();
    assert!(opened[0].sampling.is_none() && opened[0].setup == setup);
    assert!(opened[1].sampling.is_some() && opened[1].leader == Some(0));
    assert!(opened[1].setup.inherit && !opened[1].setup.disabled);
    assert_eq!((opened.len(), kernel.rings().len()), (4, 2));
    assert_eq!(sampler.event_ids().event(kernel.id(1)), Some((0, 1)));
    sampler.enable().unwrap();
    let enabled = kernel.calls().into_iter().filter(|call| matches!(call, Call::Enable(_)));
    assert_eq!(enabled.collect::<Vec<_>>(), [Call::Enable(0), Call::Enable(2)]);
    kernel.rings()[1].write(&record(9, 2, &words(&[5, 0x1000])));
    assert_eq!(drained(&mut sampler).0, [5]);
}

#[test]
fn an_event_starts_when_it_has_its_ring_and_a_group_when_it_is_whole() {
    let kernel = FakeKernel::new();
    let mut sampler = sampler(&kernel, Fields::IP | Fields::READ, Setup::default());
    sampler.add(&[software(1), software(2)], &Placement::ThisThread).unwrap();
    let expected = [Call::Opened(0), Call::Map(0, 512 << 10), Call::Opened(1), Call::Enable(0)];
    assert_eq!(kernel.calls(), expected);
    let opened = kernel.opened();
    assert!(opened[0].setup.disabled && !opened[1].setup.disabled);
    assert!(opened[0].sampling.is_some() && opened[1].sampling.is_none());
    assert_eq!(opened[1].leader, Some(0));
    assert!(opened[0].format.group);
}

#[test]
fn what_a_sample_holds_goes_to_the_kernel() {
    let kernel = FakeKernel::new().file(CPUS, "0");
    let sampling = Sampling {
        fields: Fields::IP | Fields::READ,
        tasks: true,
        build_ids: true,
        data_files: true,
        switches: true,
        wakeup: Wakeup::Bytes(4000),
        stack: StackParts { max_frames: 64, copied_bytes: 8192, ..StackParts::default() },
    };
    let setup = Setup { inherit: true, ..disabled() };
    let mut sampler = Host::with_kernel(kernel.clone()).sampler(sampling, setup);
    let attr = Attr { every: Every::Period(77), precise: 2, ..software(1) };
    sampler.add(std::slice::from_ref(&attr), &Placement::Thread(5)).unwrap();
    let opened = &kernel.opened()[0];
    assert_eq!(opened.attr, attr);
    // The kernel refuses values of children without the thread that they are of.
    let fields = sampling.fields | Fields::TID;
    assert_eq!(opened.sampling, Some(Sampling { fields, ..sampling }));
    assert_eq!(sampler.layout().fields, fields);
}

#[test]
fn a_pmu_that_does_not_record_calls_is_told_from_one_that_cannot_sample() {
    let kernel = FakeKernel::new().refuse_with(Errno::EOPNOTSUPP, |opened| {
        let records = |sampling: Sampling| sampling.fields.contains(Fields::BRANCH_STACK);
        opened.sampling.is_some_and(records)
    });
    let mut sampler = sampler(&kernel, Fields::IP | Fields::BRANCH_STACK, disabled());
    let error = sampler.add(&[software(1)], &Placement::ThisThread).unwrap_err();
    assert_eq!(error.cause, Cause::NoCallRecords);
    assert_eq!(kernel.still_open(), 0);
}

#[test]
fn rings_become_smaller_until_they_are_allowed() {
    let kernel = FakeKernel::new().ring_limit(100_000);
    let mut sampler = sampler(&kernel, Fields::IP, disabled());
    sampler.add(&[software(1)], &Placement::ThisThread).unwrap();
    assert_eq!(sampler.room(), 65_536);

    let kernel = FakeKernel::new().ring_limit(1000);
    let mut sampler = self::sampler(&kernel, Fields::IP, disabled());
    let error = sampler.add(&[software(1)], &Placement::ThisThread).unwrap_err();
    assert_eq!((error.errno, &error.cause), (Errno::EPERM, &Cause::NoRingMemory));
    assert!(error.help().unwrap().to_string().contains("perf_event_mlock_kb"));
    assert_eq!(kernel.still_open(), 0);
}

#[test]
fn after_a_refusal_nothing_of_the_call_is_open() {
    let kernel = FakeKernel::new().file(CPUS, "0-3").refuse_with(Errno::ESRCH, |o| {
        matches!(o.placement, Placement::ThreadOnCpu { thread: 9, cpu: 2 })
    });
    let setup = Setup { inherit: true, ..disabled() };
    let mut sampler = sampler(&kernel, Fields::IP, setup);
    sampler.add(&[software(1)], &Placement::Thread(8)).unwrap();
    let error = sampler.add(&[software(1)], &Placement::Thread(9)).unwrap_err();
    assert_eq!(error.cause, Cause::NoSuchProcess);
    assert_eq!(kernel.still_open(), 4);
    assert_eq!(sampler.event_ids().event(kernel.id(4)), None);
    assert_eq!(sampler.add(&[software(1)], &Placement::Thread(10)).unwrap(), 1);
}

#[test]
fn refusals_of_sampling_say_what_they_mean() {
    let refused = |kernel: FakeKernel, attr: &Attr, fields, setup| {
        let mut sampler = sampler(&kernel, fields, setup);
        sampler.add(&[attr.clone(), software(2)], &Placement::Thread(5)).unwrap_err().cause
    };
    let uncore = Attr::new(9, 0);
    for errno in [Errno::EINVAL, Errno::EOPNOTSUPP] {
        let kernel = FakeKernel::new().refuse_with(errno, |o| o.sampling.is_some());
        assert_eq!(refused(kernel, &uncore, Fields::IP, disabled()), Cause::CannotSample);
    }
    let fast = Attr { every: Every::Frequency(200_000), ..software(1) };
    let kernel = FakeKernel::new()
        .file("/proc/sys/kernel/perf_event_max_sample_rate", "100000\n")
        .refuse_with(Errno::EINVAL, |o| {
            matches!(o.attr.every, Every::Frequency(100_001..)) && o.sampling.is_some()
        });
    assert_eq!(
        refused(kernel, &fast, Fields::IP, disabled()),
        Cause::RateTooHigh { limit: Some(100_000) }
    );
    let kernel = FakeKernel::new().file(CPUS, "0").refuse_with(Errno::EINVAL, |o| {
        o.setup.inherit && o.sampling.is_some_and(|s| s.fields.contains(Fields::READ))
    });
    let setup = Setup { inherit: true, ..disabled() };
    assert_eq!(
        refused(kernel, &software(1), Fields::IP | Fields::READ, setup),
        Cause::NoInheritedValues
    );
}

#[test]
fn a_recorded_machine_takes_no_samples() {
    let machine = counterpoint_fixtures::machine("vm-no-pmu");
    let mut sampler =
        Host::recorded(&machine).unwrap().sampler(Sampling::new(Fields::IP), disabled());
    let error = sampler.add(&[software(1)], &Placement::ThisThread).unwrap_err();
    assert_eq!(error.cause, Cause::Recording);
}

#[test]
fn a_wait_says_whether_there_is_something_or_all_has_ended() {
    let kernel = FakeKernel::new();
    let mut sampler = addresses(&kernel, 4096);
    assert_eq!(sampler.wait(None), Ok(WaitResult::TimedOut));
    kernel.rings()[0].write(&sample(1));
    assert_eq!(sampler.wait(None), Ok(WaitResult::Ready));
    kernel.end();
    assert_eq!(sampler.wait(None), Ok(WaitResult::Ended));
    assert_eq!(sampler.wait(None), Ok(WaitResult::Ended), "nothing is left to wait for");
    assert_eq!(drained(&mut sampler).0, [1], "the last samples are there");
}

#[test]
fn a_reader_calls_for_each_record_until_the_end() {
    let kernel = FakeKernel::new();
    let sampler = addresses(&kernel, 4096);
    let reader = Reader::start(sampler, Vec::new(), |ips: &mut Vec<u64>, record| {
        if let Record::Sample(sample) = record {
            ips.extend(sample.ip);
        }
    })
    .unwrap();
    let ring = &kernel.rings()[0];
    ring.write(&sample(1));
    while reader.state().is_empty() {
        std::thread::yield_now();
    }
    ring.write(&sample(2));
    let (_sampler, ips) = reader.stop().unwrap();
    assert_eq!(ips, [1, 2], "what came before the stop is read");
}

#[test]
fn signals_are_asked_for_each_event() {
    let kernel = FakeKernel::new();
    let mut sampler = addresses(&kernel, 4096);
    sampler.signal(40, 1234).unwrap();
    assert_eq!(kernel.calls().last(), Some(&Call::Signal(0, 40, 1234)));
}

/// Values of one thread, as samples of a clock show them.
fn overflows(threshold: u64, values: &[u64]) -> Vec<Option<u64>> {
    let kernel = FakeKernel::new();
    let mut sampler = sampler(&kernel, Fields::IP | Fields::READ, disabled());
    sampler.add(&[software(1), software(2)], &Placement::ThisThread).unwrap();
    let ring = &kernel.rings()[0];
    let (clock, counted) = (kernel.id(0), kernel.id(1));
    for value in values {
        assert!(ring.write(&record(9, 2, &words(&[1, 2, 5, 5, 99, clock, 0, *value, counted, 0]))));
    }
    let events = [clock, counted].map(|id| (id, sampler.event_ids().event(id).unwrap().1));
    let mut overflow = Overflow::every(threshold);
    let mut found = Vec::new();
    sampler
        .drain(|record| {
            let Record::Sample(sample) = record else { panic!("{record:?}") };
            found.push(overflow.passes(sample, |counts| {
                let counted = counts.filter(|(id, _)| events.contains(&(*id, 1)));
                counted.map(|(_, count)| i128::from(count)).sum()
            }));
        })
        .unwrap();
    found
}

#[test]
fn software_overflow_is_the_first_sample_past_the_threshold() {
    let (no, by) = (None, Some);
    assert_eq!(
        overflows(10, &[0, 9, 10, 19, 20, 45, 54, 55]),
        [no, no, by(0), no, by(0), by(15), no, by(0)]
    );
    assert_eq!(overflows(1, &[0, 1, 1, 2]), [no, by(0), no, by(0)]);
    assert_eq!(overflows(u64::MAX, &[0, u64::MAX - 1, u64::MAX]), [no, no, by(0)]);
}

#[test]
fn threads_and_cpus_of_an_overflow_are_told_apart() {
    let values = |tid: u32, id: u64, value: u64| {
        record(
            9,
            2,
            &[tid.to_ne_bytes(), tid.to_ne_bytes()]
                .concat()
                .into_iter()
                .chain(words(&[1, 5, 5, value, id]))
                .collect::<Vec<u8>>(),
        )
    };
    let layout = counterpoint_perf::records::Layout::new(
        Fields::TID | Fields::READ,
        ReadFormat { group: true, lost: false },
    );
    // Thread 1 on two CPUs, whose events are 50 and 51; thread 2 on one.
    let bytes = [values(1, 50, 6), values(2, 50, 9), values(1, 51, 4), values(2, 50, 10)].concat();
    let mut overflow = Overflow::every(10);
    let found: Vec<bool> = layout
        .records(&bytes)
        .map(|record| {
            let Ok(Record::Sample(sample)) = record else { panic!("{record:?}") };
            overflow.passes(&sample, |counts| counts.map(|(_, n)| i128::from(n)).sum()).is_some()
        })
        .collect();
    assert_eq!(found, [false, false, true, true]);
}

#[test]
fn hardware_events_sample_at_the_precision_asked_for() {
    let kernel = FakeKernel::new();
    let mut sampler = sampler(&kernel, Fields::IP, disabled());
    let cycles =
        Attr { precise: 3, every: Every::Frequency(99), ..Attr::new(pmu_type::HARDWARE, 0) };
    sampler.add(std::slice::from_ref(&cycles), &Placement::Cpu(0)).unwrap();
    assert_eq!(kernel.opened()[0].attr, cycles);
}
