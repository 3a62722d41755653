//! Diagnoses what prevents counting on a machine, with the fix.

use crate::counting::cgroups::cgroup_root;
use crate::machine::pmus::Machine;
use crate::report::hint::Hint;
use crate::sources::kinds;
use crate::sources::source::Presence;
use counterpoint_perf::{
    Access, Attr, Cause, Count, Errno, Group, Hint as PerfHint, OpenError, Placement, Setup,
    pmu_type,
};
use counterpoint_pmu::{Pmu, PmuKind};
use std::time::Instant;

/// A fact that affects counting.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Its effect on counting.
    pub status: Status,
    /// The subject, in a few words.
    pub subject: &'static str,
    /// The fact, in words.
    pub text: String,
    /// The way to change it; `None` if it is good or cannot be changed.
    pub hint: Option<Hint>,
}

/// The effect of a finding on counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing is restricted.
    Good,
    /// Some events cannot be counted, or are counted less exactly.
    Limited,
    /// No event can be counted.
    Blocked,
}

impl Status {
    /// The name of the variant in machine formats: `good`, `limited` or `blocked`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Good => "good",
            Status::Limited => "limited",
            Status::Blocked => "blocked",
        }
    }
}

/// Examines everything that affects counting; the first finding shows whether `task-clock` can be counted.
///
/// ```
/// use counterpoint::{Machine, doctor, perf::Host};
/// for finding in doctor::examine(&Machine::new(Host::local())) {
///     println!("{:?} {}: {}", finding.status, finding.subject, finding.text);
/// }
/// ```
pub fn examine(machine: &Machine) -> Vec<Finding> {
    let access = machine.host().access();
    let checks: [fn(&Machine, &Access) -> Option<Finding>; 14] = [
        software,
        hardware,
        names,
        paranoid,
        capabilities,
        seccomp,
        watchdog,
        open_files,
        sample_memory,
        addresses,
        tracepoints,
        cgroups,
        files,
        cost,
    ];
    checks.iter().filter_map(|check| check(machine, &access)).collect()
}

impl Finding {
    fn good(subject: &'static str, text: impl Into<String>) -> Option<Finding> {
        Some(Finding { status: Status::Good, subject, text: text.into(), hint: None })
    }

    fn limited(
        subject: &'static str,
        text: impl Into<String>,
        hint: Option<PerfHint>,
    ) -> Option<Finding> {
        let hint = hint.map(Hint::Perf);
        Some(Finding { status: Status::Limited, subject, text: text.into(), hint })
    }

    fn blocked(subject: &'static str, error: &OpenError) -> Option<Finding> {
        Some(Finding {
            status: Status::Blocked,
            subject,
            text: error.to_string(),
            hint: error.help().map(Hint::Perf),
        })
    }
}

fn probe(machine: &Machine, attr: &Attr) -> Result<(), OpenError> {
    machine.host().probe(attr, &Placement::ThisThread)
}

fn software(machine: &Machine, _: &Access) -> Option<Finding> {
    const SUBJECT: &str = "software events";
    let task_clock = Attr::new(pmu_type::SOFTWARE, 1);
    match probe(machine, &task_clock) {
        Ok(()) => Finding::good(SUBJECT, "task-clock counts, with the kernel"),
        Err(error) if error.cause == Cause::NotRecorded => {
            Finding::limited(SUBJECT, "not recorded", None)
        }
        Err(error) if error.is_permission() && probe(machine, &task_clock.user_only()).is_ok() => {
            Finding::limited(
                SUBJECT,
                "task-clock and page-faults count in user space only; context-switches and cpu-migrations do not count",
                error.help(),
            )
        }
        Err(error) => Finding::blocked(SUBJECT, &error),
    }
}

fn hardware(machine: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "hardware events";
    let cycles = machine.hybrid_pmus().first().map_or(0, |device| u64::from(device.pmu.kind) << 32);
    let cycles = Attr::new(pmu_type::HARDWARE, cycles);
    let pmus = access.core_pmus.join(", ");
    match probe(machine, &cycles) {
        Ok(()) => Finding::good(SUBJECT, format!("cycles counts on the PMU {pmus}")),
        Err(error) if error.is_permission() && probe(machine, &cycles.user_only()).is_ok() => {
            Finding::limited(
                SUBJECT,
                format!("cycles counts on the PMU {pmus}, in user space only"),
                error.help(),
            )
        }
        Err(error) if error.cause == Cause::NoHardwarePmu => {
            let text = if access.virtual_machine {
                "this virtual machine has no hardware PMU: cycles, instructions and cache events cannot be counted"
            } else {
                "there is no hardware PMU: cycles, instructions and cache events cannot be counted"
            };
            let hint = access.virtual_machine.then_some(PerfHint::EnableVirtualPmu);
            Finding::limited(SUBJECT, text, hint)
        }
        Err(error) => Finding::limited(SUBJECT, error.to_string(), error.help()),
    }
}

