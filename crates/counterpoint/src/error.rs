mod from;
mod papi;

use crate::report::hint::Hint;
use crate::report::values::Reason;
use counterpoint_definitions::Definition;
use counterpoint_formula::{EvalError, ParseError};
use counterpoint_perf::{Cause, CpuSet, Errno, Hint as PerfHint, OpenError};
use counterpoint_pmu::EncodeError;
use counterpoint_pmu::syntax::SyntaxError;
use counterpoint_pmu::sysfs::TermError;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why events cannot be counted.
///
/// `Display` is a sentence without its end, [`Error::help`] what can be done about it, and [`Error::span`] the position of the mistake in the list of events.
#[derive(Debug)]
pub struct Error {
    kind: Box<Kind>,
    span: Option<Range<usize>>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("{0}")]
    Syntax(#[source] SyntaxError),
    #[error("no event is called `{name}` here")]
    UnknownEvent { name: String, similar: Vec<String> },
    #[error("no event here matches `{pattern}`")]
    NoMatch { pattern: String, similar: Vec<String> },
    #[error("`{event}` is not a tracepoint, and only tracepoints are filtered")]
    NoFilter { event: String },
    #[error("there is no event before the filter `{filter}`")]
    NothingToFilter { filter: String },
    #[error("{number} events match `{pattern}`, and at most {most} are counted")]
    TooMany { pattern: String, number: usize, most: usize },
    #[error("no metric and no group of metrics is called `{name}` here")]
    UnknownMetric { name: String, similar: Vec<String> },
    #[error("`{name}` is an event of {}, but not of a PMU of this machine", some(pmus))]
    EventOfOthers { text: String, name: String, pmus: Vec<&'static str>, similar: Vec<String> },
    #[error("`{name}` is {elsewhere}")]
    DefinitionOfOthers { name: String, pmu: String, elsewhere: String },
    #[error("the definition of `{name}` in {place} has an error, so that no event is called so")]
    UnreadableDefinition { name: String, place: String },
    #[error("unknown component `{name}`: only PMUs exposed by Linux are supported")]
    UnknownComponent { name: String },
    #[error("`{letters}` is not a valid modifier for `{name}`")]
    UnknownModifier { name: String, letters: String },
    #[error("`{name}` is the latency of samples, which is not counted")]
    RetireLatency { name: String },
    #[error("no PMU is called `{name}` on this machine")]
    UnknownPmu { name: String, similar: Vec<String>, known: Vec<String> },
    #[error("`{name}` cannot be counted here: {why}")]
    UnknownBox { name: String, why: String, similar: Vec<String> },
    #[error("{0}")]
    Term(#[source] TermError),
    #[error("{0}")]
    Encode(#[source] EncodeError),
    #[error("the tracepoints cannot be read, so `{name}` cannot be looked up")]
    NoTracefs { name: String },
    #[error("`{event}` counts for whole CPUs, not for a process")]
    NeedsCpus { event: String },
    #[error("`{event}` counts on the CPUs {cpus} only")]
    WrongCpus { event: String, cpus: CpuSet },
    #[error("there is no process {0}")]
    NoProcess(u32),
    #[error("the user with the id {0} has no process")]
    NoUser(u32),
    #[error("the threads of process {pid} cannot be listed: {error}")]
    NoThreads {
        pid: u32,
        #[source]
        error: std::io::Error,
    },
    #[error("there is no CPU {cpu} online; these are: {online}")]
    NoCpu { cpu: u32, online: CpuSet },
    #[error("cgroup {}: {error}", path.display())]
    NoCgroup {
        path: PathBuf,
        #[source]
        error: std::io::Error,
    },
    #[error("no events were named")]
    NoEvents,
    #[error("`{event}` is not an event of this set")]
    NotInSet { event: String },
    #[error("`{event}` cannot be profiled with 0 samples per second")]
    ZeroFrequency { event: String },
    #[error("`{event}` is profiled by software, which needs a period instead of a frequency")]
    NeedsPeriod { event: String },
    #[error("`{event}` is not computed from `{name}`")]
    NoTerm { event: String, name: String, terms: Vec<String> },
    #[error("`{event}` cannot be profiled: {error}")]
    Profile {
        event: String,
        #[source]
        error: OpenError,
    },
    #[error("`{event}` cannot be profiled: {reason}")]
    Unavailable {
        event: String,
        #[source]
        reason: Reason,
    },
    #[error("the thread that reads the samples of `{event}` cannot be started: {error}")]
    Reader {
        event: String,
        #[source]
        error: std::io::Error,
    },
    #[error("the kernel failed to {what}: {errno}")]
    Kernel {
        what: &'static str,
        #[source]
        errno: Errno,
    },
    #[error("`{event}` cannot be counted: {reason}")]
    Uncountable {
        event: String,
        #[source]
        reason: Reason,
    },
    #[error("these events belong to process {0}, from which this one was forked")]
    OtherProcess(u32),
    #[error("regions count the thread that runs them, and this set has another target")]
    RegionTarget,
    #[error("{0}")]
    Open(#[source] OpenError),
    #[error("{0}")]
    Formula(#[source] ParseError),
    #[error("{0}")]
    Eval(#[source] EvalError),
    #[error("{0}")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    fn new(kind: Kind) -> Error {
        Error { kind: Box::new(kind), span: None }
    }

    pub(crate) fn at(mut self, span: Range<usize>) -> Error {
        self.span.get_or_insert(span);
        self
    }

    /// The error of a libpfm string that begins at `start` in the list of events.
    pub(crate) fn encode(error: EncodeError, start: usize) -> Error {
        let span = start + error.span.start..start + error.span.end;
        Error::new(Kind::Encode(error)).at(span)
    }

    pub(crate) fn unknown_event(name: &str, similar: Vec<String>) -> Error {
        Error::new(Kind::UnknownEvent { name: name.to_string(), similar })
    }

    pub(crate) fn no_match(pattern: &str, similar: Vec<String>) -> Error {
        Error::new(Kind::NoMatch { pattern: pattern.to_string(), similar })
    }

    pub(crate) fn no_filter(event: &str) -> Error {
        Error::new(Kind::NoFilter { event: event.to_string() })
    }

    pub(crate) fn nothing_to_filter(filter: &str) -> Error {
        Error::new(Kind::NothingToFilter { filter: filter.to_string() })
    }

    pub(crate) fn too_many(pattern: &str, number: usize, most: usize) -> Error {
        Error::new(Kind::TooMany { pattern: pattern.to_string(), number, most })
    }

    pub(crate) fn unknown_metric(name: &str, similar: Vec<String>) -> Error {
        Error::new(Kind::UnknownMetric { name: name.to_string(), similar })
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

    /// The error of a definition that applies to other PMUs.
    pub(crate) fn definition_of_others(definition: &Definition) -> Error {
        let first = definition.pmus().into_iter().flatten().next();
        let (name, pmu) = (definition.name().to_string(), first.unwrap_or_default().to_string());
        Error::new(Kind::DefinitionOfOthers { name, pmu, elsewhere: elsewhere(definition) })
    }

    /// The error of a name whose definition cannot be read; the place is that of the definition.
    pub(crate) fn unreadable_definition(name: &str, place: &str) -> Error {
        let (name, place) = (name.to_string(), place.to_string());
        Error::new(Kind::UnreadableDefinition { name, place })
    }

    /// A component of PAPI whose events do not belong to a PMU.
    pub(crate) fn unknown_component(name: &str) -> Error {
        Error::new(Kind::UnknownComponent { name: name.to_string() })
    }

    /// The error of perf's modifier for the mean latency of an event, which only samples have.
    pub(crate) fn retire_latency(name: &str) -> Error {
        Error::new(Kind::RetireLatency { name: name.to_string() })
    }

    pub(crate) fn unknown_modifier(name: &str, letters: &str) -> Error {
        Error::new(Kind::UnknownModifier { name: name.to_string(), letters: letters.to_string() })
    }

    pub(crate) fn unknown_pmu(name: &str, similar: Vec<String>, known: &[String]) -> Error {
        Error::new(Kind::UnknownPmu { name: name.to_string(), similar, known: known.to_vec() })
    }

    /// The error of likwid's name for an event of a box.
    pub(crate) fn unknown_box(name: &str, why: String, similar: Vec<String>) -> Error {
        Error::new(Kind::UnknownBox { name: name.to_string(), why, similar })
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

    /// The error of a process whose threads cannot be listed.
    pub(crate) fn no_threads(pid: u32, error: std::io::Error) -> Error {
        Error::new(match error.kind() {
            std::io::ErrorKind::NotFound => Kind::NoProcess(pid),
            _ => Kind::NoThreads { pid, error },
        })
    }

    pub(crate) fn no_user(user: u32) -> Error {
        Error::new(Kind::NoUser(user))
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

    pub(crate) fn zero_frequency(event: &str) -> Error {
        Error::new(Kind::ZeroFrequency { event: event.to_string() })
    }

    pub(crate) fn needs_period(event: &str) -> Error {
        Error::new(Kind::NeedsPeriod { event: event.to_string() })
    }

    pub(crate) fn no_term(event: &str, name: &str, terms: Vec<String>) -> Error {
        Error::new(Kind::NoTerm { event: event.to_string(), name: name.to_string(), terms })
    }

    pub(crate) fn cannot_profile(event: &str, error: OpenError) -> Error {
        Error::new(Kind::Profile { event: event.to_string(), error })
    }

    pub(crate) fn unavailable(event: &str, reason: Reason) -> Error {
        Error::new(Kind::Unavailable { event: event.to_string(), reason })
    }

    pub(crate) fn reader(event: &str, error: std::io::Error) -> Error {
        Error::new(Kind::Reader { event: event.to_string(), error })
    }

    pub(crate) fn recorder(error: std::io::Error) -> Error {
        Error::new(Kind::Other(Box::new(error)))
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

    /// The position of the mistake in the list of events or in the formula, in bytes.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Whether a name was not found.
    pub fn is_unknown_event(&self) -> bool {
        match &*self.kind {
            Kind::UnknownEvent { .. }
            | Kind::NoMatch { .. }
            | Kind::UnknownMetric { .. }
            | Kind::UnknownPmu { .. }
            | Kind::UnknownBox { .. }
            | Kind::UnknownComponent { .. }
            | Kind::DefinitionOfOthers { .. }
            | Kind::UnreadableDefinition { .. }
            | Kind::EventOfOthers { .. } => true,
            Kind::Encode(error) => error.code() == "NOTFOUND",
            _ => false,
        }
    }

    /// The reason why an event has no number; `None` for other errors.
    fn reason(&self) -> Option<&Reason> {
        match &*self.kind {
            Kind::Uncountable { reason, .. } | Kind::Unavailable { reason, .. } => {
                Some(reason.root())
            }
            _ => None,
        }
    }

    /// The open error; `None` for other errors.
    fn open_error(&self) -> Option<&OpenError> {
        match (&*self.kind, self.reason()) {
            (Kind::Open(error) | Kind::Profile { error, .. }, _)
            | (_, Some(Reason::NotOpened(error))) => Some(error),
            _ => None,
        }
    }

    /// Whether more privileges would help.
    pub fn is_permission(&self) -> bool {
        self.reason().is_some_and(|reason| *reason == Reason::KernelOnly)
            || self.open_error().is_some_and(OpenError::is_permission)
    }

    /// Whether this machine cannot count the event for any user.
    pub fn is_unsupported(&self) -> bool {
        self.open_error().is_some_and(OpenError::is_unsupported)
    }

    /// Whether a higher limit of open files would help; the message includes the number that is needed.
    pub fn is_open_file_limit(&self) -> bool {
        matches!(self.reason(), Some(Reason::TooManyOpenFiles { .. }))
            || self.open_error().is_some_and(|e| matches!(e.cause, Cause::TooManyOpenFiles { .. }))
    }

    /// libpfm's name for this kind of error, without `PFM_ERR_`, such as `NOTFOUND` or `ATTR`; `INVAL` if it has none.
    pub fn code(&self) -> &'static str {
        match &*self.kind {
            Kind::Encode(error) => error.code(),
            _ if self.is_unknown_event() => "NOTFOUND",
            _ => "INVAL",
        }
    }

    /// Names similar to the one that was not found, best first.
    pub fn similar(&self) -> Vec<String> {
        match &*self.kind {
            Kind::Encode(error) => error.similar().into_iter().map(str::to_string).collect(),
            Kind::UnknownEvent { similar, .. }
            | Kind::NoMatch { similar, .. }
            | Kind::UnknownMetric { similar, .. }
            | Kind::UnknownPmu { similar, .. }
            | Kind::UnknownBox { similar, .. }
            | Kind::EventOfOthers { similar, .. } => similar.clone(),
            _ => Vec::new(),
        }
    }

    /// What can be done about it; `None` if nothing can.
    pub fn help(&self) -> Option<Hint> {
        let similar = Hint::did_you_mean(&self.similar());
        Some(match &*self.kind {
            Kind::Syntax(error) => return Hint::text(error.help()),
            Kind::Term(error) => return Hint::text(error.help()),
            Kind::Encode(error) => return Hint::text(error.help()),
            Kind::Open(error) | Kind::Profile { error, .. } => return error.help().map(Hint::Perf),
            Kind::Unavailable { reason, .. } | Kind::Uncountable { reason, .. } => {
                return reason.help();
            }
            _ if similar.is_some() => return similar,
            Kind::EventOfOthers { text, pmus, .. } => {
                Hint::OtherPmu { pmu: pmus[0], event: text.clone() }
            }
            Kind::DefinitionOfOthers { name, pmu, .. } => {
                Hint::DefinedFor { pmu: pmu.clone(), name: name.clone() }
            }
            Kind::UnknownComponent { .. } => Hint::KnownComponents,
            Kind::RetireLatency { name } => Hint::Text(format!(
                "measure it with `perf record -W -e {}:P`",
                name.rsplit_once(':').map_or(name.as_str(), |(event, _)| event)
            )),
            Kind::UnknownEvent { .. } | Kind::NoMatch { .. } | Kind::TooMany { .. } => {
                Hint::ListEvents
            }
            Kind::UnknownMetric { .. } => Hint::ListMetrics,
            Kind::UnknownPmu { known, .. } => Hint::KnownPmus(known.clone()),
            Kind::UnknownModifier { name, .. } => Hint::KnownModifiers { event: name.clone() },
            Kind::NoTracefs { .. } => PerfHint::MountTracefs.into(),
            Kind::NeedsCpus { event } => Hint::CountAllCpus { event: event.clone() },
            Kind::WrongCpus { event, cpus } => {
                Hint::CountOn { event: event.clone(), cpus: cpus.clone() }
            }
            Kind::NoCgroup { .. } => Hint::NameCgroup,
            Kind::NotInSet { event } => Hint::AddEvent { event: event.clone() },
            Kind::ZeroFrequency { .. } => Hint::PositiveFrequency,
            Kind::NeedsPeriod { .. } => Hint::GivePeriod,
            Kind::NoTerm { terms, .. } if !terms.is_empty() => Hint::KnownTerms(terms.clone()),
            Kind::NoEvents => Hint::NameEvent,
            Kind::RegionTarget => Hint::CountThisThread,
            Kind::OtherProcess(_) => Hint::OpenInEachProcess,
            Kind::NoTerm { .. }
            | Kind::UnreadableDefinition { .. }
            | Kind::UnknownBox { .. }
            | Kind::Formula(_)
            | Kind::Eval(_)
            | Kind::Other(_)
            | Kind::NoProcess(_)
            | Kind::NoUser(_)
            | Kind::NoFilter { .. }
            | Kind::NothingToFilter { .. }
            | Kind::NoThreads { .. }
            | Kind::NoCpu { .. }
            | Kind::Kernel { .. }
            | Kind::Reader { .. } => return None,
        })
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
    }
}

/// Where a definition applies that does not apply to this machine.
pub(crate) fn elsewhere(definition: &Definition) -> String {
    let pmus: Vec<&str> =
        definition.pmus().into_iter().flatten().filter(|pmu| !pmu.is_empty()).collect();
    if pmus.is_empty() {
        return "defined below a CPU line that names no PMU".to_string();
    }
    format!("defined for {}, but not for a PMU of this machine", some(&pmus))
}

/// The first names, and the number of the others.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 1 => format!("{} and {more} more PMUs", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}
