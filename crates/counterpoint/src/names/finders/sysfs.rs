//! Finds events named in sysfs, and `pmu/terms/`.

use super::{inner, sources, vendor};
use crate::error::Error;
use crate::machine::pmus::{Device, Machine, attr_of};
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::components as component;
use crate::names::error::NameError;
use crate::names::ids::{EventId, NAME_TERM};
use crate::names::likwid::Box;
use crate::names::native::{Native, PmuBox};
use crate::sources::kinds;
use counterpoint_perf::{Attr, CpuSet};
use counterpoint_pmu::syntax::{self, Modifiers, Source, Term};
use counterpoint_pmu::{kernel, similar, sysfs};
use std::borrow::Cow;

/// An event of a core PMU by its bare name, such as `mem-loads`.
pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let mut cores = query.machine.core_pmus();
    if query.machine.pmu_names().is_empty() {
        cores.extend(query.machine.standard_core());
    }
    for (name, modifiers) in query.spellings() {
        let (mut events, mut natives) = (Vec::new(), Vec::new());
        for device in &cores {
            let Some(event) = device.pmu.event(name) else { continue };
            let found =
                CandidateEvent::Sysfs { pmu: device.pmu.name.clone(), event: event.clone() };
            events.push(found);
            let Some(attr) = device.attr(&event.name) else { continue };
            let id = EventId::terms(&device.pmu.name, &event.name);
            let native = Native::new(id, modifiers, vec![PmuBox::on(device, attr)]);
            natives.push(native.described(event));
        }
        if !natives.is_empty() {
            return vec![Candidate::new(events, Ok(natives))];
        }
    }
    Vec::new()
}

/// `pmu/terms/`: one event on all boxes that the name of the PMU stands for.
pub(crate) fn terms(query: &Query<'_>) -> Vec<Candidate> {
    let Source::Pmu { pmu, terms, .. } = &query.spec.source else { return Vec::new() };
    // A component of numbers of files is no PMU.
    if kinds::is_word(pmu) && query.machine.boxes(pmu).is_empty() {
        return Vec::new();
    }
    if let Some(renamed) = super::kernel::renamed(query, pmu, terms) {
        return vec![renamed];
    }
    let modifiers = query.spec.modifiers;
    let natives = match without_pmu(query, pmu, terms) {
        Some((pmu, terms)) => event(query.machine, &pmu, &terms, modifiers),
        None => event(query.machine, pmu, terms, modifiers),
    };
    let natives =
        natives.map(|native| vec![native]).map_err(|error| error.at(query.spec.span.clone()));
    if natives.is_err() && Box::of_terms(pmu, terms).is_some() {
        return Vec::new();
    }
    vec![Candidate::new(named(query.machine, pmu, terms), natives)]
}

/// The PMU and the terms of `EVENT/terms/`, where a vendor's event stands in the place of the PMU.
fn without_pmu(query: &Query<'_>, name: &str, terms: &[Term]) -> Option<(String, Vec<Term>)> {
    let machine = query.machine;
    if !machine.boxes(name).is_empty() || machine.standard_named(name).is_some() {
        return None;
    }
    let pmu = vendor::pmu_of(machine, name)?;
    Some((pmu, std::iter::once(flag(name, query)).chain(terms.iter().cloned()).collect()))
}

/// An energy of PAPI's component `rapl`, of all packages or of one.
pub(crate) fn energy(query: &Query<'_>) -> Vec<Candidate> {
    let Source::Name(text) = &query.spec.source else { return Vec::new() };
    let Some(known) = component::energy(text) else { return Vec::new() };
    let term = flag(known.event, query);
    let events = named(query.machine, POWER, std::slice::from_ref(&term));
    let native = event(query.machine, POWER, &[term], query.spec.modifiers);
    let native = native.and_then(|native| of_package(query.machine, text, known.package, native));
    let at = |error: Error| error.at(query.spec.span.clone());
    let devices = query.machine.boxes(POWER);
    let has = |event: &str| devices.iter().any(|device| device.pmu.event(event).is_some());
    vec![match native {
        _ if !devices.is_empty() && !has(known.event) => {
            let known = component::energies(has).collect();
            Candidate::misspelled(
                events,
                at(Error::from(NameError::UnknownEvent { name: text.to_string(), similar: known })),
            )
        }
        Ok(native) => Candidate::new(events, Ok(vec![native])),
        Err(error) => Candidate::misspelled(events, at(error)),
    }]
}

/// The kernel's PMU of energies.
const POWER: &str = "power";

/// An energy in one package, or in all of them.
fn of_package(
    machine: &Machine,
    text: &str,
    package: Option<u32>,
    mut native: Native,
) -> Result<Native, Error> {
    let Some(package) = package else { return Ok(native) };
    let of = |cpu: &u32| machine.host().core_and_socket(*cpu).map(|(_, socket)| socket);
    let all: Vec<u32> =
        native.boxes.iter().flat_map(|b| &b.cpumask).flat_map(CpuSet::iter).collect();
    let those: CpuSet = all.iter().copied().filter(|cpu| of(cpu) == Some(package)).collect();
    if those.is_empty() {
        let event = text.rsplit_once(':').map_or(text, |(event, _)| event);
        let packages = all.iter().filter_map(of).map(|package| format!("{event}:PACKAGE{package}"));
        return Err(Error::from(NameError::UnknownEvent {
            name: text.to_string(),
            similar: packages.collect(),
        }));
    }
    native.boxes.iter_mut().for_each(|b| b.cpumask = Some(those.clone()));
    native.id = EventId::name(text);
    Ok(native)
}

