//! The meanings of names of events, their encodings, and which can be counted.

use crate::definitions::{self, DefinitionFile};
use crate::errors::{Problem, raise};
use counterpoint::events::{CandidateEvent, Native, PmuBox};
use counterpoint::listing::{self, Availability, Listed};
use counterpoint::perf::{Host, pmu_type};
use counterpoint::planning::PmuPlan;
use counterpoint::pmu::{self, Context, EncodeErrorKind, Encoding, Layer, PerfEncoding};
use counterpoint::{EventSet, Machine, Target};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

type Dicts<'py> = PyResult<Vec<Bound<'py, PyDict>>>;

/// Encodes an event of the tables, or as `stat -e` takes it.
#[pyfunction]
pub(crate) fn encode<'py>(py: Python<'py>, event: &str) -> Dicts<'py> {
    let machine = Machine::new(Host::local());
    let mut context = Context::new(Layer::PerfEvent);
    context.machine = machine.tables().clone();
    match pmu::encode(event, &context) {
        Ok(encoding) => Ok(vec![of_table(py, &encoding)?]),
        // Another syntax than that of the tables, or an event of the kernel.
        Err(error) if matches!(error.kind, EncodeErrorKind::UnknownEvent { pmu: None, .. }) => {
            of_kernel(py, &machine, event)
        }
        Err(error) => {
            let problem = Problem {
                message: error.to_string(),
                code: Some(error.code()),
                help: Some(error.help()).filter(|help| !help.is_empty()),
                place: Some((event, error.span.clone())),
            };
            Err(problem.raise(py, "EventError"))
        }
    }
}

fn of_table<'py>(py: Python<'py>, encoding: &Encoding) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("pmu", encoding.pmu)?;
    dict.set_item("event", &*encoding.event)?;
    dict.set_item("canonical", &encoding.canonical)?;
    dict.set_item("codes", encoding.codes.iter().copied().collect::<Vec<u64>>())?;
    dict.set_item("counters", encoding.counters)?;
    dict.set_item("cpus", None::<String>)?;
    dict.set_item(
        "attributes",
        encoding.perf.as_ref().map(|perf| attributes(py, perf)).transpose()?,
    )?;
    Ok(dict)
}

fn of_kernel<'py>(py: Python<'py>, machine: &Machine, event: &str) -> Dicts<'py> {
    let resolved = machine.resolve(event).map_err(|error| raise(py, &error, event))?;
    let refused = |message: String, help: Option<String>| {
        let place = Some((event, 0..event.len()));
        Problem { message, code: Some("NOTSUPP"), help, place }.raise(py, "EventError")
    };
    if let Some((name, reason)) = resolved.unavailable().next() {
        let help = reason.help().map(|help| help.to_string());
        return Err(refused(format!("`{name}` cannot be counted: {reason}"), help));
    }
    if let Some((name, _)) = resolved.sources().next() {
        let message = format!("`{name}` is a time: it needs no counter, and has no encoding");
        return Err(refused(message, None));
    }
    let natives = resolved.natives().iter();
    let boxes = natives.flat_map(|native| native.boxes.iter().map(move |part| (native, part)));
    boxes.map(|(native, part)| of_box(py, machine, native, part)).collect()
}

fn of_box<'py>(
    py: Python<'py>,
    machine: &Machine,
    native: &Native,
    PmuBox { attr, cpumask, cpus, .. }: &PmuBox,
) -> PyResult<Bound<'py, PyDict>> {
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
    (perf.exclude_guest, perf.precise_ip) = (attr.exclude.guest, attr.precise);
    (perf.exclusive, perf.pinned) = (attr.exclusive, attr.pinned);
    let dict = PyDict::new(py);
    dict.set_item("pmu", pmu)?;
    dict.set_item("event", &native.id.name)?;
    dict.set_item("canonical", native.id.to_string())?;
    dict.set_item("codes", [attr.config])?;
    dict.set_item("counters", native.counters)?;
    dict.set_item("cpus", cpumask.as_ref().or(cpus.as_ref()).map(ToString::to_string))?;
    dict.set_item("attributes", attributes(py, &perf)?)?;
    Ok(dict)
}

