//! The components, and the events of the PMUs of each in the order in which they are listed.

use counterpoint::perf::Host;
use counterpoint::pmu::{AttributeKind, Context, Event, Layer, Machine, Pmu, PmuKind};
use counterpoint_capi::{Lasting, order};
use std::ffi::c_int;

use crate::codes::{ENOCMP, ENOEVNT, Failed};
use crate::energies::{self, Energy};
use crate::numbers::{self, Number};

pub(crate) const CPU: usize = 0;
pub(crate) const UNCORE: usize = 1;
pub(crate) const ENERGIES: usize = 2;
pub(crate) const DEVICES: usize = 3;
pub(crate) const IO: usize = 6;
/// The components of numbers in files.
pub(crate) const NUMBERS: std::ops::Range<usize> = 4..NAMES.len();

/// The components by their numbers: the name, and the name before events.
pub(crate) const NAMES: [(&str, &str, &str); 10] = [
    ("perf_event", "perf", "Linux perf_event CPU counters"),
    ("perf_event_uncore", "peu", "Linux perf_event CPU uncore and northbridge"),
    ("rapl", "rapl", "Linux RAPL energy measurements"),
    ("sysdetect", "sysdetect", "System info detection component"),
    ("coretemp", "coretemp", "Linux temperatures, fans and voltages (hwmon)"),
    ("infiniband", "infiniband", "Linux counters of Infiniband ports"),
    ("io", "io", "Linux input and output of the process (/proc/self/io)"),
    ("net", "net", "Linux statistics of network interfaces"),
    ("powercap", "powercap", "Linux energies of the powercap framework"),
    ("stealtime", "stealtime", "Linux time for which the hypervisor ran something else"),
];

/// The PMUs of each component.
#[derive(Debug)]
pub(crate) struct Components {
    machine: Machine,
    pmus: [Vec<&'static Pmu>; 2],
    events: [Vec<Lasting<Vec<Entry>>>; 2],
    /// The PMU whose events are shown without its name.
    core: Option<&'static Pmu>,
    /// The machine shows a PMU of its cores.
    pub(crate) has_core: bool,
    host: Host,
    energies: Lasting<Vec<Energy>>,
    disabled: [bool; NAMES.len()],
    numbers: [Lasting<Vec<Number>>; NAMES.len()],
}

/// An event of a component's list, or an attribute of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) pmu: usize,
    pub(crate) event: usize,
    pub(crate) attribute: Option<usize>,
}

/// An event of a list.
#[derive(Debug)]
pub(crate) struct Entry {
    event: Event,
    pub(crate) name: String,
    pub(crate) description: &'static str,
}

impl Entry {
    /// It is another name of an event.
    pub(crate) fn is_alias(&self) -> bool {
        self.event.equiv.is_some()
    }

    /// The attributes as they are written, with what each does.
    pub(crate) fn attributes(&self, context: &Context) -> Vec<(String, String)> {
        let attributes = self.event.attributes(Layer::PerfEventExt, &context.machine).into_iter();
        let listed = attributes.map(|attribute| {
            let written = match attribute.kind {
                AttributeKind::Umask => attribute.name.to_owned(),
                _ => format!("{}=0", attribute.name),
            };
            (written, attribute.description().unwrap_or_default().to_owned())
        });
        listed.collect()
    }
}

pub(crate) fn is_uncore(kind: PmuKind) -> bool {
    !matches!(kind, PmuKind::Core | PmuKind::OsGeneric)
}

pub(crate) fn of_pmu(pmu: &Pmu) -> usize {
    if is_uncore(pmu.kind) { UNCORE } else { CPU }
}

/// The component that a name begins with, if it does, and the rest.
pub(crate) fn of_name(name: &str) -> Result<(Option<usize>, &str), Failed> {
    let Some((component, event)) = name.split_once(":::") else { return Ok((None, name)) };
    let found = NAMES.iter().position(|(own, short, _)| component == *own || component == *short);
    found.map(|found| (Some(found), event)).ok_or(ENOEVNT)
}

impl Components {
    pub(crate) fn of(host: &Host, context: &Context, disabled: [bool; NAMES.len()]) -> Components {
        let mut pmus: Vec<&'static Pmu> = context.machine.pmus.clone();
        pmus.sort_by_key(|pmu| pmu.number);
        let is_core = |pmu: &&&Pmu| pmu.kind == PmuKind::Core;
        let known = pmus.iter().filter(is_core).find(|pmu| !pmu.is_architectural());
        let core = known.or_else(|| pmus.iter().find(is_core)).copied();
        // The architecture's PMU stands for one that is not known.
        pmus.retain(|pmu| !pmu.is_architectural() || core == Some(*pmu));
        pmus.retain(|pmu| !disabled[of_pmu(pmu)]);
        let (uncore, cpu): (Vec<&Pmu>, Vec<&Pmu>) =
            pmus.into_iter().partition(|pmu| is_uncore(pmu.kind));
        let lists = |pmus: &Vec<&Pmu>| pmus.iter().map(|_| Lasting::new()).collect();
        let events = [lists(&cpu), lists(&uncore)];
        let (machine, has_core) = (context.machine.clone(), !host.core_pmus().is_empty());
        Components {
            machine,
            pmus: [cpu, uncore],
            events,
            core,
            has_core,
            host: host.clone(),
            energies: Lasting::new(),
            disabled,
            numbers: [const { Lasting::new() }; NAMES.len()],
        }
    }

