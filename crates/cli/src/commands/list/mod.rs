//! `counterpoint list`: the events and PMUs of this machine, and the events of any PMU.

mod args;
mod boxes;
pub mod json;
mod metrics;
mod near;
mod pmus;
mod searched;
mod tables;
mod text;
mod vendor;
mod wanted;

pub use args::ListArgs;

use crate::descriptions::Words;
use crate::failure::{Failure, did_you_mean};
use crate::names;
use crate::progress::Progress;
use crate::show;
use boxes::{named, own};
use counterpoint::definitions::Definition;
use counterpoint::listing::{
    Listed, ListedPreset, list, list_definitions, list_presets, list_presets_of, list_tracepoints,
};
use counterpoint::pmu::{Pmu, PmuKind, all};
use counterpoint::presets::Preset;
use counterpoint::{EventSet, Machine, Target};
use near::near;
use searched::searched;
use std::io::Write;
use tables::Tables;
use wanted::Wanted;

/// Exit status 1 if words were given and nothing matched.
pub fn run(args: &ListArgs) -> Result<u8, Failure> {
    let machine = match args.pmu.as_deref().filter(|_| args.metrics) {
        Some(pmu) => Machine::of_pmu(names::pmu(pmu)?),
        None => Machine::new(args.machine.host()?),
    };
    let absent = absent(args, &machine).filter(|_| !args.metrics);
    // A vendor's files are those of the processor that is asked about.
    let machine = if absent.is_some() { machine } else { args.vendor().with(machine)? };
    let of_absent = absent.map(|pmu| args.vendor().with(Machine::of_pmu(pmu))).transpose()?;
    let set = args.definitions.define(EventSet::with_machine(machine, Target::ThisThread))?;
    let machine = set.machine();
    let wanted = Wanted::new(args.words())?;
    let mut out = show::tables(args.json);
    let found = if args.pmus {
        pmus(args, machine, &wanted, &mut out)?
    } else if args.metrics {
        metrics::metrics(args, &set, &wanted, &mut out)?
    } else if args.presets {
        presets(args, machine, &wanted, &mut out)?
    } else {
        events(args, &set, of_absent.as_ref(), &wanted, &mut out)?
    };
    out.flush()?;
    if args.user && !found {
        let is_defined = set.definitions().next().is_some();
        let text = if is_defined { "no definition matches" } else { "there are no definitions" };
        let help = "name a file with -f, or set PAPI_USER_EVENTS_FILE or COUNTERPOINT_EVENTS";
        return Err(Failure::new(text).code(1).help(did_you_mean(&near(args, &set), help)));
    }
    if found || args.words().is_empty() {
        return Ok(0);
    }
    let near = near(args, &set);
    let what = match args {
        ListArgs { pmus: true, .. } => "PMU",
        ListArgs { presets: true, .. } => "preset",
        ListArgs { metrics: true, .. } => "metric",
        _ => "event",
    };
    let is_preset = |word: &String| word.to_ascii_uppercase().starts_with("PAPI_");
    let all = match what {
        "event" if args.words().iter().any(is_preset) => {
            "`counterpoint list --presets WORDS…` lists PAPI's presets"
        }
        "PMU" => {
            "`counterpoint list --pmus` lists those of this machine, and with `--all` those of all tables"
        }
        "preset" => "`counterpoint list --presets` lists all of them",
        "metric" => {
            "`counterpoint list --metrics` lists all of them; -f FILE|DIR adds those of files"
        }
        _ => "`counterpoint list` without words lists all, and with `--all` those of every PMU",
    };
    Err(Failure::new(format!("no {what} matches")).code(1).help(did_you_mean(&near, all)))
}

/// The PMU that is asked about, or that of the cores beside a unit without a table, if this machine does not have it.
fn absent(args: &ListArgs, machine: &Machine) -> Option<&'static Pmu> {
    let name = args.pmu.as_deref()?;
    let pmu = named(name).first().copied().or_else(|| names::pmu(name).ok())?;
    (!machine.tables().pmus.contains(&pmu)).then_some(pmu)
}

