//! The fields that Linux gives the PMUs of cores, for processors whose sysfs is not at hand.

use super::pmu::Pmu;
use crate::cpu::CpuId;

/// The type of events that the kernel passes to the PMU of the core (`PERF_TYPE_RAW`).
const RAW: u32 = 4;

/// The name of a core's PMU, and its fields as in its directory `format`.
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
