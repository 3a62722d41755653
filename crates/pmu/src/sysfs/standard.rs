//! The fields that Linux gives the PMUs of cores, for processors whose sysfs is not at hand.

use super::pmu::Pmu;
use crate::cpu::CpuId;

/// The type of events that the kernel passes to the PMU of the core (`PERF_TYPE_RAW`).
const RAW: u32 = 4;

/// The name of a PMU, and its fields as in its directory `format`.
type Core = (&'static str, &'static [(&'static str, &'static str)]);

/// `arch/x86/events/intel/core.c`. The unit mask has its upper part on processors since Granite Rapids and Lunar Lake;
/// on others no event has such bits.
const INTEL: Core = (
    "cpu",
    &[
        ("any", "config:21"),
        ("cmask", "config:24-31"),
        ("edge", "config:18"),
        ("event", "config:0-7"),
        ("frontend", "config1:0-23"),
        ("in_tx", "config:32"),
        ("in_tx_cp", "config:33"),
        ("inv", "config:23"),
        ("ldlat", "config1:0-15"),
        ("offcore_rsp", "config1:0-63"),
        ("pc", "config:19"),
        ("umask", "config:8-15,40-47"),
    ],
);

/// The kernel's events for the fields of the register of top-down metrics, which processors since Ice Lake have; the
/// last four are those of Sapphire Rapids and later.
const TOPDOWN: [(&str, &str); 9] = [
    ("slots", "event=0x00,umask=0x4"),
    ("topdown-retiring", "event=0x00,umask=0x80"),
    ("topdown-bad-spec", "event=0x00,umask=0x81"),
    ("topdown-fe-bound", "event=0x00,umask=0x82"),
    ("topdown-be-bound", "event=0x00,umask=0x83"),
    ("topdown-heavy-ops", "event=0x00,umask=0x84"),
    ("topdown-br-mispredict", "event=0x00,umask=0x85"),
    ("topdown-fetch-lat", "event=0x00,umask=0x86"),
    ("topdown-mem-bound", "event=0x00,umask=0x87"),
];

/// `arch/x86/events/amd/core.c`.
const AMD: Core = (
    "cpu",
    &[
        ("cmask", "config:24-31"),
        ("edge", "config:18"),
        ("event", "config:0-7,32-35"),
        ("inv", "config:23"),
        ("umask", "config:8-15"),
    ],
);

/// `drivers/perf/arm_pmuv3.c`.
const ARM: Core = ("armv8_pmuv3", &[("event", "config:0-15")]);

/// `arch/powerpc/perf`: the fields of an event's parts differ, and its whole is the register.
const POWER: Core = ("cpu", &[("event", "config:0-63")]);

/// `drivers/perf/riscv_pmu_sbi.c`, the fields together: those of an event's parts differ, and its whole is the register.
const RISCV: Core = ("cpu", &[("event", "config:0-63")]);

/// `arch/s390/kernel/perf_cpum_cf_events.c`.
const S390X: Core = ("cpum_cf", &[("event", "config:0-63")]);

/// The PMU of the cores of a processor as Linux shows it; `None` where the kernel has no fields.
///
/// Its only events are those of Intel's top-down metrics, down to the level that the processor has in a register: `topdown` is 0, 1 or 2.
///
/// ```
/// use counterpoint_pmu::{CpuId, sysfs};
///
/// let zen = CpuId::from_cpuinfo("vendor_id: AuthenticAMD\ncpu family: 25\nmodel: 97\nflags: a").unwrap();
/// let event = sysfs::standard_core(&zen, 0).unwrap().format("event").cloned().unwrap();
/// assert_eq!(event.scatter(0x1cc), 0x1_0000_00cc);
/// ```
pub fn standard_core(cpu: &CpuId, topdown: u8) -> Option<Pmu> {
    let (name, formats) = match cpu {
        CpuId::X86 { vendor, .. } if vendor == "GenuineIntel" => INTEL,
        CpuId::X86 { .. } => AMD,
        CpuId::Arm { .. } => ARM,
        CpuId::Power { .. } => POWER,
        CpuId::Riscv { .. } => RISCV,
        CpuId::S390x { .. } => S390X,
        CpuId::Sparc { .. } | CpuId::Mips { .. } => return None,
    };
    let has_topdown = (name, formats) == INTEL;
    let events = &TOPDOWN[..[0, 5, 9][if has_topdown { usize::from(topdown.min(2)) } else { 0 }]];
    Some(Pmu::from_files(name, RAW, formats.iter().copied(), events.iter().copied()))
}

