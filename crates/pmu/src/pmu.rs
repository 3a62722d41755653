//! PMUs, their events, and the families of PMUs that are listed and encoded by the same rules.
//!
//! These types refer to one another, and so they are in one file. [`list`](crate::list) finds PMUs,
//! [`listing`](crate::listing) their events on a machine.

use std::fmt;

use crate::attribute::Speculative;
use crate::counters::set::CounterSet;
use crate::cpu::CpuId;
use crate::encode::error::EncodeError;
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::Request;
use crate::encode::spelling::Spelling;
use crate::layer::Layer;
use crate::modifier::{Modifiers, PerfAttribute};
use crate::plan::demand::Claim;
use crate::privilege::Privilege;
use crate::tables::row::{Marks, Mask, Row, Variant};
use crate::tables::table::{Place, Table};

/// A performance monitoring unit: a source of events with names.
#[doc(alias = "pfm_pmu_info_t")]
#[non_exhaustive]
pub struct Pmu {
    /// The prefix in event strings, as in `perf::CYCLES`.
    pub name: &'static str,
    /// A description in one line.
    pub description: &'static str,
    /// Its number in libpfm4's list of PMUs, or one from 900 on if it is not in that list.
    #[doc(alias = "pfm_pmu_t")]
    pub number: u16,
    /// The part of the machine that it belongs to.
    pub kind: PmuKind,
    /// The number of its general counters, which count many events.
    pub counters: u16,
    /// The number of its fixed counters, which count one event each.
    pub fixed_counters: u16,
    /// The largest number of codes that an encoding has.
    #[doc(alias = "max_encoding")]
    pub most_codes: u8,
    pub(crate) libpfm_counters: (u16, u16),
    pub(crate) limits: Limits,
    pub(crate) family: &'static Family,
    pub(crate) table: &'static Table,
    pub(crate) flags: Flags,
    /// The privilege levels that it distinguishes, as libpfm's mask.
    pub(crate) levels: u8,
    /// Its number among the PMUs that share a table.
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

/// The part of a machine that a PMU belongs to.
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
    /// Unknown to libpfm.
    #[doc(alias = "PFM_PMU_TYPE_UNKNOWN")]
    Unknown,
}

/// Properties of a PMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flags(pub(crate) u32);

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
    /// Its counters and the registers of [`Limits`] decide which events can be counted together.
    pub(crate) const PLANNABLE: Flags = Flags(0x2000);
    /// All counters share one setting of privilege levels.
    pub(crate) const SHARED_LEVELS: Flags = Flags(0x4000);
    /// perf_events' level of the hypervisor can be written for it.
    pub(crate) const HYPERVISOR: Flags = Flags(0x8000);

    pub(crate) fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }
}

/// The registers that the events of a PMU share, and the counters that events of some kinds need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The general counters of each thread while hyper-threading is on; 0 if threads share none.
    pub(crate) per_thread: u16,
    /// The off-core response registers, and their bits.
    pub(crate) offcore: u8,
    pub(crate) offcore_bits: u8,
    /// The code of the event that takes an even counter and the next one; 0 if there is none.
    pub(crate) pairs: u16,
    /// The code of the event that the cycle counter counts; 0 if there is no such counter.
    pub(crate) cycles: u16,
}

impl Limits {
    pub(crate) const NONE: Limits =
        Limits { per_thread: 0, offcore: 0, offcore_bits: 38, pairs: 0, cycles: 0 };
}

impl Pmu {
    /// The names that it may have in `/sys/bus/event_source/devices`, the preferred one first.
    #[doc(alias = "perf_name")]
    pub fn devices(&self) -> impl Iterator<Item = &'static str> {
        self.devices.split(',').filter(|name| !name.is_empty())
    }

    /// The kernel offers it only where sysfs shows one of its [devices](Pmu::devices).
    pub fn needs_device(&self) -> bool {
        self.flags.has(Flags::NEEDS_DEVICE)
    }

    /// It has the events of every processor of its architecture.
    #[doc(alias = "is_dfl")]
    pub fn is_architectural(&self) -> bool {
        self.flags.has(Flags::ARCH_DFL)
    }

    /// A string without a prefix does not find its events, because another PMU has replaced it.
    #[doc(alias = "PFMLIB_PMU_FL_DEPR")]
    pub fn is_deprecated(&self) -> bool {
        self.flags.has(Flags::DEPR)
    }

    /// The privilege levels that it distinguishes.
    #[doc(alias = "supported_plm")]
    #[inline]
    pub fn privilege(&self) -> Privilege {
        Privilege::from_bits(self.levels.into()).unwrap_or_default()
    }

    /// The numbers of counters and of fixed counters that libpfm4 reports, which are not always the processor's.
    #[doc(alias = "num_cntrs")]
    #[doc(alias = "num_fixed_cntrs")]
    pub fn libpfm_counters(&self) -> (u16, u16) {
        self.libpfm_counters
    }

    #[inline]
    pub(crate) fn variant(&self) -> Variant {
        Variant { pmu: self.name, revision: self.revision }
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
    /// The event that it is another name for: of the same PMU, possibly with attributes.
    pub equiv: Option<&'static str>,
    /// Its code, without the bits of attributes.
    pub code: u64,
    pub(crate) row: Row,
    pub(crate) place: Place,
    pub(crate) os: Option<OsEvent>,
}

