//! A source, and what a kind of sources provides.

use crate::counting::target::Target;
use crate::report::values::Reason;
use counterpoint_perf::Host;
use std::borrow::Cow;
use std::fmt;

/// Something that is counted without an event of the kernel, such as a time; it needs no counter.
#[derive(Clone)]
pub struct Source {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    unit: Option<Cow<'static, str>>,
    kind: &'static dyn Kind,
}

impl Source {
    pub(crate) fn new(
        kind: &'static dyn Kind,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        unit: Option<Cow<'static, str>>,
    ) -> Source {
        Source { name: name.into(), description: description.into(), unit, kind }
    }

    /// The usual name, such as `duration_time`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description of its count, in words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The unit of its values, such as `ns`; `None` for plain counts.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Its kind, in one word: `tool` for the times that perf's PMU of this name has.
    pub fn kind(&self) -> &'static str {
        self.kind.word()
    }

    /// Tests if it can be read on a host.
    pub(crate) fn check(&self, host: &Host) -> Result<(), Reason> {
        self.kind.check(self, host)
    }
}

/// Sources are the same if they have the same kind and name.
impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        (self.kind(), self.name()) == (other.kind(), other.name())
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/", self.kind(), self.name)
    }
}

/// A kind of sources.
pub(crate) trait Kind: Sync {
    /// The kind in one word, which also stands before the slashes of `word/name/`.
    fn word(&self) -> &'static str;

    /// The sources of a host, for lists and for names that are similar to others.
    fn all(&self, host: &Host) -> Vec<Source>;

    /// The source with a name, whether or not a host has it; case is ignored.
    fn find(&self, name: &str) -> Option<Source>;

    /// Tests if a source can be read on a host.
    fn check(&self, source: &Source, host: &Host) -> Result<(), Reason>;

    /// Opens sources of this kind, each with its place among the readings of a set.
    fn open(&self, sources: &[(usize, &Source)], opening: &Opening<'_>) -> Box<dyn Meter>;
}

/// The circumstances in which sources are opened.
pub(crate) struct Opening<'o> {
    pub target: &'o Target,
    /// True if threads and children that start later are counted too.
    pub inherit: bool,
    /// True if counting begins when the command of the target is executed.
    pub on_exec: bool,
}

/// Open sources of one kind.
pub(crate) trait Meter: fmt::Debug + Send + Sync {
    /// Starts counting, or resumes. For a command that begins later, this is called before its exec, and not at its exec.
    fn start(&mut self, host: &Host);

    /// Stops counting; the counts are kept.
    fn stop(&mut self, host: &Host);

    /// Writes the count of each source so far to its place.
    fn read(&self, host: &Host, readings: &mut [Reading]);
}

/// The value of a source, or the reason why there is none.
pub(crate) type Reading = Result<Measure, Reason>;

/// The value of a source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure {
    /// A count since counting began.
    Count(u64),
    /// A state when it was read, such as a temperature, or the greatest one so far: it is not added up.
    State(u64),
}

impl Measure {
    pub(crate) fn value(self) -> u64 {
        let (Measure::Count(value) | Measure::State(value)) = self;
        value
    }
}

/// Adds a later reading: an error of a count remains, and a state is replaced.
pub(crate) fn add(own: &mut Reading, later: &Reading) {
    match (&mut *own, later) {
        (Ok(Measure::Count(count)), Ok(Measure::Count(later))) => {
            *count = count.saturating_add(*later);
        }
        (Err(_), Ok(Measure::Count(_))) => {}
        (_, later) => *own = later.clone(),
    }
}

/// Subtracts an earlier reading: an error of a count remains, and a state is what it is now.
pub(crate) fn subtract(own: &mut Reading, earlier: &Reading) {
    match (&mut *own, earlier) {
        (Ok(Measure::Count(count)), Ok(Measure::Count(earlier))) => {
            *count = count.saturating_sub(*earlier);
        }
        (Ok(Measure::Count(_)), Err(reason)) => *own = Err(reason.clone()),
        _ => {}
    }
}
