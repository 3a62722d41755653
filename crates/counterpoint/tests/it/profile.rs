//! Profiles: against a kernel whose rings the test writes, and live.

#![allow(clippy::print_stdout, reason = "a test says what it skips")]

use counterpoint::perf::{Attr, Every, Fields, Host, pmu_type};
use counterpoint::profil::{BucketWidth, Flags, Histogram, Region, Scale};
use counterpoint::profile::{KernelSymbols, Profile, Profiled, Profiling, UNKNOWN_KERNEL};
use counterpoint::{EventSet, Hint, Note, Target};
use counterpoint_fixtures::{FakeKernel, FakeRing, is_alone, run_with_breakpoint};
use counterpoint_perf::Errno;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;

const CPUS: &str = "/sys/devices/system/cpu/online";

pub(crate) fn machine() -> FakeKernel {
    FakeKernel::new()
        .file(CPUS, "0-1")
        .file("/proc/70/task/70/stat", "")
        .file("/proc/70/maps", MAPS)
}

const MAPS: &str = "\
400000-402000 r-xp 00001000 08:02 17 /bin/solve
7f0000000000-7f0000001000 r-xp 00000000 08:02 18 /lib/libm.so
";

pub(crate) fn set(kernel: &FakeKernel, target: Target, events: &str) -> EventSet {
    EventSet::on(Host::with_kernel(kernel.clone()), target).event(events)
}

pub(crate) fn every(period: u64) -> Profile {
    Profile::every(Every::Period(period))
}

/// Profiles where in the text of processes the clock goes.
pub(crate) fn in_text(kernel: &FakeKernel, target: Target, width: BucketWidth) -> Profiling {
    let mut set = set(kernel, target, "task-clock");
    set.profile("task-clock", every(1000).text(Scale::ONE_ADDRESS, width)).unwrap();
    set.open_profiles().unwrap()
}

/// Records as a kernel writes them for IP, TID and TIME, the task's records with TID and TIME behind.
pub(crate) struct Writer(pub(crate) FakeRing);

impl Writer {
    pub(crate) fn record(&self, kind: u32, misc: u16, body: &[u8]) {
        let size = (8 + body.len()) as u16;
        let header = [&kind.to_ne_bytes()[..], &misc.to_ne_bytes(), &size.to_ne_bytes()].concat();
        assert!(self.0.write(&[&header, body].concat()));
    }

    pub(crate) fn sample(&self, pid: u32, time: u64, ip: u64) {
        self.record(9, 2, &[words(&[ip]), pair(pid, pid), words(&[time])].concat());
    }

    fn map(&self, pid: u32, time: u64, start: u64, length: u64, path: &str) {
        let mut name = path.as_bytes().to_vec();
        name.resize(name.len() / 8 * 8 + 8, 0);
        let head = [pair(pid, pid), words(&[start, length, 0x1000, 0, 0, 0]), pair(5, 2)].concat();
        self.record(10, 2, &[head, name, pair(pid, pid), words(&[time])].concat());
    }

    fn exec(&self, pid: u32, time: u64) {
        let body = [pair(pid, pid), words(&[0]), pair(pid, pid), words(&[time])].concat();
        self.record(3, 1 << 13, &body);
    }

    fn fork(&self, parent: u32, child: u32, time: u64) {
        let body = [
            pair(child, parent),
            pair(child, parent),
            words(&[time]),
            pair(child, child),
            words(&[time]),
        ];
        self.record(7, 0, &body.concat());
    }
}

pub(crate) fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

pub(crate) fn pair(first: u32, second: u32) -> Vec<u8> {
    [first.to_ne_bytes(), second.to_ne_bytes()].concat()
}

/// The counts of each module, by its name.
pub(crate) fn by_module(profiled: &Profiled) -> BTreeMap<PathBuf, Vec<(u64, u64)>> {
    let regions = profiled.modules.iter().zip(&profiled.snapshot.regions);
    let mut counts: BTreeMap<PathBuf, Vec<(u64, u64)>> = BTreeMap::new();
    for (module, region) in regions {
        let buckets = region.buckets.iter().map(|bucket| (bucket.first, bucket.count));
        counts.entry(module.path.clone()).or_default().extend(buckets);
    }
    counts
}

