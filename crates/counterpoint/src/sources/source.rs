//! A source, and what a kind of sources provides.

use super::level::Level;
use super::marks::Marks;
use crate::counting::target::Target;
use crate::report::note::Note;
use crate::report::values::Reason;
use counterpoint_perf::{CpuSet, Host};
use std::borrow::Cow;
use std::fmt;

/// Something that is counted without an event of the kernel, such as a time; it needs no counter.
#[derive(Clone)]
pub struct Source {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    unit: Option<Cow<'static, str>>,
    group: &'static str,
    /// The number by which its values are multiplied or divided to have the unit.
    factor: Factor,
    kind: &'static dyn Kind,
}

/// The number by which a value is multiplied, or else divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Times(u32),
    Over(u32),
}

impl Source {
    pub(crate) fn new(
        kind: &'static dyn Kind,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        unit: Option<Cow<'static, str>>,
    ) -> Source {
        let (name, description) = (name.into(), description.into());
        Source { name, description, unit, group: kind.word(), factor: Factor::Times(1), kind }
    }

    /// The source with another word for its kind, and a factor of its values.
    pub(crate) fn of_group(self, group: &'static str, factor: Factor) -> Source {
        Source { group, factor, ..self }
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

    /// Its kind, in one word: `tool` for the times that perf's PMU of this name has, and `net` for the numbers of networks.
    pub fn kind(&self) -> &'static str {
        self.group
    }

    /// Returns true if its value is a level, such as a temperature, of which there are a mean, a least and a greatest value.
    pub fn is_level(&self) -> bool {
        self.kind.is_level(self)
    }

    /// Returns true if its value is the greatest one so far, such as a peak of memory.
    pub fn is_peak(&self) -> bool {
        self.kind.is_peak(self)
    }

    /// Returns true if its value is that of a counter, which grows with time.
    pub(crate) fn is_counter(&self) -> bool {
        self.kind.is_counter(self)
    }

    /// The number that the kernel shows for a value in the unit, such as 45000 for 45 °C.
    pub fn kernel_number(&self, value: f64) -> f64 {
        match self.factor {
            Factor::Times(times) => value / f64::from(times),
            Factor::Over(divisor) => value * f64::from(divisor),
        }
    }

    /// The number by which its values are multiplied or divided to have the unit.
    pub(crate) fn factor(&self) -> Factor {
        self.factor
    }

    /// Returns true if it is of a kind of sources.
    pub(crate) fn is_of(&self, kind: &dyn Kind) -> bool {
        self.kind.word() == kind.word()
    }

    /// The source with its usual name on a host: other names of its instance are replaced.
    pub(crate) fn on(self, host: &Host) -> Source {
        self.kind.on(self, host)
    }

    /// The CPUs of which it has values on a host; `None` if its value is one for all.
    pub(crate) fn cpus(&self, host: &Host) -> Option<CpuSet> {
        self.kind.cpus(self, host)
    }

    /// Returns true if it counts for the whole machine, whatever the target is.
    pub(crate) fn is_of_machine(&self) -> bool {
        self.note(&Target::ThisThread) == Some(Note::WholeMachine)
    }

    /// The difference of its target from that of a set.
    pub(crate) fn note(&self, target: &Target) -> Option<Note> {
        self.kind.note(self, target)
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

    /// The names of the sources of a host that patterns match.
    fn names(&self, host: &Host) -> Vec<String> {
        self.all(host).iter().map(|source| source.name().to_string()).collect()
    }

    /// The source with a name, whether or not a host has it; case is ignored.
    fn find(&self, name: &str) -> Option<Source>;

    /// The components into which the sources are divided, such as `net`, each with its state on a host.
    fn components(&self, _: &Host) -> Vec<(&'static str, Presence)> {
        Vec::new()
    }

    /// Returns true if a word is one of the components.
    fn is_word(&self, _: &str) -> bool {
        false
    }

    /// The components that another word may mean.
    fn words_near(&self, _: &str) -> Vec<&'static str> {
        Vec::new()
    }

    /// The sources of a host that PAPI has, each with PAPI's name.
    fn of_papi(&self, _: &Host) -> Vec<(String, Source)> {
        Vec::new()
    }

    /// Returns true if a word of PAPI stands before `:::` in names of these sources.
    fn is_component(&self, _: &str) -> bool {
        false
    }

    /// The source with its usual name on a host.
    fn on(&self, source: Source, _: &Host) -> Source {
        source
    }