/// A PMU beside the cores: its name, its events, and the factor and the unit of their values.
type Beside =
    (&'static str, &'static [(&'static str, &'static str)], Option<(&'static str, &'static str)>);

/// The PMUs that x86 processors have beside their cores: `arch/x86/events/{msr,intel/cstate,rapl}.c`. A model has some of the
/// events of the last three.
const BESIDE_X86: [Beside; 4] = [
    (
        "msr",
        &[
            ("tsc", "event=0x00"),
            ("aperf", "event=0x01"),
            ("mperf", "event=0x02"),
            ("pperf", "event=0x03"),
            ("smi", "event=0x04"),
            ("ptsc", "event=0x05"),
            ("irperf", "event=0x06"),
        ],
        None,
    ),
    (
        "cstate_core",
        &[
            ("c1-residency", "event=0x00"),
            ("c3-residency", "event=0x01"),
            ("c6-residency", "event=0x02"),
            ("c7-residency", "event=0x03"),
        ],
        None,
    ),
    (
        "cstate_pkg",
        &[
            ("c2-residency", "event=0x00"),
            ("c3-residency", "event=0x01"),
            ("c6-residency", "event=0x02"),
            ("c7-residency", "event=0x03"),
            ("c8-residency", "event=0x04"),
            ("c9-residency", "event=0x05"),
            ("c10-residency", "event=0x06"),
        ],
        None,
    ),
    (
        "power",
        &[
            ("energy-cores", "event=0x01"),
            ("energy-pkg", "event=0x02"),
            ("energy-ram", "event=0x03"),
            ("energy-gpu", "event=0x04"),
            ("energy-psys", "event=0x05"),
        ],
        Some(("2.3283064365386962890625e-10", "Joules")),
    ),
];

/// The PMUs beside the cores that Linux shows on some machines, by their names or, where there are several, by how these begin.
const OF_SOME: [&str; 14] = [
    "amd_df",
    "amd_iommu*",
    "amd_l3",
    "amd_umc*",
    "arm_*",
    "cpum_*",
    "cstate_*",
    "hv_*",
    "ibs_*",
    "intel_*",
    "msr",
    "nest_*",
    "power*",
    "uncore_*",
];

/// Returns true if Linux shows a PMU of this name beside the cores of some machines.
///
/// ```
/// use counterpoint_pmu::sysfs::is_of_linux;
///
/// assert!(is_of_linux("power") && is_of_linux("uncore_imc_3"));
/// assert!(!is_of_linux("pwoer"));
/// ```
pub fn is_of_linux(name: &str) -> bool {
    OF_SOME.iter().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *known,
    })
}

/// The PMUs beside the cores that Linux shows on every machine with such a processor, with the type `kind`, which is the
/// kernel's choice.
///
/// ```
/// use counterpoint_pmu::{find, sysfs};
///
/// let cpu = find("spr").unwrap().processor().unwrap();
/// let pmus = sysfs::standard_others(&cpu, 0x1000);
/// let msr = pmus.iter().find(|pmu| pmu.name == "msr").unwrap();
/// assert!(msr.event("smi").is_some());
/// ```
pub fn standard_others(cpu: &CpuId, kind: u32) -> Vec<Pmu> {
    let CpuId::X86 { .. } = cpu else { return Vec::new() };
    let pmu = |(name, events, scale): Beside| {
        let mut files: Vec<(String, &str)> =
            events.iter().map(|(event, terms)| ((*event).to_owned(), *terms)).collect();
        if let Some((factor, unit)) = scale {
            for (event, _) in events {
                files.extend([(format!("{event}.scale"), factor), (format!("{event}.unit"), unit)]);
            }
        }
        let files = files.iter().map(|(file, text)| (file.as_str(), *text));
        Pmu::from_files(name, kind, [("event", "config:0-63")], files)
    };
    BESIDE_X86.into_iter().map(pmu).collect()
}

/// Returns true for an event that has a register of its own, so that it is counted beside any others: those of the PMUs of
/// [`standard_others`], and in the units of Intel's processors the clock of a fixed counter and the counters that always run,
/// to which Linux gives the event code 0xff.
///
/// ```
/// use counterpoint_pmu::sysfs::has_own_register;
/// assert!(has_own_register("msr", 0x00) && has_own_register("uncore_imc_0", 0xff));
/// assert!(!has_own_register("uncore_imc_0", 0x0304));
/// ```
pub fn has_own_register(pmu: &str, config: u64) -> bool {
    let is_beside = BESIDE_X86.iter().any(|(name, ..)| *name == pmu);
    is_beside || pmu.starts_with("uncore_") && config & 0xff == 0xff
}