/// The fields of `perf_event_attr`.
fn attributes<'py>(py: Python<'py>, perf: &PerfEncoding) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("type", perf.kind)?;
    dict.set_item("config", perf.config)?;
    dict.set_item("config1", perf.config1)?;
    dict.set_item("config2", perf.config2)?;
    dict.set_item("exclude_user", perf.exclude_user)?;
    dict.set_item("exclude_kernel", perf.exclude_kernel)?;
    dict.set_item("exclude_hv", perf.exclude_hv)?;
    dict.set_item("exclude_host", perf.exclude_host)?;
    dict.set_item("exclude_guest", perf.exclude_guest)?;
    dict.set_item("precise_ip", perf.precise_ip)?;
    dict.set_item("exclusive", perf.exclusive)?;
    dict.set_item("pinned", perf.pinned)?;
    Ok(dict)
}

/// The meaning of a name: the events that are counted, and then those that they hide.
#[pyfunction]
pub(crate) fn show<'py>(
    py: Python<'py>,
    name: &str,
    files: Vec<DefinitionFile>,
) -> PyResult<Bound<'py, PyList>> {
    let set = definitions::set(Machine::new(Host::local()), Target::ThisThread, files);
    let candidates = set.candidates(name).map_err(|error| raise(py, &error, name))?;
    let meanings = PyList::empty(py);
    for (place, candidate) in candidates.iter().enumerate() {
        for event in &candidate.events {
            let dict = meaning(py, event)?;
            dict.set_item("is_counted", place == 0)?;
            meanings.append(dict)?;
        }
    }
    Ok(meanings)
}

fn meaning<'py>(py: Python<'py>, event: &CandidateEvent) -> PyResult<Bound<'py, PyDict>> {
    let mut formula = None;
    let mut terms = Vec::new();
    let mut unit: Option<&str> = None;
    let mut description = event.description();
    let mut pmu: Option<&str> = None;
    let mut unavailable = None;
    let name = match event {
        CandidateEvent::Definition { definition, expansion, core } => {
            match expansion {
                Ok(whole) => {
                    formula = Some(whole.formula.infix().to_string());
                    terms.clone_from(&whole.terms);
                }
                Err(reason) => unavailable = Some(reason.to_string()),
            }
            (unit, pmu) = (definition.units(), core.as_deref());
            definition.name()
        }
        CandidateEvent::Unsupported(preset) => {
            unavailable = Some("no event of this processor counts it".to_string());
            preset.name
        }
        CandidateEvent::Kernel(event) => {
            (description, pmu) = (Some(event.description), Some("perf"));
            unit = matches!(event.unit, pmu::kernel::Unit::Nanoseconds).then_some("ns");
            event.name
        }
        CandidateEvent::Sysfs { pmu: own, event } => {
            (unit, pmu) = (event.unit.as_deref(), Some(own.as_str()));
            &event.name
        }
        CandidateEvent::Table(event) => {
            (description, pmu) = (event.description(), Some(event.pmu.name));
            event.name
        }
        CandidateEvent::Source(source) => {
            unit = source.unit();
            source.name()
        }
        CandidateEvent::Vendor { pmu: own, event } => {
            pmu = Some(own);
            &event.name
        }
        CandidateEvent::Tracepoint(name) => name,
        CandidateEvent::Likwid { name, event } => {
            terms.push(event.clone());
            name
        }
        _ => "",
    };
    let dict = PyDict::new(py);
    dict.set_item("name", name)?;
    dict.set_item("kind", event.kind())?;
    dict.set_item("pmu", pmu)?;
    dict.set_item("description", description)?;
    dict.set_item("unit", unit)?;
    dict.set_item("formula", formula)?;
    dict.set_item("terms", terms)?;
    dict.set_item("unavailable", unavailable)?;
    Ok(dict)
}

