//! What a string is encoded for: the layer, the levels to count at, and the machine.

use std::collections::BTreeMap;

use crate::detect::{CpuId, detect};
use crate::pmu::{self, Pmu, PmuKind};

/// What an event string is encoded for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Context {
    /// For whom the event is encoded; decides which attributes a string may have.
    #[doc(alias = "pfm_os_t")]
    pub layer: Layer,
    /// The levels to count at when a string names none.
    #[doc(alias = "dfl_plm")]
    pub privilege: Privilege,
    /// The machine.
    pub machine: Machine,
}

impl Context {
    /// Counting in user space and in the kernel, on a machine of which nothing is known.
    pub fn new(layer: Layer) -> Context {
        let privilege = Privilege::USER | Privilege::KERNEL;
        Context { layer, privilege, machine: Machine::default() }
    }
}

/// Who programs the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// Whoever writes the registers: the PMU's own attributes and nothing else.
    #[doc(alias = "PFM_OS_NONE")]
    Raw,
    /// `perf_event_open`, with the attributes that choose whom to count.
    #[doc(alias = "PFM_OS_PERF_EVENT")]
    PerfEvent,
    /// `perf_event_open`, with everything that it controls, such as the sampling period.
    #[doc(alias = "PFM_OS_PERF_EVENT_EXT")]
    PerfEventExt,
}

/// A set of privilege levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Privilege(u8);

impl Privilege {
    /// No level.
    pub const NONE: Privilege = Privilege(0);
    /// The kernel.
    #[doc(alias = "PFM_PLM0")]
    pub const KERNEL: Privilege = Privilege(1);
    /// Level 1, which few processors have.
    #[doc(alias = "PFM_PLM1")]
    pub const LEVEL1: Privilege = Privilege(2);
    /// Level 2, which few processors have.
    #[doc(alias = "PFM_PLM2")]
    pub const LEVEL2: Privilege = Privilege(4);
    /// User space.
    #[doc(alias = "PFM_PLM3")]
    pub const USER: Privilege = Privilege(8);
    /// The hypervisor.
    #[doc(alias = "PFM_PLMH")]
    pub const HYPERVISOR: Privilege = Privilege(16);
    /// Every level.
    pub const ALL: Privilege = Privilege(31);

    /// The levels of libpfm's mask; `None` if it has other bits.
    #[doc(alias = "PFM_ERR_INVAL")]
    pub fn from_bits(bits: u32) -> Option<Privilege> {
        u8::try_from(bits).ok().filter(|bits| bits & !Privilege::ALL.0 == 0).map(Privilege)
    }

    /// libpfm's mask.
    pub fn bits(self) -> u32 {
        self.0.into()
    }

    /// All of these levels are in the set.
    pub fn contains(self, levels: Privilege) -> bool {
        self.0 & levels.0 == levels.0
    }
}

impl std::ops::BitOr for Privilege {
    type Output = Privilege;

    fn bitor(self, other: Privilege) -> Privilege {
        Privilege(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Privilege {
    fn bitor_assign(&mut self, other: Privilege) {
        *self = *self | other;
    }
}

impl std::ops::Not for Privilege {
    type Output = Privilege;

    /// The other levels.
    fn not(self) -> Privilege {
        Privilege(!self.0 & Privilege::ALL.0)
    }
}

/// What the encoding of a string depends on in a machine.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Machine {
    /// The PMUs that a string without a prefix may mean, in the order in which they are tried.
    /// A prefix reaches every PMU.
    pub pmus: Vec<&'static Pmu>,
    /// What identifies the processor, where that is known: the PMU `rapl` has other events on others.
    pub cpu: Option<CpuId>,
    /// The kernel offers `perf_event_open`; without it only [`Layer::Raw`] is encoded.
    pub perf_events: bool,
    /// The levels that the processor's PMU tells apart. A machine of which no PMU is known counts
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

    /// The same with what sysfs shows: PMUs that exist only as a device are left out where it is missing.
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
            pmus: pmu::OS_PMUS.iter().collect(),
            cpu: None,
            perf_events: true,
            privilege: Privilege::USER | Privilege::KERNEL | Privilege::HYPERVISOR,
            devices: BTreeMap::new(),
            core_events: Vec::new(),
        }
    }
}
