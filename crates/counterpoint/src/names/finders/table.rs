//! Finds events of the tables: from libpfm's strings to the attributes that the kernel opens.

use super::kernel;
use crate::error::Error;
use crate::machine::pmus::{Device, Machine};
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::error::NameError;
use crate::names::ids::EventId;
use crate::names::native::{Native, PmuBox, on_cores};
use crate::names::spec::spec;
use crate::sources::kinds;
use counterpoint_perf::{Attr, CpuSet, Exclude, pmu_type};
use counterpoint_pmu::kernel::{self as kernel_events, KernelEvent};
use counterpoint_pmu::syntax::{Modifiers, Source, Term, Value, split_modifiers};
use counterpoint_pmu::{
    Context, EncodeError, Encoding, Event, Layer, PerfEncoding, Pmu, PmuKind, Privilege, all,
    encode, find as find_pmu, program, similar, unit_named,
};

/// The events that a string stands for: `spr::L1D:REPLACEMENT:u`, or without a prefix, one for each kind of core that has
/// it, or one over all boxes of the uncore; then those of other PMUs, which need their prefix.
///
/// The text after the name belongs to the event of the table; letters that are not its attributes are perf's modifiers.
pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let text = &*query.name;
    if text.is_empty() {
        return Vec::new();
    }
    let pmus = alike(&query.machine.tables().pmus, text);
    let (alike, others) = events(query.machine, &pmus, text);
    let is_misspelled = || alike.iter().all(|event| is_misspelled(query.machine, event, text));
    if let Some(pmu) = foreign(query.machine, text) {
        return vec![match misspelling(text).filter(|_| is_misspelled()) {
            Some(error) => Candidate::misspelled(named(alike), Error::encode(error, query.start())),
            None => {
                let error = Error::from(NameError::UnknownPmu {
                    name: pmu.name.to_string(),
                    similar: Vec::new(),
                    known: kinds(query.machine),
                });
                Candidate::new(named(alike), Err(error.at(query.spec.span.clone())))
            }
        }];
    }
    if kernel::named(text).is_some() {
        // The PMU `perf` of the tables has the kernel's own events, which have their own finder.
        return Vec::new();
    }
    let mut candidates = Vec::new();
    match natives(query.machine, &pmus, text, query.spec.modifiers) {
        Ok(natives) => candidates.push(Candidate::new(named(alike), Ok(natives))),
        Err(error) if !alike.is_empty() => {
            let is_misspelled = is_misspelled();
            let error = Error::encode(error, query.start());
            candidates.push(Candidate { events: named(alike), natives: Err(error), is_misspelled });
        }
        Err(_) => {}
    }
    if !others.is_empty() {
        let others = named(others);
        let error =
            Error::from(NameError::UnknownEvent { name: text.to_string(), similar: Vec::new() })
                .at(query.spec.span.clone());
        candidates.push(Candidate::new(others, Err(error)));
    }
    candidates
}