#[test]
fn a_profile_is_for_an_event_of_the_set_and_can_be_taken_back() {
    let kernel = machine();
    let mut set = set(&kernel, Target::ThisThread, "task-clock,page-faults");
    let error = set.profile("cycles", every(1)).unwrap_err();
    assert_eq!(error.to_string(), "`cycles` is not an event of this set");
    let never = Profile::every(Every::Frequency(0));
    let error = set.profile("task-clock", never).unwrap_err();
    assert!(error.error.help().unwrap().to_string().contains("at least 1"), "{error}");
    assert!(set.profile("cycles", every(0)).is_err(), "0 is for an event of the set too");
    assert!(set.profiled().is_empty(), "nothing has changed");

    assert!(set.profile("task-clock", every(7)).unwrap().is_none());
    assert!(set.profile("page-faults", every(1)).unwrap().is_none());
    assert!(set.profile("task-clock", every(8)).unwrap().is_some(), "the one until now");
    assert!(set.profile("page-faults", None).unwrap().is_some());
    assert!(set.profile("page-faults", every(1)).unwrap().is_none());
    assert!(set.profile("page-faults", every(0)).unwrap().is_some(), "the manual's threshold of 0");
    assert!(set.profile("page-faults", every(0)).unwrap().is_none());
    assert_eq!(set.profiled(), ["task-clock"]);
    set.open_profiles().unwrap();
    assert!(kernel.opened().iter().all(|o| o.attr.every == Every::Period(8)));
    assert!(set.profiled().is_empty());
}

#[test]
fn samples_are_counted_in_the_text_of_processes_that_were_attached_to() {
    let kernel = machine();
    let profiling = in_text(&kernel, Target::Processes(vec![70]), BucketWidth::Bits16);
    let [first, second] = [0, 1].map(|ring| Writer(kernel.rings()[ring].clone()));
    for (writer, ip) in [(&first, 0x400010), (&second, 0x400010), (&first, 0x7f0000000020)] {
        writer.sample(70, 5, ip);
    }
    second.sample(70, 5, 0x999);
    // The kernel's text is not known here.
    first.record(9, 1, &[words(&[0x400010]), pair(70, 70), words(&[6])].concat());
    let profiled = profiling.stop().unwrap().remove(0);
    let counts = by_module(&profiled);
    assert_eq!(counts[&PathBuf::from("/bin/solve")], [(0x400010, 2)]);
    assert_eq!(counts[&PathBuf::from("/lib/libm.so")], [(0x7f0000000020, 1)]);
    // The sample says that it is of the kernel, whatever its address is.
    assert_eq!(counts[&PathBuf::from("[kernel]")], [(UNKNOWN_KERNEL, 1)]);
    assert_eq!((profiled.samples, profiled.snapshot.outside), (5, 1));
    assert_eq!(profiled.modules[0].offset, 0x1000);
    assert!(!profiled.software);
}

/// Modules of the kernel lie outside of its own text; their sizes are of more than code.
#[test]
fn samples_in_the_kernel_are_counted_by_module() {
    let kernel = machine()
        .file("/proc/kallsyms", "ffffffff81000000 T _stext\nffffffff82000000 T _etext\n")
        .file(
            "/proc/modules",
            "late 8192 1 - Live 0xffffffffc0002000 (O)\n\
             hidden 4096 0 - Live 0x0000000000000000\n\
             early 12288 2 late,other, Live 0xffffffffc0000000\n",
        );
    let profiling = in_text(&kernel, Target::Processes(vec![70]), BucketWidth::Bits16);
    let writer = Writer(kernel.rings()[0].clone());
    let addresses =
        [0xffffffff81000010, 0xffffffffc0000010, 0xffffffffc0002010, 0xffffffffc0004000, 0x10];
    for ip in addresses {
        writer.record(9, 1, &[words(&[ip]), pair(70, 70), words(&[6])].concat());
    }
    let profiled = profiling.stop().unwrap().remove(0);
    let counts = by_module(&profiled);
    for (name, address) in ["[early]", "[late]"].iter().zip(&addresses[1..]) {
        assert_eq!(counts[&PathBuf::from(name)], [(*address, 1)], "{name}");
    }
    // Between the modules, and below the kernel.
    assert_eq!(counts[&PathBuf::from("[kernel]")], [(addresses[0], 1), (UNKNOWN_KERNEL, 2)]);
    assert_eq!(profiled.snapshot.outside, 0);
    assert_eq!(profiled.kernel.function(UNKNOWN_KERNEL), None);
    assert_eq!(profiled.kernel.texts().len(), 3);
    let named = profiled.kernel.function(addresses[0]).map(|(name, _)| name);
    assert_eq!(named, Some("_stext"));
}

