//! The files in which the kernel shows numbers, which a recording of a machine has too.

use crate::Host;

/// The paths; `*` stands for every name in its folder.
const PATHS: &[&str] = &[
    "/proc/diskstats",
    "/proc/interrupts",
    "/proc/meminfo",
    "/proc/net/dev",
    "/proc/pressure/*",
    "/proc/schedstat",
    "/proc/self/cgroup",
    "/proc/self/io",
    "/proc/self/schedstat",
    "/proc/self/smaps_rollup",
    "/proc/softirqs",
    "/proc/stat",
    "/proc/vmstat",
    "/sys/class/hwmon/*/*",
    "/sys/class/infiniband/*/ports/*/counters/*",
    "/sys/class/powercap/*/*",
    "/sys/class/thermal/*/cur_state",
    "/sys/class/thermal/*/temp",
    "/sys/class/thermal/*/type",
    "/sys/devices/system/cpu/*/cpufreq/scaling_cur_freq",
    "/sys/devices/system/cpu/*/cpufreq/scaling_max_freq",
    "/sys/devices/system/cpu/*/cpuidle/*/*",
    "/sys/devices/system/cpu/*/thermal_throttle/*",
    "/sys/devices/system/node/*/numastat",
];

/// The files of a cgroup of version 2.
const OF_CGROUP: [&str; 12] = [
    "cpu.pressure",
    "cpu.stat",
    "io.pressure",
    "io.stat",
    "memory.current",
    "memory.events",
    "memory.max",
    "memory.peak",
    "memory.pressure",
    "memory.stat",
    "memory.swap.current",
    "pids.current",
];

/// The files that a machine has, and those of the cgroup of this process.
pub(crate) fn files(host: &Host) -> Vec<String> {
    let mut files = Vec::new();
    PATHS.iter().for_each(|path| below(host, "", path, &mut files));
    if let Some(cgroup) = cgroup(host) {
        files.extend(OF_CGROUP.map(|name| format!("{cgroup}/{name}")));
    }
    files
}

fn below(host: &Host, folder: &str, pattern: &str, files: &mut Vec<String>) {
    let Some((before, rest)) = pattern.split_once("/*") else {
        files.push(format!("{folder}{pattern}"));
        return;
    };
    for name in host.names(format!("{folder}{before}")) {
        below(host, &format!("{folder}{before}/{name}"), rest, files);
    }
}

/// The folder of the cgroup of this process.
fn cgroup(host: &Host) -> Option<String> {
    let mounts = host.text("/proc/self/mounts").ok()?;
    let root = mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some(fields.next()?).filter(|_| fields.next() == Some("cgroup2"))
    })?;
    let own = host.text("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    // A path that leaves the folder of the recording is none of a cgroup.
    let is_below = |path: &str| path.starts_with('/') && !path.split('/').any(|part| part == "..");
    (is_below(root) && is_below(path)).then(|| format!("{root}{}", path.trim_end_matches('/')))
}
