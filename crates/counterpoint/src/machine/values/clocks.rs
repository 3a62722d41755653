//! The rates of clocks.

use super::place::{Found, Place};
use counterpoint_perf::{Cpuid, Host};

/// The highest clock rate in Hz.
pub(crate) fn highest(Place { host, .. }: &Place<'_>) -> Found {
    let (mhz, source) = host
        .max_mhz_from()
        .ok_or_else(|| "cpufreq/cpuinfo_max_freq and /proc/cpuinfo".to_string())?;
    Ok((mhz * 1e6, source.to_string()))
}

/// The rate of the time-stamp counter in Hz.
///
/// Leaf 0x15 of CPUID has the rate of the crystal and its ratio to the counter; if it lacks the former, the rate of the counter is the base frequency in leaf 0x16 (Intel's Software Developer's Manual, volume 2, CPUID, and volume 3, "Determining the Processor Base Frequency").
/// Older processors of Intel have it in their names, as perf reads it.
pub(crate) fn tsc(Place { host, .. }: &Place<'_>) -> Found {
    if let Some(Cpuid { eax, ebx, ecx, .. }) = host.cpuid(0x15)
        && eax != 0
        && ebx != 0
        && ecx != 0
    {
        let rate = f64::from(ecx) * f64::from(ebx) / f64::from(eax);
        return Ok((rate, "CPUID leaf 0x15".to_string()));
    }
    // The upper half is reserved.
    let base = host.cpuid(0x16).map(|leaf| leaf.eax & 0xffff).filter(|mhz| *mhz != 0);
    if let Some(mhz) = base {
        return Ok((f64::from(mhz) * 1e6, "CPUID leaf 0x16, the base frequency".to_string()));
    }
    match rate_in_name(host) {
        Some(hz) => Ok((hz, "the model name in /proc/cpuinfo".to_string())),
        None => {
            let leaves = match host.cpuid(0) {
                None if !host.is_running() => "CPUID, which this recording lacks",
                None => "CPUID, which this processor lacks",
                Some(_) => "CPUID leaves 0x15 and 0x16",
            };
            Err(format!("{leaves}, and the model name in /proc/cpuinfo"))
        }
    }
}

/// The rate at the end of the model name of a processor of Intel: `… @ 2.50GHz`.
fn rate_in_name(host: &Host) -> Option<f64> {
    let cpuinfo = host.text("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        cpuinfo.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim())
        })
    };
    field("vendor_id").filter(|vendor| *vendor == "GenuineIntel")?;
    let (_, rate) = field("model name")?.rsplit_once('@')?;
    let rate = rate.trim();
    let (number, unit) = match rate.strip_suffix("GHz") {
        Some(number) => (number, 1e9),
        None => (rate.strip_suffix("MHz")?, 1e6),
    };
    let number: f64 = number.trim().parse().ok()?;
    (number.is_finite() && number > 0.0).then_some((number * unit).round())
}

/// 1 / the nominal clock rate in Hz, which is that of the time-stamp counter where there is one.
pub(crate) fn inverse(place: &Place<'_>) -> Found {
    let looked_at = match tsc(place) {
        Ok((hz, source)) => return Ok((1.0 / hz, source)),
        Err(looked_at) => looked_at,
    };
    let files = [("cpufreq/base_frequency", 1e3), ("acpi_cppc/nominal_freq", 1e6)];
    let first = place.host.online_cpus().iter().next().unwrap_or(0);
    for (file, unit) in files {
        let path = format!("/sys/devices/system/cpu/cpu{first}/{file}");
        let rate = place.host.text(&path).ok().and_then(|text| text.parse::<u32>().ok());
        if let Some(rate) = rate.filter(|rate| *rate != 0) {
            return Ok((1.0 / (f64::from(rate) * unit), path));
        }
    }
    Err(format!("{looked_at}, cpufreq/base_frequency and acpi_cppc/nominal_freq"))
}