/// The tables that name the processor's events, and the vendor's files that the others are from.
fn names(machine: &Machine, _: &Access) -> Option<Finding> {
    const SUBJECT: &str = "names of events";
    let is_core = |pmu: &&&Pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural();
    let cores = machine.tables().pmus.iter().filter(is_core);
    let tables: Vec<String> =
        cores.map(|pmu| format!("{} ({})", pmu.description, pmu.name)).collect();
    let mut sources: Vec<&str> = machine.vendor().sources().collect();
    sources.dedup();
    let vendors = match sources.as_slice() {
        [] => String::new(),
        sources => format!("; its vendor's names are from {}", sources.join(" and ")),
    };
    match (tables.as_slice(), machine.cpu()) {
        ([], None) => None,
        ([], Some(_)) if sources.is_empty() => Finding::limited(
            SUBJECT,
            "no table has this processor: the kernel's names and codes can be counted",
            None,
        ),
        ([], Some(_)) => Finding::good(SUBJECT, format!("no table{vendors}")),
        (tables, _) => Finding::good(SUBJECT, format!("{}{vendors}", tables.join(", "))),
    }
}

fn paranoid(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "perf_event_paranoid";
    let Some(level) = access.paranoid else {
        let text = "/proc/sys/kernel/perf_event_paranoid is missing: this kernel has no performance events, or they are hidden";
        return Finding::limited(SUBJECT, text, None);
    };
    let meaning = match level {
        ..=-1 => "every user may count everything",
        0 => "every user may count everything except raw tracepoints",
        1 => {
            "users may count their own processes, including the kernel's work for them, but not whole CPUs"
        }
        2 => "users may count their own processes in user space, but not whole CPUs",
        _ => {
            "users may not count anything (on kernels other than Debian's and Ubuntu's: the same as 2)"
        }
    };
    let text = format!("{level}: {meaning}");
    if access.is_privileged() {
        Finding::good(SUBJECT, format!("{text}; you are exempt"))
    } else if level <= 0 {
        Finding::good(SUBJECT, text)
    } else {
        let goal = if level >= 2 { 1 } else { 0 };
        Finding::limited(SUBJECT, text, Some(PerfHint::GainPrivileges { paranoid: Some(goal) }))
    }
}

fn capabilities(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "capabilities";
    if access.cap_sys_admin {
        Finding::good(SUBJECT, "CAP_SYS_ADMIN, which includes CAP_PERFMON")
    } else if access.cap_perfmon {
        Finding::good(SUBJECT, "CAP_PERFMON")
    } else if access.user_namespace {
        let text =
            "those of a user namespace, as in rootless containers, which do not apply to counting";
        Finding::limited(SUBJECT, text, Some(PerfHint::LeaveUserNamespace))
    } else if access.paranoid.is_some_and(|level| level > 0) {
        Finding::limited(
            SUBJECT,
            "neither CAP_PERFMON nor CAP_SYS_ADMIN",
            Some(PerfHint::GrantCapability),
        )
    } else {
        Finding::good(SUBJECT, "none, and none is needed")
    }
}

fn seccomp(machine: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "seccomp";
    if !access.is_filtered() {
        return Finding::good(SUBJECT, "no filter");
    }
    const ACTIVE: &str = "a filter is active, as in containers";
    let does = match probe(machine, &Attr::new(pmu_type::SOFTWARE, 1).user_only()) {
        Ok(()) => {
            return Finding::good(SUBJECT, format!("{ACTIVE}; it lets perf_event_open through"));
        }
        Err(OpenError { cause: Cause::Blocked { .. }, .. }) => "refuses",
        Err(_) => "may refuse",
    };
    let text = format!("{ACTIVE}; it {does} perf_event_open");
    Finding::limited(SUBJECT, text, Some(PerfHint::DisableSeccomp))
}

fn watchdog(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "NMI watchdog";
    if access.core_pmus.is_empty() {
        return None;
    }
    if access.nmi_watchdog? {
        Finding::limited(
            SUBJECT,
            "on: it occupies one hardware counter of every CPU, so groups have room for one event less",
            Some(PerfHint::DisableNmiWatchdog),
        )
    } else {
        Finding::good(SUBJECT, "off: all counters are free")
    }
}

fn open_files(machine: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "open files";
    /// A large number of events to count on every CPU.
    const EVENTS: u64 = 32;
    let (soft, hard) = access.open_files?;
    let needed = EVENTS * machine.host().online_cpus().len() as u64 + 64;
    let limits = format!("{soft}, can be raised to {hard}");
    if hard >= needed {
        Finding::good(SUBJECT, format!("{limits}: enough for {EVENTS} events on every CPU"))
    } else {
        let text = format!("{limits}: {EVENTS} events on every CPU need {needed}");
        Finding::limited(SUBJECT, text, Some(PerfHint::RaiseOpenFilesHard { limit: needed }))
    }
}

fn sample_memory(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "sample buffers";
    let kb = access.mlock_kb?;
    if access.is_privileged() || kb >= 512 {
        Finding::good(SUBJECT, format!("{kb} KiB for each CPU"))
    } else {
        Finding::limited(
            SUBJECT,
            format!("only {kb} KiB for each CPU, so samples may be lost"),
            Some(PerfHint::RaiseSampleMemory { kb: 516 }),
        )
    }
}