/// The child's samples are in another ring than the records that say where it came from.
#[test]
fn processes_are_followed_through_fork_and_exec() {
    let kernel = machine();
    let profiling = in_text(&kernel, Target::Command(80), BucketWidth::Bits32);
    let [samples, records] = [0, 1].map(|ring| Writer(kernel.rings()[ring].clone()));
    // The shell at 0x10000, its child there too, which then runs another program at the same place, and the shell at another.
    samples.sample(80, 20, 0x10004);
    samples.sample(81, 40, 0x10008);
    samples.sample(81, 70, 0x10008);
    samples.sample(82, 95, 0x50008);
    samples.sample(83, 99, 0x10008);
    records.map(80, 10, 0x10000, 0x1000, "/bin/sh");
    records.fork(80, 81, 30);
    records.exec(81, 50);
    records.map(81, 60, 0x10000, 0x2000, "/bin/cat");
    records.fork(80, 82, 80);
    records.exec(82, 90);
    records.map(82, 91, 0x50000, 0x1000, "/bin/sh");
    let profiled = profiling.stop().unwrap().remove(0);
    let counts = by_module(&profiled);
    assert_eq!(counts[&PathBuf::from("/bin/sh")], [(0x10004, 1), (0x10008, 2)]);
    // Beside the shell, whose addresses it has.
    let cat = &profiled.modules.iter().find(|m| m.path.ends_with("cat")).unwrap().range;
    assert!(cat.start >= 0x11000 && cat.end - cat.start == 0x2000, "{cat:x?}");
    assert_eq!(counts[&PathBuf::from("/bin/cat")], [(cat.start + 8, 1)]);
    assert_eq!(profiled.snapshot.outside, 1, "nothing is known of 83");
    assert!(kernel.opened().iter().all(|o| o.setup.enable_on_exec && o.setup.inherit));
}

/// The second process with an id has the memory of its own parent, not the program of the first.
#[test]
fn a_reused_process_id_is_another_process() {
    let kernel = machine();
    let profiling = in_text(&kernel, Target::Command(80), BucketWidth::Bits32);
    let writer = Writer(kernel.rings()[0].clone());
    writer.map(80, 10, 0x10000, 0x1000, "/bin/sh");
    writer.fork(80, 81, 20);
    writer.exec(81, 30);
    writer.map(81, 31, 0x20000, 0x1000, "/bin/cat");
    writer.sample(81, 40, 0x20004);
    writer.fork(80, 81, 50);
    writer.sample(81, 60, 0x10008);
    writer.sample(81, 61, 0x20008);
    let profiled = profiling.stop().unwrap().remove(0);
    let counts = by_module(&profiled);
    assert_eq!(counts[&PathBuf::from("/bin/cat")], [(0x20004, 1)]);
    assert_eq!(counts[&PathBuf::from("/bin/sh")], [(0x10008, 1)]);
    assert_eq!(profiled.snapshot.outside, 1);
}