/// Definitions, and events of the kernel, of sysfs, of the vendor and of tables; whether there are any.
fn events(
    args: &ListArgs,
    set: &EventSet,
    absent: Option<&Machine>,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let machine = set.machine();
    let words = Words::of(absent.unwrap_or(machine), &args.vendor());
    let mut events = Vec::new();
    if !args.user {
        // This machine's events are not those of a PMU that it does not have.
        if absent.is_none() {
            events.extend(list(machine));
            events.extend(tracepoints(args, machine, wanted)?);
        }
        events.extend(vendor::events(args, machine, absent, wanted));
    }
    let mut of_tables = Vec::new();
    match &args.pmu {
        Some(name) => {
            events.retain(|event| vendor::is_of(&event.group, name));
            match named(name) {
                pmus if pmus.is_empty() && events.is_empty() => {
                    return Err(nothing_listed(machine, name));
                }
                pmus => of_tables = pmus,
            }
        }
        None if args.all => {
            of_tables = all().filter(|pmu| pmu.kind != PmuKind::OsGeneric).collect()
        }
        None if args.user => {}
        None if args.events || !args.words().is_empty() => of_tables = own(machine),
        None => {}
    }
    let mut events = [definitions(args, set), events].concat();
    events.retain(|event| wanted.matches(&searched(event)));
    let tables = Tables { set, words: &words, wanted, pmus: &of_tables };
    let count = if args.json {
        json::events(out, &events)?;
        events.len() + json::tables(out, &tables)?
    } else {
        text::events(out, &events, args.pmu.as_deref().filter(|_| absent.is_some()))?;
        let found = text::tables(out, &tables, !events.is_empty())?;
        let is_plain = args.words().is_empty() && args.pmu.is_none();
        if is_plain && !args.events && !args.all && !args.user {
            text::forms(out, machine)?
        } else {
            text::count(out, events.len(), &found)?
        }
        events.len() + found.events
    };
    Ok(count > 0)
}

/// The definitions of the user; with `--pmu`, those for that PMU.
fn definitions(args: &ListArgs, set: &EventSet) -> Vec<Listed> {
    let mut listed = list_definitions(set);
    if let Some(pmu) = &args.pmu {
        let is_for = |definition: &Definition| {
            let pmus = definition.pmus();
            pmus.is_none_or(|mut pmus| pmus.any(|name| name.eq_ignore_ascii_case(pmu)))
        };
        let names: Vec<_> = set.definitions().filter(is_for).collect();
        let is_named = |listed: &Listed| names.iter().any(|of| of.name() == listed.name);
        listed.retain(is_named);
    }
    listed
}

/// The tracepoints that are searched, tested if they are few.
fn tracepoints(
    args: &ListArgs,
    machine: &Machine,
    wanted: &Wanted,
) -> Result<Vec<Listed>, Failure> {
    const FEW: usize = 16;
    let is_listed = match args.pmu.as_deref() {
        None => args.all || !wanted.is_all(),
        Some(pmu) => pmu == "tracepoint",
    };
    if !is_listed && args.test {
        return Err(Failure::new("--test: no tracepoints are listed")
            .help("name some by words, or list all with --pmu tracepoint"));
    }
    if !is_listed {
        return Ok(Vec::new());
    }
    let mut found = list_tracepoints(machine);
    found.retain(|event| wanted.matches(&searched(event)));
    if args.test || found.len() <= FEW {
        let (all, mut progress) = (found.len(), Progress::new(true));
        for (place, event) in found.iter_mut().enumerate() {
            progress.show(&format!("testing tracepoint {} of {all}", place + 1));
            event.test(machine);
        }
    }
    Ok(found)
}

/// Lists the PMUs; returns true if there are any.
fn pmus(
    args: &ListArgs,
    machine: &Machine,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let rows = pmus::rows(args.all, machine, wanted);
    if args.json {
        json::pmus(out, &rows)?
    } else {
        text::pmus(out, &rows)?
    }
    Ok(!rows.is_empty())
}

/// Lists the presets; returns true if there are any.
fn presets(
    args: &ListArgs,
    machine: &Machine,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let mut listed = match args.pmu.as_deref() {
        Some(pmu) => list_presets_of(names::pmu(pmu)?),
        None => list_presets(machine),
    };
    listed.retain(|listed| wanted.matches(&searched_preset(listed)));
    if args.json {
        json::presets(out, &listed)?
    } else {
        text::presets(out, &listed)?
    }
    Ok(!listed.is_empty())
}

/// All that words are looked for in.
fn searched_preset(listed: &ListedPreset) -> String {
    let Preset { name, description, .. } = listed.preset;
    let natives = listed.expansion.iter().flat_map(|whole| &whole.terms);
    natives.fold(format!("{name} {description}"), |text, native| format!("{text} {native}"))
}

/// The failure of a PMU that the tables do not have and that has no events to list.
fn nothing_listed(machine: &Machine, name: &str) -> Failure {
    if let Err(unknown) = names::pmu(name)
        && !machine.pmu_names().iter().any(|known| known == name)
    {
        return unknown;
    }
    if name == "tracepoint" && machine.tracepoints().is_empty() {
        return Failure::new("the tracepoints cannot be read")
            .code(1)
            .help("`counterpoint doctor` explains why");
    }
    let failure =
        Failure::new(format!("the PMU `{name}` has no named events, or none with these words"))
            .code(1);
    let format = format!("/sys/bus/event_source/devices/{name}/format");
    if machine.host().names(&format).is_empty() {
        failure
    } else {
        failure.help(format!("its fields are in {format}, for -e {name}/field=value/"))
    }
}
