//! The events and presets of a machine, and whether each can be counted.

mod preset_events;

use crate::counting::availability::{of_source, probe, together};
use crate::event_set::EventSet;
use crate::libraries::presets;
use crate::libraries::presets::Preset;
use crate::machine::pmus::{Device, Machine};
use crate::names::candidate;
use crate::names::candidate::CandidateEvent;
use crate::names::error::elsewhere;
use crate::names::finders::{table, vendor};
use crate::names::lookup;
use crate::names::native::Native;
use crate::names::patterns;
use crate::names::spec::spec;
use crate::report::values::Reason;
use crate::sources::kinds;
use counterpoint_definitions::{Definition, Expansion, Library, Origin, PmuName, Pmus, link};
use counterpoint_pmu::{AttributeKind, Layer};
use counterpoint_pmu::{Pmu, kernel, sysfs};
use preset_events::find_presets;
use std::collections::HashSet;

pub use crate::counting::availability::Availability;

/// A named event of a machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The name, as [`EventSet::event`](crate::EventSet::event) takes it.
    pub name: String,
    /// Other names of the event.
    pub aliases: Vec<String>,
    /// `hardware`, `software`, `cache`, `tool`, `tracepoint`, or the name of its PMU.
    pub group: String,
    /// The description, if there is one.
    pub description: Option<String>,
    /// The unit of the value; `None` for plain counts.
    pub unit: Option<String>,
    /// The answer to opening it: available, or not, with the reason.
    pub availability: Availability,
}

/// The names of the events of this machine, without testing them: the kernel's, those of sysfs and of the tables with their unit masks, vendors' events, and tracepoints.
///
/// ```
/// use counterpoint::listing::event_names;
/// use counterpoint::{Machine, perf::Host};
/// assert!(event_names(&Machine::new(Host::local())).contains(&"page-faults".to_string()));
/// ```
pub fn event_names(machine: &Machine) -> Vec<String> {
    patterns::event_names(machine)
}

/// Lists every event of the kernel and of the machine's PMUs, each tested by opening it, and the times that can be measured beside them; [`list_tracepoints`] has the tracepoints.
///
/// ```
/// use counterpoint::listing::list;
/// use counterpoint::{Machine, perf::Host};
///
/// let machine = Machine::new(Host::local());
/// assert!(list(&machine).iter().any(|event| event.name == "task-clock"));
/// ```
pub fn list(machine: &Machine) -> Vec<Listed> {
    let mut listed = Vec::new();
    for event in kernel::all() {
        let natives = lookup::natives(machine, &spec(event.name));
        for native in natives.unwrap_or_default() {
            listed.push(Listed {
                name: native.id.to_string(),
                aliases: event.aliases().chain([event.constant]).map(str::to_string).collect(),
                group: kind_name(event.group).to_string(),
                description: Some(event.description.to_string()),
                unit: native.unit.clone(),
                availability: probe(machine, &native),
            });
        }
    }
    listed.extend(kinds::all(machine.host()).map(|source| Listed {
        name: source.name().to_string(),
        aliases: Vec::new(),
        group: source.kind().to_string(),
        description: Some(source.description().to_string()),
        unit: source.unit().map(str::to_string),
        availability: of_source(machine, &source),
    }));
    for device in machine.devices() {
        for event in device.pmu.events.iter().map(|event| sysfs_event(machine, device, event)) {
            match generic(machine, device, &event, &mut listed) {
                // The kernel's generic event with this name is already listed.
                Some(generic) => generic.aliases.push(event.name),
                None => listed.push(event),
            }
        }
    }
    listed
}

/// Lists the tracepoints without testing them, if tracefs can be read: there are thousands, and the kernel waits for
/// every CPU when one is closed.
pub fn list_tracepoints(machine: &Machine) -> Vec<Listed> {
    let listed = |name| Listed {
        name,
        aliases: Vec::new(),
        group: "tracepoint".to_string(),
        description: None,
        unit: None,
        availability: Availability::NotTested,
    };
    machine.tracepoints().into_iter().map(listed).collect()
}

