//! The PMUs that have tables here, and their events.

use std::borrow::Cow;
use std::fmt;

use crate::attribute::{Attribute, Speculative};
use crate::family::Family;
use crate::glossary;
use crate::machine::{Layer, Machine, Privilege};
use crate::modifier::PerfAttribute;
use crate::tables::{Marks, Place, Row, Table, VENDORS, hash};

/// Every PMU, vendor by vendor, in the order in which a string without a prefix tries them; the
/// operating system's stand last.
pub fn all() -> impl Iterator<Item = &'static Pmu> {
    VENDORS.iter().flat_map(|vendor| vendor.list).chain(&OS_PMUS)
}

/// The PMU of this name, in any case.
///
/// ```
/// let pmu = counterpoint_pmu::find("SPR").unwrap();
/// assert_eq!((pmu.name, pmu.fixed_counters), ("spr", 4));
/// assert_eq!(pmu.description, "Intel Sapphire Rapids");
/// assert!(pmu.event("l1d").is_some());
/// ```
pub fn find(name: &str) -> Option<&'static Pmu> {
    let hash = hash(name);
    let of_vendors = VENDORS.iter().find_map(|vendor| vendor.find(hash, name));
    of_vendors.or_else(|| OS_PMUS.iter().find(|pmu| pmu.name.eq_ignore_ascii_case(name)))
}

/// The operating system's PMUs, which every machine has.
pub(crate) static OS_PMUS: [Pmu; 2] = [
    Pmu {
        name: "perf",
        description: "The events that Linux itself names",
        number: 51,
        kind: PmuKind::OsGeneric,
        counters: 0,
        fixed_counters: 0,
        most_codes: 1,
        family: Family::Perf,
        table: &Table::EMPTY,
        flags: Flags(0),
        levels: 9,
        revision: 0,
        devices: "",
        machines: "",
    },
    Pmu {
        name: "perf_raw",
        description: "Raw codes for the processor's PMU, written rHEX",
        number: 114,
        kind: PmuKind::OsGeneric,
        counters: 0,
        fixed_counters: 0,
        most_codes: 1,
        family: Family::PerfRaw,
        table: &Table::EMPTY,
        flags: Flags(0),
        levels: 0x19,
        revision: 0,
        devices: "",
        machines: "",
    },
];

/// A performance monitoring unit: a source of events with names.
#[doc(alias = "pfm_pmu_info_t")]
#[non_exhaustive]
pub struct Pmu {
    /// The prefix in event strings, as in `perf::CYCLES`.
    pub name: &'static str,
    /// One line on what it is.
    pub description: &'static str,
    /// Its number in libpfm4's list of PMUs.
    #[doc(alias = "pfm_pmu_t")]
    pub number: u16,
    /// What it is a part of.
    pub kind: PmuKind,
    /// How many counters take any event.
    #[doc(alias = "num_cntrs")]
    pub counters: u16,
    /// How many counters count one event only.
    #[doc(alias = "num_fixed_cntrs")]
    pub fixed_counters: u16,
    /// At most this many codes make an encoding.
    #[doc(alias = "max_encoding")]
    pub most_codes: u8,
    pub(crate) family: Family,
    pub(crate) table: &'static Table,
    pub(crate) flags: Flags,
    /// The privilege levels that it tells apart, as libpfm's mask.
    pub(crate) levels: u8,
    /// Which of the PMUs that share a table has which rows.
    pub(crate) revision: u8,
    pub(crate) devices: &'static str,
    pub(crate) machines: &'static str,
}

impl PartialEq for Pmu {
    fn eq(&self, other: &Pmu) -> bool {
        self.name == other.name
    }
}

impl Eq for Pmu {}

impl fmt::Debug for Pmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pmu").field(&self.name).finish()
    }
}

/// What a PMU is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PmuKind {
    /// A processor core.
    #[doc(alias = "PFM_PMU_TYPE_CORE")]
    Core,
    /// The processor outside its cores.
    #[doc(alias = "PFM_PMU_TYPE_UNCORE")]
    Uncore,
    /// The operating system.
    #[doc(alias = "PFM_PMU_TYPE_OS_GENERIC")]
    OsGeneric,
    /// What libpfm does not say.
    #[doc(alias = "PFM_PMU_TYPE_UNKNOWN")]
    Unknown,
}

