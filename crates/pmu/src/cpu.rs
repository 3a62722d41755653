//! The identity of a processor.

/// The identity of a processor, for [`detect`](crate::detect).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CpuId {
    /// An x86 processor, by CPUID.
    X86 {
        /// `GenuineIntel` or `AuthenticAMD`.
        vendor: String,
        /// The family, extended by CPUID's extended family where the base is 15.
        family: u32,
        /// The model, with the extended model above it.
        model: u32,
        /// The stepping.
        stepping: u32,
        /// The version of Intel's architectural performance monitoring (leaf 10), 0 for none.
        architectural: u32,
    },
    /// An Arm processor: implementer and part of each kind of core that it has (`MIDR`).
    Arm {
        /// Implementer and part.
        cores: Vec<(u32, u32)>,
    },
    /// A POWER processor, by the upper half of its processor version register.
    Power {
        /// Bits 16 to 31 of the PVR.
        version: u32,
    },
    /// A RISC-V processor, by the registers that identify its cores.
    Riscv {
        /// `mvendorid`: the vendor.
        vendor: u64,
        /// `marchid`: the vendor's number of the design.
        design: u64,
        /// `mimpid`: its version.
        version: u64,
    },
    /// A SPARC processor, by the name that Linux has for its PMU.
    Sparc {
        /// The `pmu` line of `/proc/cpuinfo`.
        pmu: String,
    },
    /// A MIPS processor, by its model.
    Mips {
        /// The `cpu model` line of `/proc/cpuinfo`.
        model: String,
    },
    /// An IBM Z processor.
    S390x {
        /// The type of the machine, such as 3931. Without it the newest is assumed; a type that
        /// is not known has the counters that all have.
        machine: Option<u32>,
    },
}

impl CpuId {
    /// The processor of a text of Linux's `/proc/cpuinfo`; `None` if its kind is unknown.
    ///
    /// ```
    /// use counterpoint_pmu::{CpuId, detect};
    ///
    /// let text = "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
    /// let id = CpuId::from_cpuinfo(text).unwrap();
    /// assert_eq!(id, CpuId::Arm { cores: vec![(0x41, 0xd0c)] });
    /// assert_eq!(detect(&id)[0].name, "arm_n1");
    /// ```
    pub fn from_cpuinfo(text: &str) -> Option<CpuId> {
        let lines = || text.lines().filter_map(|line| line.split_once(':'));
        let values = |key: &'static str| {
            lines().filter(move |(known, _)| known.trim() == key).map(|(_, value)| value.trim())
        };
        let first = |key: &'static str| values(key).next();
        if let Some(vendor) = first("vendor_id") {
            if vendor.starts_with("IBM/S390") {
                let (_, machine) = text.split_once("machine = ").unzip();
                let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit());
                let machine = machine.map(|text| &text[..digits(text).unwrap_or(text.len())]);
                return Some(CpuId::S390x { machine: machine.and_then(number) });
            }
            let mut flags = first("flags").unwrap_or_default().split_ascii_whitespace();
            let has_perfmon = flags.any(|flag| flag == "arch_perfmon");
            return Some(CpuId::X86 {
                vendor: vendor.to_owned(),
                family: number(first("cpu family")?)?,
                model: number(first("model")?)?,
                stepping: first("stepping").and_then(number).unwrap_or(0),
                architectural: has_perfmon.into(),
            });
        }
        let mut cores: Vec<(u32, u32)> = Vec::new();
        for (implementer, part) in values("CPU implementer").zip(values("CPU part")) {
            let core = (number(implementer)?, number(part)?);
            if !cores.contains(&core) {
                cores.push(core);
            }
        }
        if !cores.is_empty() {
            return Some(CpuId::Arm { cores });
        }
        if let Some(vendor) = first("mvendorid") {
            let wide = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
            let [vendor, design, version] =
                [Some(vendor), first("marchid"), first("mimpid")].map(|text| text.and_then(wide));
            return Some(CpuId::Riscv { vendor: vendor?, design: design?, version: version? });
        }
        if let Some(pmu) = first("pmu") {
            return Some(CpuId::Sparc { pmu: pmu.to_owned() });
        }
        if let Some(model) = first("cpu model") {
            return Some(CpuId::Mips { model: model.to_owned() });
        }
        let (_, pvr) = first("revision")?.split_once("pvr ")?;
        let version = u32::from_str_radix(pvr.split(' ').next()?, 16).ok()?;
        Some(CpuId::Power { version })
    }
}

/// `*`, or numbers and ranges between commas.
pub(crate) fn among(ranges: &str, value: u32) -> bool {
    if ranges == "*" {
        return true;
    }
    let (mut from, mut start) = (None, 0);
    let bytes = ranges.as_bytes();
    for end in 0..=bytes.len() {
        match bytes.get(end) {
            Some(b'-') => from = Some(number(&ranges[start..end])),
            Some(b',') | None => {
                let till = number(&ranges[start..end]);
                let from = from.take().unwrap_or(till);
                let is_above = from.is_some_and(|from| from <= value);
                if is_above && till.is_some_and(|till| value <= till) {
                    return true;
                }
            }
            Some(_) => continue,
        }
        start = end + 1;
    }
    false
}

pub(crate) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