    /// The energies of packages, which are looked for when they are first asked for.
    pub(crate) fn energies(&self) -> &'static [Energy] {
        if self.disabled[ENERGIES] {
            return &[];
        }
        self.energies.get_or_make(|| energies::on(counterpoint::Machine::new(self.host.clone())))
    }

    /// The numbers in files of a component, which are looked for when they are first asked for.
    pub(crate) fn numbers(&self, component: usize) -> &'static [Number] {
        match NAMES.get(component) {
            Some((name, ..)) if NUMBERS.contains(&component) && !self.disabled[component] => {
                self.numbers[component].get_or_make(|| numbers::on(&self.host, name))
            }
            _ => &[],
        }
    }

    /// Returns true if a component has events on this machine; the component of devices has none anywhere.
    pub(crate) fn has_events(&self, component: usize) -> bool {
        match component {
            ENERGIES => !self.energies().is_empty(),
            _ if NUMBERS.contains(&component) => !self.numbers(component).is_empty(),
            _ => self.pmus.get(component).is_some_and(|pmus| !pmus.is_empty()),
        }
    }

    /// The PMUs of a component.
    pub(crate) fn pmus(&self, component: usize) -> Result<&[&'static Pmu], Failed> {
        self.pmus.get(component).map(Vec::as_slice).ok_or(ENOCMP)
    }

    /// The events of a PMU of a component.
    pub(crate) fn events(&self, component: usize, pmu: usize) -> Result<&'static [Entry], Failed> {
        let list = self.events.get(component).and_then(|lists| lists.get(pmu)).ok_or(ENOCMP)?;
        let pmu = self.pmus[component][pmu];
        Ok(list.get_or_make(|| entries(pmu, &self.machine)))
    }

    /// The number of events of a component.
    pub(crate) fn event_count(&self, component: usize) -> usize {
        if component == ENERGIES {
            return self.energies().len();
        }
        if NUMBERS.contains(&component) {
            return self.numbers(component).len();
        }
        let pmus = self.pmus.get(component).map_or(0, Vec::len);
        (0..pmus).map(|pmu| self.events(component, pmu).map_or(0, <[Entry]>::len)).sum()
    }

    /// The counters of the cores; none if the machine does not show their PMU.
    pub(crate) fn counters(&self) -> c_int {
        let (general, fixed) = self.core.map_or((0, 0), Pmu::libpfm_counters);
        if self.has_core { (general + fixed).into() } else { 0 }
    }

    /// A name without the PMU of the cores.
    pub(crate) fn shown(&self, name: &str) -> String {
        let core = self.core.and_then(|core| name.strip_prefix(core.name)?.strip_prefix("::"));
        core.unwrap_or(name).to_owned()
    }

    /// The place of an event by its name, without attributes.
    pub(crate) fn place(&self, component: usize, name: &str) -> Option<Listed> {
        let name = of_name(name).ok()?.1;
        let (pmu, event) = name.split_once("::").map_or((None, name), |(p, e)| (Some(p), e));
        let event = event.split(':').next()?;
        let pmus = self.pmus(component).ok()?.iter().enumerate();
        let mut wanted =
            pmus.filter(|(_, own)| pmu.is_none_or(|pmu| own.name.eq_ignore_ascii_case(pmu)));
        wanted.find_map(|(pmu, _)| {
            let mut events = self.events(component, pmu).ok()?.iter();
            let event = events.position(|entry| entry.name.eq_ignore_ascii_case(event))?;
            Some(Listed { pmu, event, attribute: None })
        })
    }

    /// The description of the event that a name stands for.
    pub(crate) fn description(&self, pmu: &Pmu, name: &str, counted: &str) -> &'static str {
        let component = of_pmu(pmu);
        let entry = self.place(component, name).and_then(|place| {
            self.events(component, place.pmu).ok()?.get(place.event).map(|entry| entry.description)
        });
        entry.unwrap_or_else(|| {
            let mut lists = self.pmus[component].iter().enumerate();
            let number = lists.find(|(_, own)| **own == pmu).map(|(number, _)| number);
            let events = number.and_then(|number| self.events(component, number).ok());
            let mut events = events.into_iter().flatten();
            events.find(|entry| entry.event.name == counted).map_or("", |entry| entry.description)
        })
    }

    /// The effects of the attributes that a name has.
    pub(crate) fn mask_descriptions(
        &self,
        pmu: &Pmu,
        name: &str,
        context: &Context,
    ) -> Vec<String> {
        let component = of_pmu(pmu);
        let Some(place) = self.place(component, name) else { return Vec::new() };
        let entry = self.events(component, place.pmu).ok().and_then(|list| list.get(place.event));
        let Some(entry) = entry else { return Vec::new() };
        let event = name.rsplit("::").next().unwrap_or(name);
        let attributes = entry.attributes(context);
        let of = |written: &str| {
            let written = written.split('=').next().unwrap_or(written);
            let is_it = |(own, _): &&(String, String)| {
                own.split('=').next().is_some_and(|own| own.eq_ignore_ascii_case(written))
            };
            attributes.iter().find(is_it).map(|(_, text)| text.clone())
        };
        event.split(':').skip(1).filter_map(of).collect()
    }
}

/// The events of a PMU in libpfm's order.
fn entries(pmu: &'static Pmu, machine: &Machine) -> Vec<Entry> {
    let mut events: Vec<(u32, Event)> = order::events(pmu).collect();
    events.sort_by_key(|(number, _)| *number);
    let own = events.into_iter().map(|(_, event)| event).filter(order::on(pmu, machine));
    own.map(|event| Entry {
        name: order::spelling(&event).into_owned(),
        description: event.description().unwrap_or_default(),
        event,
    })
    .collect()
}