#[test]
fn a_histogram_of_the_caller_is_returned() {
    let kernel = machine();
    let region = Region::new(0x400000..0x400100, Scale::TWO_ADDRESSES).unwrap();
    let histogram = Histogram::new(vec![region], BucketWidth::Bits64).unwrap();
    let other = Histogram::new(vec![region], BucketWidth::Bits64).unwrap();
    let mut set = set(&kernel, Target::ThisThread, "task-clock,page-faults");
    let flags = Flags { random: true, ..Flags::default() };
    set.profile("task-clock", every(10).histogram(histogram).flags(flags)).unwrap();
    set.profile("page-faults", every(10).histogram(other)).unwrap();
    let profiling = set.open_profiles().unwrap();
    let writer = Writer(kernel.rings()[0].clone());
    for time in 0..400 {
        writer.sample(1, time, 0x400010);
    }
    writer.sample(1, 401, 0x400101);
    let rings = kernel.rings();
    assert_eq!(rings.len(), 4, "each event has one for each CPU");
    let without_flags = Writer(rings[2].clone());
    for time in 0..400 {
        without_flags.sample(1, time, 0x400010);
    }
    let mut all = profiling.stop().unwrap();
    let other = all.pop().unwrap();
    assert_eq!(
        (other.snapshot.total(), other.snapshot.dropped),
        (400, 0),
        "flags are of one event"
    );
    let profiled = all.remove(0);
    let histogram = profiled.histogram.unwrap();
    let counted: u64 = histogram.counts(0).sum();
    assert!((250..350).contains(&counted), "a quarter is dropped: {counted}");
    assert_eq!(profiled.snapshot, histogram.snapshot());
    assert_eq!(counted + profiled.snapshot.dropped, 400);
    assert_eq!(profiled.snapshot.outside, 1);
}

/// Nothing is lost after an error, or when a profile is removed.
#[test]
fn a_histogram_is_returned_with_an_error_and_when_it_is_removed() {
    let histogram = || {
        let region = Region::new(0x400000..0x400100, Scale::TWO_ADDRESSES).unwrap();
        let mut histogram = Histogram::new(vec![region], BucketWidth::Bits16).unwrap();
        histogram.record_batch(&[0x400010]);
        every(10).histogram(histogram)
    };
    let counted = |profile: Profile| profile.into_histogram().unwrap().counts(0).sum::<u64>();
    let mut set = set(&machine(), Target::ThisThread, "task-clock");
    let failed = set.profile("cycles", histogram()).unwrap_err();
    assert_eq!(counted(*failed.profile), 1);
    assert!(set.profile("task-clock", histogram()).unwrap().is_none());
    let before = set.profile("task-clock", None).unwrap().unwrap();
    assert_eq!(counted(before), 1);
    assert!(every(1).into_histogram().is_none());
}

#[test]
fn events_that_cannot_be_sampled_are_checked_by_a_clock() {
    let kernel = machine()
        .refuse_with(Errno::EINVAL, |o| o.sampling.is_some() && o.attr.kind == pmu_type::RAW);
    let mut set = set(&kernel, Target::Threads(vec![70]), "r1234").inherit(false);
    set.profile("r1234", Profile::every(Every::Frequency(100))).unwrap();
    let error = set.open_profiles().err().unwrap();
    assert_eq!(error.help(), Some(Hint::GivePeriod), "{error}");
    set.profile("r1234", every(100)).unwrap();
    let profiling = set.open_profiles().unwrap();
    let opened: Vec<_> = kernel.opened().into_iter().rev().take(2).collect();
    let [counted, clock] = opened.as_slice() else { panic!() };
    assert_eq!(clock.attr.every, Every::Period(100_000), "of nanoseconds: ten times a millisecond");
    assert_eq!((clock.attr.kind, clock.attr.config), (pmu_type::SOFTWARE, 1));
    assert!(clock.sampling.unwrap().fields.contains(Fields::IP | Fields::READ));
    assert_eq!((counted.attr.config, counted.sampling), (0x1234, None));
    let (clock, counted) = (kernel.opened().len() - 2, kernel.opened().len() - 1);
    let writer = Writer(kernel.rings().last().unwrap().clone());
    for (value, ip) in [(99, 0x400000), (100, 0x400010), (199, 0x400020), (250, 0x400030)] {
        let values = words(&[2, 9, 9, 1, kernel.id(clock), 0, value, kernel.id(counted), 0]);
        writer.record(9, 2, &[words(&[ip]), pair(70, 70), words(&[value]), values].concat());
    }
    let profiled = profiling.stop().unwrap().remove(0);
    assert!(profiled.software);
    assert_eq!(profiled.samples, 2);
}

