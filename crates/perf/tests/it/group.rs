use crate::support::{disabled, hardware_group, raws, software};
use counterpoint_fixtures::{Call, FakeKernel, Holds};
use counterpoint_perf::{
    Attr, Cause, Count, CpuSet, Errno, Host, Placement, ReadFormat, Setup, pmu_type,
};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn by_code() -> FakeKernel {
    FakeKernel::new().counts(|opening, time| opening.attr.config * time.as_millis() as u64)
}

#[test]
fn counts_come_in_the_order_of_adding() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 5, Setup::default());
    kernel.run(10 * MS);
    let counts = group.read().unwrap();
    assert_eq!(raws(&counts), [10, 20, 30, 40, 50]);
    for count in counts {
        assert_eq!((count.enabled, count.running, count.lost), (10 * MS, 10 * MS, Some(0)));
    }
}

#[test]
fn one_read_and_one_switch_serve_the_whole_group() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 4, disabled());
    kernel.forget_calls();
    group.enable().unwrap();
    group.read().unwrap();
    group.disable().unwrap();
    assert_eq!(kernel.calls(), [Call::Enable(0), Call::Read(0), Call::Disable(0)]);
}

#[test]
fn only_the_leader_waits() {
    let kernel = by_code();
    let setup = Setup { disabled: true, enable_on_exec: true, inherit: true, ..Setup::default() };
    let mut group = hardware_group(&kernel, 3, setup);
    let setups: Vec<Setup> = kernel.opened().iter().map(|opening| opening.setup).collect();
    let member = Setup { inherit: true, ..Setup::default() };
    assert_eq!(setups, [setup, member, member]);
    let leaders: Vec<Option<usize>> =
        kernel.opened().iter().map(|opening| opening.leader).collect();
    assert_eq!(leaders, [None, Some(0), Some(0)]);

    kernel.run(MS);
    assert_eq!(raws(&group.read().unwrap()), [0, 0, 0]);
    kernel.exec();
    kernel.run(MS);
    assert_eq!(raws(&group.read().unwrap()), [1, 2, 3]);
}

#[test]
fn stopping_keeps_the_counts_and_starting_goes_on() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 2, disabled());
    for expected in [[1, 2], [2, 4]] {
        group.enable().unwrap();
        kernel.run(MS);
        group.disable().unwrap();
        kernel.run(MS);
        assert_eq!(raws(&group.read().unwrap()), expected);
    }
}

#[test]
fn a_member_that_has_gone_is_not_counted_and_the_others_stay_in_place() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 4, Setup::default());
    kernel.run(MS);
    kernel.vanish(1);
    let counts = group.read().unwrap();
    assert_eq!(raws(&counts), [1, 0, 3, 4]);
    assert_eq!(counts[1].scaled(), None);
    assert_eq!(counts[1].running, Duration::ZERO);
    assert_eq!(counts[3].scaled(), Some(4.0));
}

#[test]
fn a_pinned_group_that_lost_its_counter_is_not_counted() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 3, Setup::default());
    kernel.run(MS);
    kernel.lose_counter(0);
    // Counts of an earlier read must not stay behind.
    let mut counts = [Count { raw: 7, running: MS, ..Count::default() }; 3];
    assert!(!group.has_lost_counter(0));
    group.read_into(&mut counts).unwrap();
    assert_eq!(counts, [Count::default(); 3]);
    assert!((0..3).all(|member| group.has_lost_counter(member)) && !group.has_lost_counter(3));
}

#[test]
fn counts_that_took_turns_are_estimates() {
    let kernel = FakeKernel::new();
    let mut group = hardware_group(&kernel, 2, Setup::default());
    let shared = Holds { value: 100, enabled: 4 * MS, running: MS, lost: 3 };
    kernel.set(0, shared);
    kernel.set(1, Holds { value: 8, ..shared });
    let counts = group.read().unwrap();
    assert_eq!(counts[0].scaled(), Some(400.0));
    assert_eq!(counts[1].scaled(), Some(32.0));
    assert_eq!(counts[0].coverage(), Some(0.25));
    assert_eq!(counts[0].lost, Some(3));
}

#[test]
fn a_count_since_an_earlier_one_is_the_difference() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 2, Setup::default());
    kernel.run(3 * MS);
    let before = group.read().unwrap();
    kernel.run(2 * MS);
    let after = group.read().unwrap();
    let since = after[1].since(&before[1]);
    assert_eq!(since, Count { raw: 4, enabled: 2 * MS, running: 2 * MS, lost: Some(0) });
}