/// What is special about a PMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flags(pub(crate) u16);

impl Flags {
    pub(crate) const RAW_UMASK: Flags = Flags(0x1);
    pub(crate) const NO_SMPL: Flags = Flags(0x2);
    pub(crate) const ECMASK: Flags = Flags(0x4);
    pub(crate) const SPEC: Flags = Flags(0x8);
    pub(crate) const EXTPEBS: Flags = Flags(0x10);
    pub(crate) const UNC_CBO: Flags = Flags(0x20);
    pub(crate) const UNC_CHA: Flags = Flags(0x40);
    pub(crate) const UNC_OCC: Flags = Flags(0x80);
    pub(crate) const ARCH_DFL: Flags = Flags(0x100);
    pub(crate) const DEPR: Flags = Flags(0x200);
    pub(crate) const FILTER_INFO: Flags = Flags(0x400);
    pub(crate) const NEEDS_DEVICE: Flags = Flags(0x800);
    /// perf_events controls nothing of it.
    pub(crate) const NO_PERF: Flags = Flags(0x1000);

    pub(crate) fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }
}

impl Pmu {
    /// Its events, as on a machine of which nothing is known.
    pub fn events(&'static self) -> impl Iterator<Item = Event> {
        self.family.events(self).filter(|event| !event.row.marks.has(Marks::OPTIONAL))
    }

    /// The events that it has on a machine: the energy counters of an Intel processor, and the counters of
    /// an IBM Z one, are not the same on all.
    ///
    /// ```
    /// use counterpoint_pmu::{CpuId, Machine, find};
    ///
    /// let pmu = find("cpum_cf").unwrap();
    /// let counts = [2097, 3931].map(|machine| {
    ///     let machine = Machine::of(CpuId::S390x { machine: Some(machine) });
    ///     pmu.events_on(&machine).count()
    /// });
    /// assert_eq!(counts, [46, 98]);
    /// ```
    pub fn events_on<'m>(
        &'static self,
        machine: &'m Machine,
    ) -> impl Iterator<Item = Event> + use<'m> {
        self.family.events(self).filter(|event| self.family.has(event, machine))
    }

    /// The event of this name, in any case; also one that only some machines have.
    pub fn event(&'static self, name: &str) -> Option<Event> {
        self.family.event(self, name, None)
    }

    /// What the kernel may call it in `/sys/bus/event_source/devices`, the preferred name first.
    #[doc(alias = "perf_name")]
    pub fn devices(&self) -> impl Iterator<Item = &'static str> {
        self.devices.split(',').filter(|name| !name.is_empty())
    }

    /// The kernel offers it only where sysfs shows one of its [devices](Pmu::devices).
    pub fn needs_device(&self) -> bool {
        self.flags.has(Flags::NEEDS_DEVICE)
    }

    /// It describes what every processor of its architecture has.
    #[doc(alias = "is_dfl")]
    pub fn is_architectural(&self) -> bool {
        self.flags.has(Flags::ARCH_DFL)
    }

    /// The PMU of what every processor of its architecture has, where the tables have one.
    pub fn architectural(&self) -> Option<&'static Pmu> {
        all().find(|pmu| pmu.is_architectural() && pmu.family == self.family)
    }

    /// A string without a prefix does not mean it, because another PMU has taken its place.
    #[doc(alias = "PFMLIB_PMU_FL_DEPR")]
    pub fn is_deprecated(&self) -> bool {
        self.flags.has(Flags::DEPR)
    }

    /// The privilege levels that it tells apart.
    #[doc(alias = "supported_plm")]
    pub fn privilege(&self) -> Privilege {
        Privilege::from_bits(self.levels.into()).unwrap_or_default()
    }
}

