//! The nodes of a machine's memory.

use counterpoint_perf::CpuSet;
use std::ops::Range;

/// The nodes of a machine (NUMA): which CPUs and which memory each has.
///
/// ```
/// use counterpoint::memory::Nodes;
///
/// let mut nodes = Nodes::default();
/// nodes.add_cpus(0, "0-3".parse()?);
/// nodes.add_cpus(1, "4-7".parse()?);
/// nodes.add_memory(1, 0x1_0000_0000..0x2_0000_0000);
/// assert_eq!((nodes.of_cpu(5), nodes.of_physical(0x1_2345_6000)), (Some(1), Some(1)));
/// assert_eq!((nodes.of_cpu(8), nodes.of_physical(0x1000)), (None, None));
/// # Ok::<(), counterpoint::perf::CpuListError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "NUMA")]
pub struct Nodes {
    cpus: Vec<(u32, CpuSet)>,
    /// By their first addresses.
    memory: Vec<(Range<u64>, u32)>,
}

impl Nodes {
    /// These CPUs belong to the node of this number.
    pub fn add_cpus(&mut self, node: u32, cpus: CpuSet) {
        self.cpus.push((node, cpus));
    }

    /// The memory at these physical addresses belongs to the node of this number.
    pub fn add_memory(&mut self, node: u32, addresses: Range<u64>) {
        let place = self.memory.partition_point(|(range, _)| range.start <= addresses.start);
        self.memory.insert(place, (addresses, node));
    }

    /// The node of a CPU.
    pub fn of_cpu(&self, cpu: u32) -> Option<u32> {
        self.cpus.iter().find(|(_, cpus)| cpus.contains(cpu)).map(|(node, _)| *node)
    }

    /// The node of the memory at a physical address.
    pub fn of_physical(&self, address: u64) -> Option<u32> {
        let place = self.memory.partition_point(|(range, _)| range.start <= address);
        let (range, node) = self.memory.get(place.checked_sub(1)?)?;
        range.contains(&address).then_some(*node)
    }

    /// Returns true if there are several nodes.
    pub fn are_several(&self) -> bool {
        let nodes = || {
            self.cpus.iter().map(|(node, _)| node).chain(self.memory.iter().map(|(_, node)| node))
        };
        nodes().any(|node| Some(node) != nodes().next())
    }
}
