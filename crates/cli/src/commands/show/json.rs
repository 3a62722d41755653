//! `show --json`: an object for each event that is counted, at each layer.

#[cfg(test)]
use super::metric_json;
use super::shown::Shown;
use crate::descriptions::{Author, Worded};
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show::{self, hex};
use counterpoint::definitions::{self, Expansion, Origin, Unavailable};
use counterpoint::events::CandidateEvent;
use counterpoint::pmu::kernel::KernelEvent;
use counterpoint::pmu::{
    self, Attribute, AttributeKind, Controller, Layer, Speculative, sysfs, vendor,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<metric_json::Line>,
    schema_of::<Event<'_, TableEvent<'_>>>,
    schema_of::<Event<'_, SysfsEvent<'_>>>,
    schema_of::<Event<'_, VendorEvent<'_>>>,
    schema_of::<Event<'_, Definition<'_>>>,
    schema_of::<Event<'_, Unsupported<'_>>>,
    schema_of::<Event<'_, Tool<'_>>>,
    schema_of::<Event<'_, Likwid<'_>>>,
    schema_of::<Event<'_, Named<'_>>>,
];

/// An event: the keys of its kind, and those of all.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Event<'a, T> {
    #[serde(flatten)]
    own: T,
    /// The version of the format: 1.
    schema: u32,
    /// The name that was asked for.
    input: &'a str,
    /// The kind of the event.
    kind: &'static str,
    /// The events that have the same name and are not counted.
    hides: &'a [Hidden<'a>],
}

/// An event that another one hides.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Hidden<'a> {
    /// The kind of the event.
    kind: &'static str,
    /// Its PMU.
    pmu: Option<&'a str>,
    /// Its name.
    name: &'a str,
}

/// An event of the tables, at one layer.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct TableEvent<'a> {
    /// `raw` for the registers, `perf` or `perf-ext` for the kernel.
    layer: &'static str,
    /// Why this machine cannot encode events at this layer.
    unavailable: Option<String>,
    /// The PMU.
    pmu: &'a str,
    /// The name.
    name: &'a str,
    /// What it counts.
    desc: Option<String>,
    /// Who wrote the description: `counterpoint` or `vendor`.
    desc_source: Option<&'static str>,
    /// The event that this is another name for.
    equiv: Option<&'a str>,
    /// The code, in hexadecimal.
    code: String,
    /// The counters that can count it, as bits in hexadecimal.
    counters: Option<String>,
    /// The number of attributes.
    nattrs: usize,
    /// Whether samples of it have exact addresses.
    is_precise: bool,
    /// Whether speculative execution is counted: 0 not known, 1 yes, 2 no.
    is_speculative: u8,
    /// Whether the processor can write the samples itself.
    support_hw_smpl: bool,
    /// Whether the vendor advises against it.
    is_deprecated: bool,
    /// The processor's errata by which it may count wrongly.
    errata: Vec<Errata>,
    /// Its unit masks and modifiers.
    attributes: Vec<AttributeKeys>,
}

/// Errata about an event.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Errata {
    /// Their numbers.
    numbers: String,
    /// The unit masks that they are about; empty if it is the event itself.
    umasks: Vec<&'static str>,
}

/// A unit mask or a modifier.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct AttributeKeys {
    /// The name.
    name: String,
    /// What it selects.
    desc: Option<String>,
    /// Who wrote the description: `counterpoint` or `vendor`.
    desc_source: Option<&'static str>,
    /// The attributes that this is another name for.
    equiv: Option<String>,
    /// The bits, in hexadecimal.
    code: String,
    /// `umask`, `bool` or `int`.
    r#type: &'static str,
    /// Its number among those of its kind.
    idx: usize,
    /// Who applies it: `pmu` or `perf_event`.
    ctrl: &'static str,
    /// Whether it applies if none is written.
    is_dfl: bool,
    /// Whether samples have exact addresses with it.
    is_precise: bool,
    /// Whether speculative execution is counted: 0 not known, 1 yes, 2 no.
    is_speculative: u8,
    /// Whether the processor can write the samples itself.
    support_hw_smpl: bool,
    /// Whether it takes no modifiers.
    support_no_mods: bool,
    /// The least and the greatest value.
    range: Option<[u64; 2]>,
    /// The value if none is written, in hexadecimal.
    default: String,
    /// The group of unit masks, if there are several.
    group: Option<u8>,
    /// The counters that can count it, as bits in hexadecimal.
    counters: Option<String>,
}

