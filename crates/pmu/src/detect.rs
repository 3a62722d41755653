//! The PMUs of a processor, from its identity.

use crate::cpu::{CpuId, among, number};
use crate::list::all;
use crate::pmu::Pmu;
use crate::sysfs::matches_glob;

/// The PMUs that processors of this kind have, in the order in which a string without a prefix tries
/// them. Some of them exist only where sysfs shows a device ([`Pmu::needs_device`]); hybrid parts have
/// several core PMUs.
///
/// ```
/// use counterpoint_pmu::{CpuId, detect};
///
/// let alder_lake = CpuId::X86 {
///     vendor: "GenuineIntel".to_owned(),
///     family: 6,
///     model: 0x97,
///     stepping: 2,
///     architectural: 5,
/// };
/// let names: Vec<&str> = detect(&alder_lake).iter().map(|pmu| pmu.name).collect();
/// assert_eq!(names, ["adl_glc", "adl_grt", "ix86arch"]);
/// ```
pub fn detect(cpu: &CpuId) -> Vec<&'static Pmu> {
    // Boxes of one unit stand beside each other, with the same words.
    let mut last = ("", false);
    let is_there = |pmu: &&Pmu| {
        if pmu.machines != last.0 {
            last = (pmu.machines, pmu.is_of(cpu));
        }
        last.1
    };
    all().filter(is_there).collect()
}

/// The prefix of the words of a kind of processor; all words of a PMU are of one kind.
fn key(cpu: &CpuId) -> Option<&'static str> {
    Some(match cpu {
        CpuId::X86 { vendor, .. } => match vendor.as_str() {
            "GenuineIntel" => "intel",
            "AuthenticAMD" => "amd",
            _ => return None,
        },
        CpuId::Arm { .. } => "arm",
        CpuId::Power { .. } => "pvr",
        CpuId::Riscv { .. } => "riscv",
        CpuId::Sparc { .. } => "cpuinfo",
        CpuId::Mips { .. } => "cpu-model",
        CpuId::S390x { .. } => "s390x",
    })
}

/// The name that Linux has for a RISC-V processor.
pub(crate) fn riscv_name(cpu: &CpuId) -> Option<String> {
    let CpuId::Riscv { vendor, design, version } = cpu else { return None };
    Some(format!("{vendor:#x}-{design:#x}-{version:#x}"))
}

/// The first processor whose name a pattern matches: the first character of each set, and 0 for any digits.
pub(crate) fn riscv_of(pattern: &str) -> Option<CpuId> {
    let mut name = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => {
                name.push(rest.next()?);
                rest.find(|c| *c == ']')?;
            }
            '*' => name.push('0'),
            c => name.push(c),
        }
    }
    let mut numbers =
        name.split('-').map(|text| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok());
    let mut next = || numbers.next().flatten();
    Some(CpuId::Riscv { vendor: next()?, design: next()?, version: next()? })
}

impl Pmu {
    /// Returns true if processors of this kind have this PMU.
    ///
    /// ```
    /// use counterpoint_pmu::{CpuId, find};
    ///
    /// let neoverse = CpuId::Arm { cores: vec![(0x41, 0xd0c)] };
    /// assert!(find("arm_n1").unwrap().is_of(&neoverse));
    /// assert!(!find("spr").unwrap().is_of(&neoverse));
    /// ```
    pub fn is_of(&self, cpu: &CpuId) -> bool {
        is_any(self.machines, cpu)
    }