/// Lists the events of the vendor's files that the tables do not have, without testing them; the group of each is its
/// PMU.
pub fn list_vendor(machine: &Machine) -> Vec<Listed> {
    let mut seen = HashSet::new();
    let mut listed: Vec<Listed> = Vec::new();
    let of_tables = in_tables(machine);
    for event in machine.vendor().iter().filter(|event| !of_tables.contains(&event.name)) {
        let pmu = vendor::pmu_name(machine, &event);
        let candidate = lookup::known(machine, &[], &spec(&event.name));
        let first = candidate.ok().flatten().and_then(|first| first.events.into_iter().next());
        if !matches!(first, Some(CandidateEvent::Vendor { .. }))
            || !seen.insert((pmu.clone(), event.name.clone()))
        {
            continue;
        }
        listed.push(Listed {
            name: event.name.clone(),
            aliases: Vec::new(),
            group: pmu,
            description: Some(event.brief.clone()).filter(|brief| !brief.is_empty()),
            unit: event.scale.as_ref().map(|(_, unit)| unit.clone()),
            availability: Availability::NotTested,
        });
    }
    listed.sort_by(|a, b| (&a.group, &a.name).cmp(&(&b.group, &b.name)));
    listed
}

/// The names of the vendor's events that the tables have, perhaps spelled otherwise.
fn in_tables(machine: &Machine) -> HashSet<String> {
    let tables = machine.tables();
    let mut kinds: Vec<&'static Pmu> = tables.pmus.clone();
    // Boxes of one kind have the same events.
    kinds.dedup_by_key(|pmu| table::stem(pmu.name));
    let mut known = HashSet::new();
    for event in kinds.iter().flat_map(|pmu| pmu.events()) {
        let masks = event.attributes(Layer::Raw, tables).into_iter();
        let masks = masks.filter(|attribute| attribute.kind == AttributeKind::Umask);
        let names = masks.map(|mask| format!("{}.{}", event.name, mask.name));
        for name in names.chain([event.name.to_string()]) {
            let named = machine.vendor().named(&name).filter(|known| known.is_for(event.pmu));
            known.extend(named.map(|event| event.name.clone()));
        }
    }
    known
}

/// Lists the definitions of a set's libraries, the presets left out: those that apply to this machine are tested, and
/// the others say for which PMUs they are.
///
/// The group of each is its file, if it is from a file.
pub fn list_definitions(set: &EventSet) -> Vec<Listed> {
    let mut listed: Vec<Listed> = Vec::new();
    let mut known = HashSet::new();
    for definition in set.definitions() {
        // The last definition of a name is used, and the others are hidden.
        if !known.insert(definition.name().to_ascii_uppercase()) {
            continue;
        }
        listed.push(definition_of(set, definition));
    }
    listed.reverse();
    listed
}

/// The definition that a set uses for the name of this one, or this one, which does not apply.
fn definition_of(set: &EventSet, definition: Definition) -> Listed {
    let candidates = set.candidates(definition.name()).unwrap_or_default();
    let first = candidates.into_iter().next().and_then(|first| first.events.into_iter().next());
    let (definition, availability) = match first {
        Some(CandidateEvent::Definition { definition: used, .. })
            if !used.origin().is_included() =>
        {
            let availability = match set.availability(used.name()) {
                Ok(states) => together(states.into_iter()),
                Err(error) => Availability::Unavailable(Reason::Definition(error.to_string())),
            };
            (used, availability)
        }
        _ => {
            let reason = format!("it is {}", elsewhere(&definition));
            (definition, Availability::Unavailable(Reason::Definition(reason)))
        }
    };
    let description = candidate::description(&definition);
    Listed {
        name: definition.name().to_string(),
        aliases: Vec::new(),
        group: match definition.origin() {
            Origin::File(path) => path.display().to_string(),
            _ => "definitions".to_string(),
        },
        description: description.map(str::to_string),
        unit: definition.units().map(str::to_string),
        availability,
    }
}

impl Listed {
    /// Tests whether an event can be counted, by opening it.
    pub fn test(&mut self, machine: &Machine) {
        self.availability = match native_of(machine, &self.name) {
            Some(native) => probe(machine, &native),
            None => Availability::NotRecorded,
        };
    }
}