fn addresses(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "kernel addresses";
    let level = access.kptr_restrict?;
    if access.sees_kernel_addresses()? {
        let whom = if access.cap_syslog && level > 0 { "shown to you" } else { "shown" };
        return Finding::good(SUBJECT, whom);
    }
    let by_kptr_restrict = level != 0;
    // With the capability, the level of events does not matter.
    let by_paranoid = !by_kptr_restrict
        || !access.cap_syslog && access.paranoid.is_none_or(|paranoid| paranoid > 1);
    let why = if by_kptr_restrict {
        format!("kptr_restrict is {level}")
    } else {
        "no CAP_SYSLOG".to_string()
    };
    let text = format!("hidden ({why}): kernel samples have no names");
    let hint =
        PerfHint::ShowKernelAddresses { kptr_restrict: by_kptr_restrict, paranoid: by_paranoid };
    Finding::limited(SUBJECT, text, Some(hint))
}

fn tracepoints(machine: &Machine, _: &Access) -> Option<Finding> {
    const SUBJECT: &str = "tracepoints";
    if machine.pmu_names().iter().all(|name| name != "tracepoint") {
        return None;
    }
    let host = machine.host();
    let readable = ["/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"];
    if readable.iter().any(|path| !host.names(path).is_empty()) {
        return Finding::good(SUBJECT, "can be looked up");
    }
    if !host.is_running() {
        // Recordings leave out these thousands of files.
        return None;
    }
    let mounted = host
        .text("/proc/self/mounts")
        .unwrap_or_default()
        .lines()
        .any(|line| line.contains(" tracefs "));
    if mounted {
        Finding::limited(
            SUBJECT,
            "tracefs is mounted, but cannot be read by this user",
            Some(PerfHint::ReadTracefs),
        )
    } else {
        Finding::limited(
            SUBJECT,
            "tracefs is not mounted, so tracepoints have no names",
            Some(PerfHint::MountTracefs),
        )
    }
}

fn cgroups(machine: &Machine, _: &Access) -> Option<Finding> {
    const SUBJECT: &str = "cgroups";
    // Recordings may lack it.
    machine.host().text("/proc/self/mounts").ok()?;
    match cgroup_root(machine.host()) {
        Ok(root) => Finding::good(SUBJECT, format!("counted below {}", root.display())),
        Err(unmounted) => Some(Finding {
            status: Status::Limited,
            subject: SUBJECT,
            text: format!("cannot be counted: {unmounted}"),
            hint: Some(unmounted.hint()),
        }),
    }
}

/// The cost of calls on this machine: the minimum of several rounds, because a busy machine prolongs others.
fn files(machine: &Machine, _: &Access) -> Option<Finding> {
    const SUBJECT: &str = "numbers of files";
    let components = kinds::components(machine.host());
    let of = |presence: Presence| -> Vec<&str> {
        components.iter().filter(|(_, own)| *own == presence).map(|(word, _)| *word).collect()
    };
    let (here, of_root, absent) = (of(Presence::Here), of(Presence::OfRoot), of(Presence::Absent));
    if here.is_empty() && of_root.is_empty() && !machine.host().is_running() {
        // Recordings of earlier versions do not have them.
        return None;
    }
    let said = |words: &[&str], what: &str| {
        (!words.is_empty()).then(|| format!("{what}{}", words.join(", ")))
    };
    let parts = [said(&here, ""), said(&of_root, "for root only: "), said(&absent, "not here: ")];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    if of_root.is_empty() {
        Finding::good(SUBJECT, text)
    } else {
        Finding::limited(SUBJECT, text, None)
    }
}

fn cost(machine: &Machine, _: &Access) -> Option<Finding> {
    const SUBJECT: &str = "cost of a call";
    const ROUNDS: u32 = 20;
    const CALLS: u32 = 50;
    let task_clock = Attr::new(pmu_type::SOFTWARE, 1).user_only();
    let group = machine.host().open(&[task_clock], Placement::ThisThread, Setup::default());
    let mut group = group.ok()?;
    let mut counts = [Count::default()];
    let mut least = |call: &mut dyn FnMut(&mut Group) -> Result<(), Errno>| {
        let round = |_| {
            let start = Instant::now();
            (0..CALLS).try_for_each(|_| call(&mut group)).ok()?;
            Some(start.elapsed() / CALLS)
        };
        (0..ROUNDS).filter_map(round).min()
    };
    let read = least(&mut |group| group.read_into(&mut counts))?;
    let switch = least(&mut |group| group.disable().and_then(|()| group.enable()))?;
    let clock = least(&mut |_| {
        std::hint::black_box(Instant::now());
        Ok(())
    })?;
    let text = format!(
        "measured now: a read {} ns, a stop and start {} ns, the clock {} ns",
        read.as_nanos(),
        switch.as_nanos(),
        clock.as_nanos()
    );
    Finding::good(SUBJECT, text)
}
