//! The processors of maps, by the words of `pmus.list` for them.

use crate::vendor_files::Root;
use counterpoint_pmu::CpuId;
use counterpoint_pmu::vendor::{all_files, example, files};
use std::collections::BTreeMap;

/// A processor with files of its own.
pub struct Processor {
    /// Its directory in Linux, or its folder in perfmon.
    path: String,
    /// The words of the machines that have it.
    pub machines: Vec<String>,
    /// One of them.
    pub cpu: CpuId,
    is_of_linux: bool,
}

impl Processor {
    /// The folder of the vendor's tables.
    pub fn folder(&self) -> Option<&'static str> {
        Some(match &self.cpu {
            CpuId::X86 { vendor, .. } if vendor == "GenuineIntel" => "intel",
            CpuId::X86 { .. } => "amd",
            CpuId::Arm { .. } => "arm",
            CpuId::Power { .. } => "power",
            CpuId::Riscv { .. } => "riscv",
            CpuId::S390x { .. } => "s390x",
            _ => return None,
        })
    }

    pub fn is_intel(&self) -> bool {
        self.folder() == Some("intel")
    }

    pub fn is_of_linux(&self) -> bool {
        self.is_of_linux
    }

    pub fn name(&self) -> String {
        let name = match self.path.split_once('/') {
            // Arm's own directories repeat the vendor.
            Some(("arm", name)) => name.to_string(),
            _ => self.path.replace('/', "-"),
        };
        name.to_lowercase()
    }

    /// The name and the release of its files.
    pub fn source(&self, release: &str) -> String {
        match (self.is_of_linux, self.is_intel()) {
            (true, true) => format!("{release}, {}, and Intel's perfmon", self.path),
            (true, false) => format!("{release}, {}", self.path),
            (false, _) => format!("Intel's perfmon, {}", self.path),
        }
    }
}

/// The processors of a map of Linux, and those that only Intel's map has.
pub fn processors(linux: &Root, intel: &[Root]) -> Vec<Processor> {
    if linux.folder.ends_with("x86") { of_x86(linux, intel) } else { of_patterns(linux) }
}

fn of_x86(linux: &Root, intel: &[Root]) -> Vec<Processor> {
    let first = |root: &Root, cpu: &CpuId| {
        files(&root.map, cpu).0.first().map(|entry| entry.path.to_string())
    };
    let mut models: BTreeMap<String, Vec<(CpuId, Place)>> = BTreeMap::new();
    // The directory of Linux that has the events of a folder of Intel's.
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut others = Vec::new();
    for (cpu, place) in x86() {
        let file = intel.iter().find_map(|root| first(root, &cpu));
        let folder = file.as_deref().and_then(|file| file.split('/').next()).map(str::to_string);
        match (first(linux, &cpu), folder) {
            (Some(path), folder) => {
                known.extend(folder.map(|folder| (folder, path.clone())));
                models.entry(path).or_default().push((cpu, place));
            }
            (None, Some(folder)) => others.push((folder, file.unwrap_or_default(), cpu, place)),
            (None, None) => {}
        }
    }
    let linuxs: Vec<String> = models.keys().cloned().collect();
    for (folder, file, cpu, place) in others {
        // `novalake` of `NVL/events/novalake_arcticwolf_core.json`.
        let stem = file.rsplit('/').next().and_then(|name| name.split('_').next());
        let path = known.get(&folder).cloned().or_else(|| stem.map(str::to_string));
        models.entry(path.unwrap_or(folder)).or_default().push((cpu, place));
    }
    let processor = |(path, models): (String, Vec<(CpuId, Place)>)| Processor {
        is_of_linux: linuxs.contains(&path),
        machines: words(&models),
        cpu: models[0].0.clone(),
        path,
    };
    models.into_iter().map(processor).collect()
}

fn of_patterns(linux: &Root) -> Vec<Processor> {
    let mut found = Vec::new();
    for entry in all_files(&linux.map) {
        let Some(cpu) = example(entry.pattern).and_then(|text| CpuId::from_cpuinfo(&text)) else {
            println!("{}: no processor that is known", entry.pattern);
            continue;
        };
        let path = entry.path.to_string();
        // Several patterns may have one directory.
        let patterns = linux.map.lines().filter_map(|line| {
            let mut columns = line.split(',');
            let pattern = columns.next()?;
            (columns.nth(1)?.trim_start_matches('/') == path).then_some(pattern)
        });
        let more = MORE.iter().filter(|(of, _)| *of == path).map(|(_, word)| (*word).to_string());
        let machines = patterns.filter_map(word).chain(more).collect();
        found.push(Processor { path, machines, cpu, is_of_linux: true });
    }
    found
}

