//! The state of the machine that may explain why values differ between two measurements.

use counterpoint_perf::Host;
use counterpoint_report::Environment;
use std::collections::BTreeSet;

/// The state of a machine now, as its files in `/proc` and `/sys` and its processor tell it.
///
/// ```
/// use counterpoint::{environment, perf::Host};
///
/// let now = environment(&Host::local());
/// assert!(now.cpus.is_some_and(|cpus| cpus > 0));
/// assert!(now.differences(&now, ["A", "B"]).is_empty());
/// ```
pub fn environment(host: &Host) -> Environment {
    let text = |path: &str| host.text(path).ok().filter(|text| !text.is_empty());
    let is_on = |text: &str| (if text == "1" { "on" } else { "off" }).to_string();
    let boost = text("/sys/devices/system/cpu/cpufreq/boost").map(|text| is_on(&text));
    let no_turbo = text("/sys/devices/system/cpu/intel_pstate/no_turbo");
    let turbo = no_turbo.map(|text| (if text == "0" { "on" } else { "off" }).to_string());
    let online = host.online_cpus().len() as u64;
    let load = text("/proc/loadavg");
    let load = load.as_deref().and_then(|text| text.split_whitespace().next()?.parse().ok());
    Environment {
        cpu: processor(host),
        microcode: text("/sys/devices/system/cpu/cpu0/microcode/version"),
        cpus: Some(online).filter(|cpus| *cpus > 0),
        kernel: text("/proc/sys/kernel/osrelease"),
        governor: governors(host),
        min_mhz: mhz(host, "scaling_min_freq"),
        max_mhz: mhz(host, "scaling_max_freq"),
        boost: boost.or(turbo),
        smt: text("/sys/devices/system/cpu/smt/active").map(|text| is_on(&text)),
        virtual_machine: is_virtual(host),
        load,
    }
}

const POLICIES: &str = "/sys/devices/system/cpu/cpufreq";

/// The governors of all CPUs, each once.
fn governors(host: &Host) -> Option<String> {
    let policies = host.names(POLICIES).into_iter().filter(|name| name.starts_with("policy"));
    let governor = |policy: String| host.text(format!("{POLICIES}/{policy}/scaling_governor")).ok();
    let all: BTreeSet<String> = policies.filter_map(governor).collect();
    (!all.is_empty()).then(|| all.into_iter().collect::<Vec<_>>().join(", "))
}

/// A clock rate of the first CPU, which its files have in kHz.
fn mhz(host: &Host, file: &str) -> Option<u64> {
    let khz: u64 = host.text(format!("{POLICIES}/policy0/{file}")).ok()?.parse().ok()?;
    Some(khz / 1000)
}

/// The first extended leaf of `CPUID` with the name of the processor, which fills three.
const NAME: u32 = 0x8000_0002;

/// The name of the processor: its own answer on x86, and the kernel's elsewhere, where the file is short.
fn processor(host: &Host) -> Option<String> {
    let leaf = |number: u32| {
        let of = host.cpuid(NAME + number)?;
        Some([of.eax, of.ebx, of.ecx, of.edx].map(u32::to_le_bytes).concat())
    };
    if let Some(leaves) = (0..3).map(leaf).collect::<Option<Vec<_>>>() {
        let bytes = leaves.concat();
        let name = String::from_utf8_lossy(&bytes);
        return Some(name.trim_matches(['\0', ' ']).to_string()).filter(|name| !name.is_empty());
    }
    let cpuinfo = host.text("/proc/cpuinfo").ok()?;
    let value = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let is_name = ["model name", "cpu", "Processor", "cpu model"].contains(&key.trim());
        is_name.then(|| value.trim().to_string())
    };
    cpuinfo.lines().find_map(value)
}

/// The bit of ECX in the first leaf of `CPUID` that is kept for hypervisors.
const HYPERVISOR: u32 = 1 << 31;

fn is_virtual(host: &Host) -> Option<String> {
    let is_virtual = host.cpuid(1)?.ecx & HYPERVISOR != 0;
    Some((if is_virtual { "yes" } else { "no" }).to_string())
}
