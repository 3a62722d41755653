//! The events of a processor, by name and by code.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::RandomState;
use std::sync::OnceLock;

#[cfg(feature = "json")]
use super::error::Error;
use super::event::{Code, Event};
use super::names;
use super::processor::Processor;
#[cfg(feature = "json")]
use super::row;
use super::unit;
use crate::cpu::CpuId;
use crate::pmu::{self, Pmu};
use crate::tables::row::Marks;

/// The events of a processor, from a vendor's files, and those that are built in.
#[derive(Clone, Default)]
pub struct Events {
    list: Vec<Event>,
    built_in: Vec<&'static Processor>,
    #[cfg(feature = "json")]
    standard: row::Standard,
    by_name: OnceLock<NameIndex>,
    by_code: OnceLock<HashMap<Code, Vec<usize>>>,
}

/// The first event with a name, by the name's hash, and for each event the next one with that hash.
#[derive(Debug, Clone)]
struct NameIndex {
    state: RandomState,
    first: HashMap<u64, usize>,
    next: Vec<Option<usize>>,
}

impl NameIndex {
    fn of(list: &[Event]) -> NameIndex {
        let state = RandomState::new();
        let mut first = HashMap::with_capacity(list.len());
        let mut next = vec![None; list.len()];
        for (number, event) in list.iter().enumerate().rev() {
            next[number] = first.insert(names::hash(&state, &event.name), number);
        }
        NameIndex { state, first, next }
    }
}

impl Events {
    /// The events of a processor that are built in: those of Linux's files and of Intel's, without descriptions. There
    /// are none of a processor that their maps do not know.
    ///
    /// ```
    /// use counterpoint_pmu::CpuId;
    /// use counterpoint_pmu::vendor::Events;
    ///
    /// let sierra_forest = CpuId::from_cpuinfo(
    ///     "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 175\nflags : arch_perfmon\n",
    /// );
    /// let events = Events::built_in(&sierra_forest.unwrap());
    /// let found = events.named("mem_load_uops_retired.l3_hit").next().unwrap();
    /// assert_eq!(found.terms, "event=0xd1,umask=0x1c");
    /// ```
    pub fn built_in(cpu: &CpuId) -> Events {
        Events { built_in: Processor::all(cpu), ..Events::default() }
    }

    /// These events, and those built in of which they have no name.
    pub fn and_built_in(self, cpu: &CpuId) -> Events {
        Events { built_in: Processor::all(cpu), ..self }
    }

