//! The permissions and limits of this process for counting.

use crate::Host;

/// The permissions and limits of this process for counting on a machine.
///
/// A field is `None` if the machine does not show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// `kernel.perf_event_paranoid`; `None` means that the kernel has no performance events, or that they are hidden.
    ///
    /// Users without `CAP_PERFMON` may count everything at -1, except raw tracepoints from 0 on, whole CPUs from 1 on, the kernel from 2 on, and anything from 3 on (Debian and Ubuntu).
    pub paranoid: Option<i32>,
    /// The effective user id.
    pub euid: Option<u32>,
    /// True if `CAP_PERFMON` is effective (Linux 5.8).
    pub cap_perfmon: bool,
    /// True if `CAP_SYS_ADMIN` is effective, which includes `CAP_PERFMON`.
    pub cap_sys_admin: bool,
    /// True if `CAP_SYSLOG` is effective, which shows kernel addresses.
    pub cap_syslog: bool,
    /// True if this is a user namespace, as in rootless containers: its capabilities do not apply to counting, and the fields above are false.
    pub user_namespace: bool,
    /// The seccomp mode of this process: 0 none, 1 strict, 2 a filter, as in a container.
    pub seccomp: Option<u32>,
    /// The names in sysfs of the PMUs of the processor's cores; a hybrid machine has several.
    pub core_pmus: Vec<String>,
    /// True if the kernel runs in a virtual machine, according to `/proc/cpuinfo`.
    pub virtual_machine: bool,
    /// True if the NMI watchdog is on, which occupies a hardware counter.
    pub nmi_watchdog: Option<bool>,
    /// The soft and the hard limit of open files.
    #[doc(alias = "RLIMIT_NOFILE")]
    pub open_files: Option<(u64, u64)>,
    /// `kernel.perf_event_mlock_kb`: the memory in KiB per CPU that a user may lock for sample buffers.
    pub mlock_kb: Option<u64>,
    /// `kernel.kptr_restrict`: 0 shows kernel addresses if users may count the kernel, 1 hides them from users without `CAP_SYSLOG`, 2 from all users.
    pub kptr_restrict: Option<u32>,
    /// The highest sampling rate in Hz.
    pub max_sample_rate: Option<u64>,
    /// The release of the kernel, such as `6.18.44`.
    pub kernel: Option<String>,
}

const CAP_SYS_ADMIN: u64 = 21;
const CAP_SYSLOG: u64 = 34;
const CAP_PERFMON: u64 = 38;

impl Host {
    /// Finds out what this process may count, and what restricts it.
    pub fn access(&self) -> Access {
        Access::of(self)
    }

    /// The names in sysfs of the PMUs of the processor's cores; a hybrid machine has several.
    pub fn core_pmus(&self) -> &[String] {
        self.core_pmus.get_or_init(|| core_pmus(self))
    }
}

impl Access {
    pub(crate) fn of(host: &Host) -> Access {
        let kernel = |name: &str| host.text(format!("/proc/sys/kernel/{name}")).ok();
        let status = host.text("/proc/self/status").unwrap_or_default();
        let status = |key: &str| {
            status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':').map(str::trim))
        };
        let user_namespace = host.text("/proc/self/uid_map").is_ok_and(|map| !is_initial(&map));
        let effective = status("CapEff").filter(|_| !user_namespace);
        let capabilities = effective.and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or(0);
        let cpuinfo = host.text("/proc/cpuinfo").unwrap_or_default();
        Access {
            paranoid: kernel("perf_event_paranoid").and_then(|text| text.parse().ok()),
            euid: status("Uid").and_then(|ids| ids.split_whitespace().nth(1)?.parse().ok()),
            cap_perfmon: capabilities >> CAP_PERFMON & 1 == 1,
            cap_sys_admin: capabilities >> CAP_SYS_ADMIN & 1 == 1,
            cap_syslog: capabilities >> CAP_SYSLOG & 1 == 1,
            user_namespace,
            seccomp: status("Seccomp").and_then(|mode| mode.parse().ok()),
            core_pmus: host.core_pmus().to_vec(),
            virtual_machine: is_virtual(&cpuinfo),
            nmi_watchdog: kernel("nmi_watchdog").map(|text| text != "0"),
            open_files: host.text("/proc/self/limits").ok().and_then(|text| open_files(&text)),
            mlock_kb: kernel("perf_event_mlock_kb").and_then(|text| text.parse().ok()),
            kptr_restrict: kernel("kptr_restrict").and_then(|text| text.parse().ok()),
            max_sample_rate: kernel("perf_event_max_sample_rate")
                .and_then(|text| text.parse().ok()),
            kernel: kernel("osrelease"),
        }
    }

    /// Returns true if this process is exempt from `kernel.perf_event_paranoid`.
    pub fn is_privileged(&self) -> bool {
        self.cap_perfmon || self.cap_sys_admin
    }

    /// Returns true if `/proc/kallsyms` shows this process addresses instead of zeros; `None` if the machine does not show the level.
    ///
    /// `CAP_PERFMON` does not suffice: the kernel requires `CAP_SYSLOG`, unless users may count the kernel.
    pub fn sees_kernel_addresses(&self) -> Option<bool> {
        let users_count_it = self.paranoid.is_some_and(|level| level <= 1);
        match self.kptr_restrict? {
            0 => Some(self.cap_syslog || users_count_it),
            1 => Some(self.cap_syslog),
            _ => Some(false),
        }
    }

    /// Returns true if a seccomp filter is active, which may block calls that the kernel would permit.
    pub fn is_filtered(&self) -> bool {
        self.seccomp == Some(2)
    }
}

/// A machine with one kind of core has `cpu` (x86, POWER) or `cpum_cf` (s390); otherwise each PMU with a file `cpus` is
/// that of a kind of core, whatever its name: `cpu_core`, `armv8_cortex_a76`, `apple_icestorm_pmu`.
fn core_pmus(host: &Host) -> Vec<String> {
    let devices = "/sys/bus/event_source/devices";
    let names = host.names(devices);
    // Servers have hundreds of PMUs, whose files are not looked for.
    if let Some(only) = names.iter().find(|name| matches!(name.as_str(), "cpu" | "cpum_cf")) {
        return vec![only.clone()];
    }
    let is_core = |name: &String| {
        name.starts_with("armv") || host.text(format!("{devices}/{name}/cpus")).is_ok()
    };
    names.into_iter().filter(is_core).collect()
}

/// Returns true if user ids are mapped to themselves, as outside of user namespaces (`user_namespaces(7)`).
fn is_initial(uid_map: &str) -> bool {
    uid_map.split_whitespace().eq(["0", "0", "4294967295"])
}

fn is_virtual(cpuinfo: &str) -> bool {
    cpuinfo.lines().any(|line| {
        line.split_once(':').is_some_and(|(key, value)| {
            key.trim() == "flags" && value.split_whitespace().any(|flag| flag == "hypervisor")
        })
    })
}

/// The line `Max open files  SOFT  HARD  files` of `/proc/self/limits`.
fn open_files(limits: &str) -> Option<(u64, u64)> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let mut numbers =
        line.split_whitespace().map(|n| if n == "unlimited" { Ok(u64::MAX) } else { n.parse() });
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}