/// An event of sysfs.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SysfsEvent<'a> {
    /// The PMU.
    pmu: &'a str,
    /// The name.
    name: &'a str,
    /// The fields that encode it.
    terms: String,
    /// What the count is multiplied with.
    scale: Option<f64>,
    /// The unit of the value.
    unit: Option<&'a str>,
    /// The CPUs on which it is counted, if not on any.
    cpus: Option<String>,
}

impl<'a> SysfsEvent<'a> {
    fn new(pmu: &'a str, event: &'a sysfs::Event, cpus: Option<String>) -> SysfsEvent<'a> {
        let terms: Vec<String> = event.terms.iter().map(ToString::to_string).collect();
        SysfsEvent {
            pmu,
            name: &event.name,
            terms: terms.join(","),
            scale: event.scale,
            unit: event.unit.as_deref(),
            cpus,
        }
    }
}

/// An event of a vendor's files.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct VendorEvent<'a> {
    /// The PMU.
    pmu: &'a str,
    /// The name.
    name: &'a str,
    /// What it counts.
    desc: &'a str,
    /// `vendor`.
    desc_source: &'static str,
    /// What it counts, at length.
    long_desc: Option<&'a str>,
    /// The fields that encode it.
    terms: &'a str,
    /// The counters that can count it, as bits in hexadecimal.
    counters: Option<String>,
    /// Whether samples of it have exact addresses.
    is_precise: bool,
    /// Whether the vendor advises against it.
    is_deprecated: bool,
    /// The numbers of the processor's errata by which it may count wrongly.
    errata: Option<&'a str>,
    /// What the count is multiplied with.
    scale: Option<f64>,
    /// The unit of the value.
    unit: Option<&'a str>,
    /// The CPUs on which it is counted, if not on any.
    cpus: Option<String>,
}

impl<'a> VendorEvent<'a> {
    fn new(pmu: &'a str, event: &'a vendor::Event, cpus: Option<String>) -> VendorEvent<'a> {
        VendorEvent {
            pmu,
            name: &event.name,
            desc: &event.brief,
            desc_source: "vendor",
            long_desc: event.text.as_deref(),
            terms: &event.terms,
            counters: event.counters.map(hex),
            is_precise: event.is_precise,
            is_deprecated: event.is_deprecated,
            errata: event.errata.as_deref(),
            scale: event.scale.as_ref().map(|(factor, _)| *factor),
            unit: event.scale.as_ref().map(|(_, unit)| unit.as_str()),
            cpus,
        }
    }
}

/// A definition, or a preset.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Definition<'a> {
    /// The PMU of the cores, if there are several kinds of cores.
    pmu: Option<&'a str>,
    /// The name.
    name: &'a str,
    /// How the formula is written, in PAPI's words.
    r#type: &'a str,
    /// What it counts.
    desc: Option<&'a str>,
    /// What it counts, in a few words.
    short_desc: Option<&'a str>,
    /// What its author notes.
    note: Option<&'a str>,
    /// The unit of the value.
    unit: Option<&'a str>,
    /// The formula over the native events.
    formula: Option<String>,
    /// The native events.
    terms: Option<&'a [String]>,
    /// The line of the file that defines it.
    line: u32,
    /// The file; null if it is built in.
    file: Option<String>,
    /// The numbers of the processor's errata by which its native events may count wrongly, with commas between them.
    errata: Option<String>,
    /// Why it has no value.
    unavailable: Option<String>,
}

