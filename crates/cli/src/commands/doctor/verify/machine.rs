//! The machine that a trust report is of.

use counterpoint::perf::Host;
use counterpoint::pmu::PmuKind;
use counterpoint::{Machine, environment};

/// The machine that a trust report is of.
pub(super) struct Of {
    /// The name of the processor, as it or its table has it.
    pub(super) cpu: Option<String>,
    /// The release of Linux.
    pub(super) kernel: Option<String>,
    pub(super) virtual_machine: bool,
}

impl Of {
    pub(super) fn new(host: &Host) -> Of {
        let machine = Machine::new(host.clone());
        let mut cores = machine.tables().pmus.iter().filter(|pmu| pmu.kind == PmuKind::Core);
        let named = cores.find(|pmu| !pmu.is_architectural());
        let environment = environment(host);
        Of {
            cpu: environment.cpu.or(named.map(|pmu| pmu.description.to_string())),
            kernel: environment.kernel,
            virtual_machine: host.access().virtual_machine,
        }
    }
}
