//! The identifier of the processor, and patterns over it.

use crate::machine::pmus::Machine;
use crate::report::values::Reason;
use counterpoint_pmu::CpuId;
use counterpoint_pmu::vendor::{cpu_names, is_cpu};

impl Machine {
    /// Returns true if the processor is one that `pattern` means: `strcmp_cpuid_str` in perf's metric expressions.
    ///
    /// The pattern is one over the names of `mapfile.csv`, such as `GenuineIntel-6-4E` (any stepping) or `0x004e[[:xdigit:]]{4}` (the PVR of POWER); for Arm it is a main ID register (MIDR), such as `0x410fd493`, which means this core of this or a later revision.
    ///
    /// ```
    /// use counterpoint::Machine;
    /// use counterpoint::perf::Host;
    /// use std::{collections::BTreeMap, path::PathBuf};
    /// let cpuinfo = b"vendor_id : GenuineIntel\ncpu family : 6\nmodel : 78\nstepping : 3\n".to_vec();
    /// let files = BTreeMap::from([(PathBuf::from("/proc/cpuinfo"), cpuinfo)]);
    /// let machine = Machine::new(Host::with_files(files));
    /// assert_eq!(machine.cpuid_matches("GenuineIntel-6-4E-3"), Ok(true));
    /// assert_eq!(machine.cpuid_matches("GenuineIntel-6-5E"), Ok(false));
    /// ```
    ///
    /// # Errors
    /// Returns what was looked at if the processor is not known, and an error for text that is not a pattern.
    pub fn cpuid_matches(&self, pattern: &str) -> Result<bool, Reason> {
        const CPUINFO: &str = "/proc/cpuinfo";
        let unknown = || Reason::UnknownMachineValue {
            name: "the identifier of the processor".to_string(),
            looked_at: CPUINFO.to_string(),
        };
        let no_pattern = || {
            Reason::Definition(format!("`{pattern}` is not a pattern over the names of processors"))
        };
        let cpuinfo = self.host().text(CPUINFO).map_err(|_| unknown())?;
        let names = match CpuId::from_cpuinfo(&cpuinfo).ok_or_else(unknown)? {
            CpuId::Arm { .. } => {
                let wanted = hex(pattern).ok_or_else(no_pattern)?;
                return Ok(is_core(wanted, self.midr(&cpuinfo).ok_or_else(unknown)?));
            }
            CpuId::Power { .. } => vec![pvr(&cpuinfo).ok_or_else(unknown)?],
            cpu => cpu_names(&cpu),
        };
        is_cpu(pattern, &names).ok_or_else(no_pattern)
    }

    /// The main ID register of the first CPU, as sysfs shows it, or from its parts in `/proc/cpuinfo`.
    fn midr(&self, cpuinfo: &str) -> Option<u64> {
        let first = self.host().online_cpus().iter().next().unwrap_or(0);
        let file = format!("/sys/devices/system/cpu/cpu{first}/regs/identification/midr_el1");
        let shown = self.host().text(file).ok();
        shown.as_deref().and_then(hex).or_else(|| midr_of(cpuinfo))
    }
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}

const VARIANT: u64 = 0xf << 20;
const REVISION: u64 = 0xf;

/// The register from its parts: implementer, variant, architecture (15 for one that has registers of its features), part, revision.
fn midr_of(cpuinfo: &str) -> Option<u64> {
    let field = |name: &str| -> Option<u64> {
        let (_, value) = cpuinfo
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == name)?;
        hex(value).or_else(|| value.trim().parse().ok())
    };
    let (implementer, variant) = (field("CPU implementer")?, field("CPU variant")?);
    let (part, revision) = (field("CPU part")?, field("CPU revision")?);
    let is_sound = implementer <= 0xff && variant <= 0xf && part <= 0xfff && revision <= 0xf;
    is_sound.then_some(implementer << 24 | variant << 20 | 0xf << 16 | part << 4 | revision)
}

/// Returns true if a core is the wanted one, of the wanted revision or a later one: `r1p2` is later than `r0p3`.
fn is_core(wanted: u64, midr: u64) -> bool {
    let core = |midr: u64| midr & !(VARIANT | REVISION);
    let revision = |midr: u64| (midr & VARIANT, midr & REVISION);
    core(wanted) == core(midr) && revision(midr) >= revision(wanted)
}

/// The name of a POWER processor: its version register, `0x004e0203` from `(pvr 004e 0203)`.
fn pvr(cpuinfo: &str) -> Option<String> {
    let (_, pvr) = cpuinfo.split_once("(pvr ")?;
    let (pvr, _) = pvr.split_once(')')?;
    let (version, revision) = pvr.split_once(' ')?;
    Some(format!("0x{version}{revision}"))
}