impl<'a> Definition<'a> {
    fn new(
        definition: &'a definitions::Definition,
        expansion: &'a Result<Expansion, Unavailable>,
    ) -> Definition<'a> {
        let whole = expansion.as_ref();
        Definition {
            pmu: None,
            name: definition.name(),
            r#type: definition.notation(),
            desc: None,
            short_desc: definition.short_description(),
            note: definition.note(),
            unit: definition.units(),
            formula: whole.ok().map(|whole| whole.formula.infix().to_string()),
            terms: whole.ok().map(|whole| whole.terms.as_slice()),
            line: definition.line(),
            file: match definition.origin() {
                Origin::File(path) => Some(path.display().to_string()),
                _ => None,
            },
            errata: None,
            unavailable: whole.err().map(ToString::to_string),
        }
    }
}

/// A preset that no event of the processor counts.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Unsupported<'a> {
    /// The name.
    name: &'a str,
    /// What it counts.
    desc: &'a str,
    /// Why it has no value.
    unavailable: &'static str,
}

/// A time that the program measures.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Tool<'a> {
    /// The name.
    name: &'a str,
    /// What it is.
    desc: &'a str,
    /// Its unit.
    unit: &'a str,
}

/// A name of likwid's.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Likwid<'a> {
    /// The name.
    name: &'a str,
    /// The event that it stands for.
    stands_for: &'a str,
}

/// An event of which only the name is known.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Named<'a> {
    /// The name.
    name: &'a str,
}

