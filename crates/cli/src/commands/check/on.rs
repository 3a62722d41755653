//! `check --on`: what processors that need not be here can count.

use super::args::CheckArgs;
use super::json::{AllOnProcessor, OnProcessor};
use crate::definition_files;
use crate::failure::Failure;
use crate::names;
use crate::show::{self, printable};
use counterpoint::definitions::{Library, Severity};
use counterpoint::pmu::vendor::Events;
use counterpoint::pmu::{self, Pmu, PmuKind, syntax};
use counterpoint::{Countable, EventSet, Hint, Machine, NameKind, Target};
use std::io::{self, Write};
use std::path::Path;

/// Exit status 1 if one of the processors cannot count one of the names.
pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let (names, libraries) = asked(args)?;
    let mut processors = Vec::new();
    for name in args.on.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        // The error for a name of no PMU is that of every command.
        names::pmu(name)?;
        for pmu in pmu::cores_named(name) {
            let machine = args.vendor.with(Machine::example(pmu))?;
            let set = EventSet::with_machine(machine, Target::ThisThread);
            let set = libraries.iter().cloned().fold(set, EventSet::define);
            let found = names.iter().map(|name| set.countable(name)).collect();
            processors.push(Processor { pmu, set, found });
        }
    }
    let presets: Vec<Vec<&str>> =
        names.iter().enumerate().map(|(index, name)| presets(name, index, &processors)).collect();
    let mut out = show::stdout();
    // A definition with an error is left out of what is answered.
    let mut findings = libraries.iter().flat_map(|library| library.diagnostics());
    let mut is_complete = findings.all(|finding| finding.severity != Severity::Error);
    for (number, processor) in processors.iter().enumerate() {
        let answers: Vec<Answer<'_>> = names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let found = processor.found[index].as_ref().map_err(reason);
                let stand_in = || processor.first_countable(&presets[index]);
                Answer { name, stand_in: found.is_err().then(stand_in).flatten(), found }
            })
            .collect();
        is_complete &= answers.iter().all(|answer| answer.found.is_ok());
        if args.json {
            processor.write_json(&mut out, &answers)?
        } else {
            if number > 0 {
                writeln!(out)?;
            }
            processor.write(&mut out, &answers)?
        }
    }
    out.flush()?;
    Ok(u8::from(!is_complete))
}

/// The names that are asked about, each once, and the files that define some of them.
fn asked(args: &CheckArgs) -> Result<(Vec<String>, Vec<Library>), Failure> {
    let (mut names, mut libraries) = (Vec::<String>::new(), Vec::new());
    for path in &args.files {
        let of_path = if path.is_file() { of_file(path, &mut libraries)? } else { of_list(path)? };
        for name in of_path {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        return Err(Failure::new("nothing to check")
            .help("counterpoint check --on PROCESSOR,… EVENT,… or FILE"));
    }
    Ok((names, libraries))
}

fn of_file(path: &Path, libraries: &mut Vec<Library>) -> Result<Vec<String>, Failure> {
    let failed = |error: io::Error| Failure::new(format!("{}: {error}", path.display()));
    let library = definition_files::read(path).map_err(failed)?;
    let name = |index| library.definition(index).name().to_string();
    let names = (0..library.len()).map(name).collect();
    libraries.push(library);
    Ok(names)
}

fn of_list(list: &Path) -> Result<Vec<String>, Failure> {
    let text = list.to_string_lossy();
    let is_file = [".csv", ".json", ".txt"].iter().any(|end| text.ends_with(end));
    if is_file {
        return Err(Failure::new(format!("{}: there is no such file", printable(&text))));
    }
    let groups = syntax::parse(&text)
        .map_err(|error| names::name_failure(error.into(), &[text.to_string()]))?;
    let events = groups.iter().flat_map(|group| &group.events);
    Ok(events.map(|event| event.text.to_string()).collect())
}

/// The cores of a processor, and what they make of each name.
struct Processor {
    pmu: &'static Pmu,
    set: EventSet,
    found: Vec<Result<Countable, counterpoint::Error>>,
}

/// What a processor makes of a name.
struct Answer<'a> {
    name: &'a str,
    found: Result<&'a Countable, String>,
    /// The preset that counts the same here.
    stand_in: Option<&'static str>,
}

/// The presets that count the same as an event that a processor cannot count, where others can.
fn presets(name: &str, index: usize, processors: &[Processor]) -> Vec<&'static str> {
    if processors.iter().all(|processor| processor.found[index].is_ok()) {
        return Vec::new();
    }
    let of = |set: &EventSet| -> Vec<&str> {
        set.presets_of(name).into_iter().map(|preset| preset.name).collect()
    };
    let asked = processors.iter().filter(|processor| processor.found[index].is_ok());
    let asked = asked.map(|processor| of(&processor.set));
    let others = having(name).map(|set| of(&set));
    asked.chain(others).find(|presets| !presets.is_empty()).unwrap_or_default()
}

