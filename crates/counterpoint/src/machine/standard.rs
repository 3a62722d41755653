//! The PMUs that Linux usually shows, of a machine that shows none: one of `--pmu`, or of which only the processor is known.

use super::pmus::{Device, Machine, Standard, UNASSIGNED, Unit};
use counterpoint_perf::{Attr, pmu_type};
use counterpoint_pmu::vendor::{Event, Events, is_box_of};
use counterpoint_pmu::{CpuId, Layer, Pmu, PmuKind, all, detect, sysfs, units_beside};

impl Machine {
    /// The PMU of the cores as Linux usually shows it, of a machine that shows none.
    pub(crate) fn standard_core(&self) -> Option<&Device> {
        self.standard().core.as_ref()
    }

    /// The PMU of a name, of a machine that shows no PMU at all: where there are others, this one is missing.
    pub(crate) fn standard_named(&self, name: &str) -> Option<&Device> {
        if !self.pmu_names().is_empty() {
            return None;
        }
        let Standard { core, cores, others } = self.standard();
        let mut known = core.iter().chain(cores).chain(others);
        known
            .find(|device| device.pmu.name == name)
            .or_else(|| Some(&self.unit_named(name)?.device))
    }

    /// The unit of this name, or that has a box of this name, with or without `uncore_`.
    pub(crate) fn unit_named(&self, name: &str) -> Option<&Unit> {
        let with_prefix = format!("uncore_{name}");
        let names = [name, &with_prefix];
        let is_it = |unit: &&Unit| names.iter().any(|name| is_box_of(name, unit.name()));
        self.units().iter().find(is_it)
    }

    /// The units beside the cores that the vendor's events and the tables name, of a machine of which nothing but a PMU of
    /// the tables is known.
    pub(crate) fn units(&self) -> &[Unit] {
        self.units.get_or_init(|| {
            let (Some(_), Some(cpu)) = (self.only_pmu(), self.cpu()) else { return Vec::new() };
            let is_of_core =
                |name: &String| self.standard_core().is_some_and(|core| core.pmu.name == *name);
            // Where the kernel's names have the number of a cluster, units have a comma.
            let of_vendor =
                self.vendor().unit_pmus().into_iter().map(|name| name.replace(',', "_"));
            let mut names: Vec<String> = of_vendor.filter(|name| !is_of_core(name)).collect();
            for pmu in uncore_of(&cpu) {
                let is_new = |device: &&str| !names.iter().any(|name| is_box_of(device, name));
                let device = pmu.devices().next().filter(is_new);
                names.extend(device.map(|name| name.trim_end_matches(is_number).to_owned()));
            }
            let beside = self.table_of_cores().map(units_beside).unwrap_or_default();
            let unit = |(kind, name): (u32, String)| {
                let pmu = sysfs::standard_unit(&cpu, &name, kind);
                let device = Device { pmu, cpumask: None, cpus: None };
                let of_table = self.table_of(&name).map(|pmu| pmu.name.to_string());
                let other =
                    || beside.iter().find(|(_, unit)| *unit == name).map(|(of, _)| of.clone());
                Unit { device, table_name: of_table.or_else(other).unwrap_or(name) }
            };
            (FIRST_OF_UNITS..).zip(names).map(unit).collect()
        })
    }

    /// The counters of a unit, or of one of its boxes, that count any of its events, a bit for each; 0 if nobody says.
    pub(crate) fn counters_of(&self, unit: &str) -> u64 {
        if let Some(counters) = self.unit_counters.borrow().get(unit) {
            return *counters;
        }
        let counters = self.known_counters(unit).unwrap_or(0);
        self.unit_counters.borrow_mut().insert(unit.to_string(), counters);
        counters
    }

    fn known_counters(&self, unit: &str) -> Option<u64> {
        let all = self.vendor().iter().filter(|event| event.is_on(unit, false));
        let named = all.filter_map(|event| event.counters).fold(0, |all, of| all | of);
        if named != 0 {
            return Some(named);
        }
        let of_table = || Some((1 << self.table_of(unit)?.counters) - 1);
        sysfs::unit_counters(&self.cpu()?, unit).or_else(of_table)
    }