impl Shown<'_> {
    pub fn write_json(&self, out: &mut impl Write, event: &CandidateEvent) -> io::Result<()> {
        let hides: Vec<Hidden<'_>> =
            self.hidden.iter().flat_map(|candidate| &candidate.events).map(hidden).collect();
        let kind = event.kind();
        match event {
            CandidateEvent::Table(event) => self.layered(out, event, kind, &hides),
            CandidateEvent::Kernel(event) => {
                let event = self.of_kernel(event);
                event.map_or(Ok(()), |event| self.layered(out, &event, kind, &hides))
            }
            CandidateEvent::Sysfs { pmu, event } => {
                self.line(out, SysfsEvent::new(pmu, event, self.cpus()), kind, &hides)
            }
            CandidateEvent::Vendor { pmu, event } => {
                self.line(out, VendorEvent::new(pmu, event, self.cpus()), kind, &hides)
            }
            CandidateEvent::Definition { definition, expansion, core } => {
                let own = Definition {
                    pmu: core.as_deref(),
                    desc: event.description(),
                    errata: self.errata_of(expansion),
                    ..Definition::new(definition, expansion)
                };
                self.line(out, own, kind, &hides)
            }
            CandidateEvent::Unsupported(preset) => {
                let unavailable = "no event of this processor counts it";
                let own = Unsupported { name: preset.name, desc: preset.description, unavailable };
                self.line(out, own, kind, &hides)
            }
            CandidateEvent::Source(source) => {
                let (name, desc) = (source.name(), source.description());
                let unit = source.unit().unwrap_or_default();
                self.line(out, Tool { name, desc, unit }, kind, &hides)
            }
            CandidateEvent::Likwid { name, event } => {
                self.line(out, Likwid { name, stands_for: event }, kind, &hides)
            }
            _ => self.line(out, Named { name: &self.name }, kind, &hides),
        }
    }

    /// The event of the table by the name that was asked for: its other names have facts of their own.
    fn of_kernel(&self, event: &KernelEvent) -> Option<pmu::Event> {
        let perf = pmu::find("perf")?;
        let asked = self.name.strip_prefix("perf::").unwrap_or(&self.name);
        let asked = asked.split(':').next().and_then(|name| perf.event(name));
        asked.or_else(|| perf.event(event.name))
    }

    fn line<T: Serialize>(
        &self,
        out: &mut impl Write,
        own: T,
        kind: &'static str,
        hides: &[Hidden<'_>],
    ) -> io::Result<()> {
        show::json(out, &Event { own, schema: 1, input: &self.name, kind, hides })
    }

    /// An event of a table, with its attributes at each layer.
    fn layered(
        &self,
        out: &mut impl Write,
        event: &pmu::Event,
        kind: &'static str,
        hides: &[Hidden<'_>],
    ) -> io::Result<()> {
        let mut layers = self.layers.iter();
        layers.try_for_each(|layer| self.line(out, self.at_layer(event, *layer), kind, hides))
    }

    fn at_layer(&self, event: &pmu::Event, layer: Layer) -> TableEvent<'static> {
        let attributes = event.attributes(layer, self.set.machine().tables());
        let words = self.words.event(event);
        let errata = self.errata(event).into_iter();
        let errata = errata.map(|(numbers, umasks)| Errata { numbers, umasks });
        TableEvent {
            layer: match layer {
                Layer::Raw => "raw",
                Layer::PerfEvent => "perf",
                Layer::PerfEventExt => "perf-ext",
            },
            unavailable: self.unsupported(layer).map(|reason| reason.to_string()),
            pmu: event.pmu.name,
            name: event.name,
            desc: words.map(|words| words.text.to_string()),
            desc_source: source(words),
            equiv: event.equiv,
            code: hex(event.code),
            counters: event.counters().map(hex),
            nattrs: attributes.len(),
            is_precise: event.is_precise(),
            is_speculative: number(event.speculative()),
            support_hw_smpl: event.hardware_sampling(),
            is_deprecated: event.is_deprecated(),
            errata: errata.collect(),
            attributes: attributes.iter().map(|a| self.attribute(event, a)).collect(),
        }
    }

    fn attribute(&self, event: &pmu::Event, attribute: &Attribute) -> AttributeKeys {
        let words = self.words.attribute(event, attribute);
        AttributeKeys {
            name: attribute.name.to_string(),
            desc: words.map(|words| words.text.to_string()),
            desc_source: source(words),
            equiv: attribute.equiv.as_ref().map(ToString::to_string),
            code: hex(attribute.code),
            r#type: match attribute.kind {
                AttributeKind::Umask => "umask",
                AttributeKind::Bool => "bool",
                _ => "int",
            },
            idx: attribute.index,
            ctrl: match attribute.controller {
                Controller::PerfEvent => "perf_event",
                _ => "pmu",
            },
            is_dfl: attribute.is_default,
            is_precise: attribute.is_precise,
            is_speculative: number(attribute.speculative),
            support_hw_smpl: attribute.hardware_sampling,
            support_no_mods: attribute.no_modifiers,
            range: attribute.range.as_ref().map(|range| [*range.start(), *range.end()]),
            default: hex(attribute.default),
            group: attribute.group,
            counters: attribute.counters.map(hex),
        }
    }
}

/// The author of a description, or null if there is none.
fn source(words: Option<Worded<'_>>) -> Option<&'static str> {
    Some(match words?.author {
        Author::Counterpoint => "counterpoint",
        Author::Vendor => "vendor",
    })
}

/// libpfm's number: 0 not known, 1 yes, 2 no.
fn number(speculative: Speculative) -> u8 {
    match speculative {
        Speculative::Yes => 1,
        Speculative::No => 2,
        _ => 0,
    }
}

fn hidden(event: &CandidateEvent) -> Hidden<'_> {
    let (pmu, name) = match event {
        CandidateEvent::Definition { definition, core, .. } => (core.as_deref(), definition.name()),
        CandidateEvent::Kernel(event) => (Some("perf"), event.name),
        CandidateEvent::Sysfs { pmu, event } => (Some(pmu.as_str()), event.name.as_str()),
        CandidateEvent::Table(event) => (Some(event.pmu.name), event.name),
        CandidateEvent::Source(source) => (None, source.name()),
        CandidateEvent::Tracepoint(name) => (None, name.as_str()),
        CandidateEvent::Vendor { pmu, event } => (Some(pmu.as_str()), event.name.as_str()),
        CandidateEvent::Likwid { name, .. } => (None, name.as_str()),
        _ => (None, ""),
    };
    Hidden { kind: event.kind(), pmu, name }
}