/// The properties of an event of the operating system.
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
    #[inline]
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

    /// A description in one line, or `None` if the tables have none.
    ///
    /// The tables describe the events that are used most. [`vendor`](crate::vendor) reads those of vendors.
    #[doc(alias = "desc")]
    pub fn description(&self) -> Option<&'static str> {
        match self.os {
            Some(os) => Some(os.description),
            None => self.place.description(),
        }
    }

    /// It can be sampled without skid, or one of its unit masks can.
    pub fn is_precise(&self) -> bool {
        if let Some(os) = self.os {
            return os.precise;
        }
        self.row.marks.has(Marks::PEBS)
            || self.row.marks.has(Marks::PEBS_MASKS)
                && self.masks().any(|mask| mask.has(Marks::PEBS))
    }

    /// The counts on paths that are thrown away, where that is known.
    pub fn speculative(&self) -> Speculative {
        match (self.pmu.flags.has(Flags::SPEC), self.row.marks.has(Marks::SPEC)) {
            (false, _) => Speculative::Unknown,
            (true, true) => Speculative::Yes,
            (true, false) => Speculative::No,
        }
    }

    /// The vendor has deprecated it.
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

    /// Every unit mask that its PMU has.
    pub(crate) fn masks(&self) -> impl Iterator<Item = Mask> + use<> {
        self.place.masks(self.pmu.variant())
    }

    /// The unit masks of a group.
    pub(crate) fn group(&self, group: u8) -> impl Iterator<Item = Mask> + use<> {
        self.place.group(self.pmu.variant(), group)
    }

    /// The unit masks of a group that apply when none of it is named.
    pub(crate) fn defaults(&self, group: u8) -> impl Iterator<Item = Mask> + use<> {
        self.place.defaults(self.pmu.variant(), group)
    }
}

/// The rules by which the events of related PMUs are listed, encoded and placed on counters.
///
/// A family has a file in [`family`](crate::family) with a `static FAMILY`; the word in the lists of PMUs is the name of the
/// file. [`PLAIN`](crate::family::plain::PLAIN) has the rules that most of them share.
pub(crate) struct Family {
    pub(crate) modifiers: Modifiers,
    /// libpfm gives all modifiers one number, so that only the first that is written counts.
    pub(crate) one_number: bool,
    /// The code of a unit mask is a register image, in which it begins at bit 8.
    pub(crate) masks_are_registers: bool,
    /// The canonical string names all unit masks, also those that apply by default.
    pub(crate) names_all_masks: bool,
    /// Its events have codes in place of names.
    pub(crate) is_raw: bool,
    /// The number of a processor that `models=` of an event is compared with.
    pub(crate) model: fn(&CpuId) -> Option<u32>,
    /// Its events, if they are not those of a table.
    pub(crate) own: Option<OwnEvents>,
    /// Of a set of perf_events' attributes, those that the event cannot have on a machine that distinguishes these levels.
    pub(crate) left_out: fn(&Event, u32, Privilege) -> u32,
    /// Its events can be counted at all levels that the machine distinguishes.
    pub(crate) has_all_levels: bool,
    /// The register images; the levels are those that count by default. Default unit masks are added to the request.
    pub(crate) program: fn(&Event, &mut Request, Privilege) -> Result<Programmed, EncodeError>,
    /// The fields for `perf_event_open`; the number is the type of the PMU's device.
    pub(crate) perf: fn(&Event, &Request, &Programmed, Option<u32>) -> Result<Words, EncodeError>,
    /// Writes the modifiers as libpfm prints them, after the unit masks.
    pub(crate) print: fn(&Event, &Request, &Programmed, Layer, &mut Spelling),
    /// The counters of a PMU that can count a code, of those that the tables name for it, if they do.
    pub(crate) counters: fn(&Pmu, CounterSet, u64, Option<u64>) -> u64,
    /// The value that these register images need in a register that events share.
    pub(crate) claim: fn(&Pmu, &[u64]) -> Option<Claim>,
    /// The code that counts a hardware event of the kernel, if a fixed counter may count it.
    pub(crate) kernel_code: fn(&Pmu, u64) -> Option<u64>,
}

/// The events of a family without tables.
pub(crate) struct OwnEvents {
    /// Those of a PMU, also those that only some machines have.
    pub(crate) all: fn(&'static Pmu) -> Box<dyn Iterator<Item = Event>>,
    /// The event of this name, in any case.
    pub(crate) find: fn(&'static Pmu, &str) -> Option<Event>,
    /// Returns true if the machine has this event.
    pub(crate) has: fn(&Event, &Known<'_>) -> bool,
    pub(crate) masks: fn(&Event) -> Vec<Mask>,
    /// A unit mask's description.
    pub(crate) describe: fn(&Mask) -> Option<&'static str>,
}

/// The properties of a machine that decide which events it has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) cpu: Option<&'a CpuId>,
    /// The named events of the processor's PMU in sysfs.
    pub(crate) core_events: &'a [String],
}

impl Family {
    /// The modifiers that an event takes at a layer, a bit for each.
    #[inline]
    pub(crate) fn taken(&self, event: &Event, layer: Layer) -> u32 {
        event.row.modifiers & self.modifiers.at(layer)
    }

    /// The levels that an event can be counted at, on a machine that distinguishes these.
    #[inline]
    pub(crate) fn privilege(&self, event: &Event, levels: Privilege) -> Privilege {
        if self.has_all_levels { levels } else { event.pmu.privilege() }
    }

    /// The attributes of perf_events that an event can have at a layer, a bit for each.
    #[inline]
    pub(crate) fn kept(&self, event: &Event, layer: Layer, levels: Privilege) -> u32 {
        let of_layer = PerfAttribute::of_layer(layer);
        if of_layer == 0 { 0 } else { of_layer & !(self.left_out)(event, of_layer, levels) }
    }
}
