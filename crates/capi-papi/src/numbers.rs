//! The numbers of files that PAPI's components `coretemp`, `io`, `net` and others have: the facade's sources by PAPI's names.

use counterpoint::events::{Source, papi_sources};
use counterpoint::perf::Host;
use counterpoint::{Counters, EventSet, Machine, Row, State, Target};

use crate::codes::{EBUG, ENOEVNT, ESYS, Failed};

/// A number of a component.
#[derive(Debug, PartialEq)]
pub(crate) struct Number {
    /// The name with that of the component.
    pub(crate) name: String,
    pub(crate) description: String,
}

/// The numbers of a component that a machine has.
pub(crate) fn on(host: &Host, component: &str) -> Vec<Number> {
    let is_own = |(name, _): &(String, Source)| {
        name.split_once(":::").is_some_and(|(own, _)| own == component)
    };
    let number = |(name, source): (String, Source)| Number {
        name,
        description: source.description().to_string(),
    };
    papi_sources(host).into_iter().filter(is_own).map(number).collect()
}

/// The open numbers of a set.
#[derive(Debug)]
pub(crate) struct OpenNumbers {
    counters: Counters,
    /// The native event of the set that each is.
    natives: Vec<usize>,
    sources: Vec<Source>,
    host: Host,
    /// The text of the file of the component `io` when it was read last while the set was running; empty after a reset.
    io: String,
}

impl OpenNumbers {
    pub(crate) fn open(host: &Host, numbers: &[(usize, &str)]) -> Result<OpenNumbers, Failed> {
        let names: Vec<&str> = numbers.iter().map(|(_, name)| *name).collect();
        let machine = Machine::new(host.clone());
        let set = EventSet::with_machine(machine, Target::ThisThread).delayed(true);
        let resolved = set.resolve_list(&names.join(",")).map_err(|_| ENOEVNT)?;
        let sources: Vec<Source> = resolved.sources().map(|(_, source)| source.clone()).collect();
        let counters = set.open_resolved(resolved, &Target::ThisThread).map_err(|_| ESYS)?;
        let natives = numbers.iter().map(|(native, _)| *native).collect();
        Ok(OpenNumbers { counters, natives, sources, host: host.clone(), io: String::new() })
    }

    pub(crate) fn start(&mut self) -> Result<(), Failed> {
        self.counters.start().map_err(|_| ESYS)
    }

    pub(crate) fn stop(&mut self) -> Result<(), Failed> {
        self.read_io();
        self.counters.stop().map_err(|_| ESYS)
    }

    pub(crate) fn reset(&mut self) -> Result<(), Failed> {
        if self.counters.state() == State::Stopped {
            self.io.clear();
        }
        self.counters.reset().map_err(|_| ESYS)
    }

    /// Writes the value of each native event: of counters what they counted, and of levels what they are.
    pub(crate) fn values(&mut self, values: &mut [i128]) -> Result<(), Failed> {
        // A level is read, also for a set that has not started.
        if self.counters.state() == State::Stopped && self.counters.has_levels() {
            self.start()?;
            self.stop()?;
        }
        self.read_io();
        let report = self.counters.read().map_err(|_| ESYS)?;
        for ((row, source), native) in report.rows.iter().zip(&self.sources).zip(&self.natives) {
            let value = if source.kind() == IO {
                since_process_began(&self.io, source.name())
            } else {
                value(row, source)
            };
            *values.get_mut(*native).ok_or(EBUG)? = value.ok_or(ESYS)?;
        }
        Ok(())
    }

    /// Reads the file of the component `io`, if the set is running and has a number of it.
    fn read_io(&mut self) {
        let has_io = self.sources.iter().any(|source| source.kind() == IO);
        if has_io && self.counters.state() == State::Running {
            let path = format!("/proc/{}/io", std::process::id());
            self.io = self.host.text(path).unwrap_or_default();
        }
    }
}

/// The component whose numbers are those since the process began: starting a set does not change them, and resetting
/// only those of one that is stopped, as in PAPI.
const IO: &str = "io";

/// The number of a field of `/proc/PID/io`, whose source is `io/FIELD/`.
fn since_process_began(text: &str, source: &str) -> Option<i128> {
    let field = source.strip_prefix("io/")?.strip_suffix('/')?;
    if text.is_empty() {
        return Some(0);
    }
    text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':')?.trim().parse().ok())
}

/// The value in the unit of PAPI: that of the kernel, and microseconds of time.
fn value(row: &Row, source: &Source) -> Option<i128> {
    let number = match (row.extremes, source.unit()) {
        (Some(extremes), _) => source.kernel_number(extremes.last),
        (None, Some("ns")) => row.value.as_f64()? / 1e3,
        (None, _) => return row.raw.map(i128::from),
    };
    Some(number.round() as i128)
}
