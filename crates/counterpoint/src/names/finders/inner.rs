//! Names between the slashes of `pmu/terms/` that sysfs does not have: events of vendors' files, which perf takes there
//! too, and events of the tables. The files come first, so that such a text is what it is for perf.

use super::vendor;
use crate::machine::pmus::{Device, Machine};
use crate::names::candidate::CandidateEvent;
use counterpoint_pmu::syntax::{Term, Value};
use counterpoint_pmu::{Context, Layer, Pmu, PmuKind, encode, sysfs};
use std::borrow::Cow;

/// The PMU of a device with the events that terms name and sysfs does not have, and the counters of the last of them.
pub(crate) fn with_events<'d>(
    machine: &Machine,
    device: &'d Device,
    terms: &[Term],
) -> (Cow<'d, sysfs::Pmu>, Option<u64>) {
    let mut pmu = Cow::Borrowed(&device.pmu);
    let mut counters = None;
    for name in terms.iter().filter_map(unvalued) {
        if device.pmu.event(name).is_some() || device.pmu.format(name).is_some() {
            continue;
        }
        let found = vendor::on_device(machine, device, name);
        let found = found.or_else(|| of_tables(machine, device, name));
        if let Some((mut event, of_event)) = found {
            counters = of_event;
            // The terms name it as the user spelled it.
            event.name = name.to_string();
            pmu.to_mut().events.push(event);
        }
    }
    (pmu, counters)
}

/// The event of a vendor's files that a single name between the slashes stands for.
pub(crate) fn named(machine: &Machine, pmu: &str, name: &str) -> Vec<CandidateEvent> {
    vendor::candidate(machine, pmu, name).into_iter().collect()
}

/// The name of a term without a value.
fn unvalued(term: &Term) -> Option<&str> {
    (term.value == Value::Flag).then_some(term.name.as_str())
}

/// An event of the tables, with its unit mask, as the words of a device.
fn of_tables(
    machine: &Machine,
    device: &Device,
    name: &str,
) -> Option<(sysfs::Event, Option<u64>)> {
    let is_core = machine.is_core(device);
    let is_of = |pmu: &Pmu| match pmu.devices().next() {
        // `cpu` beside a PMU of `cpu_core`: the performance cores, where the others are off.
        Some(_) => pmu.devices().any(|known| {
            known == device.pmu.name || (known, &*device.pmu.name) == ("cpu_core", "cpu")
        }),
        None => is_core && pmu.kind == PmuKind::Core,
    };
    let mut context = Context::new(Layer::PerfEvent);
    context.machine = machine.tables().clone();
    context.machine.perf_events = true;
    // The words are all that is used of the answer.
    context.machine.devices.entry(device.pmu.name.clone()).or_insert(device.pmu.kind);
    let pmus = machine.tables().pmus.iter().filter(|pmu| is_of(pmu));
    let encoding =
        pmus.filter_map(|pmu| encode(&format!("{}::{name}", pmu.name), &context).ok()).next()?;
    let perf = encoding.perf.as_ref()?;
    let words = [("config", perf.config), ("config1", perf.config1), ("config2", perf.config2)];
    let words = words.into_iter().filter(|(_, word)| *word != 0);
    let term = |(name, word): (&str, u64)| {
        let (name, value) = (name.to_string(), Value::Number(word));
        Term { name, value, span: 0..0, value_span: 0..0 }
    };
    let terms = words.map(term).collect();
    Some((sysfs::Event::new(name, terms), encoding.counters))
}