const DERIVED: &str =
    "EVENT,BOTH,DERIVED_ADD,cycles,instructions\nEVENT,SAME,NOT_DERIVED,instructions\n";

/// The way in which a derived event is sampled: the code of the event that interrupts, whether software looks, and the terms.
fn sampled(event: &str, profile: Profile) -> (u64, bool, Vec<String>) {
    let kernel = machine();
    let mut set = set(&kernel, Target::Threads(vec![70]), event).define(DERIVED);
    set.profile(event, profile).unwrap();
    let profiled = set.open_profiles().unwrap().stop().unwrap().remove(0);
    let interrupts = kernel.opened().into_iter().rev().find(|o| o.sampling.is_some()).unwrap();
    (interrupts.attr.config, profiled.software, profiled.terms)
}

#[test]
fn of_a_derived_event_a_term_is_sampled_that_is_chosen_or_named() {
    let hertz = Profile::every(Every::Frequency(1000));
    let of = |terms: &[&str]| terms.iter().map(ToString::to_string).collect::<Vec<_>>();
    // Codes of PERF_TYPE_HARDWARE: cycles 0, instructions 1; of PERF_TYPE_SOFTWARE: the task clock 1.
    assert_eq!(sampled("BOTH", hertz.clone()), (0, false, of(&["cycles"])));
    assert_eq!(sampled("BOTH", every(100)), (1, true, of(&[])));
    for named in ["instructions", "PERF_COUNT_HW_INSTRUCTIONS"] {
        let named = every(100).term(named);
        assert_eq!(sampled("BOTH", named.clone()), (1, false, of(&["instructions"])));
        assert_eq!(sampled("BOTH:u", named), (1, false, of(&["instructions:u"])));
    }
    assert_eq!(sampled("SAME", every(100)), (1, false, of(&["instructions"])));
    assert_eq!(sampled("instructions", hertz), (1, false, of(&[])));
}

#[test]
fn a_name_that_is_not_a_term_of_a_derived_event_is_an_error() {
    let mut set = set(&machine(), Target::ThisThread, "BOTH").define(DERIVED);
    set.profile("BOTH", every(100).term("branches")).unwrap();
    let error = set.open_profiles().err().unwrap();
    assert_eq!(error.to_string(), "`BOTH` is not computed from `branches`");
    assert_eq!(error.help().unwrap().to_string(), "its terms are `cycles`, `instructions`");
}

#[test]
fn kernels_without_inherited_values_are_sampled_without_children() {
    let kernel = machine().refuse_with(Errno::EINVAL, |o| {
        o.setup.inherit && o.sampling.is_some_and(|s| s.fields.contains(Fields::READ))
    });
    let mut set = set(&kernel, Target::Threads(vec![70]), "page-faults");
    set.profile("page-faults", every(100).software(true)).unwrap();
    let profiled = set.open_profiles().unwrap().stop().unwrap().remove(0);
    assert_eq!(profiled.notes, [Note::NoChildren]);
    assert!(Note::NoChildren.text().contains("without children"));
}

#[test]
fn without_permission_for_the_kernel_user_space_is_sampled() {
    let kernel = machine()
        .file("/proc/sys/kernel/perf_event_paranoid", "2")
        .refuse_with(Errno::EACCES, |o| !o.attr.exclude.kernel);
    let mut set = set(&kernel, Target::ThisThread, "task-clock");
    set.profile("task-clock", every(100)).unwrap();
    let profiled = set.open_profiles().unwrap().stop().unwrap().remove(0);
    assert_eq!(profiled.notes, [Note::UserOnly]);
}

#[test]
fn an_open_error_has_the_event_and_the_cause() {
    let kernel = machine().refuse_with(Errno::EBUSY, |_| true);
    let mut set = set(&kernel, Target::ThisThread, "task-clock");
    set.profile("task-clock", every(100)).unwrap();
    let error = set.open_profiles().err().unwrap();
    assert_eq!(error.to_string(), "`task-clock` cannot be profiled: the PMU is in exclusive use");
    assert_eq!(set.profiled(), ["task-clock"], "they are still the set's");
}