#[test]
fn a_short_slice_takes_the_first_counts_and_a_long_one_keeps_its_end() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 3, Setup::default());
    kernel.run(MS);
    let mut short = [Count::default(); 2];
    group.read_into(&mut short).unwrap();
    assert_eq!(raws(&short), [1, 2]);
    let mut long = [Count { raw: 99, ..Count::default() }; 4];
    group.read_into(&mut long).unwrap();
    assert_eq!(raws(&long), [1, 2, 3, 99]);
}

#[test]
fn a_kernel_without_lost_is_asked_again() {
    let kernel = by_code().without_lost();
    let mut group = hardware_group(&kernel, 3, Setup::default());
    assert!(group.is_read_together());
    let formats: Vec<ReadFormat> = kernel.opened().iter().map(|o| o.format).collect();
    assert_eq!(formats, [ReadFormat { group: true, lost: false }; 3]);
    assert_eq!(kernel.asked().len(), 4, "the first event decides for the group");
    kernel.run(MS);
    let counts = group.read().unwrap();
    assert_eq!(raws(&counts), [1, 2, 3]);
    assert_eq!(counts[2].lost, None);
}

#[test]
fn a_kernel_that_refuses_inherited_groups_gets_single_events() {
    let kernel = by_code().without_inherited_groups();
    let setup = Setup { inherit: true, disabled: true, enable_on_exec: true, ..Setup::default() };
    let mut group = hardware_group(&kernel, 3, setup);
    assert!(!group.is_read_together());
    for opening in kernel.opened() {
        assert_eq!((opening.leader, opening.setup), (None, setup));
    }
    kernel.forget_calls();
    group.enable().unwrap();
    kernel.run(MS);
    assert_eq!(raws(&group.read().unwrap()), [1, 2, 3]);
    group.disable().unwrap();
    let each = |call: fn(usize) -> Call| (0..3).map(call);
    let calls: Vec<Call> =
        each(Call::Enable).chain(each(Call::Read)).chain(each(Call::Disable)).collect();
    assert_eq!(kernel.calls(), calls);
    kernel.lose_counter(1);
    let counts = group.read().unwrap();
    assert_eq!((raws(&counts), counts[1]), (vec![1, 0, 3], Count::default()));
    assert_eq!([0, 1, 2].map(|member| group.has_lost_counter(member)), [false, true, false]);
}

#[test]
fn without_inherit_no_single_events_are_tried() {
    let kernel = FakeKernel::new().refuse_with(Errno::EINVAL, |opening| opening.format.group);
    let host = Host::with_kernel(kernel.clone());
    let error = host.open(&[software(1)], Placement::ThisThread, Setup::default()).unwrap_err();
    assert_eq!((error.errno, error.cause), (Errno::EINVAL, Cause::InvalidEvent));
}

#[test]
fn a_refused_event_leaves_the_group_as_it_was() {
    let kernel = by_code().refuse_with(Errno::ENOENT, |opening| opening.attr.config == 9);
    let mut group = hardware_group(&kernel, 2, Setup::default());
    let error = group.add(&Attr::new(pmu_type::RAW, 9)).unwrap_err();
    assert_eq!(error.errno, Errno::ENOENT);
    assert_eq!((group.len(), kernel.still_open()), (2, 2));
    assert_eq!(group.add(&Attr::new(pmu_type::RAW, 4)).unwrap(), 2);
    kernel.run(MS);
    assert_eq!(raws(&group.read().unwrap()), [1, 2, 4]);
}

#[test]
fn a_refused_first_event_leaves_the_format_as_it_was() {
    let kernel = by_code().refuse_with(Errno::EINVAL, |opening| opening.attr.config == 9);
    let host = Host::with_kernel(kernel.clone());
    let mut group = host.group(Placement::ThisThread, Setup { inherit: true, ..Setup::default() });
    assert!(group.add(&Attr::new(pmu_type::RAW, 9)).is_err());
    assert!(group.is_empty() && group.is_read_together());
    group.add(&Attr::new(pmu_type::RAW, 1)).unwrap();
    assert_eq!(kernel.opened()[0].format, ReadFormat { group: true, lost: true });
}