/// The events of sysfs that a single name between the slashes stands for.
fn named(machine: &Machine, pmu: &str, terms: &[Term]) -> Vec<CandidateEvent> {
    let [Term { name, value: syntax::Value::Flag, .. }] = terms else { return Vec::new() };
    let of = |device: &Device| {
        let event = device.pmu.event(name)?.clone();
        Some(CandidateEvent::Sysfs { pmu: device.pmu.name.clone(), event })
    };
    let found: Vec<_> = machine.boxes(pmu).into_iter().filter_map(of).collect();
    if found.is_empty() { inner::named(machine, pmu, name) } else { found }
}

pub(crate) fn event(
    machine: &Machine,
    pmu: &str,
    terms: &[Term],
    modifiers: Modifiers,
) -> Result<Native, Error> {
    let standard = machine.standard_named(pmu);
    let devices = match machine.boxes(pmu) {
        none if none.is_empty() => standard.into_iter().collect(),
        boxes => boxes,
    };
    let Some(&first) = devices.first() else {
        let names = machine.pmu_names();
        let near = similar(pmu, names.iter().map(String::as_str));
        let near = near.into_iter().map(str::to_string);
        let similar = near.chain(sources::meant(machine.host(), pmu, terms)).collect();
        return Err(Error::from(NameError::UnknownPmu {
            name: pmu.to_string(),
            similar,
            known: names.to_vec(),
        }));
    };
    if let Some(event) = generic(machine, first, terms) {
        let kind =
            if machine.hybrid_pmus().is_empty() { 0 } else { u64::from(first.pmu.kind) << 32 };
        let pmu_box = PmuBox::on(first, Attr::new(event.kind(), event.config | kind));
        let given = terms.iter().find(|term| term.name == NAME_TERM).and_then(Term::text);
        let id = given.map_or(EventId::terms(pmu, event.name), |name| EventId::name(&name));
        return Ok(Native::new(id, modifiers, vec![pmu_box]));
    }
    let (cpus, terms) = on_cpus(machine, terms)?;
    let terms = &*with_domain(first, &terms);
    let (known, counters) = inner::with_events(machine, first, terms);
    let config = known.encode(terms)?;
    let mut boxes = Vec::new();
    for device in &devices {
        let (known, _) = inner::with_events(machine, device, terms);
        let one = PmuBox::on(device, attr_of(&known, &known.encode(terms)?));
        boxes.push(PmuBox { cpus: cpus.clone().or(one.cpus), ..one });
    }
    let written: Vec<String> = terms.iter().map(Term::to_string).collect();
    let id = match &config.name {
        Some(name) => EventId::name(name),
        None => EventId::terms(pmu, &written.join(",")),
    };
    let native = Native { counters, ..Native::new(id, modifiers, boxes) };
    let event = config.event.as_deref().and_then(|name| known.event(name));
    Ok(match event {
        Some(event) => native.described(event),
        None => native,
    })
}

/// `cpu/cycles/` and `cpu_core/cycles/`: the kernel's generic event on that PMU.
fn generic(machine: &Machine, device: &Device, terms: &[Term]) -> Option<kernel::KernelEvent> {
    let mut others = terms.iter().filter(|term| term.name != NAME_TERM);
    let (Some(Term { name, value: syntax::Value::Flag, .. }), None) =
        (others.next(), others.next())
    else {
        return None;
    };
    let is_core = || machine.core_pmus().iter().any(|core| core.pmu.name == device.pmu.name);
    let is_generic = device.pmu.event(name).is_none() && is_core();
    kernel::find(name).filter(|event| is_generic && event.group != kernel::Group::Software)
}

/// The CPUs that the term `cpu=PMU` of perf names, those of a kind of core, and the other terms.
fn on_cpus<'t>(
    machine: &Machine,
    terms: &'t [Term],
) -> Result<(Option<CpuSet>, Cow<'t, [Term]>), Error> {
    let is_it = |term: &&Term| term.name == "cpu" && matches!(term.value, syntax::Value::Text(_));
    let Some(name) = terms.iter().find(is_it).and_then(Term::text) else {
        return Ok((None, Cow::Borrowed(terms)));
    };
    let core = machine.core_pmus().into_iter().find(|core| core.pmu.name == name);
    let Some(core) = core.or_else(|| machine.standard_named(&name)) else {
        let known = machine.pmu_names().to_vec();
        return Err(Error::from(NameError::UnknownPmu { name, similar: Vec::new(), known }));
    };
    let others = terms.iter().filter(|term| !is_it(term)).cloned().collect();
    Ok((core.cpus.clone(), Cow::Owned(others)))
}

fn flag(name: &str, query: &Query<'_>) -> Term {
    let span = query.spec.span.clone();
    let value = syntax::Value::Flag;
    Term { name: name.to_string(), value, span: span.clone(), value_span: span }
}

/// The terms, with the domain of physical cores added if a 24x7 event has `core=N` and no domain; events of virtual CPUs are written with `vcpu=N`.
fn with_domain<'t>(device: &Device, terms: &'t [Term]) -> Cow<'t, [Term]> {
    let given = |name: &str| terms.iter().find(|term| term.name == name);
    let leaves_open = |event: &sysfs::Event| event.placeholders().any(|name| name == "domain");
    let event = terms.iter().find_map(|term| device.pmu.event(&term.name));
    match (given("core"), given("domain")) {
        (Some(core), None) if device.pmu.name == "hv_24x7" && event.is_some_and(leaves_open) => {
            let value = syntax::Value::Number(2);
            let domain = Term { name: "domain".to_string(), value, ..core.clone() };
            terms.iter().cloned().chain([domain]).collect()
        }
        _ => Cow::Borrowed(terms),
    }
}