#[inline(never)]
fn called(n: u64) -> u64 {
    black_box(n) + 1
}

/// Skips the test if this machine cannot run it.
fn skip(what: &str, error: &counterpoint::Error) {
    println!("skipped: {what}: {error}");
    assert!(error.to_string().contains("cannot be profiled"), "{error}");
}

#[test]
fn each_call_of_a_function_is_in_its_bucket() {
    let test = "profile::each_call_of_a_function_is_in_its_bucket";
    if !is_alone(test) {
        return run_with_breakpoint(test);
    }
    let address = called as fn(u64) -> u64 as usize as u64;
    if !cfg!(target_arch = "x86_64") {
        println!("skipped: the length of a breakpoint differs elsewhere");
        return;
    }
    let event = format!("mem:{address:#x}/8:x:u");
    let region = Region::new(address - 64..address + 64, Scale::ONE_ADDRESS).unwrap();
    let histogram = Histogram::new(vec![region, Region::catch_all()], BucketWidth::Bits32).unwrap();
    let mut set = EventSet::new(Target::ThisThread).event(&event).inherit(false).delayed(true);
    set.profile(&event, every(1).histogram(histogram)).unwrap();
    let mut profiling = match set.open_profiles() {
        Err(error) => return skip("a breakpoint", &error),
        Ok(profiling) => profiling,
    };
    let mut sum = called(0);
    profiling.start().unwrap();
    for n in 0..500 {
        sum += black_box(called as fn(u64) -> u64)(n);
    }
    let profiled = profiling.stop().unwrap().remove(0);
    sum += called(0);
    assert_eq!(sum, 125_252);
    let histogram = profiled.histogram.unwrap();
    let counts: Vec<u64> = histogram.counts(0).collect();
    assert_eq!((counts[64], counts.iter().sum::<u64>()), (500, 500));
    assert_eq!((histogram.counts(1).sum::<u64>(), profiled.lost), (0, 0));
}

/// Two events at once, one by hardware's way and one by software, one of them computed.
#[test]
fn a_derived_event_is_profiled_beside_another() {
    let mut set = EventSet::new(Target::ThisThread)
        .define("EVENT,TWICE,DERIVED_INFIX,N0*2,task-clock:u")
        .event("task-clock:u,TWICE");
    set.profile("task-clock:u", every(500_000)).unwrap();
    set.profile("TWICE", every(4_000_000)).unwrap();
    let profiling = match set.open_profiles() {
        Err(error) => return skip("the task clock", &error),
        Ok(profiling) => profiling,
    };
    let begun = std::time::Instant::now();
    while begun.elapsed().as_millis() < 300 {
        black_box((0..10_000_u64).fold(0, |sum, n| black_box(sum ^ n)));
    }
    let profiled = profiling.stop().unwrap();
    let [clock, twice] = profiled.as_slice() else { panic!("{profiled:?}") };
    assert!(twice.software && !clock.software);
    // One of the clock is 0.5 ms of CPU time, one of the other 2 ms.
    let ratio = clock.samples as f64 / twice.samples as f64;
    assert!(
        twice.samples > 5 && (2.5..6.0).contains(&ratio),
        "{} {}",
        clock.samples,
        twice.samples
    );
    let program = std::env::current_exe().unwrap();
    let here = by_module(clock).get(&program).map_or(0, |counts| counts.iter().map(|c| c.1).sum());
    assert!(here * 10 > clock.samples * 9, "{here} of {}", clock.samples);
}

#[test]
fn an_uncore_event_cannot_be_profiled_for_a_process() {
    let kernel = machine()
        .file("/sys/bus/event_source/devices/box/type", "99")
        .file("/sys/bus/event_source/devices/box/cpumask", "0")
        .file("/sys/bus/event_source/devices/box/events/reads", "event=0x1")
        .file("/sys/bus/event_source/devices/box/format/event", "config:0-7")
        .refuse_with(Errno::EINVAL, |o| o.sampling.is_some() && o.attr.kind == 99);
    let mut set = set(&kernel, Target::ThisThread, "box/reads/");
    set.profile("box/reads/", every(100)).unwrap();
    let error = set.open_profiles().err().unwrap();
    assert!(error.to_string().contains("counts for whole CPUs"), "{error}");
    let sampled = Attr { every: Every::Period(100), ..Attr::new(99, 1) };
    assert_eq!(kernel.asked()[0].attr, sampled);
}