fn sysfs_event(machine: &Machine, device: &Device, event: &sysfs::Event) -> Listed {
    let name = format!("{}/{}/", device.pmu.name, event.name);
    let open: Vec<String> = event.placeholders().map(|term| format!("{term}=")).collect();
    let availability = match (open.is_empty(), native_of(machine, &name)) {
        (false, _) => Availability::Needs(open),
        (true, Some(native)) => probe(machine, &native),
        (true, None) => Availability::Needs(Vec::new()),
    };
    Listed {
        name,
        aliases: Vec::new(),
        group: device.pmu.name.clone(),
        description: None,
        unit: event.unit.clone(),
        availability,
    }
}

/// The listed event of the kernel that is the same as a core PMU's event, if it can be counted as well as that one.
fn generic<'l>(
    machine: &Machine,
    device: &Device,
    event: &Listed,
    listed: &'l mut [Listed],
) -> Option<&'l mut Listed> {
    let own = event.name.strip_prefix(&format!("{}/", device.pmu.name))?.strip_suffix('/')?;
    let kernel = kernel::find(own)?;
    let is_core = machine.core_pmus().iter().any(|core| core.pmu.name == device.pmu.name);
    let name = if machine.hybrid_pmus().is_empty() {
        kernel.name.to_string()
    } else {
        format!("{}/{}/", device.pmu.name, kernel.name)
    };
    let same = |other: &&mut Listed| other.name == name && other.availability == event.availability;
    listed.iter_mut().find(same).filter(|_| is_core)
}

/// A preset, and the events that count it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedPreset {
    /// The preset itself.
    pub preset: &'static Preset,
    /// The core PMU, if there are several kinds of cores.
    pub core: Option<String>,
    /// The native events and the formula over them; `None` if no event counts the preset.
    pub expansion: Option<Expansion>,
    /// True if the kernel's own events are used, because no table has the preset for this processor.
    pub generic: bool,
    /// The answer to opening it: available, or not, with the reason.
    pub availability: Availability,
}

/// Lists all presets, each tested on this machine; on a hybrid machine, once for each kind of core that counts it.
pub fn list_presets(machine: &Machine) -> Vec<ListedPreset> {
    let mut listed = Vec::new();
    for (preset, found) in find_presets(machine) {
        if found.is_empty() {
            listed.push(ListedPreset::unsupported(preset, "this processor"));
        }
        listed.extend(found.into_iter().map(|found| ListedPreset {
            preset,
            core: found.core,
            expansion: Some(found.expansion),
            generic: found.generic,
            availability: match &found.natives {
                Ok(natives) => together(natives.iter().map(|native| probe(machine, native))),
                Err(reason) => Availability::Unavailable(reason.clone()),
            },
        }));
    }
    listed
}

/// Lists all presets for a PMU of the tables and the caches that its cores share, without testing them.
pub fn list_presets_of(pmu: &Pmu) -> Vec<ListedPreset> {
    let caches = pmu.shared_caches();
    let pmus = || std::iter::once(pmu).chain(caches.iter().copied()).map(|pmu| pmu.name);
    let libraries: Vec<Library> = pmus().filter_map(presets::library).collect();
    let definitions = link(&libraries, pmus().map(PmuName::from).collect::<Pmus<'_>>());
    let listed = |preset: &'static Preset| {
        let expansion = definitions.get(preset.name).and_then(|d| definitions.expand(&d).ok());
        match expansion {
            None => ListedPreset::unsupported(preset, pmu.name),
            Some(_) => ListedPreset {
                preset,
                core: None,
                expansion,
                generic: false,
                availability: Availability::NotRecorded,
            },
        }
    };
    Preset::all().iter().map(listed).collect()
}

impl ListedPreset {
    fn unsupported(preset: &'static Preset, by: &str) -> ListedPreset {
        let availability = Availability::Unavailable(preset.unsupported_by(by));
        ListedPreset { preset, core: None, expansion: None, generic: false, availability }
    }
}

fn kind_name(group: kernel::Group) -> &'static str {
    match group {
        kernel::Group::Hardware => "hardware",
        kernel::Group::Software => "software",
        _ => "cache",
    }
}

fn native_of(machine: &Machine, text: &str) -> Option<Native> {
    lookup::natives(machine, &spec(text)).ok()?.into_iter().next()
}
