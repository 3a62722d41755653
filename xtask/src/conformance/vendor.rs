//! `cargo xtask conformance vendor DIR`: every event that both the tables and a vendor's files know, of cores and of other
//! units, as the kernel would be asked for it. DIR is a checkout of Intel's perfmon, or of Linux (or its
//! `tools/perf/pmu-events/arch`), of which the metrics are compared, too: the value of each over random counts, and how many of
//! each processor have all their events.
//!
//! The known differences stand in `crates/pmu/DIFFERENCES.md`, below its heading "Vendors' files", between
//! backquotes: `pmu::EVENT:MASK`, with `*` for any text, and ` config1` after it if only the filter differs.

use super::differences::known_differences;
use crate::project::root;
use crate::vendor_files::{EventFile, Root, of_checkout, roots};
use counterpoint_pmu::sysfs::matches_glob;
use counterpoint_pmu::vendor::{Event, Events, example};
use counterpoint_pmu::{
    AttributeKind, Context, CpuId, Layer, Machine, Pmu, PmuKind, all, detect, encode, syntax, sysfs,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

pub(super) fn compare() -> Result<(), String> {
    let usage = "usage: cargo xtask conformance vendor DIR";
    let directory = of_checkout(Path::new(&std::env::args().nth(3).ok_or(usage)?));
    let known = Known::all()?;
    let mut counts = Counts::default();
    for root in roots(&directory)? {
        for cpu in processors(&root.map) {
            compare_processor(&root, &cpu, &known, &mut counts)?;
        }
    }
    counts.print();
    if roots(&directory)?.iter().any(|root| root.folder.ends_with("x86")) {
        compare_metrics(&directory)?;
    }
    match counts.unknown.len() {
        0 if counts.of_pmus.is_empty() => {
            Err(format!("{}: no event is known", directory.display()))
        }
        0 => Ok(()),
        n => Err(format!("{n} differences that DIFFERENCES.md does not have")),
    }
}

/// Compares the metrics of Linux's files with those that are built in, by the test of the facade, which can evaluate them.
fn compare_metrics(directory: &Path) -> Result<(), String> {
    let directory = directory.canonicalize().map_err(|error| error.to_string())?;
    let mut test = Command::new(env!("CARGO"));
    test.args(["test", "--quiet", "--package", "counterpoint", "--test", "it", "--"])
        .args(["vendor_metrics", "--nocapture"])
        .env("COUNTERPOINT_PMU_EVENTS", directory)
        .current_dir(root());
    if test.status().map_err(|error| error.to_string())?.success() {
        Ok(())
    } else {
        Err("metrics that are built in differ from those of the files".to_string())
    }
}

/// A processor for each pattern of a map, and the first one of each PMU of the tables.
fn processors(map: &str) -> Vec<CpuId> {
    let patterns: BTreeSet<&str> = map.lines().filter_map(|line| line.split(',').next()).collect();
    let examples = patterns.into_iter().filter_map(example);
    let mut found: Vec<CpuId> =
        examples.filter_map(|cpuinfo| CpuId::from_cpuinfo(&cpuinfo)).collect();
    for cpu in all().filter_map(Pmu::processor) {
        if !found.contains(&cpu) {
            found.push(cpu);
        }
    }
    found
}

#[derive(Default)]
struct Counts {
    /// The names that were looked up, those that both have, and those that are the same, of each kind of PMU.
    of_pmus: BTreeMap<String, [BTreeSet<String>; 3]>,
    known: BTreeSet<String>,
    /// The events of files, those that are built in with the same terms, and those with others.
    of_files: usize,
    built_in: usize,
    otherwise: usize,
    /// Events of Linux's files that lack bits which Intel's have.
    incomplete: BTreeSet<String>,
    unknown: BTreeSet<String>,
}

impl Counts {
    fn print(&self) {
        println!("{:<26} {:>7} {:>9} {:>7}", "PMU", "events", "compared", "same");
        for (pmu, [events, compared, same]) in &self.of_pmus {
            println!("{pmu:<26} {:>7} {:>9} {:>7}", events.len(), compared.len(), same.len());
        }
        let compared: usize = self.of_pmus.values().map(|[_, compared, _]| compared.len()).sum();
        println!(
            "{compared} compared, {} known differences, {} events that Linux's files have without all bits",
            self.known.len(),
            self.incomplete.len()
        );
        println!(
            "{} events of processors: {} built in with the same terms, {} with others",
            self.of_files, self.built_in, self.otherwise
        );
        self.unknown.iter().for_each(|difference| println!("{difference}"));
    }
}

/// The entries of the files of a processor for a name: the words of each event, its vendor's name and its file.
type Named = BTreeMap<String, Vec<(Option<[u64; 2]>, String, String)>>;

fn compare_processor(
    root: &Root,
    cpu: &CpuId,
    known: &[Known],
    counts: &mut Counts,
) -> Result<(), String> {
    let files = root.events_of(cpu)?;
    compare_built_in(cpu, &files, counts);
    let mut seen = BTreeSet::new();
    let mut pmus = detect(cpu);
    pmus.retain(|pmu| {
        let boxes = pmu.name.trim_end_matches(|c: char| c.is_ascii_digit());
        seen.insert((boxes, pmu.events().count()))
    });
    if pmus.is_empty() {
        return Ok(());
    }
    for pmu in pmus {
        compare_pmu(pmu, cpu, &files, known, counts);
    }
    Ok(())
}

/// The events that are built in for a processor are those of its files.
fn compare_built_in(cpu: &CpuId, files: &[EventFile], counts: &mut Counts) {
    let events = Events::built_in(cpu);
    for file in files {
        for event in file.events.iter() {
            counts.of_files += 1;
            let unit = |event: &Event| event.pmus().into_iter().next();
            let mut known = events.named(&event.name).filter(|known| unit(known) == unit(&event));
            let is_same = |known: &Event| known.terms.eq_ignore_ascii_case(&event.terms);
            match known.next() {
                Some(known) if is_same(&known) => counts.built_in += 1,
                // Of two codes under one name in a file the first counts, and Linux's files lack bits of perfmon's.
                Some(_) => counts.otherwise += 1,
                None => {
                    let name = format!("{} in {} is not built in", event.name, file.path);
                    counts.unknown.insert(name);
                }
            }
        }
    }
}

fn compare_pmu(
    pmu: &'static Pmu,
    cpu: &CpuId,
    files: &[EventFile],
    known: &[Known],
    counts: &mut Counts,
) {
    let kernel = match pmu.kind {
        PmuKind::Core => sysfs::standard_core(cpu, 0),
        _ => pmu.devices().next().map(|device| {
            let unit = device.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
            sysfs::standard_unit(cpu, unit, 4)
        }),
    };
    let Some(kernel) = kernel else { return };
    let mut context = Context::new(Layer::PerfEvent);
    context.machine =
        Machine::of(cpu.clone()).showing(pmu.devices().map(|name| (name.to_owned(), 4)).collect());
    context.machine.perf_events = true;
    let row = counts.of_pmus.entry(pmu.name.to_owned()).or_default();
    let mut named = Named::new();
    for (file, event) in
        files.iter().flat_map(|file| file.events.of_pmu(pmu).map(move |event| (file, event)))
    {
        row[0].insert(event.name.clone());
        if let Some(name) = of_table(pmu, &event) {
            let found = (words(&event, &kernel), event.name.clone(), file.path.clone());
            named.entry(name).or_default().push(found);
        }
    }
    for (name, theirs) in named {
        let full = format!("{}::{name}", pmu.name);
        // An event that the tables refuse has no code that could be wrong: a sum of unit masks, an event without one.
        let Some(ours) = ours(&full, pmu, &context) else { continue };
        row[1].insert(name.clone());
        // A file may have two codes under one name.
        if theirs.iter().any(|(words, ..)| words.is_some_and(|words| ours.is(words))) {
            row[2].insert(name);
            continue;
        }
        let (words, event, path) = &theirs[0];
        let Some(words) = *words else {
            if known.iter().any(|known| matches_glob(&known.name, &full)) {
                counts.known.insert(full);
                continue;
            }
            counts
                .unknown
                .insert(format!("{full}: {event} in {path} is not of the kernel's fields"));
            continue;
        };
        // Intel's files say which file of theirs it is by its name, Linux's have a directory for each processor.
        // What perfmon corrects is built in.
        let corrected = || {
            let built_in = Events::built_in(cpu);
            built_in.named(event).any(|known| self::words(&known, &kernel) == Some(ours.words))
        };
        let is_incomplete = match pmu.kind {
            PmuKind::Uncore => ours.has_more_than(words),
            _ => corrected(),
        };
        if !path.contains("/events/") && is_incomplete {
            counts.incomplete.insert(full);
        } else if known.iter().any(|known| known.is(&full, words, &ours)) {
            counts.known.insert(full);
        } else {
            let ([config, config1], [own, own1]) = (words, ours.words);
            counts.unknown.insert(format!(
                "{full}: {config:#x} {config1:#x} for {event} in {path}, {own:#x} {own1:#x} here"
            ));
        }
    }
}

/// A difference that `DIFFERENCES.md` has: names with `*` for any text, and whether only the filter differs.
struct Known {
    name: String,
    is_filter: bool,
}

impl Known {
    fn all() -> Result<Vec<Known>, String> {
        let texts = known_differences("Vendors' files")?;
        let known = texts.into_iter().map(|text| match text.strip_suffix(" config1") {
            Some(name) => Known { name: name.to_owned(), is_filter: true },
            None => Known { name: text, is_filter: false },
        });
        Ok(known.collect())
    }

    fn is(&self, name: &str, theirs: [u64; 2], ours: &Ours) -> bool {
        matches_glob(&self.name, name) && (!self.is_filter || theirs[0] == ours.words[0])
    }
}

/// `config` and `config1` of the tables.
struct Ours {
    words: [u64; 2],
    /// The filter is one that had to be written, and that the files leave open: a node, a frequency, an opcode.
    is_open: bool,
}

impl Ours {
    fn is(&self, [config, config1]: [u64; 2]) -> bool {
        config == self.words[0] && (self.is_open || config1 == self.words[1])
    }

    /// The files lack only bits that Linux's converter does not know: the extension of the event, and that of the unit
    /// mask.
    fn has_more_than(&self, [config, config1]: [u64; 2]) -> bool {
        const EXTENSIONS: u64 = 1 << 21 | u64::MAX << 32;
        self.is([config | self.words[0] & EXTENSIONS, config1])
    }
}

fn ours(full: &str, pmu: &'static Pmu, context: &Context) -> Option<Ours> {
    let words = |text: &str| {
        let perf = encode(text, context).ok()?.perf?;
        Some([perf.config, perf.config1])
    };
    if let Some(words) = words(full) {
        return Some(Ours { words, is_open: false });
    }
    let event = full.split(':').nth(2).and_then(|name| pmu.event(name))?;
    let attributes = event.attributes(Layer::Raw, &context.machine);
    let masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
    let opcodes = masks.filter(|mask| mask.name.starts_with("OPC_"));
    let mut more: Vec<String> = ["nf=1", "ff=1"].map(str::to_owned).into();
    more.extend(opcodes.flat_map(|mask| [mask.name.to_owned(), format!("{}:nf=1", mask.name)]));
    let words = more.iter().find_map(|more| words(&format!("{full}:{more}")))?;
    Some(Ours { words, is_open: true })
}

/// The prefixes of libpfm's names of units where the vendor's begin otherwise.
const BEGINNINGS: [(&str, &str); 4] = [
    ("UNC_CHA_", "UNC_C_"),
    ("UNC_M2M_", "UNC_M2_"),
    ("UNC_IIO_", "UNC_IO_"),
    ("UNC_M3UPI_", "UNC_M3_"),
];

/// The event of the tables with the name of a vendor's event, and its unit masks: `A.B_C` is `A_B_C`, `A:B_C`, `A_B:C`
/// or `A:B:C`.
fn of_table(pmu: &'static Pmu, event: &Event) -> Option<String> {
    let wanted = folded(&event.name);
    let other = BEGINNINGS
        .iter()
        .find_map(|(theirs, ours)| Some(format!("{ours}{}", wanted.strip_prefix(theirs)?)));
    [Some(wanted), other].into_iter().flatten().find_map(|wanted| {
        pmu.events().find_map(|own| {
            let rest = wanted.strip_prefix(&folded(own.name))?;
            if rest.is_empty() {
                return Some(own.name.to_owned());
            }
            let attributes = own.attributes(Layer::Raw, &Machine::with(vec![pmu]));
            let masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
            let masks: Vec<&str> = masks.map(|mask| mask.name).collect();
            Some(format!("{}{}", own.name, split(rest.strip_prefix('_')?, &masks)?))
        })
    })
}

/// The unit masks of which a name consists, in as few pieces as possible.
fn split(name: &str, masks: &[&str]) -> Option<String> {
    let plain = |mask: &str| folded(mask).trim_end_matches("_FILTER").to_owned();
    if let Some(mask) = masks.iter().find(|mask| folded(mask) == name || plain(mask) == name) {
        return Some(format!(":{mask}"));
    }
    masks.iter().find_map(|mask| {
        let rest = name.strip_prefix(&plain(mask))?.strip_prefix('_')?;
        Some(format!(":{mask}{}", split(rest, masks)?))
    })
}

fn folded(name: &str) -> String {
    name.replace('.', "_").to_uppercase()
}

/// `config` and `config1` of a vendor's event on a PMU.
fn words(event: &Event, kernel: &sysfs::Pmu) -> Option<[u64; 2]> {
    let mut kernel = kernel.clone();
    let of_kernel = event.for_pmu(&kernel);
    kernel.events = vec![of_kernel];
    let name = event.name.clone();
    let term = syntax::Term { name, value: syntax::Value::Flag, span: 0..0, value_span: 0..0 };
    let config = kernel.encode(&[term]).ok()?;
    Some([config.config, config.config1])
}
