//! The cores, dies, sockets, nodes and caches of CPUs.

use crate::{CpuSet, Host};

const CPU: &str = "/sys/devices/system/cpu";

/// The parts of the machine that a CPU belongs to; `None` where sysfs does not show them.
impl Host {
    /// The numbers of the core and of the socket (package) of a CPU.
    ///
    /// If the kernel does not know them and shows -1, the core has the CPU's number, and the socket is 0.
    pub fn core_and_socket(&self, cpu: u32) -> Option<(u32, u32)> {
        Some((self.topology(cpu, "core_id", cpu)?, self.socket(cpu)?))
    }

    /// The number of the die of a CPU within its socket, and that of the socket; 0 if the kernel shows -1.
    pub fn die_and_socket(&self, cpu: u32) -> Option<(u32, u32)> {
        Some((self.topology(cpu, "die_id", 0)?, self.socket(cpu)?))
    }

    fn socket(&self, cpu: u32) -> Option<u32> {
        self.topology(cpu, "physical_package_id", 0)
    }

    fn topology(&self, cpu: u32, name: &str, unknown: u32) -> Option<u32> {
        match self.text(format!("{CPU}/cpu{cpu}/topology/{name}")).ok()?.as_str() {
            "-1" => Some(unknown),
            number => number.parse().ok(),
        }
    }

    /// The NUMA node of a CPU.
    pub fn node(&self, cpu: u32) -> Option<u32> {
        const NODES: &str = "/sys/devices/system/node";
        self.names(NODES).iter().filter_map(|name| name.strip_prefix("node")?.parse().ok()).find(
            |node: &u32| {
                let list = self.text(format!("{NODES}/node{node}/cpulist")).unwrap_or_default();
                list.parse::<CpuSet>().is_ok_and(|cpus| cpus.contains(cpu))
            },
        )
    }

    /// The data cache of this level that a CPU uses, or the one of the last level: its level, and the first of the CPUs that share it.
    pub fn cache(&self, cpu: u32, level: Option<u8>) -> Option<(u8, u32)> {
        let folder = format!("{CPU}/cpu{cpu}/cache");
        let caches = self.names(&folder).into_iter().filter_map(|index| {
            let text = |file: &str| self.text(format!("{folder}/{index}/{file}")).ok();
            let found: u8 = text("level")?.parse().ok()?;
            let is_wanted = level.is_none_or(|level| level == found);
            if !is_wanted || text("type").is_some_and(|kind| kind == "Instruction") {
                return None;
            }
            Some((found, text("shared_cpu_list")?.parse::<CpuSet>().ok()?.iter().next()?))
        });
        caches.max()
    }
}
