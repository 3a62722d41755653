//! `counterpoint show`: what a name stands for, what it hides, and its attributes.

mod args;
mod attributes;
pub mod json;
pub mod metric;
mod metric_json;
mod shown;
mod text;

pub use args::ShowArgs;

use crate::commands::encode::{self, perf_syntax};
use crate::descriptions::Words;
use crate::failure::Failure;
use crate::hints;
use crate::names;
use crate::show;
use counterpoint::events::{Candidate, CandidateEvent, without_component};
use counterpoint::metrics::NamedMetric;
use counterpoint::pmu::{Pmu, find};
use counterpoint::{Device, Error, EventSet, Machine, Target};
use shown::Shown;
use std::borrow::Cow;
use std::io::Write;

/// Exit status 1 if a name means nothing.
pub fn run(args: &ShowArgs) -> Result<u8, Failure> {
    let machine = Machine::new(args.machine.host()?);
    let is_absent = |pmu: &&'static Pmu| !machine.tables().pmus.contains(pmu);
    let absent = args.pmu.as_deref().and_then(find).filter(is_absent);
    let files = &args.definitions.files;
    // A vendor's files are those of the processor that is asked about.
    let machine =
        if absent.is_some() { machine } else { args.vendor.with_beside(machine, files)? };
    let libraries = match absent {
        Some(pmu) => args.definitions.libraries(&Machine::of_pmu(pmu))?,
        None => args.definitions.libraries(&machine)?,
    };
    let define = |set: EventSet| libraries.iter().cloned().fold(set, EventSet::define);
    let set = define(EventSet::with_machine(machine, Target::ThisThread));
    // Definitions and presets are looked up as on a machine with this PMU.
    let elsewhere = match absent {
        Some(pmu) => {
            let machine = args.vendor.with_beside(Machine::of_pmu(pmu), files)?;
            Some(define(EventSet::with_machine(machine, Target::ThisThread)))
        }
        None => None,
    };
    let words = Words::of(elsewhere.as_ref().unwrap_or(&set).machine(), &args.vendor);
    let mut out = show::stdout();
    let mut is_unknown = false;
    for (place, name) in asked(args, &set)?.into_iter().enumerate() {
        if !args.json && place > 0 {
            writeln!(out)?;
        }
        let asked = name.clone();
        let here = defined(&set, &name);
        let is_metric = |set: &&EventSet| !metrics(set, &name, &set.candidates(&name)).is_empty();
        let metrics_there = elsewhere.as_ref().filter(is_metric);
        let (set, name) = match elsewhere.as_ref().map(|set| (set, defined(set, &name))) {
            // The terms of a metric are events of the processor that is asked about.
            _ if metrics_there.is_some() => (metrics_there.unwrap_or(&set), name),
            // A definition that applies to this machine, too, is shown as it is counted here.
            Some((elsewhere, Some(there))) if !is_same(here.as_ref(), &there) => (elsewhere, name),
            _ if here.is_some() => (&set, name),
            _ => {
                let on_pmu = on_pmu(args, &set, name.clone())?;
                match elsewhere.as_ref().filter(|_| set.candidates(&on_pmu).is_err()) {
                    Some(elsewhere) if is_bare(elsewhere, &name) => (elsewhere, name),
                    _ => (&set, on_pmu),
                }
            }
        };
        let found = set.candidates(&name);
        let metrics = metrics(set, &name, &found);
        if !metrics.is_empty() {
            write_metrics(&mut out, set, &metrics, args.json)?;
            continue;
        }
        let mut candidates = match found {
            Ok(candidates) => candidates.into_iter(),
            Err(error) => {
                out.flush()?;
                // The definition that cannot be read is what was meant, on whatever PMU.
                let is_unreadable =
                    libraries.iter().any(|library| library.unreadable(&asked).is_some());
                let failure = match set.candidates(&asked).err().filter(|_| is_unreadable) {
                    Some(error) => unknown(&asked, &error),
                    None => unknown(&name, &error),
                };
                failure.report();
                is_unknown = true;
                continue;
            }
        };
        let Some(first) = candidates.next() else { continue };
        let shown = Shown {
            set,
            words: &words,
            files: &args.definitions.files,
            absent: match &elsewhere {
                Some(elsewhere) if std::ptr::eq(elsewhere, set) => args.pmu.as_deref(),
                _ => None,
            },
            layers: args.layers.iter().map(|layer| (*layer).into()).collect(),
            name,
            first,
            hidden: candidates.collect(),
        };
        write(&shown, args.json, &mut out)?;
    }
    out.flush()?;
    Ok(u8::from(is_unknown))
}