    /// A processor that has this PMU, the first of those that are known; to look up files that are
    /// kept by processor. PMUs that do not depend on the processor have none.
    ///
    /// ```
    /// use counterpoint_pmu::{detect, find};
    ///
    /// let pmu = find("spr_unc_cha0").unwrap();
    /// let names = detect(&pmu.processor().unwrap());
    /// assert!(names.iter().any(|pmu| pmu.name == "spr"));
    /// ```
    pub fn processor(&self) -> Option<CpuId> {
        let mut parts = self.machines.split(' ').next()?.split(':');
        let key = parts.next()?;
        let mut value = || parts.next().map(str::to_owned);
        Some(match key {
            "intel" | "amd" => {
                let vendor = if key == "intel" { "GenuineIntel" } else { "AuthenticAMD" };
                CpuId::X86 {
                    vendor: vendor.to_owned(),
                    // A word without a family is for family 6.
                    family: lowest(&value()?).unwrap_or(6),
                    model: lowest(&value()?).unwrap_or(0),
                    stepping: value().and_then(|steppings| lowest(&steppings)).unwrap_or(0),
                    architectural: u32::from(key == "intel"),
                }
            }
            "arm" => CpuId::Arm { cores: vec![(lowest(&value()?)?, lowest(&value()?)?)] },
            "pvr" => CpuId::Power { version: lowest(&value()?)? },
            "riscv" => riscv_of(&value()?)?,
            "cpuinfo" => CpuId::Sparc { pmu: value()? },
            "cpu-model" => CpuId::Mips { model: value()?.replace('_', " ") },
            "s390x" => CpuId::S390x { machine: value().and_then(|machines| lowest(&machines)) },
            _ => return None,
        })
    }
}

/// The first number of a list that [`among`] reads.
fn lowest(ranges: &str) -> Option<u32> {
    number(ranges.split([',', '-']).next()?)
}

/// Returns true if one of the words between blanks means a processor: `intel:6:85:0-4`, `arm:0x41:0xd0c`.
pub(crate) fn is_any(machines: &str, cpu: &CpuId) -> bool {
    // Most are of other kinds.
    key(cpu).is_some_and(|key| machines.starts_with(key))
        && machines.split(' ').any(|machine| is(machine, cpu))
}

/// Returns true if one word means a processor.
fn is(machine: &str, cpu: &CpuId) -> bool {
    let (key, rest) = machine.split_once(':').unwrap_or((machine, ""));
    match (key, cpu) {
        ("intel-arch", CpuId::X86 { vendor, family, architectural, .. }) => {
            vendor == "GenuineIntel" && *family >= 5 && *family != 15 && *architectural > 0
        }
        ("intel" | "amd", CpuId::X86 { vendor, family, model, stepping, .. }) => {
            let known = if key == "intel" { "GenuineIntel" } else { "AuthenticAMD" };
            vendor == known && fit(rest, &[*family, *model, *stepping])
        }
        ("arm", CpuId::Arm { cores }) => cores
            .iter()
            .any(|(implementer, part)| rest.contains(':') && fit(rest, &[*implementer, *part])),
        ("pvr", CpuId::Power { version }) => fit(rest, &[*version]),
        ("riscv", CpuId::Riscv { .. }) => {
            riscv_name(cpu).is_some_and(|name| matches_glob(rest, &name))
        }
        ("cpuinfo", CpuId::Sparc { pmu }) => rest == pmu.as_str(),
        ("cpu-model", CpuId::Mips { model }) => {
            !rest.is_empty() && model.contains(&rest.replace('_', " "))
        }
        // A type that is not known has what all have.
        ("s390x", CpuId::S390x { machine }) => {
            rest.is_empty() || machine.is_some_and(|machine| among(rest, machine))
        }
        _ => false,
    }
}

/// Returns true if each value is [`among`] the numbers between the colons, as far as there are some.
fn fit(ranges: &str, values: &[u32]) -> bool {
    let mut rest = Some(ranges).filter(|ranges| !ranges.is_empty());
    values.iter().all(|value| {
        let Some(ranges) = rest else { return true };
        let end = ranges.bytes().position(|byte| byte == b':');
        rest = end.map(|end| &ranges[end + 1..]);
        among(&ranges[..end.unwrap_or(ranges.len())], *value)
    })
}
