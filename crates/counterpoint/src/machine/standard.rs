//! The PMUs that Linux usually shows, of a machine that shows none: one of `--pmu`, or of which only the processor is known.

use super::pmus::{Device, Machine, Standard, UNASSIGNED, Unit};
use counterpoint_pmu::vendor::{Event, Events, is_box_of};
use counterpoint_pmu::{CpuId, Layer, Pmu, PmuKind, all, sysfs};
use std::cell::OnceCell;

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
            let is_core =
                |name: &String| self.standard_core().is_some_and(|core| core.pmu.name == *name);
            // Where the kernel's names have the number of a cluster, units have a comma.
            let of_vendor =
                self.vendor().unit_pmus().into_iter().map(|name| name.replace(',', "_"));
            let mut names: Vec<String> = of_vendor.filter(|name| !is_core(name)).collect();
            for pmu in uncore_of(&cpu) {
                let is_new = |device: &&str| !names.iter().any(|name| is_box_of(device, name));
                let device = pmu.devices().next().filter(is_new);
                names.extend(device.map(|name| name.trim_end_matches(is_number).to_owned()));
            }
            let unit = |(kind, name): (u32, String)| {
                let pmu = sysfs::standard_unit(&cpu, &name, kind);
                let device = Device { pmu, cpumask: None, cpus: None };
                Unit { device, counters: OnceCell::new() }
            };
            (FIRST_OF_UNITS..).zip(names).map(unit).collect()
        })
    }

    /// The counters of a unit that count any of its events, a bit for each; 0 if the vendor does not say.
    pub(crate) fn counters_of(&self, unit: &Unit) -> u64 {
        *unit.counters.get_or_init(|| {
            let all = self.vendor().iter().filter(|event| event.is_on(unit.name(), false));
            let named = all.filter_map(|event| event.counters).fold(0, |all, of| all | of);
            let Some(cpu) = self.cpu().filter(|_| named == 0) else { return named };
            let is_box = |pmu: &&Pmu| pmu.devices().any(|device| is_box_of(device, unit.name()));
            let of_table = || Some((1 << uncore_of(&cpu).find(is_box)?.counters) - 1);
            sysfs::unit_counters(&cpu, unit.name()).or_else(of_table).unwrap_or(0)
        })
    }

    /// Returns true if an event is that of a PMU beside the cores whose events have a register each.
    pub(crate) fn has_own_register(&self, kind: u32) -> bool {
        self.standard().others.iter().any(|other| other.pmu.kind == kind)
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
