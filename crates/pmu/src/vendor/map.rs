//! `mapfile.csv`: which files describe which processor.

use super::error::{Error, ErrorKind};
use crate::cpu::CpuId;
use crate::detect::{riscv_name, riscv_of};

/// A line of a map that is for a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapEntry<'a> {
    /// The pattern over the names of processors; [`is_cpu`] tests whether it means one.
    pub pattern: &'a str,
    /// A file of events, or a directory of which every `*.json` is one; it is relative to the map's directory.
    pub path: &'a str,
    /// The unit of events that name none, where cores differ: `cpu_core`, `cpu_atom` or `cpu_lowpower`.
    pub unit: Option<&'static str>,
}

/// The folder in which Linux keeps the map and the files of an architecture, below `tools/perf/pmu-events/arch`.
pub fn folder(cpu: &CpuId) -> &'static str {
    match cpu {
        CpuId::X86 { .. } => "x86",
        CpuId::Arm { .. } => "arm64",
        CpuId::Power { .. } => "powerpc",
        CpuId::Riscv { .. } => "riscv",
        CpuId::S390x { .. } => "s390",
        CpuId::Sparc { .. } => "sparc",
        CpuId::Mips { .. } => "mips",
    }
}

/// The entries of a map for a processor: lists of events, in the order of the map, each once. Metrics and matrices
/// of off-core requests are left out. The first column is a pattern over the name that Linux gives the
/// processor; a line without a pattern is reported and skipped. Of several directories that fit, the first is that of
/// the processor, as perf takes it.
///
/// ```
/// use counterpoint_pmu::CpuId;
/// use counterpoint_pmu::vendor::files;
///
/// let map = "Family-model,Version,Filename,EventType\n\
///     GenuineIntel-6-8F,V1.2,/SPR/events/sapphirerapids_core.json,core\n\
///     GenuineIntel-6-8F,V1.2,/SPR/metrics/sapphirerapids_metrics.json,metrics\n";
/// let cpu = CpuId::from_cpuinfo(
///     "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 143\nstepping : 8\nflags : arch_perfmon\n",
/// );
/// let (entries, errors) = files(map, &cpu.unwrap());
/// assert_eq!(entries[0].path, "SPR/events/sapphirerapids_core.json");
/// assert_eq!((entries.len(), errors.len()), (1, 0));
/// ```
pub fn files<'a>(map: &'a str, cpu: &CpuId) -> (Vec<MapEntry<'a>>, Vec<Error>) {
    let names = cpu_names(cpu);
    let (mut found, errors) = entries(map, has_events, |pattern| is_cpu(pattern, &names));
    keep_first_directory(&mut found);
    (found, errors)
}

/// The patterns of directories become wider from line to line: `AuthenticAMD-25-[[:xdigit:]]+` is every later model.
fn keep_first_directory(entries: &mut Vec<MapEntry<'_>>) {
    let mut seen = false;
    entries.retain(|entry| entry.path.ends_with(".json") || !std::mem::replace(&mut seen, true));
}

/// The entries of a map for all processors, like [`files`].
pub fn all_files(map: &str) -> Vec<MapEntry<'_>> {
    entries(map, has_events, |_| Some(true)).0
}

/// The entries of a map that have the metrics of a processor: files of metrics, and directories that have everything.
pub fn metric_files<'a>(map: &'a str, cpu: &CpuId) -> Vec<MapEntry<'a>> {
    let names = cpu_names(cpu);
    let mut found = entries(map, may_have_metrics, |pattern| is_cpu(pattern, &names)).0;
    found.retain(has_metrics);
    keep_first_directory(&mut found);
    found
}

/// The entries of a map that have the metrics of any processor, like [`metric_files`].
pub fn all_metric_files(map: &str) -> Vec<MapEntry<'_>> {
    let mut found = entries(map, may_have_metrics, |_| Some(true)).0;
    found.retain(has_metrics);
    found
}

