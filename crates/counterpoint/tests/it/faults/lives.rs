//! The lives of sets, profiles and regions that are run with failing calls: from looking up names to the last number.

use super::Log;
use crate::profile::{Writer, pair, words};
use crate::world::ms;
use counterpoint::perf::{
    Attr, Errno, Every, Fields, Host, Placement, Sampling, Setup, Wakeup, pmu_type,
};
use counterpoint::profile::Profile;
use counterpoint::{Error, EventSet, Machine, Split, Target, doctor};
use counterpoint_fixtures::{Call, FakeKernel, FakeRing, Opening, machine};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Runs a life on a host with a fake kernel, and records its results.
pub(super) type Life = fn(&Host, &FakeKernel, &mut Log) -> Result<(), Error>;

pub(super) const LIVES: [(&str, Life); 9] = [
    ("this thread", this_thread),
    ("no more files", no_more_files),
    ("processes", processes),
    ("CPUs", cpus),
    ("cgroup", cgroup),
    ("profile", profile),
    ("profile by software", profile_by_software),
    ("regions", regions),
    ("look", look),
];

const DEFINITIONS: &str = "EVENT,RATIO,DERIVED_INFIX,N0/N1,instructions,cycles\n";

/// Four CPUs in two sockets, PMUs of cores and of the uncore, a process with two threads, a cgroup, a tracepoint.
pub(super) fn world() -> FakeKernel {
    let devices = "/sys/bus/event_source/devices";
    let imc = format!("{devices}/uncore_imc_0");
    let task = "/proc/70/task";
    crate::world::two_sockets()
        .file(format!("{imc}/type"), "20\n")
        .file(format!("{imc}/cpumask"), "0,2\n")
        .file(format!("{imc}/format/event"), "config:0-7\n")
        .file(format!("{imc}/events/data"), "event=0x4\n")
        .file(format!("{imc}/events/data.scale"), "0.5\n")
        .file(format!("{imc}/events/data.unit"), "MiB\n")
        .file(format!("{devices}/cpu/events/cpu-cycles"), "event=0x3c\n")
        .file("/proc/sys/kernel/perf_event_paranoid", "2\n")
        .file("/proc/self/status", "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\nSeccomp:\t0\n")
        .file("/proc/cpuinfo", cpuinfo())
        .file(format!("{task}/70/stat"), "")
        .file(format!("{task}/71/stat"), "")
        .file("/proc/70/status", "Tgid:\t70\n")
        .file("/proc/70/maps", "400000-402000 r-xp 00001000 08:02 17 /bin/solve\n")
        .file("/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
        .file("/sys/fs/cgroup/web/cgroup.procs", "70\n")
        .file("/sys/kernel/tracing/events/sched/sched_switch/id", "300\n")
        .counts(|opening: &Opening, time| {
            u64::from(opening.attr.kind + 1)
                * (opening.attr.config % 97 + 1)
                * time.as_nanos() as u64
        })
}

/// The first CPU of a recorded machine.
fn cpuinfo() -> String {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let text = std::fs::read_to_string(machine("amd-zen4").join("proc/cpuinfo")).unwrap();
        text.split("\n\n").next().unwrap().to_string()
    });
    TEXT.clone()
}

fn this_thread(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    let events = "{cycles,instructions},task-clock,page-faults,RATIO,cpu-cycles,sched:sched_switch,retired_instructions";
    count(host, kernel, log, Target::ThisThread, events)
}

fn no_more_files(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    let kernel = kernel.clone().open_files(2, 100);
    count(host, &kernel, log, Target::ThisThread, "{cycles,instructions},task-clock")
}

fn processes(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    count(host, kernel, log, Target::Processes(vec![70]), "{cycles,instructions},task-clock,RATIO")
}

fn cpus(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    let events = "cycles,instructions,RATIO,cpu-clock,uncore_imc_0/data/";
    count(host, kernel, log, Target::AllCpus, events)
}

fn cgroup(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    count(host, kernel, log, Target::Cgroup("web".into()), "{cycles,instructions},page-faults")
}

/// Each step that fails is tried again: nothing may be lost by that.
fn count(
    host: &Host,
    kernel: &FakeKernel,
    log: &mut Log,
    target: Target,
    events: &str,
) -> Result<(), Error> {
    let set = EventSet::on(host.clone(), target).delayed(true).define(DEFINITIONS);
    let mut counters = set.event(events).open()?;
    log.again(|| counters.start());
    kernel.run(ms(1));
    let snapshot = log.again(|| counters.snapshot());
    for split in [Split::Total, Split::Cpu, Split::Core, Split::Socket, Split::Thread] {
        log.report("read", &counters.report(&snapshot, &split));
    }
    let mut sum = counters.zero();
    for _ in 0..2 {
        kernel.run(ms(1));
        log.again(|| counters.accumulate(&mut sum));
    }
    log.report("accumulated", &counters.report(&sum, &Split::Total));
    kernel.run(ms(1));
    log.again(|| counters.reset());
    kernel.run(ms(1));
    let snapshot = log.again(|| counters.snapshot());
    log.report("after the reset", &counters.report(&snapshot, &Split::Total));
    log.again(|| counters.stop());
    kernel.run(ms(1));
    let report = log.again(|| counters.read().cloned());
    log.report("stopped", &report);
    Ok(())
}

