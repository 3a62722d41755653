//! Advice to users: what makes counting possible, or better.

use std::fmt;

/// An action of the user so that events can be opened, sampled or counted better.
///
/// `Display` is a phrase in the imperative, and [`Hint::command`] is a command of the shell if there is one.
///
/// ```
/// use counterpoint_perf::Hint;
/// let hint = Hint::GainPrivileges { paranoid: Some(1) };
/// assert_eq!(hint.command().as_deref(), Some("sudo sysctl kernel.perf_event_paranoid=1"));
/// assert!(hint.to_string().starts_with("run as root, or: sudo sysctl"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hint {
    /// Count software events, or have the hypervisor provide a PMU.
    CountSoftwareEvents,
    /// Enable the virtual PMU on the hypervisor.
    EnableVirtualPmu,
    /// Run as root, lower `kernel.perf_event_paranoid`, or grant `CAP_PERFMON`.
    GainPrivileges {
        /// The highest level of `kernel.perf_event_paranoid` that suffices; `None` if none does.
        paranoid: Option<i32>,
    },
    /// Grant `CAP_PERFMON` to the program.
    GrantCapability,
    /// Leave the user namespace.
    LeaveUserNamespace,
    /// Run as the user whose process is counted.
    RunAsOwner,
    /// Name a directory of the cgroup file system.
    NameCgroup,
    /// Permit `perf_event_open` in the seccomp profile of the container.
    PermitInContainer,
    /// Run the container without a seccomp filter.
    DisableSeccomp,
    /// Permit `perf_event_open` in the rules of the security module or the sandbox.
    PermitInSandbox,
    /// Use a kernel with performance events.
    EnablePerfEvents,
    /// Raise the soft limit of open files.
    RaiseOpenFiles {
        /// The number of files that suffices.
        limit: u64,
    },
    /// Raise the hard limit of open files.
    RaiseOpenFilesHard {
        /// The number of files that suffices.
        limit: u64,
    },
    /// Raise the limit of open files of the whole machine.
    RaiseOpenFilesOfMachine,
    /// Count at every privilege level.
    CountEveryLevel,
    /// Do not request a precision.
    DropPrecision,
    /// Take events out of their group.
    Ungroup,
    /// Sample a clock instead, and read the event with each sample.
    SampleClock,
    /// Take call stacks from frame pointers or by unwinding.
    UnwindOtherwise,
    /// Do not count children, or use a newer kernel.
    DropInheritance,
    /// Sample less often.
    LowerRate {
        /// The maximum number of samples per second, if it is known.
        limit: Option<u64>,
    },
    /// Sample fewer events, or raise the memory that users may lock for samples.
    RaiseSampleMemory {
        /// The number of KiB for each CPU.
        kb: u64,
    },
    /// Wait for another tool to release the PMU.
    WaitForPmu,
    /// Use fewer breakpoints.
    WatchLess,
    /// Disable the NMI watchdog, which occupies a counter.
    DisableNmiWatchdog,
    /// Mount tracefs.
    MountTracefs,
    /// Read tracefs as root.
    ReadTracefs,
    /// Define probes as root.
    DefineProbes,
    /// Make the kernel show its addresses.
    ShowKernelAddresses {
        /// True if `kernel.kptr_restrict` hides them.
        kptr_restrict: bool,
        /// True if `kernel.perf_event_paranoid` hides them.
        paranoid: bool,
    },
    /// Use the running machine instead of a recorded one.
    UseRunningMachine,
}

impl Hint {
    /// The command of the shell that makes the change, if a command suffices.
    pub fn command(&self) -> Option<String> {
        Some(match self {
            Hint::GainPrivileges { paranoid } => sysctl(&[paranoid_setting((*paranoid)?)]),
            Hint::GrantCapability => "sudo setcap cap_perfmon+ep PROGRAM".into(),
            Hint::DisableSeccomp => docker("unconfined"),
            Hint::RaiseOpenFiles { limit } => format!("ulimit -n {limit}"),
            Hint::RaiseOpenFilesHard { limit } => {
                format!("sudo prlimit --pid $$ --nofile={limit}:{limit}")
            }
            Hint::RaiseOpenFilesOfMachine => sysctl(&["fs.file-max=1000000".into()]),
            Hint::RaiseSampleMemory { kb } => sysctl(&[format!("kernel.perf_event_mlock_kb={kb}")]),
            Hint::DisableNmiWatchdog => sysctl(&["kernel.nmi_watchdog=0".into()]),
            Hint::MountTracefs => "sudo mount -t tracefs tracefs /sys/kernel/tracing".into(),
            Hint::ShowKernelAddresses { kptr_restrict, paranoid } => {
                let kptr_restrict = kptr_restrict.then(|| "kernel.kptr_restrict=0".to_string());
                let paranoid = paranoid.then(|| paranoid_setting(1));
                sysctl(&kptr_restrict.into_iter().chain(paranoid).collect::<Vec<_>>())
            }
            _ => return None,
        })
    }

