//! Comparisons with the system's tools: `cargo xtask conformance papi`, `recordings`, `symbols` and `vendor` (see the files), and
//! `cargo xtask conformance libpfm`: every PMU, event and unit mask that the system's libpfm4 and
//! `counterpoint-pmu` both know, through the library's C API (its header `perfmon/pfmlib.h`, version 4).
//!
//! The known differences stand in `crates/pmu/DIFFERENCES.md`, below its heading "Releases",
//! between backquotes: `pmu::EVENT` is an event with all its unit masks, `pmu:RESULT` a result of the library; what the
//! tables have from vendors in the place of libpfm's codes stands below "Corrections".

mod capi;
mod differences;
mod libpfm;
mod papi;
mod papi_tests;
mod recordings;
mod symbols;
mod vendor;

use counterpoint_pmu::sysfs::matches_glob;
use counterpoint_pmu::{
    AttributeKind, Context, CpuId, Layer, Machine, Pmu, PmuKind, Privilege, encode, find,
};
use differences::known_differences;
use libpfm::{Answer, Libpfm};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use std::{fs, io};

pub fn run() -> Result<(), String> {
    match std::env::args().nth(2).as_deref() {
        Some("capi") => capi::compare(),
        Some("libpfm") => compare(),
        Some("papi") => papi::compare(),
        Some("recordings") => recordings::compare(),
        Some("symbols") => symbols::compare(),
        Some("vendor") => vendor::compare(),
        _ => {
            Err("usage: cargo xtask conformance capi|libpfm|papi [DIR]|recordings DIR|symbols|vendor DIR"
                .to_owned())
        }
    }
}

fn compare() -> Result<(), String> {
    let mut known = known_differences("Releases")?;
    // Of corrections, the events with all their unit masks.
    for correction in known_differences("Corrections")? {
        let (pmu, event) = correction.split_once("::").unwrap_or_default();
        known.insert(format!("{pmu}::{}", event.split(':').next().unwrap_or_default()));
    }
    let library = Libpfm::load()?;
    let machine = machine(&library).map_err(|error| format!("the machine: {error}"))?;
    let layers = [Layer::Raw, Layer::PerfEvent].map(|layer| {
        let mut context = Context::new(layer);
        context.machine = machine.clone();
        context
    });
    let mut counts = Counts::default();
    for theirs in library.pmus() {
        counts.pmus += 1;
        let Some(pmu) = find(&theirs.name) else {
            counts.differ(&known, &theirs.name, "", "not known here".to_owned());
            continue;
        };
        let (counters, fixed) = pmu.libpfm_counters();
        let numbers = [i32::from(pmu.most_codes), counters.into(), fixed.into()];
        if theirs.numbers != numbers {
            let what = format!("{:?} there, {numbers:?} here", theirs.numbers);
            counts.differ(&known, &theirs.name, "counters", what);
        }
        compare_pmu(&library, pmu, &theirs, &layers, &known, &mut counts);
    }
    counts.lacking = counterpoint_pmu::all().count().saturating_sub(counts.pmus);
    counts.print();
    match counts.unknown.len() {
        0 => Ok(()),
        n => Err(format!("{n} differences that DIFFERENCES.md does not have")),
    }
}

/// The numbers of what has been compared.
#[derive(Default)]
struct Counts {
    pmus: usize,
    lacking: usize,
    events: usize,
    strings: usize,
    attributes: usize,
    known: BTreeMap<String, usize>,
    unknown: Vec<String>,
    ours_ns: u128,
    theirs_ns: u128,
}

impl Counts {
    fn differ(&mut self, known: &BTreeSet<String>, string: &str, result: &str, what: String) {
        let pmu = string.split("::").next().unwrap_or(string);
        let event = string.split(':').filter(|part| !part.is_empty()).take(2);
        let event = event.collect::<Vec<_>>().join("::");
        let is_corrected = known.iter().any(|known| matches_glob(known, &event));
        if is_corrected || known.contains(&format!("{pmu}:{result}")) {
            *self.known.entry(pmu.to_owned()).or_default() += 1;
        } else {
            self.unknown.push(format!("{string}: {what}"));
        }
    }

