//! `cargo xtask conformance vendor DIR`: every event that both the tables and a vendor's files know, as the kernel would
//! be asked for it. DIR is a checkout of Intel's perfmon, or Linux's `tools/perf/pmu-events/arch`.
//!
//! What both are known to differ in stands in `crates/pmu/DIFFERENCES.md`, below its heading "Vendors' files", between
//! backquotes: `pmu::EVENT:MASK`, or `*::EVENT:MASK` for every PMU.

use counterpoint_pmu::vendor::{Event, Events, files, folder};
use counterpoint_pmu::{
    AttributeKind, Context, Layer, Machine, Pmu, PmuKind, all, encode, syntax, sysfs,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn compare() -> Result<(), String> {
    let usage = "usage: cargo xtask conformance vendor DIR";
    let directory = PathBuf::from(std::env::args().nth(3).ok_or(usage)?);
    let known = super::known_differences("Vendors' files")?;
    let mut counts = Counts::default();
    for pmu in all().filter(|pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural()) {
        let events = events_of(&directory, pmu)?;
        if !events.is_empty() {
            compare_pmu(pmu, &events, &known, &mut counts);
        }
    }
    counts.print();
    match counts.unknown.len() {
        0 if counts.compared == 0 => Err(format!("{}: no event is known", directory.display())),
        0 => Ok(()),
        n => Err(format!("{n} differences that DIFFERENCES.md does not have")),
    }
}

#[derive(Default)]
struct Counts {
    /// The events of the files, those that are compared, and those that are the same, of each PMU.
    of_pmus: BTreeMap<&'static str, [usize; 3]>,
    compared: usize,
    known: usize,
    unknown: Vec<String>,
}

impl Counts {
    fn print(&self) {
        println!("{:<26} {:>7} {:>9} {:>7}", "PMU", "events", "compared", "same");
        for (pmu, [events, compared, same]) in &self.of_pmus {
            println!("{pmu:<26} {events:>7} {compared:>9} {same:>7}");
        }
        println!("{} compared, {} known differences", self.compared, self.known);
        self.unknown.iter().for_each(|difference| println!("{difference}"));
    }
}

/// The files of a processor that has the PMU.
fn events_of(directory: &Path, pmu: &'static Pmu) -> Result<Events, String> {
    let mut events = Events::default();
    let Some(cpu) = pmu.processor() else { return Ok(events) };
    let roots = [directory.to_path_buf(), directory.join(folder(&cpu))];
    let Some(root) = roots.into_iter().find(|root| root.join("mapfile.csv").is_file()) else {
        return Ok(events);
    };
    let map = text(&root.join("mapfile.csv"))?;
    for path in json_files(&root) {
        events.add_standard(&text(&path)?);
    }
    for entry in files(&map, &cpu).0 {
        let path = root.join(entry.path);
        let files = if path.is_dir() { json_files(&path) } else { vec![path] };
        for path in
            files.iter().filter(|path| path.file_name() != Some("metricgroups.json".as_ref()))
        {
            for error in events.add(&text(path)?, entry.unit) {
                println!("{}: {error}", path.display());
            }
        }
    }
    Ok(events)
}

fn json_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension() == Some("json".as_ref())).collect();
    files.sort();
    files
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn compare_pmu(pmu: &'static Pmu, events: &Events, known: &BTreeSet<String>, counts: &mut Counts) {
    let Some(core) = pmu.processor().and_then(|cpu| sysfs::standard_core(&cpu, 0)) else { return };
    let mut context = Context::new(Layer::PerfEvent);
    context.machine =
        Machine::with(vec![pmu]).showing(pmu.devices().map(|name| (name.to_owned(), 4)).collect());
    context.machine.perf_events = true;
    let mut row = [0; 3];
    for event in events.of_pmu(pmu) {
        row[0] += 1;
        let Some(name) = of_table(pmu, event) else { continue };
        let (Some(theirs), Ok(ours)) =
            (words(event, &core), encode(&format!("{}::{name}", pmu.name), &context))
        else {
            continue;
        };
        let Some(ours) = ours.perf else { continue };
        row[1] += 1;
        counts.compared += 1;
        if theirs == [ours.config, ours.config1] {
            row[2] += 1;
            continue;
        }
        let names = [format!("{}::{name}", pmu.name), format!("*::{name}")];
        if names.iter().any(|name| known.contains(name)) {
            counts.known += 1;
            continue;
        }
        let [config, config1] = theirs;
        counts.unknown.push(format!(
            "{}: {config:#x} {config1:#x} in the files, {:#x} {:#x} here",
            names[0], ours.config, ours.config1
        ));
    }
    counts.of_pmus.insert(pmu.name, row);
}

/// The event of the tables with the name of a vendor's event, and its unit mask.
fn of_table(pmu: &'static Pmu, event: &Event) -> Option<String> {
    let folded = |name: &str| name.replace('.', "_").to_uppercase();
    let wanted = folded(&event.name);
    for own in pmu.events() {
        if folded(own.name) == wanted {
            return Some(own.name.to_owned());
        }
        let Some(mask) = wanted.strip_prefix(&format!("{}_", folded(own.name))) else { continue };
        let attributes = own.attributes(Layer::Raw, &Machine::with(vec![pmu]));
        let mut masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
        if let Some(found) = masks.find(|own| folded(own.name) == mask) {
            return Some(format!("{}:{}", own.name, found.name));
        }
    }
    None
}

/// `config` and `config1` of a vendor's event on a core.
fn words(event: &Event, core: &sysfs::Pmu) -> Option<[u64; 2]> {
    let mut core = core.clone();
    let of_core = event.for_pmu(&core);
    core.events = vec![of_core];
    let name = event.name.clone();
    let term = syntax::Term { name, value: syntax::Value::Flag, span: 0..0, value_span: 0..0 };
    let config = core.encode(&[term]).ok()?;
    Some([config.config, config.config1])
}
