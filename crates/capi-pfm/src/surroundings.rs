//! What decides the answers of a library from its start on: the machine, and the variables of the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use counterpoint_pmu::{CpuId, Machine, Pmu, PmuKind, all, detect};

const DEVICES: &str = "/sys/bus/event_source/devices";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// The machine and the environment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Surroundings {
    pub(crate) settings: Settings,
    cpu: Option<CpuId>,
    perf_events: bool,
    devices: BTreeMap<String, u32>,
    core_events: Vec<String>,
}

/// The variables of the environment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    /// `LIBPFM_ENCODE_INACTIVE`: a prefix may name a PMU that the machine does not have.
    pub(crate) encode_inactive: bool,
    /// `LIBPFM_VERBOSE` or `LIBPFM_DEBUG`: say on standard error what is found and encoded.
    pub(crate) verbose: bool,
    /// `LIBPFM_FORCE_PMU`: the beginning of the name of the only active PMU.
    force: Option<String>,
    /// `LIBPFM_DISABLED_PMUS`: the beginnings of names of PMUs that are not active.
    disabled: Vec<String>,
    /// `LIBPFM_PROC_CPUINFO`: the file that is read in the place of `/proc/cpuinfo`.
    cpuinfo: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    pub(crate) fn of_process() -> Surroundings {
        let settings = Settings::read(|name| std::env::var_os(name));
        Surroundings {
            cpu: CpuId::from_cpuinfo(&cpuinfo(&settings.cpuinfo)),
            settings,
            perf_events: Path::new(PARANOID).exists(),
            devices: devices(),
            core_events: names(&Path::new(DEVICES).join("cpu/events")),
        }
    }

    /// The machine with its active PMUs.
    pub(crate) fn machine(&self) -> Machine {
        let forced = self.settings.forced();
        let is_on = |pmu: &&'static Pmu| self.settings.allows(pmu);
        let found = match (forced, &self.cpu) {
            (Some(pmu), _) => {
                pmu.filter(|pmu| pmu.kind != PmuKind::OsGeneric).into_iter().collect()
            }
            (None, Some(cpu)) => detect(cpu),
            (None, None) => Vec::new(),
        };
        let mut machine = Machine::with(found.into_iter().filter(is_on).collect());
        machine.cpu = self.cpu.clone();
        machine.perf_events = self.perf_events;
        machine.core_events = self.core_events.clone();
        let mut machine = machine.showing(self.devices.clone());
        machine.pmus.retain(|pmu| {
            let is_offered = pmu.kind != PmuKind::OsGeneric || self.perf_events;
            is_offered && is_on(pmu) && forced.is_none_or(|forced| forced == Some(*pmu))
        });
        machine
    }
}

impl Settings {
    fn read(variable: impl Fn(&str) -> Option<OsString>) -> Settings {
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        let is_on =
            |name| text(name).is_some_and(|value| value.starts_with(|c| matches!(c, '1'..='9')));
        let disabled = text("LIBPFM_DISABLED_PMUS").unwrap_or_default();
        Settings {
            encode_inactive: is_on("LIBPFM_ENCODE_INACTIVE"),
            verbose: is_on("LIBPFM_VERBOSE") || is_on("LIBPFM_DEBUG"),
            force: text("LIBPFM_FORCE_PMU"),
            disabled: disabled
                .split(',')
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            cpuinfo: variable("LIBPFM_PROC_CPUINFO").map_or("/proc/cpuinfo".into(), PathBuf::from),
        }
    }

    /// The only PMU, where one is forced: the first one of that name, in any case, or else the first whose name begins
    /// so; none if there is no such PMU. What follows a comma is for models that are told apart no more.
    fn forced(&self) -> Option<Option<&'static Pmu>> {
        let wanted = self.force.as_ref()?.split(',').next()?;
        let begins = |pmu: &&Pmu| {
            pmu.name.get(..wanted.len()).is_some_and(|name| name.eq_ignore_ascii_case(wanted))
        };
        Some(counterpoint_pmu::find(wanted).or_else(|| all().find(begins)))
    }

    fn allows(&self, pmu: &Pmu) -> bool {
        !self.disabled.iter().any(|name| pmu.name.starts_with(name))
    }
}

/// The text of `/proc/cpuinfo`. On x86 the first processor is like all others; the kernel would take long to
/// describe hundreds.
fn cpuinfo(path: &Path) -> String {
    let most = if cfg!(target_arch = "x86_64") { 8 << 10 } else { 4 << 20 };
    let mut text = Vec::new();
    // A file that cannot be read is a processor that is not known.
    let _ = File::open(path).and_then(|file| file.take(most).read_to_end(&mut text));
    String::from_utf8_lossy(&text).into_owned()
}

fn devices() -> BTreeMap<String, u32> {
    let kind = |name: String| {
        let kind = fs::read_to_string(Path::new(DEVICES).join(&name).join("type")).ok()?;
        Some((name, kind.trim().parse().ok()?))
    };
    names(Path::new(DEVICES)).into_iter().filter_map(kind).collect()
}

/// The names in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> Settings {
        Settings::read(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into())
        })
    }

    /// The active PMUs of a Sapphire Rapids that shows one of its uncore PMUs.
    fn active(variables: &[(&str, &str)]) -> Vec<&'static str> {
        let cpuinfo = "vendor_id: GenuineIntel\ncpu family: 6\nmodel: 143\nflags: arch_perfmon";
        let surroundings = Surroundings {
            settings: settings(variables),
            cpu: CpuId::from_cpuinfo(cpuinfo),
            perf_events: true,
            devices: BTreeMap::from([("cpu".to_owned(), 4), ("uncore_cha_0".to_owned(), 30)]),
            core_events: Vec::new(),
        };
        surroundings.machine().pmus.iter().map(|pmu| pmu.name).collect()
    }

    #[test]
    fn variables_decide_which_pmus_are_active() {
        assert_eq!(active(&[]), ["spr", "spr_unc_cha0", "ix86arch", "perf", "perf_raw"]);
        assert_eq!(active(&[("LIBPFM_FORCE_PMU", "SNB")]), ["snb"]);
        assert_eq!(active(&[("LIBPFM_FORCE_PMU", "amd64_k7,15,1")]), ["amd64_k7"]);
        assert_eq!(active(&[("LIBPFM_FORCE_PMU", "perf")]), ["perf"]);
        // It exists only as a device, which this machine lacks.
        assert_eq!(active(&[("LIBPFM_FORCE_PMU", "skx_unc_imc0")]), [""; 0]);
        assert_eq!(active(&[("LIBPFM_FORCE_PMU", "none_such")]), [""; 0]);
        assert_eq!(active(&[("LIBPFM_DISABLED_PMUS", "spr,perf_raw")]), ["ix86arch", "perf"]);
    }

    #[test]
    fn a_switch_is_a_digit() {
        assert!(settings(&[("LIBPFM_ENCODE_INACTIVE", "1")]).encode_inactive);
        assert!(!settings(&[("LIBPFM_ENCODE_INACTIVE", "0")]).encode_inactive);
        assert!(!settings(&[("LIBPFM_ENCODE_INACTIVE", "yes")]).encode_inactive);
        assert!(settings(&[("LIBPFM_DEBUG", "2")]).verbose);
    }
}
