//! `check --on`: what processors that need not be here can count.

use super::args::CheckArgs;
use super::json::{AllOnProcessor, OnProcessor};
use crate::definition_files;
use crate::failure::Failure;
use crate::input;
use crate::names;
use crate::show::{self, printable};
use counterpoint::definitions::{Library, Severity};
use counterpoint::pmu::vendor::Events;
use counterpoint::pmu::{self, Pmu, PmuKind, syntax};
use counterpoint::{Countable, EventSet, Hint, Machine, NameKind, Target};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// Exit status 1 if one of the processors cannot count one of the names.
pub fn run(args: &CheckArgs) -> Result<u8, Failure> {
    let (names, libraries) = asked(args)?;
    let mut processors = Vec::new();
    for name in args.on.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        // The error for a name of no PMU is that of every command.
        let first = names::pmu(name)?;
        let mut cores = pmu::cores_named(name);
        if cores.is_empty() {
            cores.push(first);
        }
        for pmu in cores {
            let machine = args.vendor.with(Machine::example(pmu))?;
            let set = EventSet::with_machine(machine, Target::ThisThread);
            let set = libraries.iter().cloned().fold(set, EventSet::define);
            let found = names.iter().map(|name| set.countable(&name.text)).collect();
            processors.push(Processor { pmu, set, found });
        }
    }
    if processors.is_empty() {
        return Err(
            Failure::new("--on names no processor").help("name one, such as: --on spr,zen5")
        );
    }
    let presets: Vec<Vec<&str>> = names
        .iter()
        .enumerate()
        .map(|(index, name)| presets(&name.text, index, &processors))
        .collect();
    let mut out = show::stdout();
    // A definition with an error is left out of what is answered.
    let mut findings = libraries.iter().flat_map(|library| library.diagnostics());
    let mut is_complete = findings.all(|finding| finding.severity != Severity::Error);
    for (number, processor) in processors.iter().enumerate() {
        let answers: Vec<Answer<'_>> = names
            .iter()
            .enumerate()
            .map(|(index, Name { text: name, group })| {
                let is_metric = || processors.iter().any(|other| other.has_metric(index));
                let found = processor.found[index].as_ref();
                let found = found.map_err(|error| match reason(name, error) {
                    text if text == NO_EVENT && is_metric() => "no such metric".to_string(),
                    text => text,
                });
                let stand_in = || processor.first_countable(&presets[index]);
                let group = group.as_deref();
                Answer { name, group, stand_in: found.is_err().then(stand_in).flatten(), found }
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

/// A name that is asked about.
#[derive(Clone, PartialEq)]
struct Name {
    text: String,
    /// The braces in which it is, as they are written.
    group: Option<String>,
}

/// The names that are asked about, each once, and the files that define some of them.
fn asked(args: &CheckArgs) -> Result<(Vec<Name>, Vec<Library>), Failure> {
    let (mut names, mut libraries) = (Vec::<Name>::new(), Vec::new());
    for path in &args.files {
        let is_file = path.is_file() || is_path(path);
        let of_path = if is_file {
            of_file(path, &mut libraries)?
        } else {
            of_list(&path.to_string_lossy())?
        };
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

/// Returns true if a text is that of a path, and not of a list of events.
fn is_path(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let is_file_name = [".csv", ".json", ".txt"].iter().any(|end| text.ends_with(end));
    is_file_name || text.starts_with(['/', '.']) || text.contains('/') && path.is_dir()
}

fn of_file(path: &Path, libraries: &mut Vec<Library>) -> Result<Vec<Name>, Failure> {
    let failure = |text: &str| {
        let path = path.to_string_lossy();
        Failure::new(format!("{}: {text}", printable(&path)))
    };
    if path.is_dir() {
        return Err(failure("it is a directory").help("name the files in it"));
    }
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => failure("there is no such file"),
        _ => failure(&error.to_string()),
    };
    let bytes = input::bytes(path).map_err(failed)?;
    if let Some(lines) = list_lines(&String::from_utf8_lossy(&bytes)) {
        let names: Result<Vec<_>, _> = lines.into_iter().map(of_list).collect();
        return Ok(names?.concat());
    }
    let library = definition_files::of_bytes(path, &bytes);
    let name = |index| Name { text: library.definition(index).name().to_string(), group: None };
    let names: Vec<Name> = (0..library.len()).map(name).collect();
    if names.is_empty() {
        return Err(failure("it has no definitions and no metrics"));
    }
    libraries.push(library);
    Ok(names)
}

/// The lines of a file that is a list of events: each line is one, or several with commas. Every definition has a blank, a
/// quote, or a keyword with a comma.
fn list_lines(text: &str) -> Option<Vec<&str>> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_keyword = |word: &str| {
        ["CPU", "PRESET", "EVENT"].iter().any(|keyword| word.trim().eq_ignore_ascii_case(keyword))
    };
    let is_list = |line: &&str| {
        let first = line.split(',').next().unwrap_or_default();
        !line.contains(|c: char| c.is_whitespace() || c == '"') && !is_keyword(first)
    };
    let is_json = |line: &&str| ["{", "[", "[{"].contains(line);
    // The first line that is none decides: most files are definitions.
    let found: Option<Vec<&str>> =
        lines.map(|line| (is_list(&line) && !is_json(&line)).then_some(line)).collect();
    found.filter(|lines| !lines.is_empty())
}

/// The events of a list, each with the modifiers of its braces, and the braces themselves.
fn of_list(text: &str) -> Result<Vec<Name>, Failure> {
    let groups = syntax::parse(text)
        .map_err(|error| names::name_failure(error.into(), &[text.to_string()]))?;
    let mut names = Vec::new();
    for group in groups {
        let (Some(first), Some(last)) = (group.events.first(), group.events.last()) else {
            continue;
        };
        let rest = &text[last.span.end..];
        let modifiers = match rest.split_once('}').filter(|_| group.braces) {
            Some((_, rest)) => rest.split(',').next().unwrap_or_default().trim_end(),
            None => "",
        };
        let events = &text[first.span.start..last.span.end];
        let braces =
            (group.braces && group.events.len() > 1).then(|| format!("{{{events}}}{modifiers}"));
        names.extend(group.events.iter().map(|event| {
            let text = match modifiers {
                "" => event.text.clone(),
                modifiers => format!("{{{}}}{modifiers}", event.text),
            };
            Name { text, group: braces.clone() }
        }));
        names.extend(braces.map(|text| Name { text, group: None }));
    }
    Ok(names)
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
    /// The braces in which it is.
    group: Option<&'a str>,
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

const NO_EVENT: &str = "no such event";

/// The reason why a name cannot be counted, without the name, which stands before it.
fn reason(name: &str, error: &counterpoint::Error) -> String {
    let is_unknown = error.is_unknown_event();
    let text = error.to_string();
    let begin = format!("`{name}` cannot be counted: ");
    let text = text.strip_prefix(&begin).unwrap_or(&text);
    match error.help() {
        Some(hint @ Hint::DidYouMean(_)) if is_unknown => format!("{NO_EVENT}; {hint}"),
        Some(Hint::OtherPmu { .. } | Hint::ListEvents | Hint::ListMetrics) if is_unknown => {
            NO_EVENT.to_string()
        }
        Some(hint @ (Hint::DidYouMean(_) | Hint::Text(_))) => format!("{text}; {hint}"),
        _ => text.to_string(),
    }
}

impl Processor {
    fn has_metric(&self, index: usize) -> bool {
        self.found[index].as_ref().is_ok_and(|found| found.kind == NameKind::Metric)
    }

    fn first_countable(&self, presets: &[&'static str]) -> Option<&'static str> {
        presets.iter().copied().find(|preset| self.set.countable(preset).is_ok())
    }

    /// The passes in which the cores count all that they can, together.
    fn passes_together(&self, answers: &[Answer<'_>]) -> Result<Option<usize>, Failure> {
        // What is counted in its braces is not counted once more beside them.
        let is_group = |group: &str| answers.iter().any(|of| of.name == group && of.found.is_ok());
        let alone = answers.iter().filter(|of| !of.group.is_some_and(is_group));
        let countable = alone.filter_map(|of| Some((of.name, *of.found.as_ref().ok()?)));
        Ok(self.set.passes_together(countable)?)
    }

    fn write(&self, out: &mut impl Write, answers: &[Answer<'_>]) -> Result<(), Failure> {
        writeln!(out, "{}: {}", self.pmu.name, self.pmu.description)?;
        let width = answers.iter().map(|answer| answer.name.chars().count()).max().unwrap_or(0);
        let width = width.min(40);
        for Answer { name, found, stand_in, .. } in answers {
            let mut line = |name: &str, passes: &str, text: &str| {
                let text = format!("  {name:<width$}  {passes:<10}  {}", printable(text));
                write_line(out, text.trim_end(), width + 16)
            };
            let mut name = printable(name);
            if name.chars().count() > width {
                line(&name, "", "")?;
                name = Cow::Borrowed("");
            }
            match found {
                Ok(found) => {
                    let events = [&found.events[..], &found.unit_events].concat().join(", ");
                    line(&name, &passes(found.passes), &events)?;
                    if let Some(successor) = &found.successor {
                        line("", "", &format!("deprecated: use {successor}"))?;
                    }
                }
                Err(reason) => {
                    line(&name, "no", reason)?;
                    if let Some(preset) = stand_in {
                        line("", "", &format!("{preset} counts it here"))?;
                    }
                }
            }
        }
        let found = || answers.iter().filter_map(|answer| answer.found.as_ref().ok());
        let unknown = found().filter(|found| found.passes.is_none()).count();
        let countable = found().count() - unknown;
        let unknown = if unknown > 0 { format!(", {unknown} unknown") } else { String::new() };
        let together = passes(self.passes_together(answers)?);
        let of = answers.len();
        Ok(writeln!(out, "  {countable} of {of} can be counted{unknown}; together: {together}")?)
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

/// A line, of which what does not fit on a terminal stands below its last column, which begins after `indent`.
fn write_line(out: &mut impl Write, line: &str, indent: usize) -> io::Result<()> {
    match show::width_of(&show::bytes_out()) {
        Some(width) => writeln!(out, "{}", show::hanging(line, width, indent)),
        None => writeln!(out, "{line}"),
    }
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
        NameKind::Group => "group",
        NameKind::Definition => "definition",
        _ => "event",
    }
}