#[test]
fn opening_opens_all_or_none() {
    let kernel = FakeKernel::new().counters(2);
    let host = Host::with_kernel(kernel.clone());
    let events: Vec<Attr> = (1..=3).map(|code| Attr::new(pmu_type::RAW, code)).collect();
    let error = host.open(&events, Placement::ThisThread, Setup::default()).unwrap_err();
    assert_eq!(error.cause, Cause::GroupDoesNotFit);
    assert_eq!(kernel.still_open(), 0);
    let mut group = host.open(&events[..2], Placement::ThisThread, Setup::default()).unwrap();
    group.add(&software(1)).unwrap();
    assert_eq!(kernel.still_open(), 3);
    drop(group);
    assert_eq!(kernel.still_open(), 0);
}

#[test]
fn a_probe_leaves_nothing_open() {
    let kernel = FakeKernel::new();
    let host = Host::with_kernel(kernel.clone());
    host.probe(&software(1), &Placement::Cpu(0)).unwrap();
    assert_eq!((kernel.opened().len(), kernel.still_open()), (1, 0));
}

#[test]
fn the_limit_of_open_files_is_raised_once_it_is_met() {
    let kernel = by_code().open_files(2, 4);
    let mut group = hardware_group(&kernel, 4, Setup::default());
    let raises = kernel.calls().iter().filter(|call| **call == Call::RaiseOpenFiles).count();
    assert_eq!(raises, 1);
    kernel.run(MS);
    assert_eq!(raws(&group.read().unwrap()), [1, 2, 3, 4]);
    let error = group.add(&Attr::new(pmu_type::RAW, 5)).unwrap_err();
    assert_eq!(error.errno, Errno::EMFILE);
    assert_eq!(group.len(), 4);
}

#[test]
fn errors_of_reads_and_switches_reach_the_caller() {
    let kernel = by_code();
    let mut group = hardware_group(&kernel, 2, Setup::default());
    kernel.fail_reads(Errno::EAGAIN);
    kernel.fail_switching(Errno::EBADF);
    assert_eq!(group.read(), Err(Errno::EAGAIN));
    assert_eq!((group.enable(), group.disable()), (Err(Errno::EBADF), Err(Errno::EBADF)));
    kernel.fail_reads(None);
    kernel.run(MS);
    assert_eq!(raws(&group.read().unwrap()), [1, 2]);
}

#[test]
fn an_empty_group_reads_nothing() {
    let kernel = FakeKernel::new();
    let mut group =
        Host::with_kernel(kernel.clone()).group(Placement::ThisThread, Setup::default());
    group.enable().unwrap();
    assert_eq!(group.read(), Ok(vec![]));
    group.disable().unwrap();
    assert_eq!(kernel.calls(), []);
}

#[test]
fn the_machine_tells_its_processors() {
    let cpu = |n: u32, file: &str| format!("/sys/devices/system/cpu/cpu{n}/{file}");
    let kernel = FakeKernel::new()
        .file("/sys/devices/system/cpu/online", "0-1,10\n")
        .file(cpu(1, "topology/core_id"), "4\n")
        .file(cpu(1, "topology/physical_package_id"), "1\n")
        .file(cpu(0, "cpufreq/cpuinfo_max_freq"), "2400000\n")
        .file(cpu(10, "cpufreq/cpuinfo_max_freq"), "3600000\n");
    let host = Host::with_kernel(kernel);
    assert_eq!(host.online_cpus(), "0,1,10".parse::<CpuSet>().unwrap());
    assert_eq!(host.core_and_socket(1), Some((4, 1)));
    assert_eq!(host.core_and_socket(0), None);
    assert_eq!(host.max_mhz(), Some(3600.0));
    assert_eq!(host.names("/sys/devices/system/cpu"), ["cpu0", "cpu1", "cpu10", "online"]);
    assert!(host.names("/sys/no").is_empty());

    let cpuinfo = "processor\t: 0\ncpu MHz\t\t: 1800.000\nprocessor\t: 1\ncpu MHz\t\t: 2100.5\n";
    let host = Host::with_kernel(FakeKernel::new().file("/proc/cpuinfo", cpuinfo));
    assert_eq!(host.max_mhz(), Some(2100.5));
    assert_eq!(Host::with_kernel(FakeKernel::new()).max_mhz(), None);
}
