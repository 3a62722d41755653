//! The machines whose events are shown: this one, or one with the PMU of `--pmu`.

use super::args::ShowArgs;
use super::metric;
use crate::failure::Failure;
use crate::names;
use counterpoint::definitions::Library;
use counterpoint::events::{CandidateEvent, without_component};
use counterpoint::pmu::{Pmu, find, unit_named};
use counterpoint::{Device, EventSet, Machine, Target};
use std::borrow::Cow;

/// The events of this machine and, if it does not have the PMU of `--pmu`, those of a machine with that PMU.
pub struct Sets<'a> {
    args: &'a ShowArgs,
    libraries: Vec<Library>,
    here: EventSet,
    elsewhere: Option<EventSet>,
    absent: Option<&'static Pmu>,
}

impl<'a> Sets<'a> {
    pub fn new(args: &'a ShowArgs) -> Result<Sets<'a>, Failure> {
        let machine = Machine::new(args.machine.host()?);
        let is_absent = |pmu: &&'static Pmu| !machine.tables().pmus.contains(pmu);
        let of_unit = |name: &String| Some(unit_named(name.split_once("::")?.0)?.0);
        let asked = match &args.pmu {
            Some(pmu) => find(pmu).or_else(|| unit_named(pmu).map(|(core, _)| core)),
            None => args.events.iter().find_map(of_unit),
        };
        if let (Some(pmu), None) = (&args.pmu, asked)
            && machine.boxes(pmu).is_empty()
        {
            // The error for a name of no PMU is that of every command.
            names::pmu(pmu)?;
        }
        let absent = asked.filter(is_absent);
        let files = &args.definitions.files;
        // A vendor's files are those of the processor that is asked about.
        let machine =
            if absent.is_some() { machine } else { args.vendor.with_beside(machine, files)? };
        let libraries = match absent {
            Some(pmu) => args.definitions.libraries(&Machine::of_pmu(pmu))?,
            None => args.definitions.libraries(&machine)?,
        };
        let set = |machine| {
            let set = EventSet::with_machine(machine, Target::ThisThread);
            libraries.iter().cloned().fold(set, EventSet::define)
        };
        let here = set(machine);
        // Definitions and presets are looked up as on a machine with this PMU.
        let elsewhere = match absent {
            Some(pmu) => Some(set(args.vendor.with_beside(Machine::of_pmu(pmu), files)?)),
            None => None,
        };
        Ok(Sets { args, libraries, here, elsewhere, absent })
    }

    /// The set of the machine that has the PMU of `--pmu`.
    pub fn of_pmu(&self) -> &EventSet {
        self.elsewhere.as_ref().unwrap_or(&self.here)
    }

    /// The PMU that this machine does not have, if a set is that of another machine.
    pub fn absent(&self, set: &EventSet) -> Option<&'static str> {
        let elsewhere = self.elsewhere.as_ref()?;
        self.absent.filter(|_| std::ptr::eq(elsewhere, set)).map(|pmu| pmu.name)
    }

    /// Returns true if a name is that of a definition that cannot be read.
    pub fn is_unreadable(&self, name: &str) -> bool {
        self.libraries.iter().any(|library| library.unreadable(name).is_some())
    }

    /// The names to show: those that were given, or every event of the PMU.
    pub fn asked(&self) -> Result<Vec<String>, Failure> {
        // The name of one package's energy is more specific than that of the event.
        let plain = |event: &String| match without_component(event) {
            Ok(Cow::Borrowed(plain)) => plain.to_string(),
            _ => event.clone(),
        };
        let asked: Vec<String> = self.args.events.iter().map(plain).collect();
        let (Some(pmu), true) = (&self.args.pmu, asked.is_empty()) else { return Ok(asked) };
        Ok(match device(&self.here, pmu) {
            Some(device) => device.pmu.events.iter().map(|event| event.name.clone()).collect(),
            None => match unit_named(pmu) {
                Some((_, unit)) => {
                    let events = self.of_pmu().machine().vendor().iter();
                    events
                        .filter(|event| event.is_on(&unit, false))
                        .map(|event| event.name.clone())
                        .collect()
                }
                None => names::pmu(pmu)?.events().map(|event| event.name.to_string()).collect(),
            },
        })
    }

    /// The set in which a name has its meaning, and the name that it has there.
    pub fn meant(&self, name: &str) -> Result<(&EventSet, String), Failure> {
        let here = defined(&self.here, name);
        if let Some(elsewhere) = &self.elsewhere {
            // The terms of a metric are events of the processor that is asked about.
            let is_metric =
                !metric::requested(elsewhere, name, &elsewhere.candidates(name)).is_empty();
            // A definition that applies to this machine, too, is shown as it is counted here.
            let is_other =
                || defined(elsewhere, name).is_some_and(|there| !is_same(here.as_ref(), &there));
            if is_metric || is_other() {
                return Ok((elsewhere, name.to_string()));
            }
        }
        if here.is_some() {
            return Ok((&self.here, name.to_string()));
        }
        let on_pmu = self.on_pmu(name)?;
        let elsewhere = self.elsewhere.as_ref().filter(|_| self.here.candidates(&on_pmu).is_err());
        match elsewhere.filter(|elsewhere| is_bare(elsewhere, name)) {
            Some(elsewhere) => Ok((elsewhere, name.to_string())),
            None => Ok((&self.here, on_pmu)),
        }
    }

    /// The name of an event of the PMU that is asked for.
    fn on_pmu(&self, event: &str) -> Result<String, Failure> {
        let Some(pmu) = &self.args.pmu else { return Ok(event.to_string()) };
        if device(&self.here, pmu).is_some() {
            let is_whole = event.contains(":::");
            return Ok(if is_whole { event.to_string() } else { format!("{pmu}/{event}/") });
        }
        let name = if unit_named(pmu).is_some() { pmu } else { names::pmu(pmu)?.name };
        let is_whole = event.contains("::");
        Ok(if is_whole { event.to_string() } else { format!("{name}::{event}") })
    }
}

/// The definition or preset that a name stands for.
fn defined(set: &EventSet, name: &str) -> Option<CandidateEvent> {
    let first = set.candidates(name).ok()?.into_iter().next()?.events.into_iter().next()?;
    let is_defined =
        matches!(first, CandidateEvent::Definition { .. } | CandidateEvent::Unsupported(_));
    is_defined.then_some(first)
}

/// Returns true if a name that no table has stands for an event of the vendor's files, or for one by likwid's name.
fn is_bare(set: &EventSet, name: &str) -> bool {
    let first = set.candidates(name).ok().and_then(|candidates| candidates.into_iter().next());
    let events = first.map(|first| first.events).unwrap_or_default();
    matches!(events.first(), Some(CandidateEvent::Vendor { .. } | CandidateEvent::Likwid { .. }))
}

fn is_same(here: Option<&CandidateEvent>, there: &CandidateEvent) -> bool {
    match (here, there) {
        (
            Some(CandidateEvent::Definition { definition: here, .. }),
            CandidateEvent::Definition { definition: there, .. },
        ) => here.is_same(there),
        _ => false,
    }
}

/// The PMU of sysfs of this name, unless the tables have it.
fn device<'a>(set: &'a EventSet, pmu: &str) -> Option<&'a Device> {
    let mut devices = set.machine().devices().iter();
    devices.find(|device| device.pmu.name == pmu).filter(|_| find(pmu).is_none())
}