/// Processors that Linux's map leaves out: it has the part of Neoverse V3AE only for the directory of Neoverse V3.
const MORE: [(&str, &str); 1] = [("arm/neoverse-v3", "arm:0x41:0xd84")];

/// Vendor, family, model and stepping.
type Place = (&'static str, u32, u32, u32);

/// The processors that a map of x86 may mean. Steppings differ in model 85 of family 6 only.
fn x86() -> impl Iterator<Item = (CpuId, Place)> {
    let families =
        [("intel", 6), ("amd", 23), ("amd", 25), ("amd", 26), ("intel", 18), ("intel", 19)];
    families.into_iter().flat_map(|(key, family)| {
        (0..=0xff).flat_map(move |model| {
            let steppings = if (key, family, model) == ("intel", 6, 85) { 16 } else { 1 };
            (0..steppings).map(move |stepping| {
                let vendor = if key == "intel" { "GenuineIntel" } else { "AuthenticAMD" };
                let vendor = vendor.to_string();
                let cpu = CpuId::X86 { vendor, family, model, stepping, architectural: 5 };
                (cpu, (key, family, model, stepping))
            })
        })
    })
}

/// `intel:6:151,154`, `amd:25:0-15`, `intel:6:85:0-4`.
fn words(models: &[(CpuId, Place)]) -> Vec<String> {
    let mut by_family: BTreeMap<(&str, u32), Vec<u32>> = BTreeMap::new();
    let mut steppings: BTreeMap<(&str, u32, u32), Vec<u32>> = BTreeMap::new();
    for (_, (key, family, model, stepping)) in models {
        if (*key, *family, *model) == ("intel", 6, 85) {
            steppings.entry((key, *family, *model)).or_default().push(*stepping);
        } else {
            by_family.entry((key, *family)).or_default().push(*model);
        }
    }
    let mut words: Vec<String> = by_family
        .into_iter()
        .map(|((key, family), models)| format!("{key}:{family}:{}", ranges(&models)))
        .collect();
    words.extend(steppings.into_iter().map(|((key, family, model), steppings)| {
        format!("{key}:{family}:{model}:{}", ranges(&steppings))
    }));
    words
}

/// `1,3-5`.
fn ranges(sorted: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in sorted {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let text = |(from, to): &(u32, u32)| {
        if from == to { from.to_string() } else { format!("{from}-{to}") }
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

/// The word for a pattern of another architecture than x86.
fn word(pattern: &str) -> Option<String> {
    let cpu = CpuId::from_cpuinfo(&example(pattern)?)?;
    match cpu {
        CpuId::Arm { cores } => {
            cores.first().map(|(implementer, part)| format!("arm:{implementer:#x}:{part:#x}"))
        }
        CpuId::Riscv { .. } => Some(format!("riscv:{}", pattern.replace("[[:xdigit:]]+", "*"))),
        CpuId::Power { .. } => {
            let versions = (0..=0xffff_u32).filter(|version| is_meant(pattern, *version));
            let versions: Vec<u32> = versions.collect();
            Some(format!("pvr:{}", ranges(&versions)))
        }
        CpuId::S390x { .. } => {
            let machines: Vec<u32> =
                (2000..10_000).filter(|machine| is_machine(pattern, *machine)).collect();
            Some(format!("s390x:{}", ranges(&machines)))
        }
        _ => None,
    }
}

fn is_meant(pattern: &str, version: u32) -> bool {
    let names = [format!("0x{version:04x}0000"), format!("0x{version:04x}ffff")];
    counterpoint_pmu::vendor::is_cpu(pattern, &names).unwrap_or(false)
}

fn is_machine(pattern: &str, machine: u32) -> bool {
    let names = counterpoint_pmu::vendor::cpu_names(&CpuId::S390x { machine: Some(machine) });
    let pattern = pattern.trim_start_matches('^').trim_end_matches('$');
    counterpoint_pmu::vendor::is_cpu(pattern, &names).unwrap_or(false)
}