/// The list of the kernel is not wholly in order, has data and the functions of modules, and may end anywhere.
#[test]
fn functions_of_the_kernel_are_found_by_address_and_by_name() {
    let list = "ffffffff81000000 T _stext\n\
        ffffffff81000000 T _text\n\
        ffffffff81000040 t b\n\
        ffffffff81000020 T a\n\
        ffffffff81000030 d data\n\
        not a line\n\
        0000000000000000 T hidden\n\
        ffffffff82000000 D _etext\n\
        ffffffffc0000000 t early_init\t[early]\n\
        ffffffffc0000100 t la";
    let kernel = machine().file("/proc/kallsyms", list);
    let symbols = KernelSymbols::read(&Host::with_kernel(kernel));
    assert_eq!(
        symbols.texts(),
        [("[kernel]".to_string(), 0xffff_ffff_8100_0000..0xffff_ffff_8200_0000)]
    );
    let found = |address| symbols.function(address);
    assert_eq!(found(0xffff_ffff_8100_0010), Some(("_text", kernel_range(0, 0x20))));
    assert_eq!(found(0xffff_ffff_8100_0038), Some(("a", kernel_range(0x20, 0x40))));
    assert_eq!(found(0xffff_ffff_8100_0040).map(|(name, _)| name), Some("b"));
    assert_eq!(found(0xffff_ffff_c000_00ff).map(|(name, _)| name), Some("early_init"));
    assert_eq!(found(UNKNOWN_KERNEL - 1).map(|(name, _)| name), Some("la"));
    assert_eq!(found(0xffff_ffff_80ff_ffff), None);
    assert_eq!(symbols.address("early_init"), Some(0xffff_ffff_c000_0000));
    assert_eq!(["data", "hidden", "earl"].map(|name| symbols.address(name)), [None; 3]);
    let recorded = symbols.with_texts(vec![("[other]".to_string(), 16..32)]);
    assert_eq!(recorded.texts(), [("[other]".to_string(), 16..32)]);
    assert_eq!(recorded.address("b"), Some(0xffff_ffff_8100_0040));
}

fn kernel_range(start: u64, end: u64) -> std::ops::Range<u64> {
    0xffff_ffff_8100_0000 + start..0xffff_ffff_8100_0000 + end
}

/// If the kernel shows its addresses as zeros, a sample of it is counted, and its address stands nowhere.
#[test]
fn addresses_that_the_kernel_hides_are_not_shown() {
    const HIDDEN: u64 = 0xffff_ffff_8100_0040;
    let shown = "ffffffff81000000 T _stext\nffffffff82000000 T _etext\n";
    let hidden = "0000000000000000 T _stext\n0000000000000000 T _etext\n";
    for (symbols, modules) in [
        (shown, "vfat 24576 1 - Live 0xffffffffa0000000\n"),
        (hidden, "vfat 24576 1 - Live 0x0000000000000000\n"),
        ("", ""),
    ] {
        let kernel = machine().file("/proc/kallsyms", symbols).file("/proc/modules", modules);
        let mut set = set(&kernel, Target::Processes(vec![70]), "task-clock");
        set.profile("task-clock", every(1000)).unwrap();
        let profiling = set.open_profiles().unwrap();
        let body = [words(&[HIDDEN]), pair(70, 70), words(&[1])].concat();
        Writer(kernel.rings()[0].clone()).record(9, 1, &body);
        let profiled = profiling.stop().unwrap().remove(0);
        assert_eq!(profiled.samples, 1);
        let text = format!("{:x?}", (&profiled.snapshot.regions, &profiled.modules));
        let is_shown = symbols == shown;
        assert_eq!(text.contains("ffffffff81"), is_shown, "{text}");
        assert_eq!(profiled.snapshot.outside, 0);
        assert_eq!(profiled.modules[0].path, PathBuf::from("[kernel]"));
    }
}
