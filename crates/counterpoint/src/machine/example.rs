//! Examples of machines that are not here: they have a value for each fact of a machine that metrics ask for.

use super::pmus::Machine;
use counterpoint_perf::Host;
use counterpoint_pmu::{CpuId, Pmu};
use std::collections::BTreeMap;
use std::path::PathBuf;

impl Machine {
    /// A machine with the cores of this PMU of the tables, as [`Machine::of_pmu`], of which every fact that metrics ask for
    /// is known: it has one core of one thread, and a clock of 2 GHz. It answers what can be counted, not how much.
    pub fn example(pmu: &'static Pmu) -> Machine {
        let slots = (PathBuf::from(SLOTS), "0x8".to_string());
        let is_arm = matches!(pmu.processor(), Some(CpuId::Arm { .. }));
        let files = one_core("vendor_id\t: GenuineIntel", 1).into_iter();
        Machine::of_pmu(pmu).with_facts_of(host(files.chain(is_arm.then_some(slots))))
    }

    /// A machine with the processor that the text of a `/proc/cpuinfo` names, with one core of two threads.
    pub fn example_of(cpuinfo: &str) -> Machine {
        Machine::new(host(one_core(cpuinfo, 2)))
    }
}

/// The width of an Arm core, which only its driver knows.
const SLOTS: &str = "/sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots";

fn host(files: impl IntoIterator<Item = (PathBuf, String)>) -> Host {
    let files = files.into_iter().map(|(path, text)| (path, text.into_bytes()));
    Host::with_files(files.collect::<BTreeMap<PathBuf, Vec<u8>>>())
}

/// The files of a machine with one core, for facts that do not depend on its units.
fn one_core(cpuinfo: &str, threads: usize) -> BTreeMap<PathBuf, String> {
    let (cpus, smt) = if threads > 1 { ("0-1\n", "1\n") } else { ("0\n", "0\n") };
    let model = "model name\t: an example @ 2.00GHz\n";
    let mut files = BTreeMap::from([
        (PathBuf::from("/proc/cpuinfo"), format!("{}\n{model}", cpuinfo.trim_end())),
        (PathBuf::from("/proc/sys/kernel/perf_event_paranoid"), "2\n".to_string()),
        (PathBuf::from("/sys/devices/system/cpu/online"), cpus.to_string()),
        (PathBuf::from("/sys/devices/system/cpu/smt/active"), smt.to_string()),
    ]);
    for cpu in 0..threads {
        let topology = PathBuf::from(format!("/sys/devices/system/cpu/cpu{cpu}/topology"));
        for list in ["core_cpus_list", "die_cpus_list", "package_cpus_list"] {
            files.insert(topology.join(list), cpus.to_string());
        }
    }
    files
}