    /// The CPUs of which a source has values on a host; `None` if its value is one for all.
    fn cpus(&self, _: &Source, _: &Host) -> Option<CpuSet> {
        None
    }

    /// Returns true if the value of a source is a level.
    fn is_level(&self, _: &Source) -> bool {
        false
    }

    /// Returns true if the value of a source is the greatest one so far.
    fn is_peak(&self, _: &Source) -> bool {
        false
    }

    /// Returns true if the value of a source is that of a counter, unlike a time or a level.
    fn is_counter(&self, _: &Source) -> bool {
        false
    }

    /// The difference of a source's target from that of a set.
    fn note(&self, _: &Source, _: &Target) -> Option<Note> {
        None
    }

    /// Tests if a source can be read on a host.
    fn check(&self, source: &Source, host: &Host) -> Result<(), Reason>;

    /// Opens sources of this kind, each with its place among the readings of a set.
    fn open(&self, sources: &[(usize, &Source)], opening: &Opening<'_>) -> Box<dyn Meter>;
}

/// The state of the numbers of a component, such as `net`, on a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// They can be read.
    Here,
    /// Others than root may not read them.
    OfRoot,
    /// The host does not have them, or hides them.
    Absent,
}

/// The circumstances in which sources are opened.
pub(crate) struct Opening<'o> {
    pub host: &'o Host,
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
    fn read(&mut self, host: &Host, readings: &mut [Reading]);

    /// Returns true if values are better if it is read now and then: levels.
    fn has_levels(&self) -> bool {
        false
    }
}

/// The value of a source, or the reason why there is none.
pub(crate) type Reading = Result<Measure, Reason>;

/// The value of a source.
#[derive(Clone, Debug)]
pub(crate) enum Measure {
    /// A count since counting began.
    Count(u64, Marks),
    /// A state when it was read, or the greatest one so far: it is not added up.
    State(u64),
    /// A level, such as a temperature.
    Level(Level, Marks),
    /// The values of CPUs.
    Cpus(Vec<(u32, Reading)>),
}

impl Measure {
    pub(crate) fn count(count: u64) -> Measure {
        Measure::Count(count, Marks::default())
    }
}

/// Adds a later reading: an error of a count remains, and a state is replaced.
pub(crate) fn add(own: &mut Reading, later: &Reading) {
    match (&mut *own, later) {
        (Ok(Measure::Count(count, marks)), Ok(Measure::Count(later, later_marks))) => {
            *count = count.saturating_add(*later);
            *marks = later_marks.clone().with(marks, u32::saturating_add);
        }
        (Ok(Measure::Level(level, marks)), Ok(Measure::Level(later, later_marks))) => {
            level.add(later);
            *marks = later_marks.clone().with(marks, u32::saturating_add);
        }
        (Ok(Measure::Cpus(cpus)), Ok(Measure::Cpus(later))) => each(cpus, later, add),
        (Err(_), Ok(Measure::Count(..))) => {}
        (_, later) => *own = later.clone(),
    }
}

/// Subtracts an earlier reading: an error of a count remains, and a state is what it is now.
pub(crate) fn subtract(own: &mut Reading, earlier: &Reading) {
    match (&mut *own, earlier) {
        (Ok(Measure::Count(count, marks)), Ok(Measure::Count(earlier, earlier_marks))) => {
            *count = count.saturating_sub(*earlier);
            *marks = std::mem::take(marks).with(earlier_marks, u32::saturating_sub);
        }
        (Ok(Measure::Count(..)), Err(reason)) => *own = Err(reason.clone()),
        (Ok(Measure::Level(level, marks)), Ok(Measure::Level(earlier, earlier_marks))) => {
            level.subtract(earlier);
            *marks = std::mem::take(marks).with(earlier_marks, u32::saturating_sub);
        }
        (Ok(Measure::Cpus(cpus)), Ok(Measure::Cpus(earlier))) => each(cpus, earlier, subtract),
        _ => {}
    }
}

/// Changes the reading of each CPU by the other one of this CPU.
fn each(
    cpus: &mut [(u32, Reading)],
    others: &[(u32, Reading)],
    change: impl Fn(&mut Reading, &Reading),
) {
    for (cpu, reading) in cpus {
        if let Some((_, other)) = others.iter().find(|(other, _)| other == cpu) {
            change(reading, other);
        }
    }
}