    /// The action, apart from the command.
    fn advice(&self) -> &'static str {
        match self {
            Hint::CountSoftwareEvents => {
                "software events such as task-clock and page-faults count here; for hardware events, let the hypervisor pass a PMU through"
            }
            Hint::EnableVirtualPmu => {
                "on the hypervisor, for example: qemu-system-x86_64 -cpu host,pmu=on, or in libvirt <pmu state='on'/>"
            }
            Hint::GainPrivileges { .. } => "run as root",
            Hint::GrantCapability => "give the program the capability",
            Hint::LeaveUserNamespace => "run it outside of the container, or in one of root's",
            Hint::RunAsOwner => "run as root, or as the user whose process it is",
            Hint::NameCgroup => {
                "name a directory of the cgroup file system, such as one below /sys/fs/cgroup"
            }
            Hint::PermitInContainer => "let the container call perf_event_open",
            Hint::DisableSeccomp => "run the container without a seccomp filter",
            Hint::PermitInSandbox => {
                "allow perf_event_open in the rules of the security module or the sandbox"
            }
            Hint::EnablePerfEvents => {
                "use a kernel built with CONFIG_PERF_EVENTS, outside of a sandbox that hides it"
            }
            Hint::RaiseOpenFiles { .. } => "count fewer events or CPUs, or raise the limit",
            Hint::RaiseOpenFilesHard { .. } => "raise the limit",
            Hint::RaiseOpenFilesOfMachine => "raise the machine's limit",
            Hint::CountEveryLevel => "leave out the modifiers :u, :k, :h",
            Hint::DropPrecision => "leave out the modifier :p",
            Hint::Ungroup => "take events out of the braces, so that they take turns",
            Hint::SampleClock => {
                "sample a clock and read this event with each sample, as software overflow does"
            }
            Hint::UnwindOtherwise => {
                "take call stacks from frame pointers, or unwind copies of the stack"
            }
            Hint::DropInheritance => {
                "leave out children and threads that start later, or use Linux 6.13"
            }
            Hint::LowerRate { .. } => "ask for fewer samples a second",
            Hint::RaiseSampleMemory { .. } => "sample fewer events, or raise the limit",
            Hint::WaitForPmu => {
                "wait until the other tool has ended; `:e` and `:D` events take a PMU for themselves"
            }
            Hint::WatchLess => "watch fewer addresses, or stop the debugger that uses them",
            Hint::DisableNmiWatchdog => "disable the NMI watchdog, which occupies a counter",
            Hint::MountTracefs => "mount tracefs and read it as root",
            Hint::ReadTracefs => "read tracefs as root",
            Hint::DefineProbes => "run as root, with tracefs at /sys/kernel/tracing",
            Hint::ShowKernelAddresses { .. } => "make the kernel show its addresses",
            Hint::UseRunningMachine => "count on the running machine",
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::GainPrivileges { .. } => {
                f.write_str(self.advice())?;
                if let Some(command) = self.command() {
                    write!(f, ", or: {command}")?;
                }
                write!(f, ", or {}", Hint::GrantCapability)
            }
            Hint::PermitInContainer => write!(f, "{}: {}", self.advice(), docker("PROFILE")),
            Hint::LowerRate { limit: Some(limit) } => write!(
                f,
                "ask for at most {limit} samples a second, or raise it: sudo sysctl kernel.perf_event_max_sample_rate=RATE"
            ),
            _ => match self.command() {
                Some(command) => write!(f, "{}: {command}", self.advice()),
                None => f.write_str(self.advice()),
            },
        }
    }
}

fn paranoid_setting(level: i32) -> String {
    format!("kernel.perf_event_paranoid={level}")
}

fn sysctl(settings: &[String]) -> String {
    format!("sudo sysctl {}", settings.join(" "))
}

fn docker(profile: &str) -> String {
    format!("docker run --cap-add=PERFMON --security-opt seccomp={profile} …")
}