fn entries<'a>(
    map: &'a str,
    is_wanted: impl Fn(&str) -> bool,
    is_meant: impl Fn(&str) -> Option<bool>,
) -> (Vec<MapEntry<'a>>, Vec<Error>) {
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    let text = map.strip_prefix('\u{feff}').unwrap_or(map);
    let mut offset = map.len() - text.len();
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_end();
        // A repeat count is the only comma that a pattern has, and no map has one.
        let columns: Vec<&str> = line.split(',').collect();
        let [pattern, _version, path, kind, ..] = columns[..] else { continue };
        if pattern.starts_with('#') || pattern == "Family-model" || !is_wanted(kind) {
            continue;
        }
        match is_meant(pattern) {
            Some(false) => continue,
            Some(true) => {}
            None => {
                let span = start..start + pattern.len();
                errors.push(Error::new(map, span, None, ErrorKind::NotAPattern));
                continue;
            }
        }
        let unit = match columns.get(6).copied() {
            Some("Core") if is_of_core(kind) => Some("cpu_core"),
            Some("Atom") if is_of_core(kind) => Some("cpu_atom"),
            Some("LowPower_Atom") if is_of_core(kind) => Some("cpu_lowpower"),
            _ => None,
        };
        let entry = MapEntry { pattern, path: path.trim_start_matches('/'), unit };
        // Several patterns may name one file.
        let is_known = |known: &MapEntry<'_>| (known.path, known.unit) == (entry.path, entry.unit);
        if !entries.iter().any(is_known) {
            entries.push(entry);
        }
    }
    (entries, errors)
}

fn is_of_core(kind: &str) -> bool {
    matches!(kind, "hybridcore" | "metrics")
}

/// Linux's maps have one kind for everything that a directory has.
fn may_have_metrics(kind: &str) -> bool {
    matches!(kind, "metrics" | "core" | "atom")
}

fn has_metrics(entry: &MapEntry<'_>) -> bool {
    !entry.path.ends_with(".json") || entry.path.contains("/metrics/")
}

fn has_events(kind: &str) -> bool {
    matches!(kind, "core" | "hybridcore" | "atom" | "fp_arith_inst") || kind.starts_with("uncore")
}

/// A text of `/proc/cpuinfo` of a processor that a pattern means; `None` if the pattern means no processor that has tables.
///
/// ```
/// use counterpoint_pmu::CpuId;
/// use counterpoint_pmu::vendor::example;
/// let cpuinfo = example("GenuineIntel-6-(8F|CF)").unwrap();
/// assert!(matches!(CpuId::from_cpuinfo(&cpuinfo), Some(CpuId::X86 { family: 6, model: 0x8f, .. })));
/// assert_eq!(example("0x00000000410fd0c0").unwrap(), "CPU implementer : 0x41\nCPU part : 0xd0c\n");
/// ```
pub fn example(pattern: &str) -> Option<String> {
    let anchored = regex_lite::Regex::new(&format!("^(?:{pattern})$")).ok()?;
    let digits = pattern.trim_start_matches('^').trim_start_matches("0x");
    if let Some(machine) = digits.strip_prefix("IBM") {
        let machines = (2000..10_000).map(|machine: u32| machine.to_string());
        let wanted = machine.trim_start_matches(|c: char| !c.is_ascii_digit());
        // The pattern goes on after the type, so only its first part is compared.
        let of_type = regex_lite::Regex::new(&format!("^{}$", wanted.split(".*").next()?)).ok()?;
        let machine = machines.into_iter().find(|machine| of_type.is_match(machine))?;
        return Some(format!("vendor_id : IBM/S390\nprocessor 0: machine = {machine}\n"));
    }
    if pattern.starts_with("0x") && pattern.contains("-0x") {
        let cpu = riscv_of(&pattern.replace("[[:xdigit:]]+", "*"))?;
        let CpuId::Riscv { vendor, design, version } = cpu else { return None };
        return Some(format!(
            "mvendorid : {vendor:#x}\nmarchid : {design:#x}\nmimpid : {version:#x}\n"
        ));
    }
    for vendor in ["GenuineIntel", "AuthenticAMD", "HygonGenuine"] {
        if !pattern.starts_with(vendor) {
            continue;
        }
        let models = (0..=0xff_u32).flat_map(|model| (0..=0xf_u32).map(move |step| (model, step)));
        let mut all = [6, 23, 25, 26, 24, 15, 16, 17, 18, 20, 21, 22, 5, 19]
            .into_iter()
            .flat_map(|family: u32| models.clone().map(move |(model, step)| (family, model, step)));
        let (family, model, step) = all.find(|(family, model, step)| {
            let name = format!("{vendor}-{family}-{model:X}");
            *step == 0 && anchored.is_match(&name) || anchored.is_match(&format!("{name}-{step:X}"))
        })?;
        return Some(format!(
            "vendor_id : {vendor}\ncpu family : {family}\nmodel : {model}\nstepping : {step}\nflags : arch_perfmon\n"
        ));
    }
    match digits.len() {
        // The main ID register of an Arm core.
        16 => {
            let register = u64::from_str_radix(digits, 16).ok()?;
            let (implementer, part) = (register >> 24, register >> 4 & 0xfff);
            Some(format!("CPU implementer : {implementer:#x}\nCPU part : {part:#x}\n"))
        }
        _ => {
            let mut versions = 0..=0xffff_u32;
            let version = versions
                .find(|version| power_names(*version).iter().any(|name| anchored.is_match(name)))?;
            Some(format!("cpu : POWER\nrevision : 1.0 (pvr {version:04x} 0000)\n"))
        }
    }
}

