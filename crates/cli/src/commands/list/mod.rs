//! `counterpoint list`: what can be counted here, and what any PMU has.

mod args;
mod here;
mod pmus;
mod presets;
mod tables;

pub use args::ListArgs;

use crate::descriptions::Words;
use crate::failure::{Failure, did_you_mean};
use crate::names;
use crate::show;
use counterpoint::pmu::{Layer, Pmu, PmuKind, all, find, similar};
use counterpoint::presets::Preset;
use counterpoint::{Machine, list, without_component};
use std::io::Write;

pub use here::state;

/// Exit status 1 if words were given and nothing matched.
pub fn run(args: &ListArgs) -> Result<u8, Failure> {
    let machine = Machine::new(args.machine.host()?);
    let wanted = Wanted::new(&args.words)?;
    let mut out = show::stdout();
    let found = if args.pmus {
        pmus::run(args, &machine, &wanted, &mut out)?
    } else if args.presets {
        presets::run(args, &machine, &wanted, &mut out)?
    } else {
        events(args, &machine, &wanted, &mut out)?
    };
    out.flush()?;
    if found || args.words.is_empty() {
        return Ok(0);
    }
    let near = near(args, &machine);
    let what = match (args.pmus, args.presets) {
        (true, _) => "PMU",
        (_, true) => "preset",
        _ => "event",
    };
    let is_preset = |word: &String| word.to_ascii_uppercase().starts_with("PAPI_");
    let all = match what {
        "event" if args.words.iter().any(is_preset) => {
            "`counterpoint list --presets WORDS…` lists PAPI's presets"
        }
        "PMU" => "`counterpoint list --pmus` shows this machine's, `--all` every one of the tables",
        "preset" => "`counterpoint list --presets` shows all",
        _ => "`counterpoint list` without words shows all, `--all` those of every PMU",
    };
    Err(Failure::new(format!("no {what} matches")).code(1).help(did_you_mean(&near, all)))
}

/// Events of the kernel, of sysfs and of tables; whether there are any.
fn events(
    args: &ListArgs,
    machine: &Machine,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let words = Words::of(args.descriptions.as_deref(), machine)?;
    // Who looks for a tracepoint by name should find it.
    let tracepoints = match args.pmu.as_deref() {
        None => args.all || wanted.words.iter().any(|word| word.contains(':')),
        Some(pmu) => pmu == "tracepoint",
    };
    let is_wanted = |name: &str| tracepoints && wanted.matches(&format!("{name} tracepoint"));
    let mut events = list(machine, is_wanted);
    let mut of_tables = Vec::new();
    match &args.pmu {
        Some(name) => {
            events.retain(|event| event.group == *name);
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
        None if args.events || !args.words.is_empty() => of_tables = own(machine),
        None => {}
    }
    events.retain(|event| wanted.matches(&here::text(event)));
    let tables = tables::Tables { machine, words: &words, wanted, pmus: &of_tables };
    let count = match args.json {
        true => here::write_json(out, &events)? + tables.write_json(out)?,
        false => {
            here::write(out, &events)?;
            let found = tables.write(out, !events.is_empty())?;
            let plain = args.words.is_empty() && args.pmu.is_none() && !args.events && !args.all;
            match plain {
                true => here::write_forms(out, machine, tracepoints)?,
                false => count_line(out, events.len(), &found)?,
            }
            events.len() + found.events
        }
    };
    Ok(count > 0)
}

/// Why a PMU that the tables do not have has no events to list.
fn nothing_listed(machine: &Machine, name: &str) -> Failure {
    if let Err(unknown) = names::pmu(name)
        && !machine.pmu_names().iter().any(|known| known == name)
    {
        return unknown;
    }
    if name == "tracepoint" && machine.tracepoints().is_empty() {
        return Failure::new("the tracepoints cannot be read")
            .code(1)
            .help("`counterpoint doctor` says why");
    }
    let failure =
        Failure::new(format!("the PMU `{name}` names no events, or none of these words")).code(1);
    let format = format!("/sys/bus/event_source/devices/{name}/format");
    match machine.host().names(&format).is_empty() {
        true => failure,
        false => failure.help(format!("its fields are in {format}, for -e {name}/field=value/")),
    }
}

fn count_line(out: &mut impl Write, others: usize, found: &tables::Found) -> std::io::Result<()> {
    let number = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    let masks = match found.masks {
        0 => String::new(),
        masks => format!(" with {}", number(masks, "unit mask")),
    };
    match others + found.events {
        0 => Ok(()),
        events => writeln!(out, "\n{}{masks}", number(events, "event")),
    }
}

/// The PMUs of the machine's tables.
fn own(machine: &Machine) -> Vec<&'static Pmu> {
    let pmus = machine.tables().pmus.iter().copied();
    pmus.filter(|pmu| pmu.kind != PmuKind::OsGeneric).collect()
}