    /// The table of a unit, or of the first of its boxes; the one that alone is known of a machine comes first.
    pub(crate) fn table_of(&self, unit: &str) -> Option<&'static Pmu> {
        let is_box =
            |pmu: &&Pmu| pmu.devices().any(|device| device == unit || is_box_of(device, unit));
        let only = self.only_pmu().filter(|only| only.kind == PmuKind::Uncore);
        only.filter(is_box).or_else(|| uncore_of(&self.cpu()?).find(is_box))
    }

    /// The table of the cores of the processor, of whichever of its PMUs the machine was made.
    pub(crate) fn table_of_cores(&self) -> Option<&'static Pmu> {
        detect(&self.cpu()?).into_iter().find(|pmu| is_core(pmu))
    }

    /// Returns true if an event has a register of its own, so that no other keeps it from being counted.
    pub(crate) fn has_own_register(&self, attr: &Attr) -> bool {
        // Those of the kernel's own kinds are of no such PMU, and need no table.
        if attr.kind <= pmu_type::BREAKPOINT {
            return false;
        }
        let shown = self.tables().devices.iter().filter(|(_, kind)| **kind == attr.kind);
        let others =
            self.standard().others.iter().chain(self.units().iter().map(|unit| &unit.device));
        let others = others.filter(|device| device.pmu.kind == attr.kind);
        let mut names = shown.map(|(name, _)| name).chain(others.map(|device| &device.pmu.name));
        names.any(|name| sysfs::has_own_register(name, attr.config))
    }

    /// Returns true if a PMU is that of cores, or stands for it.
    pub(crate) fn is_core(&self, device: &Device) -> bool {
        let is_standard = || {
            let Standard { core, cores, .. } = self.standard();
            core.iter().chain(cores).any(|core| core.pmu.name == device.pmu.name)
        };
        self.core_names().contains(&device.pmu.name) || is_standard()
    }

    /// Returns true if the events of every kind of cores may be those of a PMU: a machine that shows no PMU of its cores
    /// does not tell their kinds apart.
    pub(crate) fn is_of_any_core(&self, device: &Device) -> bool {
        self.is_core(device) && self.core_names().is_empty() && !is_kind(&device.pmu.name)
    }

    fn standard(&self) -> &Standard {
        self.standard.get_or_init(|| self.expected().unwrap_or_default())
    }

    fn expected(&self) -> Option<Standard> {
        if !self.core_pmus().is_empty() {
            return None;
        }
        let cpu = self.cpu()?;
        let only = || self.only_pmu().into_iter().flat_map(|only| only.devices());
        let kind = only().find_map(|name| self.tables().devices.get(name)).copied();
        let events = Events::built_in(&cpu);
        let core = |name: Option<&str>, levels: u8| {
            let mut pmu = sysfs::standard_core(&cpu, levels)?;
            pmu.name = name.unwrap_or(&pmu.name).to_string();
            pmu.kind = kind.unwrap_or(pmu.kind);
            if levels == 0 {
                count_topdown(&mut pmu, &events);
            }
            Some(Device { pmu, cpumask: None, cpus: None })
        };
        let mut others = Vec::new();
        let mut kinds = self.tables().pmus.iter().filter(|pmu| is_core(pmu)).peekable();
        // What a processor without a table has is unknown.
        let levels = kinds.peek().map_or(2, |first| self.topdown_levels(first));
        let mut cores = Vec::new();
        for pmu in kinds {
            let name = pmu.devices().find(|name| is_kind(name));
            cores.extend(name.and_then(|name| core(Some(name), self.topdown_levels(pmu))));
        }
        if !self.host().is_running() {
            let device = |(kind, mut pmu): (u32, sysfs::Pmu)| {
                pmu.kind = kind;
                Device { pmu, cpumask: None, cpus: None }
            };
            let known = sysfs::standard_others(&cpu, UNASSIGNED);
            others.extend((FIRST_OF_OTHERS..).zip(known).map(device));
        }
        if let CpuId::Arm { .. } = cpu {
            cores.extend(core(Some(FIRST_OF_ARM), levels));
        }
        Some(Standard { core: core(None, levels), cores, others })
    }

    /// The levels of top-down metrics that a core has in a register.
    fn topdown_levels(&self, core: &'static Pmu) -> u8 {
        let events = ["TOPDOWN_M", "TOPDOWN"].into_iter().filter_map(|name| core.event(name));
        let attributes = events.flat_map(|event| event.attributes(Layer::Raw, self.tables()));
        let names: Vec<&str> = attributes.map(|attribute| attribute.name).collect();
        let has = |begin: &str| names.iter().any(|name| name.starts_with(begin));
        // The first level is older than names for its parts in the vendors' files.
        if has("MEMORY_BOUND") { 2 } else { u8::from(has("RETIRING") || has("BACKEND_BOUND")) }
    }
}

/// The kernel's names for the events by which a core counts the parts of its slots, where no register has them.
const TOPDOWN: [(&str, &str); 4] = [
    ("topdown-retiring", "TOPDOWN_RETIRING.ALL"),
    ("topdown-bad-spec", "TOPDOWN_BAD_SPECULATION.ALL"),
    ("topdown-fe-bound", "TOPDOWN_FE_BOUND.ALL"),
    ("topdown-be-bound", "TOPDOWN_BE_BOUND.ALL"),
];

fn count_topdown(pmu: &mut sysfs::Pmu, events: &Events) {
    for (name, event) in TOPDOWN {
        let is_here = |event: &Event| event.is_on(&pmu.name, true);
        let Some(event) = events.named(event).find(|event| is_here(event)) else { continue };
        let mut event = event.for_pmu(pmu);
        event.name = name.to_string();
        pmu.events.push(event);
    }
}

/// The PMUs of the tables beside the cores of a processor.
fn uncore_of(cpu: &CpuId) -> impl Iterator<Item = &'static Pmu> {
    all().filter(|pmu| pmu.kind == PmuKind::Uncore && pmu.is_of(cpu))
}

/// Returns true for what may stand after the name of a unit in that of a box.
fn is_number(c: char) -> bool {
    c == '_' || c.is_ascii_digit()
}

/// The types of the PMUs beside the cores, each its own; the kernel's are smaller.
const FIRST_OF_OTHERS: u32 = UNASSIGNED + 1;
const FIRST_OF_UNITS: u32 = UNASSIGNED + 0x100;

/// The PMU of the first kind of Arm's cores, by the number that Linux gives it.
const FIRST_OF_ARM: &str = "armv8_pmuv3_0";

fn is_core(pmu: &Pmu) -> bool {
    pmu.kind == PmuKind::Core && !pmu.is_architectural()
}

/// Returns true if a PMU is that of one kind of cores of a hybrid processor.
fn is_kind(name: &str) -> bool {
    name.starts_with("cpu_")
}
