//! The surroundings that decide the answers of a library from its start on: the machine, and the variables of the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use counterpoint_capi::Lasting;
use counterpoint_pmu::{CpuId, Machine, Pmu, PmuKind, Privilege, all, detect};

const DEVICES: &str = "/sys/bus/event_source/devices";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// The machine, as far as it was looked at, and the environment.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) settings: Settings,
    cpu: Lasting<Option<CpuId>>,
    perf_events: Lasting<bool>,
    privilege: Lasting<Privilege>,
    machine: Lasting<Machine>,
}

/// The variables of the environment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    /// `LIBPFM_ENCODE_INACTIVE`: a prefix may name a PMU that the machine does not have.
    pub(crate) encode_inactive: bool,
    /// `LIBPFM_VERBOSE` or `LIBPFM_DEBUG`: say what is encoded.
    pub(crate) verbose: bool,
    /// `LIBPFM_DEBUG`: also say which PMUs are active.
    pub(crate) debug: bool,
    /// `LIBPFM_DEBUG_STDOUT`: say it on standard output, and not on standard error.
    pub(crate) to_stdout: bool,
    /// `LIBPFM_FORCE_PMU`: the beginning of the name of the only active PMU.
    force: Option<String>,
    /// `LIBPFM_DISABLED_PMUS`: the beginnings of names of PMUs that are not active.
    disabled: Vec<String>,
    /// `LIBPFM_PROC_CPUINFO`: the file that says what the processor is. Otherwise the processor is asked on x86-64, and
    /// `/proc/cpuinfo` is read elsewhere.
    cpuinfo: Option<PathBuf>,
}

impl Surroundings {
    pub(crate) fn new(settings: Settings) -> Surroundings {
        Surroundings {
            settings,
            cpu: Lasting::new(),
            perf_events: Lasting::new(),
            privilege: Lasting::new(),
            machine: Lasting::new(),
        }
    }

    fn cpu(&self) -> Option<&CpuId> {
        self.cpu.get_or_make(|| self.settings.cpu()).as_ref()
    }

    pub(crate) fn perf_events(&self) -> bool {
        *self.perf_events.get_or_make(|| Path::new(PARANOID).exists())
    }

    /// The machine with its active PMUs.
    pub(crate) fn machine(&self) -> &'static Machine {
        self.machine.get_or_make(|| {
            let events = names(&Path::new(DEVICES).join("cpu/events"));
            self.machine_with(devices(), events)
        })
    }

    /// The facts of the machine that the encoding of most events of one PMU needs. `core_events` is left out: an optional event of the
    /// kernel, such as `perf::slots`, is refused here, and then encoded in the context of all PMUs.
    pub(crate) fn machine_of(&self, pmu: &'static Pmu) -> Machine {
        let mut machine = Machine::default();
        machine.pmus = vec![pmu];
        machine.cpu = self.cpu().cloned();
        machine.perf_events = self.perf_events();
        // Only the kernel's PMUs use the levels of another PMU, the processor's.
        if pmu.kind == PmuKind::OsGeneric {
            machine.privilege = *self.privilege.get_or_make(|| self.privilege());
        }
        let known = pmu.devices().filter_map(|name| Some((name.to_owned(), device(name)?)));
        machine.devices = known.collect();
        machine
    }

    /// Returns true if a PMU is active.
    pub(crate) fn has(&self, pmu: &'static Pmu) -> bool {
        if let Some(machine) = self.machine.get() {
            return machine.pmus.contains(&pmu);
        }
        let forced = self.settings.forced();
        if forced.is_some_and(|forced| forced != Some(pmu)) || !self.settings.allows(pmu) {
            return false;
        }
        if pmu.kind == PmuKind::OsGeneric {
            return self.perf_events();
        }
        let is_found = forced.is_some() || self.cpu().is_some_and(|cpu| pmu.is_of(cpu));
        is_found && (!pmu.needs_device() || pmu.devices().any(|name| device(name).is_some()))
    }

    /// The first active PMU that has an event of this name, if that can be told without a list of the devices.
    pub(crate) fn first_with(&self, event: &str) -> Option<&'static Pmu> {
        if self.settings.force.is_some() {
            return None;
        }
        let of_processor = self.cpu().map_or_else(Vec::new, detect);
        let of_system = all().filter(|pmu| pmu.kind == PmuKind::OsGeneric);
        let mut pmus = of_processor.into_iter().chain(of_system);
        pmus.find(|pmu| !pmu.is_deprecated() && pmu.event(event).is_some() && self.has(pmu))
    }

    /// The levels that the core's PMU distinguishes.
    fn privilege(&self) -> Privilege {
        let is_core = |pmu: &&Pmu| pmu.kind == PmuKind::Core && self.settings.allows(pmu);
        let core = match (self.settings.forced(), self.cpu()) {
            (Some(pmu), _) => pmu.filter(is_core),
            (None, Some(cpu)) => all().filter(is_core).find(|pmu| pmu.is_of(cpu)),
            (None, None) => None,
        };
        core.map_or(Machine::default().privilege, Pmu::privilege)
    }

    fn machine_with(&self, devices: BTreeMap<String, u32>, core_events: Vec<String>) -> Machine {
        let forced = self.settings.forced();
        let is_on = |pmu: &&'static Pmu| self.settings.allows(pmu);
        let found = match (forced, self.cpu()) {
            (Some(pmu), _) => {
                pmu.filter(|pmu| pmu.kind != PmuKind::OsGeneric).into_iter().collect()
            }
            (None, Some(cpu)) => detect(cpu),
            (None, None) => Vec::new(),
        };
        let mut machine = Machine::with(found.into_iter().filter(is_on).collect());
        machine.cpu = self.cpu().cloned();
        machine.perf_events = self.perf_events();
        machine.core_events = core_events;
        let mut machine = machine.showing(devices);
        machine.pmus.retain(|pmu| {
            let is_offered = pmu.kind != PmuKind::OsGeneric || self.perf_events();
            is_offered && is_on(pmu) && forced.is_none_or(|forced| forced == Some(*pmu))
        });
        machine
    }
}

