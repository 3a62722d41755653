//! The context of an encoding: the layer, the levels to count at, and the machine.

use std::collections::BTreeMap;

use crate::cpu::CpuId;
use crate::detect::detect;
use crate::layer::Layer;
use crate::list::OS_PMUS;
use crate::pmu::{Known, Pmu, PmuKind};
use crate::privilege::Privilege;

/// The context that an event string is encoded in.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Context {
    /// The interface that the event is encoded for; it decides which attributes a string may have.
    #[doc(alias = "pfm_os_t")]
    pub layer: Layer,
    /// The levels to count at when a string names none.
    #[doc(alias = "dfl_plm")]
    pub privilege: Privilege,
    /// The machine.
    pub machine: Machine,
}

impl Context {
    /// Counting in user space and in the kernel, on an unknown machine.
    pub fn new(layer: Layer) -> Context {
        let privilege = Privilege::USER | Privilege::KERNEL;
        Context { layer, privilege, machine: Machine::default() }
    }
}

/// The properties of a machine that the encoding of a string depends on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Machine {
    /// The PMUs that a string without a prefix may mean, in the order in which they are tried.
    /// A prefix reaches every PMU.
    pub pmus: Vec<&'static Pmu>,
    /// The identity of the processor, if it is known: the PMU `rapl` has other events on others.
    pub cpu: Option<CpuId>,
    /// The kernel offers `perf_event_open`; without it only [`Layer::Raw`] is encoded.
    pub perf_events: bool,
    /// The levels that the processor's PMU distinguishes. A machine of which no PMU is known counts
    /// as knowing user, kernel and hypervisor, as in libpfm.
    #[doc(alias = "supported_plm")]
    pub privilege: Privilege,
    /// `perf_event_attr.type` of the PMUs that sysfs shows, by the names of their directories in
    /// `/sys/bus/event_source/devices`.
    pub devices: BTreeMap<String, u32>,
    /// The named events of the processor's PMU in sysfs; `perf::slots` exists where it is one of them.
    pub core_events: Vec<String>,
}

impl Machine {
    /// A machine with this processor, and all PMUs that such processors have.
    ///
    /// ```
    /// use counterpoint_pmu::{Context, CpuId, Layer, Machine, encode};
    ///
    /// let cpu = CpuId::Arm { cores: vec![(0x41, 0xd0c)] };
    /// let mut context = Context::new(Layer::Raw);
    /// context.machine = Machine::of(cpu);
    /// let encoding = encode("L1D_CACHE_REFILL", &context).unwrap();
    /// assert_eq!((encoding.pmu, encoding.codes[0] & 0xffff), ("arm_n1", 3));
    /// ```
    pub fn of(cpu: CpuId) -> Machine {
        let machine = Machine::with(detect(&cpu));
        Machine { cpu: Some(cpu), ..machine }
    }

    /// A machine with these PMUs, as [`detect`](crate::detect) finds them, and those of the operating
    /// system after them.
    pub fn with(pmus: Vec<&'static Pmu>) -> Machine {
        let mut machine = Machine::default();
        if let Some(core) = pmus.iter().find(|pmu| pmu.kind == PmuKind::Core) {
            machine.privilege = core.privilege();
        }
        machine.pmus.splice(0..0, pmus);
        machine
    }

    /// The same with the devices that sysfs shows: PMUs that exist only as a device are left out if it is missing.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use counterpoint_pmu::{Machine, find};
    ///
    /// let pmus = ["spr", "spr_unc_cha0", "spr_unc_cha1"].into_iter().filter_map(find).collect();
    /// let devices = BTreeMap::from([("uncore_cha_0".to_owned(), 31)]);
    /// let machine = Machine::with(pmus).showing(devices);
    /// let names: Vec<&str> = machine.pmus.iter().map(|pmu| pmu.name).collect();
    /// assert_eq!(names, ["spr", "spr_unc_cha0", "perf", "perf_raw"]);
    /// ```
    pub fn showing(mut self, devices: BTreeMap<String, u32>) -> Machine {
        self.pmus.retain(|pmu| {
            !pmu.needs_device() || pmu.devices().any(|name| devices.contains_key(name))
        });
        self.devices = devices;
        self
    }

    pub(crate) fn known(&self) -> Known<'_> {
        Known { cpu: self.cpu.as_ref(), core_events: &self.core_events }
    }

    /// The type of the first of a PMU's devices that sysfs shows.
    pub(crate) fn device(&self, pmu: &Pmu) -> Option<u32> {
        if pmu.devices.is_empty() || self.devices.is_empty() {
            return None;
        }
        pmu.devices().find_map(|name| self.devices.get(name).copied())
    }
}

impl Default for Machine {
    fn default() -> Machine {
        Machine {
            pmus: OS_PMUS.iter().collect(),
            cpu: None,
            perf_events: true,
            privilege: Privilege::USER | Privilege::KERNEL | Privilege::HYPERVISOR,
            devices: BTreeMap::new(),
            core_events: Vec::new(),
        }
    }
}
