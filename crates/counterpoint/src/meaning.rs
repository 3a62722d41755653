//! What a name may mean on a machine, in the order in which it is looked up.

use crate::presets::Preset;
use crate::{Device, Machine, tables};
use counterpoint_definitions::{Definition, Expansion, Unavailable};
use counterpoint_pmu::syntax::{Source, Term, Value, parse, split_modifiers};
use counterpoint_pmu::{Event, PmuKind, find, kernel, sysfs};

/// Something that a name stands for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Meaning {
    /// A definition of a file, or a preset, as one kind of core sees it.
    Definition {
        /// What it is.
        definition: Box<Definition>,
        /// The same down to native events, or why it has no value.
        expansion: Result<Expansion, Unavailable>,
        /// The PMU of the cores, where there are several kinds of them.
        core: Option<String>,
        /// It is one of the [presets](crate::presets), and stands in no file of the user's.
        preset: bool,
    },
    /// A preset that no event of this processor counts.
    Uncounted(&'static Preset),
    /// An event that the kernel itself names.
    Kernel(kernel::KernelEvent),
    /// An event that sysfs names.
    Sysfs {
        /// The PMU whose directory it is in.
        pmu: String,
        /// The event.
        event: sysfs::Event,
    },
    /// An event of the tables.
    Table(Event),
    /// A tracepoint, `subsystem:name`.
    Tracepoint(String),
}

impl Meaning {
    /// Which of the kinds of names it is, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Meaning::Definition { preset: true, .. } | Meaning::Uncounted(_) => "preset",
            Meaning::Definition { .. } => "definition",
            Meaning::Kernel(_) => "kernel",
            Meaning::Sysfs { .. } => "sysfs",
            Meaning::Table(_) => "table",
            Meaning::Tracepoint(_) => "tracepoint",
        }
    }
}

/// All that a name stands for; what it means is the first and those that are counted with it.
#[derive(Clone, Debug, Default)]
pub struct Meanings {
    /// What is counted: one, or one for each kind of core or box that has the event.
    pub meant: Vec<Meaning>,
    /// What the name would mean if it did not mean that.
    pub hidden: Vec<Meaning>,
}

impl Meanings {
    pub(crate) fn of(machine: &Machine, name: &str, definitions: Vec<Meaning>) -> Meanings {
        let mut meanings = Meanings { meant: definitions, hidden: Vec::new() };
        meanings.add(kernel_event(name));
        meanings.add(sysfs_events(machine, name));
        let (alike, others) = table_events(machine, name);
        meanings.add(alike);
        meanings.hidden.extend(others);
        meanings.add(tracepoint(machine, name));
        let counted =
            |meaning: &Meaning| matches!(meaning, Meaning::Definition { preset: true, .. });
        if !meanings.meant.iter().any(counted) {
            meanings.add(spellings(name).find_map(Preset::find).map(Meaning::Uncounted));
        }
        meanings
    }

    fn add(&mut self, found: impl IntoIterator<Item = Meaning>) {
        let found = found.into_iter();
        if self.meant.is_empty() { self.meant.extend(found) } else { self.hidden.extend(found) }
    }
}

/// The name as it stands, and without perf's modifiers.
fn spellings(name: &str) -> impl Iterator<Item = &str> {
    let bare = split_modifiers(name).0;
    std::iter::once(name).chain((bare != name).then_some(bare))
}

fn kernel_event(name: &str) -> Option<Meaning> {
    spellings(name).find_map(kernel::find).map(Meaning::Kernel)
}

fn sysfs_events(machine: &Machine, name: &str) -> Vec<Meaning> {
    let of = |device: &Device, name: &str| {
        let event = device.pmu.event(name)?.clone();
        Some(Meaning::Sysfs { pmu: device.pmu.name.clone(), event })
    };
    if let Ok([group]) = parse(name).as_deref()
        && let [spec] = group.events.as_slice()
        && let Source::Pmu { pmu, terms, .. } = &spec.source
    {
        let [Term { name, value: Value::Flag, .. }] = terms.as_slice() else { return Vec::new() };
        return machine.boxes(pmu).into_iter().filter_map(|device| of(device, name)).collect();
    }
    let cores = machine.core_pmus();
    let on_cores = |name| cores.iter().filter_map(|core| of(core, name)).collect::<Vec<_>>();
    spellings(name).map(on_cores).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Those that are counted together, and those of other PMUs.
fn table_events(machine: &Machine, name: &str) -> (Vec<Meaning>, Vec<Meaning>) {
    if let Some((pmu, event)) = name.split_once("::") {
        let event = tables::event_name(event);
        let found = find(pmu).and_then(|pmu| pmu.event(event));
        return (found.map(Meaning::Table).into_iter().collect(), Vec::new());
    }
    let pmus = &machine.tables().pmus;
    let alike = tables::alike(pmus, name);
    let having = pmus.iter().filter(|pmu| pmu.kind != PmuKind::OsGeneric);
    let events = having.filter_map(|pmu| pmu.event(tables::event_name(name)));
    let (alike, others): (Vec<Event>, Vec<Event>) =
        events.partition(|event| alike.contains(&event.pmu));
    (
        alike.into_iter().map(Meaning::Table).collect(),
        others.into_iter().map(Meaning::Table).collect(),
    )
}

fn tracepoint(machine: &Machine, name: &str) -> Option<Meaning> {
    let is_known = |name: &&str| {
        let tracepoint =
            name.split_once(':').map(|(system, event)| machine.tracepoint(system, event));
        matches!(tracepoint, Some(crate::machine::Tracepoint::Id(_)))
    };
    spellings(name).find(is_known).map(|name| Meaning::Tracepoint(name.to_string()))
}
