//! Encodes the syntax of `stat -e`: each event with the attributes with which it is opened.

use super::answer::{Answer, Opened, Outcome, Refused};
use crate::hints;
use counterpoint::Machine;
use counterpoint::events::{Native, PmuBox, Resolved};
use counterpoint::perf::pmu_type;
use counterpoint::pmu::PerfEncoding;
use std::ptr;

pub fn answer(machine: &Machine, input: &str) -> Answer {
    Answer { input: input.to_string(), outcome: outcome(machine, input) }
}

fn outcome(machine: &Machine, input: &str) -> Outcome {
    let resolved = match machine.resolve(input) {
        Err(error) => {
            return Outcome::Refused(Refused {
                code: error.code(),
                message: error.to_string(),
                span: error.span().unwrap_or(0..input.len()),
                help: error.help().as_ref().map(hints::help),
                similar: error.similar(),
            });
        }
        Ok(resolved) => resolved,
    };
    if let Some((event, reason)) = resolved.unavailable().next() {
        let start = input.find(event).unwrap_or(0);
        return Outcome::Refused(Refused {
            code: "NOTSUPP",
            message: format!("`{event}` cannot be counted: {reason}"),
            span: start..start + event.len(),
            help: reason.help().as_ref().map(hints::help),
            similar: Vec::new(),
        });
    }
    if let Some((event, _)) = resolved.sources().next() {
        return needs_none(input, event);
    }
    let events = with_terms(&resolved).into_iter();
    Outcome::Opened(events.flat_map(|event| on_boxes(machine, event)).collect())
}

/// The answer to a time, for which no event is opened.
pub fn needs_none(input: &str, event: &str) -> Outcome {
    let start = input.find(event).unwrap_or(0);
    Outcome::Refused(Refused {
        code: "NOTSUPP",
        message: format!(
            "`{event}` is measured by the program: it needs no counter, and has no encoding"
        ),
        span: start..start + event.len(),
        help: Some("leave it out".to_string()),
        similar: Vec::new(),
    })
}

/// The events by the texts that ask for them, then those that presets are made of by their own names.
fn with_terms(resolved: &Resolved) -> Vec<(String, &Native)> {
    let asked = resolved.events();
    let mut events: Vec<(String, &Native)> =
        asked.map(|(text, native)| (text.to_string(), native)).collect();
    let terms = resolved.natives().iter();
    let terms = terms.filter(|term| !resolved.events().any(|(_, event)| ptr::eq(event, *term)));
    events.extend(terms.map(|term| (term.id.to_string(), term)));
    events
}

/// The event on each of the boxes that are counted together.
fn on_boxes(machine: &Machine, (text, native): (String, &Native)) -> Vec<Opened> {
    let of_box = |PmuBox { attr, cpumask, cpus, .. }: &PmuBox| {
        let device = machine.devices().iter().find(|device| device.pmu.kind == attr.kind);
        let pmu = match (attr.kind, device) {
            (pmu_type::HARDWARE | pmu_type::SOFTWARE | pmu_type::HW_CACHE, _) => "perf",
            (_, Some(device)) => &device.pmu.name,
            (_, None) => "perf_raw",
        };
        let mut perf = PerfEncoding::default();
        perf.kind = attr.kind;
        (perf.config, perf.config1, perf.config2) = (attr.config, attr.config1, attr.config2);
        (perf.exclude_user, perf.exclude_kernel) = (attr.exclude.user, attr.exclude.kernel);
        (perf.exclude_hv, perf.exclude_host) = (attr.exclude.hv, attr.exclude.host);
        perf.exclude_guest = attr.exclude.guest;
        (perf.precise_ip, perf.exclusive, perf.pinned) =
            (attr.precise, attr.exclusive, attr.pinned);
        Opened {
            pmu: pmu.to_string(),
            event: text.clone(),
            canonical: native.id.to_string(),
            perf,
            cpus: cpumask.as_ref().or(cpus.as_ref()).map(ToString::to_string),
        }
    };
    native.boxes.iter().map(of_box).collect()
}