    fn print(&self) {
        println!(
            "{} PMUs, {} events, {} attributes, {} strings compared; {} PMUs are not in the library",
            self.pmus, self.events, self.attributes, self.strings, self.lacking
        );
        if self.strings > 0 {
            let per = |ns: u128| ns / self.strings as u128;
            let (ours, theirs) = (per(self.ours_ns), per(self.theirs_ns));
            println!("a string with what is printed: {ours} ns here, {theirs} ns in the library");
        }
        for (pmu, count) in &self.known {
            println!("{pmu}: {count} differences that DIFFERENCES.md has");
        }
        self.unknown.iter().for_each(|difference| println!("{difference}"));
    }
}

fn compare_pmu(
    library: &Libpfm,
    pmu: &'static Pmu,
    theirs: &libpfm::PmuInfo,
    layers: &[Context],
    known: &BTreeSet<String>,
    counts: &mut Counts,
) {
    for event in library.events(theirs) {
        counts.events += 1;
        let string = format!("{}::{}", theirs.name, event.name);
        let mut strings = vec![string.clone()];
        if theirs.name == "perf_raw" {
            strings = vec!["perf_raw::r1a8".to_owned()];
        } else if let Some(ours) = pmu.event(&event.name) {
            for context in layers {
                let expected = library.attributes(event.index, context.layer);
                let found: Vec<String> = ours
                    .attributes(context.layer, &context.machine)
                    .iter()
                    .map(|attribute| attribute.name.to_owned())
                    .collect();
                counts.attributes += found.len();
                if expected != found {
                    counts.differ(
                        known,
                        &string,
                        "",
                        format!("{expected:?} there, {found:?} here"),
                    );
                }
            }
            let attributes = ours.attributes(Layer::Raw, &layers[0].machine);
            let masks = attributes.iter().filter(|a| a.kind == AttributeKind::Umask);
            strings.extend(masks.map(|mask| format!("{string}:{}", mask.name)));
        }
        for string in strings {
            for context in layers {
                compare_string(library, &string, context, known, counts);
            }
        }
    }
}

fn compare_string(
    library: &Libpfm,
    string: &str,
    context: &Context,
    known: &BTreeSet<String>,
    counts: &mut Counts,
) {
    counts.strings += 1;
    let start = Instant::now();
    let expected = library.encode(string, context.layer);
    counts.theirs_ns += start.elapsed().as_nanos();
    let start = Instant::now();
    let found = encode(string, context);
    counts.ours_ns += start.elapsed().as_nanos();
    let found = match found {
        Err(error) => Answer { result: error.code().to_owned(), ..Answer::default() },
        Ok(encoding) => Answer {
            result: "SUCCESS".to_owned(),
            string: encoding.fully_qualified,
            words: match encoding.perf {
                None => encoding.codes.to_vec(),
                Some(p) => {
                    let excluded = u64::from(p.exclude_user)
                        | u64::from(p.exclude_kernel) << 1
                        | u64::from(p.exclude_hv) << 2
                        | u64::from(p.exclude_host) << 3
                        | u64::from(p.exclude_guest) << 4;
                    vec![p.kind.into(), p.config, p.config1, p.config2, excluded]
                }
            },
        },
    };
    if expected != found {
        let what = format!("{expected:x?} there, {found:x?} here");
        counts.differ(known, string, &expected.result, what);
    }
}

/// The machine as the library sees it.
fn machine(library: &Libpfm) -> io::Result<Machine> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo")?;
    let mut machine = CpuId::from_cpuinfo(&cpuinfo).map(Machine::of).unwrap_or_default();
    let core = library.pmus().into_iter().filter(|pmu| pmu.is_present);
    let core = core.filter_map(|pmu| find(&pmu.name)).find(|pmu| pmu.kind == PmuKind::Core);
    let all = Privilege::USER | Privilege::KERNEL | Privilege::HYPERVISOR;
    machine.privilege = core.map_or(all, Pmu::privilege);
    machine.perf_events = fs::exists("/proc/sys/kernel/perf_event_paranoid")?;
    for entry in fs::read_dir("/sys/bus/event_source/devices").into_iter().flatten() {
        let entry = entry?;
        let kind = fs::read_to_string(entry.path().join("type")).unwrap_or_default();
        if let Ok(kind) = kind.trim().parse() {
            machine.devices.insert(entry.file_name().to_string_lossy().into_owned(), kind);
        }
    }
    Ok(machine)
}