/// The metrics with a name, unless it is that of an event.
fn metrics(set: &EventSet, name: &str, found: &Result<Vec<Candidate>, Error>) -> Vec<NamedMetric> {
    let is_metric = |event: &CandidateEvent| match event {
        CandidateEvent::Definition { definition, .. } => definition.metric().is_some(),
        _ => false,
    };
    let is_other = match found {
        Ok(found) => !found.first().is_some_and(|first| first.events.iter().any(is_metric)),
        Err(error) => !error.is_unknown_event(),
    };
    if is_other { Vec::new() } else { metric::find(set, name) }
}

fn write_metrics(
    out: &mut impl Write,
    set: &EventSet,
    metrics: &[NamedMetric],
    is_json: bool,
) -> std::io::Result<()> {
    for (place, named) in metrics.iter().enumerate() {
        if is_json {
            show::json(out, &metric_json::json(set, named))?
        } else {
            if place > 0 {
                writeln!(out)?;
            }
            metric::write_text(out, set, named)?;
        }
    }
    Ok(())
}

/// The definition or preset that a name stands for.
fn defined(set: &EventSet, name: &str) -> Option<CandidateEvent> {
    let first = set.candidates(name).ok()?.into_iter().next()?.events.into_iter().next()?;
    let is_defined =
        matches!(first, CandidateEvent::Definition { .. } | CandidateEvent::Unsupported(_));
    is_defined.then_some(first)
}

/// Whether a name that no table has stands for an event of the vendor's files, or for one by likwid's name.
fn is_bare(set: &EventSet, name: &str) -> bool {
    let first = set.candidates(name).ok().and_then(|candidates| candidates.into_iter().next());
    let events = first.map(|first| first.events).unwrap_or_default();
    matches!(events.first(), Some(CandidateEvent::Vendor { .. } | CandidateEvent::Likwid { .. }))
}

fn is_same(here: Option<&CandidateEvent>, there: &CandidateEvent) -> bool {
    match (here, there) {
        (
            Some(CandidateEvent::Definition { definition: here, .. }),
            CandidateEvent::Definition { definition: there, .. },
        ) => here.is_same(there),
        _ => false,
    }
}

/// The failure of a name that stands for nothing.
fn unknown(name: &str, error: &Error) -> Failure {
    let text = error.to_string();
    let is_named = name.is_empty() || text.contains(&format!("`{name}`"));
    let text = if is_named { text } else { format!("{name}: {text}") };
    Failure { text, help: error.help().as_ref().map(hints::help), code: 1 }
}

fn write(shown: &Shown<'_>, is_json: bool, out: &mut impl Write) -> std::io::Result<()> {
    if shown.first.events.is_empty() {
        let answer = perf_syntax::answer(shown.set.machine(), &shown.name);
        return if is_json { show::json(out, &answer) } else { encode::text::write(out, &answer) };
    }
    for (place, event) in shown.first.events.iter().enumerate() {
        match is_json {
            true => shown.write_json(out, event)?,
            // Boxes of one kind have the same events.
            false if place > 0 && shown.is_box_like_the_first(event) => {}
            false => shown.write_text(out, event, place)?,
        }
    }
    Ok(())
}

/// The names to show: those that were given, or every event of the PMU.
fn asked(args: &ShowArgs, set: &EventSet) -> Result<Vec<String>, Failure> {
    // The name of one package's energy is more specific than that of the event.
    let plain = |event: &String| match without_component(event) {
        Ok(Cow::Borrowed(plain)) => plain.to_string(),
        _ => event.clone(),
    };
    let asked: Vec<String> = args.events.iter().map(plain).collect();
    let (Some(pmu), true) = (&args.pmu, asked.is_empty()) else { return Ok(asked) };
    Ok(match device(set, pmu) {
        Some(device) => device.pmu.events.iter().map(|event| event.name.clone()).collect(),
        None => names::pmu(pmu)?.events().map(|event| event.name.to_string()).collect(),
    })
}

/// The name of an event of the PMU that is asked for.
fn on_pmu(args: &ShowArgs, set: &EventSet, event: String) -> Result<String, Failure> {
    let Some(pmu) = &args.pmu else { return Ok(event) };
    if device(set, pmu).is_some() {
        return Ok(if event.contains(":::") { event } else { format!("{pmu}/{event}/") });
    }
    let pmu = names::pmu(pmu)?;
    Ok(if event.contains("::") { event } else { format!("{}::{event}", pmu.name) })
}

/// The PMU of sysfs of this name, unless the tables have it.
fn device<'a>(set: &'a EventSet, pmu: &str) -> Option<&'a Device> {
    let mut devices = set.machine().devices().iter();
    devices.find(|device| device.pmu.name == pmu).filter(|_| find(pmu).is_none())
}
