//! What `stat -e` takes, encoded: each event as the kernel is asked to open it.

use super::{hex, perf_as_json, refusal};
use counterpoint::perf::pmu_type;
use counterpoint::pmu::PerfEncoding;
use counterpoint::{Machine, Native, PmuBox, Resolved};
use serde_json::{Value, json};
use std::ptr;

/// One event on one PMU is an answer by itself; several are in the list `events`.
pub fn answer(machine: &Machine, input: &str) -> Value {
    let resolved = match machine.resolve(input) {
        Err(error) => {
            let span = error.span().unwrap_or(0..input.len());
            let message = error.to_string();
            return refusal(input, span, error.code(), message, error.help(), error.similar());
        }
        Ok(resolved) => resolved,
    };
    if let Some((event, reason)) = resolved.unavailable().next() {
        let start = input.find(event).unwrap_or(0);
        let message = format!("`{event}` cannot be counted: {reason}");
        return refusal(input, start..start + event.len(), "NOTSUPP", message, reason.help(), &[]);
    }
    let events = with_terms(&resolved).into_iter();
    let events: Vec<Value> = events.flat_map(|event| on_boxes(machine, event)).collect();
    let mut answer = match events.as_slice() {
        [event] => event.clone(),
        _ => json!({"events": events}),
    };
    answer["input"] = input.into();
    answer["ok"] = true.into();
    answer
}

/// The events by the texts that ask for them, then those that presets are made of by their own names.
fn with_terms(resolved: &Resolved) -> Vec<(&str, &Native)> {
    let mut events: Vec<(&str, &Native)> = resolved.events().collect();
    let terms = resolved.natives().iter();
    let terms = terms.filter(|term| !resolved.events().any(|(_, event)| ptr::eq(event, *term)));
    events.extend(terms.map(|term| (term.canonical.as_str(), term)));
    events
}

/// The event on each of the boxes that are counted together.
fn on_boxes(machine: &Machine, (text, native): (&str, &Native)) -> Vec<Value> {
    let of_box = |PmuBox { attr, cpumask, cpus }: &PmuBox| {
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
        json!({
            "pmu": pmu,
            "event": text,
            "fully_qualified": native.canonical,
            "canonical": native.canonical,
            "codes": [hex(attr.config)],
            "counters": null,
            "cpus": cpumask.as_ref().or(cpus.as_ref()).map(|cpus| cpus.to_string()),
            "perf": perf_as_json(&perf),
        })
    };
    native.boxes.iter().map(of_box).collect()
}