fn profile(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    profiled(host, kernel, log, Profile::every(Every::Period(1000)))
}

fn profile_by_software(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    profiled(host, kernel, log, Profile::every(Every::Period(1000)).software(true))
}

fn profiled(
    host: &Host,
    kernel: &FakeKernel,
    log: &mut Log,
    profile: Profile,
) -> Result<(), Error> {
    let mut set = EventSet::on(host.clone(), Target::Threads(vec![70])).event("cycles");
    set.profile("cycles", profile)?;
    let profiling = set.open_profiles()?;
    let rings = open_rings(kernel);
    for (sample, (leader, ring)) in (0..8).zip(rings.iter().cycle()) {
        let writer = Writer(ring.clone());
        if kernel.opened().iter().any(|opening| opening.leader == Some(*leader)) {
            writer.record(9, 2, &software_sample(kernel, *leader, 1500 * (sample + 1)));
        } else {
            writer.sample(70, 1, 0x400010);
        }
    }
    // The rings are read by a thread; a fault may have ended it.
    let begun = Instant::now();
    while rings.iter().any(|(_, ring)| ring.unread() > 0)
        && !profiling.is_finished()
        && begun.elapsed() < Duration::from_secs(5)
    {
        std::thread::sleep(Duration::from_micros(200));
    }
    for profiled in profiling.stop()? {
        log.number("samples", profiled.samples as f64);
        log.number("lost", profiled.lost as f64);
        for (module, region) in profiled.modules.iter().zip(&profiled.snapshot.regions) {
            log.number(&format!("in {}", module.path.display()), region.total() as f64);
        }
        log.note(format!("{:?}", profiled.notes));
    }
    Ok(())
}

/// A sample of a clock with the count of `cycles` beside it.
fn software_sample(kernel: &FakeKernel, leader: usize, cycles: u64) -> Vec<u8> {
    let lost = kernel.opened()[leader].format.lost;
    let mut body = [words(&[0x400010]), pair(70, 70), words(&[1]), words(&[2, 10, 10])].concat();
    for (event, value) in [(leader, 100), (leader + 1, cycles)] {
        body.extend(words(&[value, kernel.id(event)]));
        body.extend(lost.then(|| words(&[0])).into_iter().flatten());
    }
    body
}

/// The rings of open events, each with the event for which it was created.
fn open_rings(kernel: &FakeKernel) -> Vec<(usize, FakeRing)> {
    let made = kernel.calls().into_iter().filter_map(|call| match call {
        Call::Map(event, _) => Some(event),
        _ => None,
    });
    made.zip(kernel.rings()).filter(|(event, _)| kernel.is_open(*event)).collect()
}

fn regions(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    let set = EventSet::on(host.clone(), Target::ThisThread).define(DEFINITIONS);
    let regions = set.event("{cycles,instructions},task-clock,RATIO").regions()?;
    for _ in 0..2 {
        let _outer = regions.region("outer");
        kernel.run(ms(1));
        let _inner = regions.region("inner");
        kernel.run(ms(1));
    }
    for region in regions.report().totals() {
        log.report(&region.name, &region.report);
    }
    Ok(())
}

/// The examination of the machine, and an event that is sampled by a signal.
fn look(host: &Host, kernel: &FakeKernel, log: &mut Log) -> Result<(), Error> {
    // The cost of calls is measured over thousands of them.
    let _ = kernel.clone().refuse_with(Errno::ENOSPC, |opening| {
        opening.attr.exclude.kernel && opening.attr.kind == pmu_type::SOFTWARE
    });
    for finding in doctor::examine(&Machine::new(host.clone())) {
        assert!(!finding.text.is_empty());
        log.note(format!("{}: {}", finding.subject, finding.status.name()));
    }
    let sampling = Sampling { wakeup: Wakeup::Samples(1), ..Sampling::new(Fields::IP) };
    let mut sampler = host.sampler(sampling, Setup::default());
    let event = Attr { every: Every::Period(1000), ..Attr::new(pmu_type::SOFTWARE, 1) };
    sampler.add(&[event], &Placement::ThisThread)?;
    log.again(|| sampler.signal(34, 70));
    Ok(())
}