/// The events of this machine, each tested by opening it, and those of definitions.
#[pyfunction]
pub(crate) fn list_events<'py>(py: Python<'py>, files: Vec<DefinitionFile>) -> Dicts<'py> {
    let listed = py.detach(|| {
        let set = definitions::set(Machine::new(Host::local()), Target::ThisThread, files);
        let mut listed = listing::list(set.machine());
        listed.extend(listing::list_definitions(&set));
        listed.extend(listing::list_tracepoints(set.machine()));
        listed
    });
    listed.iter().map(|event| listed_event(py, event)).collect()
}

fn listed_event<'py>(py: Python<'py>, event: &Listed) -> PyResult<Bound<'py, PyDict>> {
    let (status, reason) = match &event.availability {
        Availability::Available => ("available", None),
        Availability::UserOnly => ("user-only", None),
        Availability::Unavailable(reason) => ("refused", Some(reason.to_string())),
        Availability::Needs(terms) => ("needs", Some(terms.join(","))),
        Availability::NotTested => ("not-tested", None),
        _ => ("unknown", None),
    };
    let dict = PyDict::new(py);
    dict.set_item("name", &event.name)?;
    dict.set_item("aliases", &event.aliases)?;
    dict.set_item("group", &event.group)?;
    dict.set_item("description", &event.description)?;
    dict.set_item("unit", &event.unit)?;
    dict.set_item("status", status)?;
    dict.set_item("reason", reason)?;
    Ok(dict)
}

/// The metrics of this machine, and those of definitions.
#[pyfunction]
pub(crate) fn list_metrics<'py>(py: Python<'py>, files: Vec<DefinitionFile>) -> Dicts<'py> {
    let set = definitions::set(Machine::new(Host::local()), Target::ThisThread, files);
    let metrics: Vec<_> = set.metrics().iter().collect();
    let dict = |named: &counterpoint::metrics::NamedMetric| {
        let metric = named.definition.metric();
        let dict = PyDict::new(py);
        dict.set_item("name", named.id().to_string())?;
        let words = named.definition.long_description().or(named.definition.short_description());
        dict.set_item("description", words)?;
        dict.set_item("unit", named.definition.units())?;
        dict.set_item("groups", metric.map(|metric| metric.groups.clone()).unwrap_or_default())?;
        dict.set_item("formula", metric.map(|metric| metric.text.clone()).unwrap_or_default())?;
        Ok(dict)
    };
    metrics.iter().map(dict).collect()
}

/// In how few passes the hardware events of a list can be counted, for each PMU.
#[pyfunction]
pub(crate) fn plan<'py>(
    py: Python<'py>,
    events: &str,
    metrics: Vec<String>,
    files: Vec<DefinitionFile>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut set = definitions::set(Machine::new(Host::local()), Target::ThisThread, files);
    if !events.trim().is_empty() {
        set = set.event(events);
    }
    let set = metrics.into_iter().fold(set, EventSet::metric);
    let planning = set.plan().map_err(|error| raise(py, &error, events))?;
    let pmus = planning.pmus.iter().map(|plan| pmu_plan(py, plan));
    let unavailable = planning.unavailable.iter().map(|(name, reason)| (name, reason.to_string()));
    let dict = PyDict::new(py);
    dict.set_item("pmus", pmus.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("software", &planning.software)?;
    dict.set_item("unavailable", unavailable.collect::<Vec<_>>())?;
    Ok(dict)
}

fn pmu_plan<'py>(py: Python<'py>, plan: &PmuPlan) -> PyResult<Bound<'py, PyDict>> {
    let name = |event: usize| plan.events.get(event).map_or("", |event| event.event.as_str());
    let passes: Vec<Vec<&str>> = plan
        .plan
        .passes
        .iter()
        .map(|pass| pass.iter().map(|slot| name(slot.event)).collect())
        .collect();
    let impossible: Vec<&str> = plan.plan.impossible.iter().map(|event| name(*event)).collect();
    let dict = PyDict::new(py);
    dict.set_item("pmu", &plan.pmu)?;
    dict.set_item("passes", passes)?;
    dict.set_item("is_optimal", plan.plan.optimal)?;
    dict.set_item("impossible", impossible)?;
    dict.set_item("coverage", plan.coverage())?;
    Ok(dict)
}
