//! `check --metrics`: files of metrics, and what every event in them is.

use super::args::CheckArgs;
use super::counts::Counts;
use super::json;
use crate::failure::Failure;
use crate::finding::Source;
use crate::input;
use crate::metric_files::{MetricFile, Processor, of_machine, processors};
use crate::names;
use crate::show::{self, printable};
use counterpoint::definitions::{Library, Origin, PmuName, Pmus, Severity, link};
use counterpoint::events::Native;
use counterpoint::metrics::{Meaning, NamedMetric};
use counterpoint::perf::Host;
use counterpoint::pmu::vendor::example;
use counterpoint::pmu::{Pmu, PmuKind};
use counterpoint::{EventSet, Machine, Reason, Target, read_definitions};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Exit status 1 if a file has errors.
pub fn run(args: &CheckArgs, paths: &[PathBuf]) -> Result<u8, Failure> {
    let mut counts = Counts::default();
    let mut out = show::stdout();
    let mut shares = Vec::new();
    for path in paths {
        for of in machines(args, path)? {
            let libraries = libraries(&of, args.json, &mut counts, &mut out)?;
            let checked = checked(of, libraries);
            if args.json {
                checked.write_json(&mut out)?
            } else {
                checked.write_events(&mut out)?
            }
            shares.push(checked);
        }
    }
    if !args.json {
        write_shares(&mut out, &shares)?;
        writeln!(out, "{counts}")?;
    }
    out.flush()?;
    Ok(counts.exit_code())
}

/// A machine, and the files of metrics that are for it.
struct OfMachine {
    name: String,
    machine: Machine,
    files: Vec<MetricFile>,
}

/// The processors of a path: the one that is asked about, or all that the directory has.
fn machines(args: &CheckArgs, path: &Path) -> Result<Vec<OfMachine>, Failure> {
    let failed = |e: io::Error| Failure::new(format!("{}: {e}", path.display()));
    let one = |name: String, machine: Machine| -> Result<Vec<OfMachine>, Failure> {
        let files = of_machine(path, &machine).map_err(failed)?;
        Ok(vec![OfMachine { name, machine, files }])
    };
    if let Some(pmu) = &args.pmu {
        return one(pmu.clone(), args.vendor.with(Machine::of_pmu(names::pmu(pmu)?))?);
    }
    let all = if path.is_dir() { processors(path).map_err(failed)? } else { None };
    let Some(all) = all else {
        let machine = args.vendor.with(Machine::new(args.machine.host()?))?;
        return one("this machine".to_string(), machine);
    };
    all.into_iter().map(|processor| of_processor(args, processor)).collect()
}

/// The machine of a processor that a map or a directory of likwid names; one without PMUs if nothing is known of it.
fn of_processor(args: &CheckArgs, processor: Processor) -> Result<OfMachine, Failure> {
    let Processor { name, pattern, root, files } = processor;
    let unknown = || Machine::new(Host::with_files(BTreeMap::new()));
    let Some(pattern) = pattern else {
        let known = Machine::of_likwid_folder(&name);
        let machine = known.map_or_else(|| Ok(unknown()), |machine| args.vendor.with(machine))?;
        return Ok(OfMachine { name, machine, files });
    };
    let Some(cpuinfo) = example(&pattern) else {
        return Ok(OfMachine { name, machine: unknown(), files });
    };
    let machine = Machine::example_of(&cpuinfo);
    // A vendor's metrics are about the vendor's events, which are in the same checkout.
    let events = crate::vendor::read(&root, machine.cpu().as_ref()).unwrap_or_default();
    Ok(OfMachine { name, machine: machine.with_vendor(events), files })
}