/// The reason without words about this machine, on which nothing is counted.
fn reason(error: &counterpoint::Error) -> String {
    match error.help() {
        Some(hint @ Hint::DidYouMean(_)) if error.is_unknown_event() => {
            format!("no such event; {hint}")
        }
        Some(Hint::OtherPmu { .. } | Hint::ListEvents | Hint::ListMetrics)
            if error.is_unknown_event() =>
        {
            "no such event".to_string()
        }
        Some(hint @ (Hint::DidYouMean(_) | Hint::Text(_))) => format!("{error}; {hint}"),
        _ => error.to_string(),
    }
}

impl Processor {
    fn first_countable(&self, presets: &[&'static str]) -> Option<&'static str> {
        presets.iter().copied().find(|preset| self.set.countable(preset).is_ok())
    }

    /// The passes in which the cores count all that they can, together.
    fn passes_together(&self, answers: &[Answer<'_>]) -> Result<Option<usize>, Failure> {
        let countable = answers.iter().filter_map(|of| Some((of.name, *of.found.as_ref().ok()?)));
        Ok(self.set.passes_together(countable)?)
    }

    fn write(&self, out: &mut impl Write, answers: &[Answer<'_>]) -> Result<(), Failure> {
        writeln!(out, "{}: {}", self.pmu.name, self.pmu.description)?;
        let width = answers.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
        let width = width.min(40);
        for Answer { name, found, stand_in } in answers {
            let name = printable(name);
            match found {
                Ok(found) => {
                    let events = [&found.events[..], &found.unit_events].concat().join(", ");
                    let (passes, events) = (passes(found.passes), printable(&events));
                    writeln!(out, "  {name:<width$}  {passes:<10}  {events}")?;
                    if let Some(successor) = &found.successor {
                        writeln!(
                            out,
                            "  {:<width$}  deprecated: use {}",
                            "",
                            printable(successor)
                        )?;
                    }
                }
                Err(reason) => {
                    writeln!(out, "  {name:<width$}  no          {}", printable(reason))?;
                    if let Some(preset) = stand_in {
                        writeln!(out, "  {:<width$}  {preset} counts it here", "")?;
                    }
                }
            }
        }
        let countable = answers.iter().filter(|answer| answer.found.is_ok()).count();
        let together = passes(self.passes_together(answers)?);
        let of = answers.len();
        Ok(writeln!(out, "  {countable} of {of} can be counted; together: {together}")?)
    }

    fn write_json(&self, out: &mut impl Write, answers: &[Answer<'_>]) -> Result<(), Failure> {
        for answer in answers {
            let found = answer.found.as_ref().ok();
            let on = OnProcessor {
                schema: 1,
                pmu: self.pmu.name,
                name: answer.name,
                kind: found.map(|found| kind(found.kind)),
                passes: found.and_then(|found| found.passes),
                events: found.map_or(&[], |found| &found.events),
                unit_events: found.map_or(&[], |found| &found.unit_events),
                successor: found.and_then(|found| found.successor.as_deref()),
                reason: answer.found.as_ref().err().map(String::as_str),
                stand_in: answer.stand_in,
            };
            show::json(out, &on)?;
        }
        let all = AllOnProcessor {
            schema: 1,
            pmu: self.pmu.name,
            description: self.pmu.description,
            names: answers.len(),
            countable: answers.iter().filter(|answer| answer.found.is_ok()).count(),
            passes_together: self.passes_together(answers)?,
        };
        Ok(show::json(out, &all)?)
    }
}

/// The processors of the tables that have an event.
fn having(event: &str) -> impl Iterator<Item = EventSet> {
    let has = move |pmu: &&'static Pmu| {
        let of_vendor = || {
            let cpu = pmu.processor();
            cpu.is_some_and(|cpu| Events::built_in(&cpu).named(event).next().is_some())
        };
        let plain = event.split([':', '.']).next().unwrap_or_default();
        pmu.kind == PmuKind::Core && (pmu.event(plain).is_some() || of_vendor())
    };
    let set = |pmu| EventSet::with_machine(Machine::example(pmu), Target::ThisThread);
    pmu::all().filter(has).map(set)
}

fn passes(count: Option<usize>) -> String {
    match count {
        None => "unknown".to_string(),
        Some(0) => "no counter".to_string(),
        Some(1) => "1 pass".to_string(),
        Some(more) => format!("{more} passes"),
    }
}

fn kind(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Metric => "metric",
        NameKind::Definition => "definition",
        _ => "event",
    }
}
