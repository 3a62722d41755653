//! `show --json`: an object for each event that is counted, at each layer.

use super::shown::Shown;
use crate::descriptions::{Author, Worded};
use crate::show::hex;
use counterpoint::definitions::Origin;
use counterpoint::events::{CandidateEvent, ToolEvent};
use counterpoint::pmu::{self, Attribute, AttributeKind, Controller, Event, Layer, Speculative};
use serde_json::{Value, json};
use std::io::{self, Write};

impl Shown<'_> {
    pub fn write_json(&self, out: &mut impl Write, event: &CandidateEvent) -> io::Result<()> {
        let mut objects = match event {
            CandidateEvent::Table(event) => self.layered(event),
            CandidateEvent::Kernel(event) => {
                let event = pmu::find("perf").and_then(|perf| perf.event(event.name));
                event.map(|event| self.layered(&event)).unwrap_or_default()
            }
            CandidateEvent::Sysfs { pmu, event } => {
                let terms: Vec<String> = event.terms.iter().map(ToString::to_string).collect();
                vec![json!({
                    "pmu": pmu,
                    "name": event.name,
                    "terms": terms.join(","),
                    "scale": event.scale,
                    "unit": event.unit,
                    "cpus": self.cpus(),
                })]
            }
            CandidateEvent::Vendor { pmu, event } => vec![json!({
                "pmu": pmu,
                "name": event.name,
                "desc": event.brief,
                "desc_source": "vendor",
                "long_desc": event.text,
                "terms": event.terms,
                "counters": event.counters.map(hex),
                "is_precise": event.is_precise,
                "is_deprecated": event.is_deprecated,
                "scale": event.scale.as_ref().map(|(factor, _)| factor),
                "unit": event.scale.as_ref().map(|(_, unit)| unit),
                "cpus": self.cpus(),
            })],
            CandidateEvent::Definition { definition, expansion, core } => {
                let whole = expansion.as_ref();
                let file = match definition.origin() {
                    Origin::File(path) => Some(path.display().to_string()),
                    _ => None,
                };
                vec![json!({
                    "pmu": core,
                    "name": definition.name(),
                    "type": definition.notation(),
                    "desc": event.description(),
                    "short_desc": definition.short_description(),
                    "note": definition.note(),
                    "unit": definition.units(),
                    "formula": whole.ok().map(|whole| whole.formula.infix().to_string()),
                    "terms": whole.ok().map(|whole| &whole.terms),
                    "line": definition.line(),
                    "file": file,
                    "unavailable": whole.err().map(ToString::to_string),
                })]
            }
            CandidateEvent::Unsupported(preset) => vec![json!({
                "name": preset.name,
                "desc": preset.description,
                "unavailable": "no event of this processor counts it",
            })],
            CandidateEvent::Tool(tool) => vec![json!({
                "name": tool.name(),
                "desc": tool.description(),
                "unit": ToolEvent::UNIT,
            })],
            CandidateEvent::Likwid { name, event } => {
                vec![json!({"name": name, "stands_for": event})]
            }
            _ => vec![json!({"name": self.name})],
        };
        let hides: Vec<Value> =
            self.hidden.iter().flat_map(|candidate| &candidate.events).map(hidden).collect();
        for object in &mut objects {
            object["schema"] = 1.into();
            object["input"] = self.name.as_str().into();
            object["kind"] = event.kind().into();
            object["hides"] = hides.clone().into();
            writeln!(out, "{object}")?;
        }
        Ok(())
    }

    /// An event of a table, with its attributes at each layer.
    fn layered(&self, event: &Event) -> Vec<Value> {
        self.layers.iter().map(|layer| self.at_layer(event, *layer)).collect()
    }

    fn at_layer(&self, event: &Event, layer: Layer) -> Value {
        let attributes = event.attributes(layer, self.set.machine().tables());
        let unavailable = self.unsupported(layer);
        let layer = match layer {
            Layer::Raw => "raw",
            Layer::PerfEvent => "perf",
            Layer::PerfEventExt => "perf-ext",
        };
        let words = self.words.event(event);
        json!({
            "layer": layer,
            "unavailable": unavailable,
            "pmu": event.pmu.name,
            "name": event.name,
            "desc": words.map(|words| words.text),
            "desc_source": source(words),
            "equiv": event.equiv,
            "code": hex(event.code),
            "counters": event.counters().map(hex),
            "nattrs": attributes.len(),
            "is_precise": event.is_precise(),
            "is_speculative": number(event.speculative()),
            "support_hw_smpl": event.hardware_sampling(),
            "is_deprecated": event.is_deprecated(),
            "attributes":
                attributes.iter().map(|a| self.attribute(event, a)).collect::<Vec<_>>(),
        })
    }

    fn attribute(&self, event: &Event, attribute: &Attribute) -> Value {
        let kind = match attribute.kind {
            AttributeKind::Umask => "umask",
            AttributeKind::Bool => "bool",
            _ => "int",
        };
        let controller = match attribute.controller {
            Controller::PerfEvent => "perf_event",
            _ => "pmu",
        };
        let words = self.words.attribute(event, attribute);
        json!({
            "name": attribute.name,
            "desc": words.map(|words| words.text),
            "desc_source": source(words),
            "equiv": attribute.equiv,
            "code": hex(attribute.code),
            "type": kind,
            "idx": attribute.index,
            "ctrl": controller,
            "is_dfl": attribute.is_default,
            "is_precise": attribute.is_precise,
            "is_speculative": number(attribute.speculative),
            "support_hw_smpl": attribute.hardware_sampling,
            "support_no_mods": attribute.no_modifiers,
            "range": attribute.range.as_ref().map(|range| [range.start(), range.end()]),
            "default": hex(attribute.default),
            "group": attribute.group,
            "counters": attribute.counters.map(hex),
        })
    }
}

/// Who wrote a description, or null if there is none.
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

fn hidden(event: &CandidateEvent) -> Value {
    let (pmu, name) = match event {
        CandidateEvent::Definition { definition, core, .. } => (core.as_deref(), definition.name()),
        CandidateEvent::Kernel(event) => (Some("perf"), event.name),
        CandidateEvent::Sysfs { pmu, event } => (Some(pmu.as_str()), event.name.as_str()),
        CandidateEvent::Table(event) => (Some(event.pmu.name), event.name),
        CandidateEvent::Tool(tool) => (None, tool.name()),
        CandidateEvent::Tracepoint(name) => (None, name.as_str()),
        CandidateEvent::Vendor { pmu, event } => (Some(pmu.as_str()), event.name.as_str()),
        CandidateEvent::Likwid { name, .. } => (None, name.as_str()),
        _ => (None, ""),
    };
    json!({"kind": event.kind(), "pmu": pmu, "name": name})
}
