//! The processor, as `PAPI_get_hardware_info` describes it.

use counterpoint::Machine;
use counterpoint::hardware::{Cache, Hardware};
use counterpoint::perf::Host;
use counterpoint::pmu::CpuId;
use std::collections::BTreeSet;
use std::ffi::c_int;

use crate::layout::{CacheInfo, HardwareInfo, LevelInfo, MAX_LEN, put};
use crate::{timers, tlb};

/// The properties of the processor that the machine shows.
pub(crate) fn read(host: &Host) -> HardwareInfo {
    let machine = Machine::new(host.clone());
    let hardware = machine.hardware();
    let cpus = hardware.cpus.len().max(1);
    let cores = hardware.cores.unwrap_or(cpus);
    let sockets = hardware.sockets.unwrap_or(1);
    let nodes = nodes(host).len().max(1);
    let (family, model, stepping) = match machine.cpu() {
        Some(CpuId::X86 { family, model, stepping, .. }) => (family, model, stepping),
        Some(CpuId::Arm { cores }) => (8, cores.first().map_or(0, |core| core.1), 0),
        Some(CpuId::Power { version }) => (0, version, 0),
        _ => (0, 0, 0),
    };
    let [max, min] = ["cpuinfo_max_freq", "cpuinfo_min_freq"].map(|file| megahertz(host, file));
    let mut info = HardwareInfo {
        ncpu: number(cpus / nodes),
        threads: number(cpus / cores),
        cores: number(cores / sockets),
        sockets: number(sockets),
        nnodes: number(nodes),
        totalcpus: number(cpus),
        vendor: vendor(&hardware, machine.cpu().as_ref()),
        vendor_string: [0; MAX_LEN],
        model: model as c_int,
        model_string: [0; MAX_LEN],
        revision: stepping as f32,
        cpuid_family: family as c_int,
        cpuid_model: model as c_int,
        cpuid_stepping: stepping as c_int,
        cpu_max_mhz: max,
        cpu_min_mhz: min,
        levels: 0,
        level: [LevelInfo::default(); 4],
        virtualized: hardware.virtual_machine.into(),
        virtual_vendor_string: [0; MAX_LEN],
        virtual_vendor_version: [0; MAX_LEN],
        mhz: 0.0,
        clock_mhz: 0,
        reserved: [0; 8],
    };
    put(&mut info.vendor_string, hardware.vendor.as_deref().unwrap_or("Unknown"));
    put(&mut info.model_string, hardware.model.as_deref().unwrap_or("Unknown"));
    if hardware.virtual_machine {
        put(&mut info.virtual_vendor_string, &timers::hypervisor());
    }
    for cache in &hardware.caches {
        add(&mut info, cache);
    }
    if info.vendor == AMD {
        for (level, buffers) in info.level.iter_mut().zip(tlb::of_amd(host)) {
            level.tlb = buffers;
        }
    }
    info
}

/// The NUMA nodes, by their numbers.
pub(crate) fn nodes(host: &Host) -> BTreeSet<u32> {
    let names = host.names("/sys/devices/system/node").into_iter();
    names.filter_map(|name| name.strip_prefix("node")?.parse().ok()).collect()
}

fn number(value: usize) -> c_int {
    c_int::try_from(value).unwrap_or(c_int::MAX)
}

fn megahertz(host: &Host, file: &str) -> c_int {
    let path = format!("/sys/devices/system/cpu/cpu0/cpufreq/{file}");
    let kilohertz = host.text(path).ok().and_then(|text| text.parse::<f64>().ok());
    let rate = kilohertz.map(|rate| rate / 1000.0).or_else(|| host.max_mhz());
    rate.unwrap_or_default() as c_int
}

/// The number of AMD among the vendors of PAPI's header.
const AMD: c_int = 2;

/// The number of the vendor in PAPI's header.
fn vendor(hardware: &Hardware, cpu: Option<&CpuId>) -> c_int {
    if let Some(CpuId::Arm { cores }) = cpu {
        return cores.first().map_or(7, |core| core.0 as c_int);
    }
    match hardware.vendor.as_deref().unwrap_or_default() {
        "GenuineIntel" => 1,
        "AuthenticAMD" | "HygonGenuine" => AMD,
        name if name.contains("IBM") || name.contains("POWER") => 3,
        _ if matches!(cpu, Some(CpuId::Power { .. })) => 3,
        _ => 0,
    }
}

fn add(info: &mut HardwareInfo, cache: &Cache) {
    const INSTRUCTIONS: c_int = 1;
    const DATA: c_int = 2;
    let Some(level) = info.level.get_mut((cache.level as usize).wrapping_sub(1)) else { return };
    let kind = match cache.kind.as_str() {
        "Instruction" => INSTRUCTIONS,
        "Data" => DATA,
        _ => INSTRUCTIONS | DATA,
    };
    let Some(place) = level.cache.iter_mut().find(|place| place.kind == 0) else { return };
    let line = cache.line.unwrap_or(0);
    *place = CacheInfo {
        kind,
        size: c_int::try_from(cache.size).unwrap_or(c_int::MAX),
        line_size: line as c_int,
        num_lines: cache.size.checked_div(line.into()).unwrap_or(0) as c_int,
        associativity: cache.ways.unwrap_or(0) as c_int,
    };
    info.levels = info.levels.max(cache.level as c_int);
}
