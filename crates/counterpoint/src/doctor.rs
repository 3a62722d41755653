//! What stands between a user and counting on a machine, and the command that changes it.

use crate::Machine;
use counterpoint_perf::{
    Access, Attr, Cause, Count, Errno, Group, OpenError, Placement, Setup, pmu_type,
};
use std::time::Instant;

/// One thing that bears on counting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub status: Status,
    /// What was looked at, in a few words.
    pub subject: &'static str,
    /// What was found.
    pub text: String,
    /// What to type to change it, where it can be changed.
    pub command: Option<String>,
}

/// How a finding bears on counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As it should be.
    Good,
    /// Something cannot be counted, or will be less exact.
    Limited,
    /// Nothing can be counted.
    Blocked,
}

impl Status {
    /// The word for it in machine formats: `good`, `limited` or `blocked`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Good => "good",
            Status::Limited => "limited",
            Status::Blocked => "blocked",
        }
    }
}

/// Looks at everything that decides what can be counted; the first finding says whether `task-clock` can be.
///
/// ```
/// use counterpoint::{Machine, doctor, perf::Host};
/// for finding in doctor::examine(&Machine::new(Host::local())) {
///     println!("{:?} {}: {}", finding.status, finding.subject, finding.text);
/// }
/// ```
pub fn examine(machine: &Machine) -> Vec<Finding> {
    let access = machine.host().access();
    let checks: [fn(&Machine, &Access) -> Option<Finding>; 11] = [
        software,
        hardware,
        paranoid,
        capabilities,
        seccomp,
        watchdog,
        open_files,
        sample_memory,
        addresses,
        tracepoints,
        cost,
    ];
    checks.iter().filter_map(|check| check(machine, &access)).collect()
}

impl Finding {
    fn good(subject: &'static str, text: impl Into<String>) -> Option<Finding> {
        Some(Finding { status: Status::Good, subject, text: text.into(), command: None })
    }

    fn limited(
        subject: &'static str,
        text: impl Into<String>,
        command: Option<&str>,
    ) -> Option<Finding> {
        let command = command.map(str::to_string);
        Some(Finding { status: Status::Limited, subject, text: text.into(), command })
    }

    fn blocked(subject: &'static str, error: &OpenError) -> Option<Finding> {
        Some(Finding {
            status: Status::Blocked,
            subject,
            text: error.to_string(),
            command: command(error),
        })
    }
}

/// The one command that changes a refusal; other ways stand with the findings about privileges.
fn command(error: &OpenError) -> Option<String> {
    match &error.cause {
        Cause::Permission { needed: Some(level), .. } => {
            Some(format!("sudo sysctl kernel.perf_event_paranoid={level}"))
        }
        _ => error.help(),
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
            Finding::limited(SUBJECT, "the recording does not say", None)
        }
        Err(error) if error.is_permission() && probe(machine, &task_clock.user_only()).is_ok() => {
            Finding::limited(
                SUBJECT,
                "task-clock and page-faults count in user space only; context-switches and cpu-migrations do not count",
                command(&error).as_deref(),
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
                command(&error).as_deref(),
            )
        }
        Err(error) if error.cause == Cause::NoHardwarePmu => {
            let text = if access.virtual_machine {
                "this virtual machine was given no hardware PMU: cycles, instructions and cache events cannot be counted"
            } else {
                "the kernel shows no hardware PMU: cycles, instructions and cache events cannot be counted"
            };
            let command = access.virtual_machine.then_some(
                "on the hypervisor, for example: qemu-system-x86_64 -cpu host,pmu=on, or in libvirt <pmu state='on'/>",
            );
            Finding::limited(SUBJECT, text, command)
        }
        Err(error) => Finding::limited(SUBJECT, error.to_string(), command(&error).as_deref()),
    }
}

fn paranoid(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "perf_event_paranoid";
    let Some(level) = access.paranoid else {
        let text = "/proc/sys/kernel/perf_event_paranoid is missing: this kernel has no performance events, or they are hidden";
        return Finding::limited(SUBJECT, text, None);
    };
    let meaning = match level {
        ..=-1 => "everybody may count everything",
        0 => "everybody may count everything but raw tracepoints",
        1 => {
            "users may count their own processes, the kernel's work for them included, and not whole CPUs"
        }
        2 => "users may count their own processes in user space, and not whole CPUs",
        _ => "users may count nothing (on kernels other than Debian's and Ubuntu's: as at 2)",
    };
    let text = format!("{level}: {meaning}");
    if access.is_privileged() {
        Finding::good(SUBJECT, format!("{text}; it does not bind you"))
    } else if level <= 0 {
        Finding::good(SUBJECT, text)
    } else {
        let goal = if level >= 2 { 1 } else { 0 };
        Finding::limited(
            SUBJECT,
            text,
            Some(&format!("sudo sysctl kernel.perf_event_paranoid={goal}")),
        )
    }
}