impl Settings {
    /// Those of this process.
    pub(crate) fn of_process() -> Settings {
        Settings::read(|name| std::env::var_os(name))
    }

    fn read(variable: impl Fn(&str) -> Option<OsString>) -> Settings {
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        let is_on =
            |name| text(name).is_some_and(|value| value.starts_with(|c| matches!(c, '1'..='9')));
        let disabled = text("LIBPFM_DISABLED_PMUS").unwrap_or_default();
        Settings {
            encode_inactive: is_on("LIBPFM_ENCODE_INACTIVE"),
            verbose: is_on("LIBPFM_VERBOSE") || is_on("LIBPFM_DEBUG"),
            debug: is_on("LIBPFM_DEBUG"),
            to_stdout: variable("LIBPFM_DEBUG_STDOUT").is_some(),
            force: text("LIBPFM_FORCE_PMU"),
            disabled: disabled
                .split(',')
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            cpuinfo: variable("LIBPFM_PROC_CPUINFO").map(PathBuf::from),
        }
    }

    /// The processor, unless it is of a kind that is not known.
    fn cpu(&self) -> Option<CpuId> {
        #[cfg(target_arch = "x86_64")]
        if self.cpuinfo.is_none() {
            return Some(crate::cpu::own());
        }
        let path = self.cpuinfo.as_deref().unwrap_or(Path::new("/proc/cpuinfo"));
        CpuId::from_cpuinfo(&cpuinfo(path))
    }

    /// Says something to whom the variables name.
    pub(crate) fn say(&self, what: &str) {
        let line = format!("libpfm: {what}\n");
        // Both may be closed.
        let _ = if self.to_stdout {
            io::stdout().write_all(line.as_bytes())
        } else {
            io::stderr().write_all(line.as_bytes())
        };
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

/// The text of a file like `/proc/cpuinfo`; a file that cannot be read is a processor that is not known.
fn cpuinfo(path: &Path) -> String {
    const MOST: u64 = 4 << 20;
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut text));
    read.ok().and_then(|_| String::from_utf8(text).ok()).unwrap_or_default()
}

fn devices() -> BTreeMap<String, u32> {
    let kind = |name: String| device(&name).map(|kind| (name, kind));
    names(Path::new(DEVICES)).into_iter().filter_map(kind).collect()
}

/// The type of a device for `perf_event_open`, if sysfs shows it.
fn device(name: &str) -> Option<u32> {
    fs::read_to_string(Path::new(DEVICES).join(name).join("type")).ok()?.trim().parse().ok()
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
        let surroundings = Surroundings::new(settings(variables));
        surroundings.cpu.get_or_make(|| CpuId::from_cpuinfo(cpuinfo));
        surroundings.perf_events.get_or_make(|| true);
        let devices = BTreeMap::from([("cpu".to_owned(), 4), ("uncore_cha_0".to_owned(), 30)]);
        let machine = surroundings.machine_with(devices, Vec::new());
        machine.pmus.iter().map(|pmu| pmu.name).collect()
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