    /// The vendor's files, and their release, from which the events that are built in are, once for each kind of core.
    pub fn sources(&self) -> impl Iterator<Item = &'static str> {
        self.built_in.iter().map(|processor| processor.source)
    }

    /// Adds the events of a file (`*_core.json`, `cache.json` …) and returns the errors in it, which cost only their
    /// events. Events that name no unit belong to `unit`, or else to the processor's core;
    /// [`MapEntry::unit`](super::MapEntry::unit) has it. Metrics are no events, and add nothing.
    #[cfg(feature = "json")]
    pub fn add(&mut self, file: &str, unit: Option<&str>) -> Vec<Error> {
        let (mut events, errors) = row::read(file, &self.standard);
        if let Some(unit) = unit {
            for event in events.iter_mut().filter(|event| event.unit.is_none()) {
                event.unit = Some(unit.to_owned());
            }
        }
        self.list.append(&mut events);
        (self.by_name, self.by_code) = Default::default();
        errors
    }

    /// Adds the events that an architecture has in common: the files beside the map of Linux's `arm64`.
    /// The events of its processors refer to them, so that they are added first.
    #[cfg(feature = "json")]
    pub fn add_standard(&mut self, file: &str) -> Vec<Error> {
        let (events, errors) = row::read(file, &HashMap::new());
        self.standard.extend(row::metrics(file).into_iter().map(|name| (name, None)));
        self.standard
            .extend(events.into_iter().map(|event| (names::folded(&event.name), Some(event))));
        errors
    }

    /// Every event, in the order of the files; those built in, in no order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, Event>> {
        let built_in = self.built_in.iter().flat_map(|processor| processor.events());
        let built_in = built_in.filter(|event| self.of_files(&event.name).next().is_none());
        self.list.iter().map(Cow::Borrowed).chain(built_in.map(Cow::Owned))
    }

    /// The name of every event, perhaps twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let built_in = self.built_in.iter().flat_map(|processor| processor.names());
        self.list.iter().map(|event| event.name.as_str()).chain(built_in.map(short))
    }

    /// The names that the kernel gives the PMUs of units beside the cores, without the numbers of boxes, each once. Of
    /// several names for a unit, a machine has one: the first is that of current kernels.
    ///
    /// ```
    /// use counterpoint_pmu::{find, vendor::Events};
    ///
    /// let events = Events::built_in(&find("srf").unwrap().processor().unwrap());
    /// assert!(events.unit_pmus().contains("uncore_cha"));
    /// ```
    pub fn unit_pmus(&self) -> BTreeSet<String> {
        let mut units: BTreeSet<&str> =
            self.list.iter().filter_map(|event| event.unit.as_deref()).collect();
        units.extend(self.built_in.iter().flat_map(|processor| processor.units()).map(short));
        let of_units = units.into_iter().filter(|unit| !unit::is_core(unit));
        of_units.filter_map(|unit| unit::pmus(unit).into_iter().next()).collect()
    }

    /// Returns true if there are no events.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.built_in.is_empty()
    }

    /// Returns true if there are events of files.
    pub fn has_files(&self) -> bool {
        !self.list.is_empty()
    }

    /// The events with a name, in any case, and with `.`, `_`, `-` or `:` between its parts. If some are spelled
    /// exactly so, only those. There are several where several units have an event of one name, such as both kinds of
    /// cores.
    pub fn named(&self, name: &str) -> impl Iterator<Item = Cow<'_, Event>> {
        let mut found: Vec<Cow<'_, Event>> = self.of_files(name).map(Cow::Borrowed).collect();
        if found.is_empty() {
            let built_in = self.built_in.iter().flat_map(|processor| processor.named(name));
            found.extend(built_in.map(Cow::Owned));
        }
        if found.iter().any(|event| event.name == name) {
            found.retain(|event| event.name == name);
        }
        found.into_iter()
    }

    /// The numbers of the errata about an event, or about one of its unit masks, by the name in tables, where both have it.
    pub fn errata(&self, event: &str, umask: Option<&str>) -> Option<String> {
        let name = match umask {
            Some(umask) => &format!("{event}.{umask}"),
            None => event,
        };
        self.named(name).find_map(|known| known.errata.clone())
    }

    /// The events of files with a name, however it is spelled.
    fn of_files(&self, name: &str) -> impl Iterator<Item = &Event> {
        // Most machines have no files.
        let index =
            self.has_files().then(|| self.by_name.get_or_init(|| NameIndex::of(&self.list)));
        let first = index.and_then(|of| of.first.get(&names::hash(&of.state, name)).copied());
        let alike = std::iter::successors(first, move |number| index?.next[*number]);
        let alike = alike.map(|number| &self.list[number]);
        alike.filter(move |event| names::is_alike(&event.name, name))
    }

    /// The events that can be counted by a PMU, of the processor that the files are for.
    pub fn of_pmu(&self, pmu: &'static Pmu) -> impl Iterator<Item = Cow<'_, Event>> {
        self.iter().filter(move |event| event.is_for(pmu))
    }

    /// The event of files that is an event of the tables, or one of its unit masks: by name, or else by code. The PMU
    /// must be one of the processor that the files are for.
    pub fn of(&self, event: &pmu::Event, umask: Option<&str>) -> Option<&Event> {
        let name = match umask {
            Some(umask) => &format!("{}.{umask}", event.name),
            None => event.name,
        };
        let named = self.of_files(name).find(|known| known.is_for(event.pmu));
        named.or_else(|| {
            let by_code = self.by_code.get_or_init(|| self.codes());
            let numbers = by_code.get(&code(event, umask)?)?;
            let fits = |number: &&usize| self.list[**number].is_for(event.pmu);
            // Of several names for one code those that are not deprecated are preferred.
            let current = numbers.iter().filter(fits).find(|n| !self.list[**n].is_deprecated);
            current.or_else(|| numbers.iter().find(fits)).map(|number| &self.list[*number])
        })
    }

    fn codes(&self) -> HashMap<Code, Vec<usize>> {
        let mut by_code: HashMap<Code, Vec<usize>> = HashMap::new();
        for (number, event) in self.list.iter().enumerate() {
            for code in &event.codes {
                by_code.entry(*code).or_default().push(number);
            }
        }
        by_code
    }
}

/// The same text, for as long as others are borrowed.
fn short<'a>(text: &'static str) -> &'a str {
    text
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources: Vec<&str> = self.sources().collect();
        f.debug_struct("Events").field("list", &self.list).field("built_in", &sources).finish()
    }
}

/// The code that files have for an event; `None` if unit masks are missing.
fn code(event: &pmu::Event, umask: Option<&str>) -> Option<Code> {
    let family = event.pmu.family;
    let is_offcore = event.row.marks.has(Marks::OFFCORE);
    let mask = match umask {
        Some(umask) => Some(event.mask(umask)?),
        None if event.masks().next().is_some() => return None,
        None => None,
    };
    let umask = mask.map_or(0, |mask| mask.row.code);
    let (event, second) = (event.code, 0);
    Some(if is_offcore {
        Code { event: event & 0xff, rest: event >> 8, second: umask >> 8 }
    } else if family.masks_are_registers {
        let overridden = mask.is_some_and(|mask| mask.has(Marks::CODE_OVERRIDE));
        let register = if overridden { event & !0xff | umask } else { event | umask };
        Code { event: register & 0xff, rest: register >> 8, second }
    } else {
        Code { event, rest: umask, second }
    })
}