/// Returns true if a pattern matches one of the names of a processor as a whole; `None` if it is not a pattern.
///
/// ```
/// use counterpoint_pmu::vendor::is_cpu;
/// let names = ["GenuineIntel-6-8F-8".to_string(), "GenuineIntel-6-8F".to_string()];
/// assert_eq!(is_cpu("GenuineIntel-6-(8F|CF)", &names), Some(true));
/// assert_eq!(is_cpu("GenuineIntel-6-8", &names), Some(false));
/// assert_eq!(is_cpu("(", &names), None);
/// ```
pub fn is_cpu(pattern: &str, names: &[String]) -> Option<bool> {
    let pattern = regex_lite::Regex::new(&format!("^(?:{pattern})$")).ok()?;
    Some(names.iter().any(|name| pattern.is_match(name)))
}

/// The names of a processor of POWER by its version, of any revision; that of all processors has no revision.
fn power_names(version: u32) -> Vec<String> {
    let revision = if version == 0xff { "ffff" } else { "0000" };
    vec![format!("0x{version:04x}{revision}"), format!("{version:04x}{revision}")]
}

/// The names that Linux has for a processor, over which the patterns of maps are: with and without its stepping.
pub fn cpu_names(cpu: &CpuId) -> Vec<String> {
    match cpu {
        CpuId::X86 { vendor, family, model, stepping, .. } => {
            let name = format!("{vendor}-{family}-{model:X}");
            vec![format!("{name}-{stepping:X}"), name]
        }
        // The main ID register without variant and revision.
        CpuId::Arm { cores } => cores
            .iter()
            .map(|(implementer, part)| {
                format!("0x{:016x}", implementer << 24 | 0xf << 16 | part << 4)
            })
            .collect(),
        // Maps have the whole register, older ones without `0x`, and any revision is meant.
        CpuId::Power { version } => power_names(*version),
        // Type, model and counter facility; only the type is known, and each type has one version of the facility.
        CpuId::S390x { machine } => {
            let of_version = |machine: u32| {
                (1..=9).map(move |version| format!("IBM,{machine},000,000,3.{version},0000"))
            };
            machine.iter().flat_map(|machine| of_version(*machine)).collect()
        }
        CpuId::Riscv { .. } => riscv_name(cpu).into_iter().collect(),
        CpuId::Sparc { .. } | CpuId::Mips { .. } => Vec::new(),
    }
}
