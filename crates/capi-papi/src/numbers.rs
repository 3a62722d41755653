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
        Ok(OpenNumbers { counters, natives, sources })
    }

    pub(crate) fn start(&mut self) -> Result<(), Failed> {
        self.counters.start().map_err(|_| ESYS)
    }

    pub(crate) fn stop(&mut self) -> Result<(), Failed> {
        self.counters.stop().map_err(|_| ESYS)
    }

    pub(crate) fn reset(&mut self) -> Result<(), Failed> {
        self.counters.reset().map_err(|_| ESYS)
    }

    /// Writes the value of each native event: of counters what they counted, and of levels what they are.
    pub(crate) fn values(&mut self, values: &mut [i128]) -> Result<(), Failed> {
        // A level is read, also for a set that has not started.
        if self.counters.state() == State::Stopped && self.counters.has_levels() {
            self.start()?;
            self.stop()?;
        }
        let report = self.counters.read().map_err(|_| ESYS)?;
        for ((row, source), native) in report.rows.iter().zip(&self.sources).zip(&self.natives) {
            *values.get_mut(*native).ok_or(EBUG)? = value(row, source).ok_or(ESYS)?;
        }
        Ok(())
    }
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