/// The PMU of this name, or all its boxes if the name has no number.
fn named(name: &str) -> Vec<&'static Pmu> {
    let boxes = || {
        let stem = |pmu: &&'static Pmu| {
            let number = pmu.name.get(name.len()..).unwrap_or_default();
            let begins = pmu.name.get(..name.len()).is_some_and(|s| s.eq_ignore_ascii_case(name));
            begins && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
        };
        all().filter(|pmu| pmu.kind == PmuKind::Uncore).filter(stem).collect()
    };
    find(name).map_or_else(boxes, |pmu| vec![pmu])
}

/// Names near those words that nothing has, of what was searched.
fn near(args: &ListArgs, machine: &Machine) -> Vec<String> {
    if args.presets {
        let names = || Preset::all().iter().map(|preset| preset.name);
        let near = args.words.iter().flat_map(|word| similar(word, names()));
        return near.take(3).map(str::to_string).collect();
    }
    let pmus = match &args.pmu {
        Some(name) => named(name),
        None if args.all || args.pmus => all().collect(),
        None => own(machine),
    };
    let mut names: Vec<String> = Vec::new();
    for pmu in pmus.chunk_by(|a, b| tables::are_boxes(a, b)).map(|boxes| boxes[0]) {
        if args.pmus {
            names.push(pmu.name.to_string());
            continue;
        }
        for event in pmu.events() {
            let attributes = event.attributes(Layer::Raw, machine.tables()).into_iter();
            names.extend(attributes.map(|attribute| attribute.name.to_string()));
            names.push(event.name.to_string());
        }
    }
    if args.pmu.is_none() && !args.pmus {
        names.extend(list(machine, |_| false).into_iter().map(|event| event.name));
    }
    let is_there = |word: &&String| {
        let word = word.to_lowercase();
        names.iter().any(|name| name.to_lowercase().contains(&word))
    };
    let missing = args.words.iter().filter(|word| !is_there(word));
    let near = missing.flat_map(|word| similar(word, names.iter().map(String::as_str)));
    near.take(3).map(str::to_string).collect()
}

/// The words that all must be found.
pub struct Wanted {
    words: Vec<String>,
}

impl Wanted {
    /// Names are looked for as they are listed, without what PAPI or libpfm writes before the kernel's own.
    fn new(words: &[String]) -> Result<Wanted, Failure> {
        let words = words.iter().flat_map(|word| word.split_whitespace());
        let listed = |word| {
            let plain = without_component(word).map_err(|e| Failure::from(e).code(1))?;
            let plain = plain.to_lowercase();
            Ok(plain.strip_prefix("perf::").unwrap_or(&plain).to_string())
        };
        let mut words: Vec<String> = words.map(listed).collect::<Result<_, Failure>>()?;
        // A component alone asks for everything.
        words.retain(|word| !word.is_empty());
        Ok(Wanted { words })
    }

    pub fn is_all(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a text, whatever its case, holds all words.
    pub fn matches(&self, text: &str) -> bool {
        if self.is_all() {
            return true;
        }
        let text = text.to_lowercase();
        self.words.iter().all(|word| text.contains(word))
    }
}