/// Reads the files, and writes what is wrong with them.
fn libraries(
    of: &OfMachine,
    is_json: bool,
    counts: &mut Counts,
    out: &mut impl Write,
) -> Result<Vec<Library>, Failure> {
    let (mut libraries, mut sources) = (Vec::new(), Vec::new());
    for MetricFile { path, unit } in &of.files {
        let text = match input::text(path) {
            Ok(text) => text,
            Err(error) => {
                counts.refuse(path, &error.to_string());
                continue;
            }
        };
        let source = Source::new(path, text);
        let library = read_definitions(path, &source.text);
        counts.files += 1;
        counts.definitions += library.len();
        for diagnostic in library.diagnostics() {
            counts.add(diagnostic);
            if is_json {
                json::write(out, diagnostic, &source)?
            } else {
                write!(out, "{}", source.drawn(diagnostic))?
            }
        }
        libraries.push(match unit {
            Some(unit) if has_core(&of.machine, unit) => library.only_for(unit),
            _ => library,
        });
        sources.push(source);
    }
    // A file may define a metric again for another kind of core, so only errors are findings.
    let pmus = of.machine.tables().pmus.iter();
    let pmus = pmus.flat_map(|pmu| pmu.devices().chain([pmu.name]));
    let linked = link(&libraries, pmus.map(PmuName::from).collect::<Pmus<'_>>());
    for diagnostic in linked.diagnostics().iter().filter(|d| d.severity == Severity::Error) {
        counts.add(diagnostic);
        let source = &sources[diagnostic.file];
        if is_json {
            json::write(out, diagnostic, source)?
        } else {
            write!(out, "{}", source.drawn(diagnostic))?
        }
    }
    Ok(libraries)
}

/// Returns true if a kind of core is known of the machine: nothing shows those of a processor without a table.
fn has_core(machine: &Machine, unit: &str) -> bool {
    let mut of_tables = machine.tables().pmus.iter().flat_map(|pmu| pmu.devices());
    of_tables.any(|name| name == unit) || machine.pmu_names().iter().any(|name| name == unit)
}

/// The metrics of a processor, and what their events are.
struct Checked {
    name: String,
    pmu: Option<&'static str>,
    metrics: usize,
    /// The metrics whose every event is known.
    whole: usize,
    /// By the name of the event: what it is, and how many metrics need it.
    events: BTreeMap<String, (Result<String, String>, usize)>,
}

fn checked(of: OfMachine, libraries: Vec<Library>) -> Checked {
    let is_core = |pmu: &&&Pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural();
    let pmu = of.machine.tables().pmus.iter().find(is_core).map(|pmu| pmu.name);
    let set = EventSet::with_machine(of.machine, Target::AllCpus);
    let set = libraries.into_iter().fold(set, EventSet::define);
    let is_of_file = |metric: &NamedMetric| matches!(metric.definition.origin(), Origin::File(_));
    let mut checked = Checked { name: of.name, pmu, metrics: 0, whole: 0, events: BTreeMap::new() };
    let metrics: Vec<NamedMetric> = set.metrics().iter().filter(is_of_file).collect();
    for metric in metrics {
        checked.metrics += 1;
        let mut is_whole = true;
        match set.metric_needs(&metric) {
            Ok(needs) => {
                for term in needs.terms {
                    let meaning = meaning(set.machine(), &term.name, term.meaning);
                    is_whole &= meaning.is_ok();
                    checked.events.entry(term.name).or_insert((meaning, 0)).1 += 1;
                }
            }
            Err(reason) => {
                is_whole = false;
                let name = missing(&reason).unwrap_or_else(|| {
                    // The metric itself is at fault.
                    format!("({})", metric.definition.name())
                });
                checked.events.entry(name).or_insert((Err(problem(&reason)), 0)).1 += 1;
            }
        }
        checked.whole += usize::from(is_whole);
    }
    checked
}

/// The meaning of a term in words: its encoding, or the reason why it has none.
fn meaning(
    machine: &Machine,
    name: &str,
    meaning: Result<Meaning, Reason>,
) -> Result<String, String> {
    match meaning {
        Ok(Meaning::Event(native)) => Ok(of_native(&native)),
        Ok(Meaning::Source(source)) => Ok(source.description().to_string()),
        Ok(Meaning::Fact(fact)) => Ok(format!("{} from {}", fact.value, fact.source)),
        Ok(_) => Ok(String::new()),
        // The events of boxes are known from the files where no machine shows the boxes.
        Err(reason) => of_vendor(machine, name).ok_or_else(|| problem(&reason)),
    }
}

/// The term that a metric has no value without; `None` if the reason is not a term.
fn missing(reason: &Reason) -> Option<String> {
    match reason {
        Reason::UnknownMachineValue { name, .. } => {
            Some(format!("#{}", name.trim_start_matches('#')))
        }
        Reason::UnknownTerm { name, .. } => Some(name.clone()),
        _ => None,
    }
}

/// The reason without the name of the term, which stands beside it.
fn problem(reason: &Reason) -> String {
    match reason {
        Reason::UnknownTerm { problem, .. } => problem.clone(),
        other => other.to_string(),
    }
}

fn of_native(native: &Native) -> String {
    let codes = crate::commands::show::metric::codes(native);
    format!("{} ({codes})", native.id)
}

/// The event of the files, with the terms that the name adds: `pmu/NAME,field=value/`.
fn of_vendor(machine: &Machine, name: &str) -> Option<String> {
    let (event, terms) = machine.vendor_terms(name).next()?;
    let pmu = if event.is_of_core() { "cpu".to_string() } else { event.pmus().join("|") };
    Some(format!("{pmu}/{terms}/"))
}

impl Checked {
    fn write_events(&self, out: &mut impl Write) -> io::Result<()> {
        let width = self.events.keys().map(|name| name.chars().count()).max().unwrap_or(0).min(60);
        for (name, (meaning, metrics)) in &self.events {
            let (state, text) = match meaning {
                Ok(text) => ("yes", text.clone()),
                Err(reason) => ("no ", reason.clone()),
            };
            let line = format!("{}  {name:<width$}  {state}  {metrics:>4}  {text}", self.name);
            writeln!(out, "{}", printable(&line))?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, (meaning, metrics)) in &self.events {
            let event = json::NeededEvent {
                schema: 1,
                processor: &self.name,
                event: name,
                metrics: *metrics,
                encoding: meaning.as_deref().ok(),
                reason: meaning.as_ref().err().map(String::as_str),
            };
            show::json(out, &event)?;
        }
        let processor = json::OfProcessor {
            schema: 1,
            processor: &self.name,
            pmu: self.pmu,
            metrics: self.metrics,
            resolved: self.whole,
        };
        show::json(out, &processor)
    }
}

/// Writes the share of the metrics of each processor that have all their events.
fn write_shares(out: &mut impl Write, shares: &[Checked]) -> io::Result<()> {
    let width = shares.iter().map(|checked| checked.name.len()).max().unwrap_or(0).max(9);
    writeln!(out, "\n{:<width$}  {:<24}  metrics  resolved  share", "processor", "PMU")?;
    for checked in shares {
        // Rounded down, so that 100% is all of them.
        let share = 100 * checked.whole / checked.metrics.max(1);
        writeln!(
            out,
            "{:<width$}  {:<24}  {:>7}  {:>8}  {share:>4}%",
            printable(&checked.name),
            checked.pmu.unwrap_or("no table"),
            checked.metrics,
            checked.whole,
        )?;
    }
    writeln!(out)
}