/// An event of a PMU.
#[derive(Clone, Copy)]
#[doc(alias = "pfm_event_info_t")]
#[non_exhaustive]
pub struct Event {
    /// The PMU it belongs to.
    pub pmu: &'static Pmu,
    /// Its name.
    pub name: &'static str,
    /// What it is another name for: an event of the same PMU, possibly with attributes.
    pub equiv: Option<&'static str>,
    /// Its code, without what attributes add.
    pub code: u64,
    pub(crate) row: Row,
    pub(crate) place: Place,
    pub(crate) os: Option<OsEvent>,
}

/// What is known of an event of the operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OsEvent {
    pub(crate) description: &'static str,
    /// `perf_event_attr.type`.
    pub(crate) perf_kind: u32,
    pub(crate) precise: bool,
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        (self.pmu, self.name, self.row) == (other.pmu, other.name, other.row)
    }
}

impl Eq for Event {}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{} {:#x}", self.pmu.name, self.name, self.code)
    }
}

impl Event {
    pub(crate) fn of_table(pmu: &'static Pmu, (place, row): (Place, Row)) -> Event {
        Event {
            pmu,
            name: row.name,
            equiv: place.alias(&row),
            code: row.code,
            row,
            place,
            os: None,
        }
    }

    /// What is counted, in one line.
    #[doc(alias = "desc")]
    pub fn description(&self) -> Cow<'static, str> {
        match self.os {
            Some(os) => Cow::Borrowed(os.description),
            None => Cow::Owned(glossary::describe(self.name)),
        }
    }

    /// It can be sampled without skid, or one of its unit masks can.
    pub fn is_precise(&self) -> bool {
        if let Some(os) = self.os {
            return os.precise;
        }
        self.row.marks.has(Marks::PEBS)
            || self.row.marks.has(Marks::PEBS_MASKS)
                && self.place.masks(self.pmu).any(|mask| mask.has(Marks::PEBS))
    }

    /// Whether it counts on paths that are thrown away, where that is known.
    pub fn speculative(&self) -> Speculative {
        match (self.pmu.flags.has(Flags::SPEC), self.row.marks.has(Marks::SPEC)) {
            (false, _) => Speculative::Unknown,
            (true, true) => Speculative::Yes,
            (true, false) => Speculative::No,
        }
    }

    /// The vendor has given it up.
    pub fn is_deprecated(&self) -> bool {
        self.row.marks.has(Marks::DEPRECATED)
    }

    /// The processor can write the samples itself.
    #[doc(alias = "support_hw_smpl")]
    pub fn hardware_sampling(&self) -> bool {
        self.is_precise() || self.pmu.flags.has(Flags(Flags::EXTPEBS.0 | Flags::UNC_CBO.0))
    }

    /// The counters that may count it, a bit for each, where that is known.
    #[doc(alias = "cntmsk")]
    pub fn counters(&self) -> Option<u64> {
        (self.row.counters != 0).then_some(self.row.counters)
    }

    /// The attributes that a string for this event may name, in libpfm's order: unit masks, the PMU's
    /// modifiers, then those of perf_events. What is left out depends on the machine.
    ///
    /// ```
    /// use counterpoint_pmu::{Layer, Machine, find};
    ///
    /// let event = find("snb").unwrap().event("L2_LINES_IN").unwrap();
    /// let attributes = event.attributes(Layer::Raw, &Machine::default());
    /// let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name).collect();
    /// assert_eq!(names, ["ANY", "E", "I", "S", "k", "u", "e", "i", "c", "t"]);
    /// ```
    #[doc(alias = "pfm_get_event_attr_info")]
    pub fn attributes(&self, layer: Layer, machine: &Machine) -> Vec<Attribute> {
        let family = self.pmu.family;
        let mut attributes = family.umasks(self);
        let own = family.modifiers_of(self, layer);
        attributes.extend(own.map(Attribute::of_modifier));
        let of_perf_events = PerfAttribute::of_set(family.kept(self, layer, machine));
        attributes.extend(of_perf_events.map(Attribute::of_perf));
        for (index, attribute) in attributes.iter_mut().enumerate() {
            attribute.index = index;
        }
        attributes
    }
}
