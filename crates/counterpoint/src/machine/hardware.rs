//! The processor, caches and PMUs of a machine, from `/proc` and `/sys`.

use super::pmus::Machine;
use counterpoint_perf::CpuSet;
use std::collections::BTreeSet;

/// The processor of a machine, its caches and its PMUs; facts that the machine does not report are `None` or empty.
#[doc(alias = "PAPI_hw_info_t")]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hardware {
    /// The vendor of the processor, from `/proc/cpuinfo`.
    pub vendor: Option<String>,
    /// The name of the processor.
    pub model: Option<String>,
    /// The CPUs that are online; if cores have several hardware threads, each is a CPU.
    pub cpus: CpuSet,
    /// The number of their cores; `None` if the core of any CPU is unknown.
    pub cores: Option<usize>,
    /// The number of their sockets (packages); `None` if the socket of any CPU is unknown.
    pub sockets: Option<usize>,
    /// The highest clock rate.
    pub max_mhz: Option<f64>,
    /// The caches that the first CPU uses, nearest first.
    pub caches: Vec<Cache>,
    /// The PMUs in sysfs.
    pub pmus: Vec<String>,
    /// True if the machine reports that it is virtual.
    pub virtual_machine: bool,
}

/// A cache.
#[doc(alias = "PAPI_mh_cache_info_t")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cache {
    /// The level; 1 is nearest to the core.
    pub level: u32,
    /// The kind: `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// The size in bytes.
    pub size: u64,
    /// The size of a line in bytes.
    pub line: Option<u32>,
    /// The associativity: the number of lines in which an address may be.
    pub ways: Option<u32>,
    /// The CPUs that share it.
    pub shared_by: CpuSet,
}

impl Machine {
    /// The processor, caches and PMUs of the machine.
    ///
    /// ```
    /// use counterpoint::{Machine, perf::Host};
    /// let hardware = Machine::new(Host::local()).hardware();
    /// assert!(hardware.cores.is_none_or(|cores| cores <= hardware.cpus.len()));
    /// ```
    #[doc(alias = "PAPI_get_hardware_info")]
    #[doc(alias = "PAPI_get_dmem_info")]
    pub fn hardware(&self) -> Hardware {
        let host = self.host();
        let cpuinfo = host.text("/proc/cpuinfo").unwrap_or_default();
        let field = |names: &[&str]| {
            let of = |line: &str| {
                let (key, value) = line.split_once(':')?;
                let value = value.trim();
                (names.contains(&key.trim()) && !value.is_empty()).then(|| value.to_string())
            };
            cpuinfo.lines().find_map(of)
        };
        let cpus = host.online_cpus();
        // The kernel writes -1 for a number that it does not know.
        let topology = |cpu: u32, name: &str| -> Option<u32> {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/{name}");
            host.text(path).ok()?.parse().ok()
        };
        let socket = |cpu| topology(cpu, "physical_package_id");
        let core = |cpu| Some((socket(cpu)?, topology(cpu, "core_id")?));
        Hardware {
            vendor: field(&["vendor_id", "CPU implementer", "vendor"]),
            model: field(&["model name", "cpu", "Processor", "cpu model"]),
            cores: different(cpus.iter().map(core)),
            sockets: different(cpus.iter().map(socket)),
            max_mhz: host.max_mhz(),
            caches: self.caches(&cpus),
            pmus: self.pmu_names().to_vec(),
            virtual_machine: host.access().virtual_machine,
            cpus,
        }
    }

    fn caches(&self, cpus: &CpuSet) -> Vec<Cache> {
        let Some(first) = cpus.iter().next() else { return Vec::new() };
        let folder = format!("/sys/devices/system/cpu/cpu{first}/cache");
        let cache = |index: String| {
            let text = |file: &str| self.host().text(format!("{folder}/{index}/{file}")).ok();
            let number = |file: &str| text(file)?.parse().ok();
            Some(Cache {
                level: number("level")?,
                kind: text("type")?,
                size: bytes(&text("size")?)?,
                line: number("coherency_line_size"),
                ways: number("ways_of_associativity").filter(|ways| *ways > 0),
                shared_by: text("shared_cpu_list")?.parse().ok()?,
            })
        };
        let names = self.host().names(&folder);
        let mut caches: Vec<Cache> =
            names.into_iter().filter(|name| name.starts_with("index")).filter_map(cache).collect();
        caches.sort_by_key(|cache| cache.level);
        caches
    }
}

/// The number of different values, if all are known.
fn different<T: Ord>(places: impl Iterator<Item = Option<T>>) -> Option<usize> {
    let known: Option<BTreeSet<T>> = places.collect();
    known.map(|known| known.len()).filter(|number| *number > 0)
}

/// Parses `32K`, `1M` or a plain number.
fn bytes(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1 << 20)),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}
