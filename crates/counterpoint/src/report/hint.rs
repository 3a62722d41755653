use counterpoint_perf::{CpuSet, Hint as PerfHint};
use std::fmt;

/// The advice to a user whose events cannot be counted.
///
/// `Display` is a sentence without its end, in words that do not depend on how a program takes events; a program can word a variant by its own options.
/// [`Hint::command`] is a command of the shell if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// A change of the machine, or of the way in which events are opened.
    Perf(PerfHint),
    /// The correction of the text of an event, in words.
    Text(String),
    /// Names similar to the unknown one, best first.
    DidYouMean(Vec<String>),
    /// List the events of this machine.
    ListEvents,
    /// List the metrics of this machine.
    ListMetrics,
    /// The event belongs to other PMUs: list events of this machine, or encode it for such a PMU.
    OtherPmu {
        /// A PMU that has the event.
        pmu: &'static str,
        /// The event as it was written.
        event: String,
    },
    /// The definition is for another PMU: look it up for that one, or add a `CPU` line with a PMU of this machine above it.
    DefinedFor {
        /// A PMU for which the name is defined.
        pmu: String,
        /// The name.
        name: String,
    },
    /// Use a component of PAPI that Linux supports.
    KnownComponents,
    /// The PMUs of this machine.
    KnownPmus(Vec<String>),
    /// The modifiers that an event can have.
    KnownModifiers {
        /// The event.
        event: String,
    },
    /// The terms of a derived event.
    KnownTerms(Vec<String>),
    /// Count an event on all CPUs, because it does not count processes.
    CountAllCpus {
        /// The event.
        event: String,
    },
    /// Count an event on the CPUs to which it belongs.
    CountOn {
        /// The event.
        event: String,
        /// The CPUs.
        cpus: CpuSet,
    },
    /// Name a cgroup by its path below the cgroup file system.
    NameCgroup,
    /// Mount the file system of cgroups whose events the kernel counts.
    MountCgroups {
        /// True if the controller `perf_event` is a hierarchy of version 1.
        is_version_1: bool,
    },
    /// Name an event.
    NameEvent,
    /// Add an event to the set.
    AddEvent {
        /// The event.
        event: String,
    },
    /// Give a period, not a frequency.
    GivePeriod,
    /// Give a frequency that is not 0.
    PositiveFrequency,
    /// Count fewer events at a time, or disable the NMI watchdog.
    CountFewer,
    /// Count the calling thread.
    CountThisThread,
    /// Open a set in each process that counts.
    OpenInEachProcess,
}

impl Hint {
    /// The command of the shell that makes the change, if a command suffices.
    pub fn command(&self) -> Option<String> {
        match self {
            Hint::Perf(hint) => hint.command(),
            Hint::CountFewer => PerfHint::DisableNmiWatchdog.command(),
            _ => None,
        }
    }

    /// The names similar to an unknown one; `None` if there are none.
    pub(crate) fn did_you_mean(names: &[String]) -> Option<Hint> {
        (!names.is_empty()).then(|| Hint::DidYouMean(names.to_vec()))
    }

    /// Words of a crate beneath; `None` if there are none.
    pub(crate) fn text(text: impl Into<String>) -> Option<Hint> {
        Some(text.into()).filter(|text| !text.is_empty()).map(Hint::Text)
    }
}

impl From<PerfHint> for Hint {
    fn from(hint: PerfHint) -> Hint {
        Hint::Perf(hint)
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Perf(hint) => hint.fmt(f),
            Hint::Text(text) => f.write_str(text),
            Hint::DidYouMean(names) => write!(f, "did you mean `{}`?", names.join("`, `")),
            Hint::ListEvents => f.write_str("list the events that can be counted here"),
            Hint::ListMetrics => f.write_str("list the metrics of this machine"),
            Hint::OtherPmu { pmu, event } => write!(
                f,
                "search the events of this machine for a similar one; for another machine, encode it with its PMU: {pmu}::{event}"
            ),
            Hint::DefinedFor { .. } => f.write_str(
                "add a CPU line with the name of a PMU of this machine above the definition",
            ),
            Hint::KnownComponents => f.write_str(
                "PAPI's names may begin with perf_event:::, perf_event_uncore::: or rapl:::, and those of numbers in files with coretemp:::, infiniband:::, io:::, net:::, powercap::: or stealtime:::",
            ),
            Hint::KnownPmus(pmus) if pmus.is_empty() => f.write_str("the machine shows no PMU"),
            Hint::KnownPmus(pmus) => write!(f, "its PMUs are {}", pmus.join(", ")),
            Hint::KnownModifiers { event } => write!(
                f,
                "modifiers are u k h (levels), H G (host, guest), I, p P, D, e, W, as in `{event}:u`"
            ),
            Hint::KnownTerms(terms) => write!(f, "its terms are `{}`", terms.join("`, `")),
            Hint::CountAllCpus { event } => write!(f, "count `{event}` on all CPUs"),
            Hint::CountOn { event, cpus } => write!(f, "count `{event}` on the CPUs {cpus}"),
            Hint::NameCgroup => f.write_str(
                "name a cgroup by its path below the cgroup file system; `systemd-cgls` shows them",
            ),
            Hint::MountCgroups { is_version_1: true } => f.write_str(
                "mount it as root: `mkdir -p /sys/fs/cgroup/perf_event && mount -t cgroup -o perf_event none /sys/fs/cgroup/perf_event`; in a container, pass that folder of the machine in",
            ),
            Hint::MountCgroups { is_version_1: false } => f.write_str(
                "mount it as root: `mount -t cgroup2 none /sys/fs/cgroup`; in a container, pass that folder of the machine in",
            ),
            Hint::NameEvent => f.write_str("name an event, such as task-clock"),
            Hint::AddEvent { event } => write!(f, "add it first: EventSet::event(\"{event}\")"),
            Hint::GivePeriod => f.write_str("give a period: a number of events, such as 100000"),
            Hint::PositiveFrequency => f.write_str("give a frequency of at least 1"),
            Hint::CountFewer => {
                f.write_str("count fewer events at a time, or ")?;
                PerfHint::DisableNmiWatchdog.fmt(f)
            }
            Hint::CountThisThread => f.write_str("use Target::ThisThread, or Target::Processes with the own process"),
            Hint::OpenInEachProcess => f.write_str("open a set in each process that counts"),
        }
    }
}