fn capabilities(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "capabilities";
    if access.cap_sys_admin {
        Finding::good(SUBJECT, "CAP_SYS_ADMIN, which includes CAP_PERFMON")
    } else if access.cap_perfmon {
        Finding::good(SUBJECT, "CAP_PERFMON")
    } else if access.user_namespace {
        let text = "those of a user namespace, as in rootless containers, where the kernel's counters ask for real ones";
        Finding::limited(
            SUBJECT,
            text,
            Some("run it outside of the container, or in one of root's"),
        )
    } else if access.paranoid.is_some_and(|level| level > 0) {
        let command = "sudo setcap cap_perfmon+ep \"$(command -v counterpoint)\"";
        Finding::limited(SUBJECT, "neither CAP_PERFMON nor CAP_SYS_ADMIN", Some(command))
    } else {
        Finding::good(SUBJECT, "none, and none needed")
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
    let command = "docker run --cap-add=PERFMON --security-opt seccomp=unconfined …";
    Finding::limited(SUBJECT, format!("{ACTIVE}; it {does} perf_event_open"), Some(command))
}

fn watchdog(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "NMI watchdog";
    if access.core_pmus.is_empty() {
        return None;
    }
    match access.nmi_watchdog? {
        true => Finding::limited(
            SUBJECT,
            "on: it holds one hardware counter of every CPU, so that groups fit one event less",
            Some("sudo sysctl kernel.nmi_watchdog=0"),
        ),
        false => Finding::good(SUBJECT, "off: all counters are free"),
    }
}

fn open_files(machine: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "open files";
    /// Events that somebody may well count on every CPU at once.
    const EVENTS: u64 = 32;
    let (soft, hard) = access.open_files?;
    let needed = EVENTS * machine.host().online_cpus().len() as u64 + 64;
    let limits = format!("{soft}, can be raised to {hard}");
    if hard >= needed {
        Finding::good(SUBJECT, format!("{limits}: enough for {EVENTS} events on every CPU"))
    } else {
        let text = format!("{limits}: {EVENTS} events on every CPU need {needed}");
        Finding::limited(
            SUBJECT,
            text,
            Some(&format!("sudo prlimit --pid $$ --nofile={needed}:{needed}")),
        )
    }
}

fn sample_memory(_: &Machine, access: &Access) -> Option<Finding> {
    const SUBJECT: &str = "sample buffers";
    let kb = access.mlock_kb?;
    if access.is_privileged() || kb >= 512 {
        Finding::good(SUBJECT, format!("{kb} KiB for each CPU"))
    } else {
        let command = "sudo sysctl kernel.perf_event_mlock_kb=516";
        Finding::limited(
            SUBJECT,
            format!("only {kb} KiB for each CPU, so that samples may be lost"),
            Some(command),
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
    let (why, command) = match (level, access.paranoid) {
        (0, _) => ("no CAP_SYSLOG".to_string(), "sudo sysctl kernel.perf_event_paranoid=1"),
        // Who has the capability sees them whatever the level of events is.
        (_, paranoid) if access.cap_syslog || paranoid.is_some_and(|paranoid| paranoid <= 1) => {
            (format!("kptr_restrict is {level}"), "sudo sysctl kernel.kptr_restrict=0")
        }
        _ => (
            format!("kptr_restrict is {level}"),
            "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1",
        ),
    };
    let text = format!("hidden ({why}): kernel samples have no names");
    Finding::limited(SUBJECT, text, Some(command))
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
        // Thousands of files that recordings leave out.
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
            "tracefs is mounted and cannot be read by this user",
            Some("sudo counterpoint list --all"),
        )
    } else {
        let command = "sudo mount -t tracefs tracefs /sys/kernel/tracing";
        Finding::limited(
            SUBJECT,
            "tracefs is not mounted, so that tracepoints have no names",
            Some(command),
        )
    }
}

/// What calls cost here: the least of several rounds, as a busy machine makes the others longer.
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
