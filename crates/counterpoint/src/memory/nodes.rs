//! The nodes of a machine's memory.

use counterpoint_perf::CpuSet;
use std::ops::Range;

/// The nodes of a machine (NUMA): which CPUs and which memory each has.
///
/// ```
/// use counterpoint::memory::Nodes;
///
/// let cpus = [(0, "0-3".parse()?), (1, "4-7".parse()?)];
/// let nodes = Nodes::new(&cpus, vec![(1, 0x1_0000_0000..0x2_0000_0000)]);
/// assert_eq!((nodes.of_cpu(5), nodes.of_physical(0x1_2345_6000)), (Some(1), Some(1)));
/// assert_eq!((nodes.of_cpu(8), nodes.of_physical(0x1000)), (None, None));
/// # Ok::<(), counterpoint::perf::CpuListError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "NUMA")]
pub struct Nodes {
    /// The node of each CPU, by its number.
    cpus: Vec<Option<u32>>,
    /// By their first addresses.
    memory: Vec<(u32, Range<u64>)>,
    are_several: bool,
}

impl Nodes {
    /// The CPUs of each node, by its number, and the physical addresses of its memory.
    pub fn new(cpus: &[(u32, CpuSet)], mut memory: Vec<(u32, Range<u64>)>) -> Nodes {
        let of_cpus = cpus.iter().map(|(node, _)| *node);
        let numbers: Vec<u32> = of_cpus.chain(memory.iter().map(|(node, _)| *node)).collect();
        memory.sort_by_key(|(_, range)| range.start);
        let mut of_cpu = Vec::new();
        for (node, cpu) in cpus.iter().flat_map(|(node, of)| of.iter().map(|cpu| (*node, cpu))) {
            let cpu = cpu as usize;
            of_cpu.resize(of_cpu.len().max(cpu + 1), None);
            of_cpu[cpu] = Some(node);
        }
        let are_several = numbers.iter().any(|node| Some(node) != numbers.first());
        Nodes { cpus: of_cpu, memory, are_several }
    }

    /// The node of a CPU.
    pub fn of_cpu(&self, cpu: u32) -> Option<u32> {
        self.cpus.get(cpu as usize).copied()?
    }

    /// The node of the memory at a physical address.
    pub fn of_physical(&self, address: u64) -> Option<u32> {
        let place = self.memory.partition_point(|(_, range)| range.start <= address);
        let (node, range) = self.memory.get(place.checked_sub(1)?)?;
        range.contains(&address).then_some(*node)
    }

    /// Returns true if there are several nodes.
    pub fn are_several(&self) -> bool {
        self.are_several
    }
}
