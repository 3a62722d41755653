mod from;

use crate::Reason;
use counterpoint_formula::{EvalError, ParseError};
use counterpoint_perf::{Cause, CpuSet, Errno, OpenError};
use counterpoint_pmu::EncodeError;
use counterpoint_pmu::syntax::SyntaxError;
use counterpoint_pmu::sysfs::TermError;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why events cannot be counted.
///
/// The sentence is `Display`; [`Error::help`] says what to type instead, [`Error::span`] where in the list of events it stands.
#[derive(Debug, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    kind: Box<Kind>,
    span: Option<Range<usize>>,
}

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("{0}")]
    Syntax(SyntaxError),
    #[error("no event is called `{name}` here")]
    UnknownEvent { name: String, similar: Vec<String> },
    #[error("`{name}` is an event of {}, and of no PMU of this machine", some(pmus))]
    EventOfOthers { text: String, name: String, pmus: Vec<&'static str>, similar: Vec<String> },
    #[error("unknown component `{name}`: only PMUs exposed by Linux are supported")]
    UnknownComponent { name: String },
    #[error("`{letters}` is not a valid modifier for `{name}`")]
    UnknownModifier { name: String, letters: String },
    #[error("no PMU is called `{name}` on this machine")]
    UnknownPmu { name: String, similar: Vec<String>, known: Vec<String> },
    #[error("{0}")]
    Term(TermError),
    #[error("{0}")]
    Encode(EncodeError),
    #[error("the tracepoints cannot be read, so that `{name}` cannot be looked up")]
    NoTracefs { name: String },
    #[error("`{event}` counts for whole CPUs, not for a process")]
    NeedsCpus { event: String },
    #[error("`{event}` counts on the CPUs {cpus} only")]
    WrongCpus { event: String, cpus: CpuSet },
    #[error("there is no process {0}")]
    NoProcess(u32),
    #[error("the threads of process {pid} cannot be listed: {error}")]
    NoThreads { pid: u32, error: std::io::Error },
    #[error("there is no CPU {cpu} online; these are: {online}")]
    NoCpu { cpu: u32, online: CpuSet },
    #[error("cgroup {}: {error}", path.display())]
    NoCgroup { path: PathBuf, error: std::io::Error },
    #[error("no events were named")]
    NoEvents,
    #[error("`{event}` is no event of this set")]
    NotInSet { event: String },
    #[error("`{event}` cannot be profiled every 0 events")]
    ZeroPeriod { event: String },
    #[error("`{event}` is profiled by software, which takes a period and no frequency")]
    NeedsPeriod { event: String },
    #[error("`{event}` is not computed from `{name}`")]
    NoTerm { event: String, name: String, terms: Vec<String> },
    #[error("`{event}` cannot be profiled: {error}")]
    Refused { event: String, error: OpenError },
    #[error("`{event}` cannot be profiled: {reason}")]
    Unavailable { event: String, reason: Reason },
    #[error("no thread can be started to read the samples of `{event}`: {error}")]
    Reader { event: String, error: std::io::Error },
    #[error("the kernel failed to {what}: {errno}")]
    Kernel { what: &'static str, errno: Errno },
    #[error("`{event}` cannot be counted: {reason}")]
    Uncountable { event: String, reason: Reason },
    #[error("these events belong to process {0}, from which this one was forked")]
    OtherProcess(u32),
    #[error("regions count the thread that runs them, and the set is for something else")]
    RegionTarget,
    #[error("{0}")]
    Open(OpenError),
    #[error("{0}")]
    Formula(ParseError),
    #[error("{0}")]
    Eval(EvalError),
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    fn new(kind: Kind) -> Error {
        Error { kind: Box::new(kind), span: None }
    }

    pub(crate) fn at(mut self, span: Range<usize>) -> Error {
        self.span.get_or_insert(span);
        self
    }

    /// What is wrong with a libpfm string that begins at `start` of the list of events.
    pub(crate) fn encode(error: EncodeError, start: usize) -> Error {
        let span = start + error.span.start..start + error.span.end;
        Error::new(Kind::Encode(error)).at(span)
    }

    pub(crate) fn unknown_event(name: &str, similar: Vec<String>) -> Error {
        Error::new(Kind::UnknownEvent { name: name.to_string(), similar })
    }

    pub(crate) fn event_of_others(
        text: &str,
        name: &str,
        pmus: Vec<&'static str>,
        similar: Vec<String>,
    ) -> Error {
        let (text, name) = (text.to_string(), name.to_string());
        Error::new(Kind::EventOfOthers { text, name, pmus, similar })
    }

    /// A component of PAPI whose events are no PMU's.
    pub(crate) fn unknown_component(name: &str) -> Error {
        Error::new(Kind::UnknownComponent { name: name.to_string() })
    }

    pub(crate) fn unknown_modifier(name: &str, letters: &str) -> Error {
        Error::new(Kind::UnknownModifier { name: name.to_string(), letters: letters.to_string() })
    }

    pub(crate) fn unknown_pmu(name: &str, similar: Vec<String>, known: &[String]) -> Error {
        Error::new(Kind::UnknownPmu { name: name.to_string(), similar, known: known.to_vec() })
    }

    pub(crate) fn no_tracefs(name: &str) -> Error {
        Error::new(Kind::NoTracefs { name: name.to_string() })
    }

    pub(crate) fn needs_cpus(event: &str) -> Error {
        Error::new(Kind::NeedsCpus { event: event.to_string() })
    }

    pub(crate) fn wrong_cpus(event: &str, cpus: &CpuSet) -> Error {
        Error::new(Kind::WrongCpus { event: event.to_string(), cpus: cpus.clone() })
    }

    /// Why the threads of a process cannot be found.
    pub(crate) fn no_threads(pid: u32, error: std::io::Error) -> Error {
        Error::new(match error.kind() {
            std::io::ErrorKind::NotFound => Kind::NoProcess(pid),
            _ => Kind::NoThreads { pid, error },
        })
    }

    pub(crate) fn no_cpu(cpu: u32, online: &CpuSet) -> Error {
        Error::new(Kind::NoCpu { cpu, online: online.clone() })
    }

    pub(crate) fn no_cgroup(path: &Path, error: std::io::Error) -> Error {
        Error::new(Kind::NoCgroup { path: path.to_path_buf(), error })
    }

    pub(crate) fn no_events() -> Error {
        Error::new(Kind::NoEvents)
    }

    pub(crate) fn not_in_set(event: &str) -> Error {
        Error::new(Kind::NotInSet { event: event.to_string() })
    }

    pub(crate) fn zero_period(event: &str) -> Error {
        Error::new(Kind::ZeroPeriod { event: event.to_string() })
    }

    pub(crate) fn needs_period(event: &str) -> Error {
        Error::new(Kind::NeedsPeriod { event: event.to_string() })
    }

    pub(crate) fn no_term(event: &str, name: &str, terms: Vec<String>) -> Error {
        Error::new(Kind::NoTerm { event: event.to_string(), name: name.to_string(), terms })
    }

    pub(crate) fn refused(event: &str, error: OpenError) -> Error {
        Error::new(Kind::Refused { event: event.to_string(), error })
    }

    pub(crate) fn unavailable(event: &str, reason: Reason) -> Error {
        Error::new(Kind::Unavailable { event: event.to_string(), reason })
    }

    pub(crate) fn reader(event: &str, error: std::io::Error) -> Error {
        Error::new(Kind::Reader { event: event.to_string(), error })
    }

    pub(crate) fn kernel(what: &'static str, errno: Errno) -> Error {
        Error::new(Kind::Kernel { what, errno })
    }

    pub(crate) fn uncountable(event: &str, reason: Reason) -> Error {
        Error::new(Kind::Uncountable { event: event.to_string(), reason })
    }

    pub(crate) fn other_process(process: u32) -> Error {
        Error::new(Kind::OtherProcess(process))
    }

    pub(crate) fn region_target() -> Error {
        Error::new(Kind::RegionTarget)
    }

    /// Where in the list of events, or in the formula, the mistake stands, in bytes.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Whether a name was not found.
    pub fn is_unknown_event(&self) -> bool {
        match &*self.kind {
            Kind::UnknownEvent { .. }
            | Kind::UnknownPmu { .. }
            | Kind::UnknownComponent { .. }
            | Kind::EventOfOthers { .. } => true,
            Kind::Encode(error) => error.code() == "NOTFOUND",
            _ => false,
        }
    }

    /// Why an event has no number, where that is what the error says.
    fn reason(&self) -> Option<&Reason> {
        match &*self.kind {
            Kind::Uncountable { reason, .. } | Kind::Unavailable { reason, .. } => {
                Some(reason.root())
            }
            _ => None,
        }
    }

    /// The kernel's refusal, where there was one.
    fn refusal(&self) -> Option<&OpenError> {
        match (&*self.kind, self.reason()) {
            (Kind::Open(error) | Kind::Refused { error, .. }, _)
            | (_, Some(Reason::NotOpened(error))) => Some(error),
            _ => None,
        }
    }

    /// Whether more privileges would help.
    pub fn is_permission(&self) -> bool {
        self.reason().is_some_and(|reason| *reason == Reason::KernelOnly)
            || self.refusal().is_some_and(OpenError::is_permission)
    }

    /// Whether this machine cannot count the event, whoever asks.
    pub fn is_unsupported(&self) -> bool {
        self.refusal().is_some_and(OpenError::is_unsupported)
    }

    /// Whether a higher limit of open files would help; the sentence says how many are needed.
    pub fn is_open_file_limit(&self) -> bool {
        matches!(self.reason(), Some(Reason::TooManyOpenFiles { .. }))
            || self.refusal().is_some_and(|e| matches!(e.cause, Cause::TooManyOpenFiles { .. }))
    }

    /// libpfm's name for this kind of mistake, without `PFM_ERR_`: `NOTFOUND`, `ATTR`; `INVAL` where it has none.
    pub fn code(&self) -> &'static str {
        match &*self.kind {
            Kind::Encode(error) => error.code(),
            _ if self.is_unknown_event() => "NOTFOUND",
            _ => "INVAL",
        }
    }

    /// Names near the one that was not found, best first.
    pub fn similar(&self) -> &[String] {
        match &*self.kind {
            Kind::Encode(error) => error.similar(),
            Kind::UnknownEvent { similar, .. }
            | Kind::UnknownPmu { similar, .. }
            | Kind::EventOfOthers { similar, .. } => similar,
            _ => &[],
        }
    }

    /// What to type or change instead, where something can be done.
    pub fn help(&self) -> Option<String> {
        let did_you_mean = |names: &[String]| format!("did you mean `{}`?", names.join("`, `"));
        Some(match &*self.kind {
            Kind::Syntax(error) => error.help().to_string(),
            Kind::Term(error) => error.help(),
            Kind::Encode(error) => error.help(),
            _ if !self.similar().is_empty() => did_you_mean(self.similar()),
            Kind::EventOfOthers { text, pmus, .. } => {
                format!("`counterpoint list WORDS…` looks for a like event here; for another machine it is encoded with its PMU: `counterpoint encode {}::{text}`", pmus[0])
            }
            Kind::UnknownComponent { .. } => {
                "PAPI's names may begin with perf_event:::, perf_event_uncore::: or rapl:::; `counterpoint list` shows what can be counted here".to_string()
            }
            Kind::UnknownEvent { .. } => "`counterpoint list` shows what can be counted here".to_string(),
            Kind::UnknownPmu { known, .. } => format!("its PMUs are {}", known.join(", ")),
            Kind::UnknownModifier { name, .. } => {
                format!("modifiers are u k h (levels), H G (host, guest), I, p P, D, e, W, as in `{name}:u`")
            }
            Kind::NoTracefs { .. } => {
                "mount them and read them as root: sudo mount -t tracefs tracefs /sys/kernel/tracing".to_string()
            }
            Kind::NeedsCpus { event } => {
                format!("count on all CPUs while the command runs: counterpoint stat -a -e {event} -- COMMAND")
            }
            Kind::WrongCpus { event, cpus } => format!("counterpoint stat -C {cpus} -e {event} -- COMMAND"),
            Kind::NoCgroup { .. } => {
                "name a cgroup by its path below the cgroup file system; `systemd-cgls` shows them".to_string()
            }
            Kind::NotInSet { event } => format!("add it first: EventSet::event(\"{event}\")"),
            Kind::ZeroPeriod { .. } => "give a period of at least 1".to_string(),
            Kind::NeedsPeriod { .. } => "say after how many events: -c 100000".to_string(),
            Kind::NoTerm { terms, .. } if terms.is_empty() => return None,
            Kind::NoTerm { terms, .. } => format!("its terms are `{}`", terms.join("`, `")),
            Kind::Refused { error, .. } => return error.help(),
            Kind::Unavailable { reason, .. } => return reason.help(),
            Kind::NoEvents => "name one with -e, such as -e task-clock".to_string(),
            Kind::Uncountable { reason, .. } => return reason.help(),
            Kind::Open(error) => return error.help(),
            Kind::RegionTarget => "make it with Target::ThisThread".to_string(),
            Kind::OtherProcess(_) => "open a set of its own in each process that counts".to_string(),
            Kind::Formula(_) | Kind::Eval(_) | Kind::Other(_) | Kind::NoProcess(_) | Kind::NoThreads { .. } | Kind::NoCpu { .. } | Kind::Kernel { .. } | Kind::Reader { .. } => return None,
        })
    }
}

/// A few names, and how many more.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 1 => format!("{} and {more} more PMUs", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}
