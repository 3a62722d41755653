//! The metrics that are built in: those of the processor's vendor, and files in this project's own language of metrics.

use crate::machine::pmus::Machine;
use counterpoint_definitions::metrics::PerfMetric;
use counterpoint_definitions::{Library, Origin, metrics};
use counterpoint_pmu::vendor::Metric;
use counterpoint_pmu::{CpuId, PmuKind};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A file, which is read when it is first needed.
struct File {
    text: &'static str,
    library: LazyLock<Library>,
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(File {
            text: include_str!(concat!("../../metrics/", $name, ".txt")),
            library: LazyLock::new(|| {
                read(include_str!(concat!("../../metrics/", $name, ".txt")))
            }),
        }),*]
    };
}

/// The files, in the order in which they are linked: of two metrics with one name, that of the later file is used.
static FILES: [File; 7] = files!["common" "intel" "intel_memory" "amd" "arm" "power" "s390x"];

fn read(text: &str) -> Library {
    (metrics::TABLE.read)(text, Origin::Preset)
}

/// The metrics of the vendor, and the files with metrics for the PMUs of a machine; others are not read.
pub(crate) fn libraries(machine: &Machine) -> Vec<Library> {
    of_vendor(machine).into_iter().chain(of_files(machine)).collect()
}

/// The metrics of processors by their vendors that were read, each once.
static OF_VENDORS: Mutex<Vec<(CpuId, Option<Library>)>> = Mutex::new(Vec::new());

/// The metrics of the processor by its vendor; those of files with the same names hide them.
fn of_vendor(machine: &Machine) -> Option<Library> {
    let is_core = machine.only_pmu().is_none_or(|pmu| pmu.kind == PmuKind::Core);
    let cpu = machine.cpu().filter(|_| is_core)?;
    let mut read = OF_VENDORS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, library)) = read.iter().find(|(known, _)| *known == cpu) {
        return library.clone();
    }
    let library = read_vendor(&cpu);
    read.push((cpu, library.clone()));
    library
}

fn read_vendor(cpu: &CpuId) -> Option<Library> {
    let metrics = Metric::built_in(cpu);
    let origin = Origin::Vendor(metrics.first()?.source);
    let metrics = metrics.iter().map(|metric| PerfMetric {
        name: metric.name,
        expression: &metric.formula,
        scale: metric.unit.as_deref().unwrap_or_default(),
        groups: &metric.groups,
        threshold: metric.threshold.as_deref().unwrap_or_default(),
        constraint: metric.constraint.as_deref().unwrap_or_default(),
        aggregation: metric.each.as_deref().unwrap_or_default(),
        pmu: metric.pmu.as_deref().unwrap_or_default(),
    });
    Some(PerfMetric::library(metrics, origin))
}

fn of_files(machine: &Machine) -> Vec<Library> {
    let lower = |name: &str| name.to_ascii_lowercase();
    let mut pmus: HashSet<String> = machine.pmu_names().iter().map(|name| lower(name)).collect();
    for pmu in &machine.tables().pmus {
        pmus.extend(pmu.devices().map(lower));
        pmus.insert(lower(pmu.name));
    }
    let applies = |file: &&File| named_pmus(file.text).any(|pmu| pmu == "*" || pmus.contains(pmu));
    FILES.iter().filter(applies).map(|file| file.library.clone()).collect()
}

/// The PMUs that the metrics of a file are for; `*` if the first are for every PMU.
fn named_pmus(text: &str) -> impl Iterator<Item = &str> {
    let mut facts = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_general = facts.next().is_some_and(|line| !line.starts_with("pmu "));
    let named = text.lines().filter_map(|line| line.strip_prefix("pmu "));
    is_general.then_some("*").into_iter().chain(named.flat_map(str::split_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_pmu::find;
    use std::path::Path;

    #[test]
    fn every_file_is_listed_and_read_without_a_finding() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("metrics");
        let files = std::fs::read_dir(dir).unwrap();
        let texts: Vec<String> =
            files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        assert_eq!(texts.len(), FILES.len());
        for file in &FILES {
            assert!(texts.iter().any(|text| text == file.text));
            assert_eq!(file.library.diagnostics(), []);
            assert!(!file.library.is_empty());
        }
    }

    #[test]
    fn a_file_is_used_where_it_has_metrics() {
        let of = |pmu: &str| of_files(&Machine::of_pmu(find(pmu).unwrap()));
        let is = |libraries: &[Library], places: &[usize]| {
            let files = places.iter().map(|place| &*FILES[*place].library);
            libraries.len() == places.len()
                && libraries.iter().zip(files).all(|(a, b)| a.is_same(b))
        };
        assert!(is(&of("spr"), &[0, 1, 2]));
        assert!(is(&of("amd64_fam19h_zen4"), &[0, 3]));
        assert!(is(&of("arm_n1"), &[0, 4]));
        assert!(is(&of("ultra3"), &[0]));
    }
}