/// Tests if one of these PMUs of the tables can encode a string, on any machine that has it; `None` if they have no such
/// event.
pub(crate) fn program_on(pmus: &[&'static Pmu], text: &str) -> Option<Result<(), EncodeError>> {
    let prefix;
    let (pmus, string) = match text.split_once("::") {
        None => (pmus, text),
        Some((name, string)) => {
            prefix = find_pmu(name)?;
            (std::slice::from_ref(&prefix), string)
        }
    };
    let bare = split_modifiers(string).0;
    let mut error = None;
    for pmu in pmus.iter().filter(|pmu| pmu.event(event_name(string)).is_some()) {
        // The layer of registers has the attributes of devices, the other one has perf's own modifiers.
        for layer in [Layer::Raw, Layer::PerfEventExt] {
            let mut context = Context::new(layer);
            context.machine = counterpoint_pmu::Machine::with(vec![pmu]);
            // The prefix is needed, because a PMU that has a successor is skipped without one.
            let program = |text: &str| program(&format!("{}::{text}", pmu.name), &context);
            match program(string).or_else(|_| program(bare)) {
                Ok(_) => return Some(Ok(())),
                Err(failed) => error = Some(failed),
            }
        }
    }
    error.map(Err)
}

/// Returns true if a text programs the event of the cycles on a machine with these PMUs; `None` if it may or may not. What the
/// kernel's own event of cycles is programmed as is the kernel's choice.
pub(crate) fn is_cycles_on(pmus: &[&'static Pmu], text: &str, cycles: &str) -> Option<bool> {
    if is_another(text) {
        return Some(false);
    }
    let mut context = Context::new(Layer::Raw);
    context.machine = counterpoint_pmu::Machine::with(pmus.to_vec());
    let codes = |text: &str| match kernel::named(text) {
        Some(_) => None,
        None => program(text, &context).ok(),
    };
    Some(codes(text)? == codes(cycles)?)
}

/// Returns true if a name is that of something else than cycles on every machine: another event of the kernel, a time, an
/// address, an event of a PMU that no core has.
fn is_another(text: &str) -> bool {
    let is_cycles = |event: &KernelEvent| (event.kind(), event.config) == (pmu_type::HARDWARE, 0);
    let is_other = |name: &str| kernel::named(name).is_some_and(|event| !is_cycles(&event));
    match spec(text).source {
        Source::Name(name) => {
            let bare = split_modifiers(&name).0;
            is_other(bare) || kinds::find(bare).is_some()
        }
        Source::Pmu { pmu, terms, .. } => {
            let is_generic = |term: &Term| term.value == Value::Flag && is_other(&term.name);
            !may_be_core(&pmu) && kernel::named(&pmu).is_none_or(|event| !is_cycles(&event))
                || terms.iter().any(is_generic)
        }
        Source::Breakpoint(_) | Source::Probe(_) => true,
        _ => false,
    }
}

/// Returns true if the kernel calls a PMU of cores so on some machine.
pub(crate) fn may_be_core(pmu: &str) -> bool {
    let pmu = pmu.to_ascii_lowercase();
    const BEGINNINGS: [&str; 3] = ["cpu_", "armv", "apple_"];
    pmu == "cpu" || pmu == "cpum_cf" || BEGINNINGS.iter().any(|begin| pmu.starts_with(begin))
}

fn named(events: Vec<Event>) -> Vec<CandidateEvent> {
    events.into_iter().map(CandidateEvent::Table).collect()
}

/// The events with a name that are counted together, those of the PMUs `alike`, followed by those of other PMUs.
fn events(machine: &Machine, alike: &[&'static Pmu], text: &str) -> (Vec<Event>, Vec<Event>) {
    if let Some((pmu, event)) = text.split_once("::") {
        let found = find_pmu(pmu).and_then(|pmu| pmu.event(event_name(event)));
        return (found.into_iter().collect(), Vec::new());
    }
    let having = machine.tables().pmus.iter().filter(|pmu| pmu.kind != PmuKind::OsGeneric);
    let events = having.filter_map(|pmu| pmu.event(event_name(text)));
    events.partition(|event| alike.contains(&event.pmu))
}

/// The error of a string on any machine that has its PMU.
fn misspelling(text: &str) -> Option<EncodeError> {
    encode(text, &Context::new(Layer::Raw)).err()
}

/// Returns true if the text after the name of an event is invalid: a missing unit mask is not an error here, and letters after
/// the last colon may be perf's.
fn is_misspelled(machine: &Machine, event: &Event, text: &str) -> bool {
    let mut context = Context::new(Layer::PerfEventExt);
    context.machine = machine.tables().clone();
    context.machine.perf_events = true;
    let rest = text.split_once("::").map_or(text, |(_, rest)| rest);
    let text = format!("{}::{rest}", event.pmu.name);
    let attributes = text.len() - rest.trim_start_matches(|c| !matches!(c, ':' | '.')).len();
    let is_wrong =
        |text: &str| encode(text, &context).is_err_and(|error| error.span.start > attributes);
    is_wrong(&text)
        && match split_modifiers(&text) {
            (bare, Some(_)) => is_wrong(bare),
            _ => true,
        }
}

/// The events of a string; `alike` are the PMUs that it stands for if it has no prefix.
fn natives(
    machine: &Machine,
    alike: &[&'static Pmu],
    text: &str,
    group: Modifiers,
) -> Result<Vec<Native>, EncodeError> {
    let error = match natives_as_written(machine, alike, text, group) {
        Ok(natives) => return Ok(natives),
        Err(error) => error,
    };
    match split_modifiers(text) {
        (bare, Some(own)) => {
            natives_as_written(machine, alike, bare, own.with(group)).map_err(|_| error)
        }
        _ => Err(error),
    }
}

fn natives_as_written(
    machine: &Machine,
    alike: &[&'static Pmu],
    text: &str,
    modifiers: Modifiers,
) -> Result<Vec<Native>, EncodeError> {
    let mut context = Context::new(Layer::PerfEventExt);
    // The default levels are those of perf (all that are permitted), not those of libpfm.
    context.privilege = Privilege::ALL;
    context.machine = machine.tables().clone();
    if let Some((prefix, _)) = text.split_once("::") {
        let pmu = find_pmu(prefix);
        if let Some((pmu, unit)) = pmu.and_then(|pmu| Some((pmu, expected(machine, pmu)?))) {
            let names = pmu.devices().map(|name| (name.to_string(), unit.pmu.kind));
            context.machine.devices.extend(names);
        }
        let encoding = encode(text, &context)?;
        return Ok(natives_of(machine, &[encoding], modifiers));
    }
    let of_each = alike.iter().map(|pmu| encode(&format!("{}::{text}", pmu.name), &context));
    let encodings: Vec<Encoding> = of_each.filter_map(Result::ok).collect();
    Ok(match encodings.as_slice() {
        [] => natives_of(machine, &[encode(text, &context)?], modifiers),
        encodings if alike[0].kind == PmuKind::Uncore => natives_of(machine, encodings, modifiers),
        encodings => {
            encodings.chunks(1).flat_map(|one| natives_of(machine, one, modifiers)).collect()
        }
    })
}

/// The PMUs that a string without a prefix stands for together: the cores of each kind, or the boxes of one kind; none for
/// one with a prefix.
fn alike(pmus: &[&'static Pmu], text: &str) -> Vec<&'static Pmu> {
    if text.contains("::") {
        return Vec::new();
    }
    let name = event_name(text);
    let known = || pmus.iter().copied().filter(|pmu| !pmu.is_deprecated());
    let has = |pmu: &&'static Pmu| pmu.event(name).is_some();
    let Some(first) = known().find(has) else { return Vec::new() };
    let is_alike = |pmu: &&'static Pmu| match first.kind {
        PmuKind::Core if !first.is_architectural() => {
            pmu.kind == PmuKind::Core && !pmu.is_architectural()
        }
        PmuKind::Uncore => stem(pmu.name) == stem(first.name),
        _ => *pmu == first,
    };
    known().filter(is_alike).filter(has).collect()
}

/// The PMU that a string names, if it belongs to another processor: its codes would count other events here.
fn foreign(machine: &Machine, text: &str) -> Option<&'static Pmu> {
    let pmu = find_pmu(text.split_once("::")?.0)?;
    let own = &machine.tables().pmus;
    // A processor that is not in the tables may be compatible with one that is.
    let is_known = own.iter().any(|pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural());
    let is_unit = || expected(machine, pmu).is_some();
    (is_known && pmu.kind != PmuKind::OsGeneric && !own.contains(&pmu) && !is_unit()).then_some(pmu)
}

/// The PMUs of the machine; of the boxes of one kind, only the first.
fn kinds(machine: &Machine) -> Vec<String> {
    let mut names: Vec<&str> = machine.tables().pmus.iter().map(|pmu| pmu.name).collect();
    names.dedup_by_key(|name| stem(name));
    names.into_iter().map(str::to_string).collect()
}

/// The error of a string with a prefix that is not an event: only libpfm's strings have `::`.
pub(crate) fn error(machine: &Machine, text: &str) -> Option<EncodeError> {
    // The unit of a vendor's events is no PMU of the tables.
    let is_prefixed = text.split_once("::").is_some_and(|(pmu, _)| unit_named(pmu).is_none());
    is_prefixed.then(|| natives(machine, &[], text, Modifiers::default()).err()).flatten()
}

/// The PMUs of other machines that have the event of a string; if some of them also have its attributes, only those. Of the boxes of one kind, only the first.
pub(crate) fn elsewhere(text: &str) -> Vec<&'static str> {
    // No name in the tables is longer.
    const LONGEST: usize = 256;
    let name = event_name(text);
    if name.len() > LONGEST {
        return Vec::new();
    }
    let has = |pmu: &&'static Pmu| pmu.kind != PmuKind::OsGeneric && pmu.event(name).is_some();
    let mut names: Vec<&str> = all().filter(has).map(|pmu| pmu.name).collect();
    names.dedup_by_key(|name| stem(name));
    let context = Context::new(Layer::Raw);
    let takes = |name: &&str| encode(&format!("{name}::{text}"), &context).is_ok();
    if names.iter().any(takes) {
        names.retain(takes);
    }
    names
}

/// The part of a string without a prefix before its attributes.
pub(crate) fn event_name(text: &str) -> &str {
    text.split([':', '.']).next().unwrap_or_default()
}

/// Names in the tables of the machine that are similar to the event of a string.
pub(crate) fn near(machine: &Machine, text: &str) -> Vec<String> {
    let pmus = machine.tables().pmus.iter().filter(|pmu| pmu.kind != PmuKind::OsGeneric);
    let names = pmus.flat_map(|pmu| pmu.events()).map(|event| event.name);
    similar(event_name(text), names).into_iter().map(str::to_string).collect()
}

/// The name of a PMU without the number of its box.
pub(crate) fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The native event of the encodings of one string; on several PMUs, it is counted as their sum.
fn natives_of(machine: &Machine, encodings: &[Encoding], modifiers: Modifiers) -> Vec<Native> {
    let Some(first) = encodings.first() else { return Vec::new() };
    let id = EventId::of_table(short(&first.canonical));
    let Some(perf) = &first.perf else { return Vec::new() };
    let mut natives = match device(machine, first.pmu) {
        None => on_cores(machine, id, &attr_of(perf), modifiers),
        Some(_) => {
            let on_box = |encoding: &Encoding| {
                let attr = attr_of(encoding.perf.as_ref()?);
                Some(PmuBox::on(device(machine, encoding.pmu)?, attr))
            };
            vec![Native::new(id, modifiers, encodings.iter().filter_map(on_box).collect())]
        }
    };
    let mut events = kernel_events::all();
    let is_same = |event: &KernelEvent| (event.kind(), event.config) == (perf.kind, perf.config);
    // Most events are raw, and the kernel names none of those.
    let event = if perf.kind == pmu_type::RAW { None } else { events.find(is_same) };
    for native in &mut natives {
        native.counters = first.counters;
        if let Some(event) = &event {
            native.describe(event);
        }
        if let Some(cpu) = perf.cpu {
            native.boxes.iter_mut().for_each(|b| b.cpumask = Some(CpuSet::from_iter([cpu])));
        }
    }
    natives
}

/// The device of a PMU of the tables, if sysfs has it.
fn device<'m>(machine: &'m Machine, pmu: &str) -> Option<&'m Device> {
    let pmu = find_pmu(pmu)?;
    let shown = |name| machine.devices().iter().find(|device| device.pmu.name == name);
    pmu.devices().find_map(shown).or_else(|| expected(machine, pmu))
}

/// The unit that a PMU of the tables is a box of, of a machine of which nothing but a PMU of the tables is known.
fn expected<'m>(machine: &'m Machine, pmu: &'static Pmu) -> Option<&'m Device> {
    let is_here =
        || pmu.kind == PmuKind::Uncore && machine.cpu().is_some_and(|cpu| pmu.is_of(&cpu));
    machine.only_pmu().filter(|only| *only != pmu && is_here())?;
    pmu.devices().find_map(|name| Some(&machine.unit_named(name)?.device))
}

/// The canonical string without attributes that have their defaults: every level is counted, and guests are not.
fn short(canonical: &str) -> &str {
    let name = canonical.strip_suffix(":mh=1").unwrap_or(canonical);
    if [":u=0", ":k=0", ":h=0"].iter().any(|level| name.contains(level)) {
        return name;
    }
    let levels = [":h=1", ":k=1", ":u=1"];
    levels.iter().fold(name, |name, level| name.strip_suffix(level).unwrap_or(name))
}

fn attr_of(perf: &PerfEncoding) -> Attr {
    Attr {
        kind: perf.kind,
        config: perf.config,
        config1: perf.config1,
        config2: perf.config2,
        exclude: Exclude {
            user: perf.exclude_user,
            kernel: perf.exclude_kernel,
            hv: perf.exclude_hv,
            idle: false,
            host: perf.exclude_host,
            guest: perf.exclude_guest,
        },
        precise: perf.precise_ip,
        pinned: perf.pinned,
        exclusive: perf.exclusive,
        ..Attr::default()
    }
}
