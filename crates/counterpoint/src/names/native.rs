//! Native events: the events that the kernel opens.

use super::ids::EventId;
use crate::machine::pmus::{Device, Machine, UNASSIGNED};
use counterpoint_perf::{Attr, CpuSet, Exclude, pmu_type};
use counterpoint_pmu::syntax::Modifiers;
use counterpoint_pmu::{kernel, sysfs};

/// An event that the kernel counts directly, without a formula.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Native {
    /// Its usual name, with its modifiers, and with its PMU if several have the event.
    pub id: EventId,
    /// The attributes to open; the counts of several boxes are added up.
    pub boxes: Vec<PmuBox>,
    /// The factor of the count, from sysfs.
    pub scale: Option<f64>,
    /// The unit of the value: `ns` for clocks, otherwise that of sysfs; `None` for plain counts.
    pub unit: Option<String>,
    /// True if the value is a state at the time of reading, which is not added up.
    pub snapshot: bool,
    /// True if the event occurs only in the kernel, so that a count without the kernel would be a false 0.
    pub kernel_only: bool,
    /// True if the event may leave its group if the group does not fit (`:W`).
    pub weak: bool,
    /// The counters that can count the event, one bit for each, if its table lists them.
    pub counters: Option<u64>,
}

/// An event on one PMU.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PmuBox {
    /// The attributes to open.
    pub attr: Attr,
    /// The CPUs on which the events of a PMU that counts for whole packages are opened.
    pub cpumask: Option<CpuSet>,
    /// The CPUs that have the PMU.
    pub cpus: Option<CpuSet>,
}

impl PmuBox {
    pub(crate) fn anywhere(attr: Attr) -> PmuBox {
        PmuBox { attr, cpumask: None, cpus: None }
    }

    pub(crate) fn on(device: &Device, attr: Attr) -> PmuBox {
        PmuBox { attr, cpumask: device.cpumask.clone(), cpus: device.cpus.clone() }
    }
}

impl Native {
    /// Returns true if the kernel counts it in software, so that it never waits for a counter.
    pub fn is_software(&self) -> bool {
        self.is_tracepoint() || self.boxes.iter().all(|b| b.attr.kind == pmu_type::SOFTWARE)
    }

    /// Returns true if it is a tracepoint of the kernel, or a probe of a program, which becomes one: it may occur so seldom that each occurrence is of interest, and perf samples each.
    pub fn is_tracepoint(&self) -> bool {
        let is_tracepoint = |attr: &Attr| attr.kind == pmu_type::TRACEPOINT || attr.file.is_some();
        self.boxes.iter().all(|b| is_tracepoint(&b.attr))
    }

    /// The type of its PMU; `None` if no box is known, or if the machine is not here, so that no kernel has given its PMU one.
    pub fn kernel_type(&self) -> Option<u32> {
        self.boxes.first().map(|one| one.attr.kind).filter(|kind| *kind < UNASSIGNED)
    }

    /// Returns true if it counts for whole packages, on some CPU of each.
    pub(crate) fn is_of_packages(&self) -> bool {
        self.boxes.iter().all(|b| b.cpumask.is_some())
    }

    /// Returns true if it is the same event as `other`, counted in the same way.
    pub fn is_same(&self, other: &Native) -> bool {
        // The same code may have a scale if it is named in sysfs, but not as a number.
        let unit = |native: &Native| (native.scale, native.snapshot);
        self.boxes == other.boxes && unit(self) == unit(other)
    }

    /// Returns true if it is the same event as `other`, perhaps at other levels.
    pub(crate) fn is_same_code(&self, other: &Native) -> bool {
        let code = |b: &PmuBox| {
            let Attr { kind, config, config1, config2, .. } = b.attr;
            (kind, config, config1, config2, b.attr.file.clone())
        };
        self.boxes.iter().map(code).eq(other.boxes.iter().map(code))
    }

    pub(crate) fn new(id: EventId, modifiers: Modifiers, boxes: Vec<PmuBox>) -> Native {
        let native = Native {
            id,
            boxes,
            scale: None,
            unit: None,
            snapshot: false,
            kernel_only: false,
            weak: modifiers.weak,
            counters: None,
        };
        if modifiers.is_empty() { native } else { native.modified(modifiers) }
    }

    pub(crate) fn modified(mut self, modifiers: Modifiers) -> Native {
        self.id = self.id.with(modifiers);
        for PmuBox { attr, .. } in &mut self.boxes {
            exclude(&mut attr.exclude, modifiers);
            attr.precise = attr.precise.max(modifiers.precise);
            attr.pinned |= modifiers.pinned;
            attr.exclusive |= modifiers.exclusive;
        }
        self
    }

    /// The event restricted to these levels, unless it names levels itself.
    pub(crate) fn at_levels(self, levels: Modifiers) -> Native {
        let names_none = self.boxes.iter().all(|b| counts_every_level(&b.attr));
        if levels.is_empty() || !names_none { self } else { self.modified(levels) }
    }

    /// The event with the scale and the unit that sysfs has for it.
    pub(crate) fn described(self, event: &sysfs::Event) -> Native {
        let (scale, unit, snapshot) = (event.scale, event.unit.clone(), event.snapshot);
        Native { scale, unit, snapshot, ..self }
    }

    /// Applies the facts of the kernel's own table about the event beyond its code.
    pub(crate) fn describe(&mut self, event: &kernel::KernelEvent) {
        self.kernel_only = event.kernel_only;
        self.unit = (event.unit == kernel::Unit::Nanoseconds).then(|| "ns".to_string());
    }
}

/// Returns true for a tracepoint, or a probe, which becomes one.
pub(crate) fn is_tracepoint(attr: &Attr) -> bool {
    attr.kind == pmu_type::TRACEPOINT || attr.file.is_some()
}

/// A generic or raw event; on a hybrid machine, one for each core PMU.
pub(crate) fn on_cores(
    machine: &Machine,
    id: EventId,
    attr: &Attr,
    modifiers: Modifiers,
) -> Vec<Native> {
    let hardware = matches!(attr.kind, pmu_type::HARDWARE | pmu_type::HW_CACHE | pmu_type::RAW);
    let hybrid = if hardware { machine.hybrid_pmus() } else { Vec::new() };
    if hybrid.is_empty() {
        return vec![Native::new(id, modifiers, vec![PmuBox::anywhere(attr.clone())])];
    }
    let name = id.to_string();
    let on = |device: &&Device| {
        let mut attr = attr.clone();
        match attr.kind {
            pmu_type::RAW => attr.kind = device.pmu.kind,
            // The PMU's type in the upper half selects it; without it the kernel chooses one (kernel's perf_event.h).
            _ => attr.config |= u64::from(device.pmu.kind) << 32,
        }
        let id = EventId::terms(&device.pmu.name, &name);
        Native::new(id, modifiers, vec![PmuBox::on(device, attr)])
    };
    hybrid.iter().map(on).collect()
}

/// Returns true if an event names no privilege levels, so that it counts at every level and the kernel may be left out.
pub(crate) fn counts_every_level(attr: &Attr) -> bool {
    let Exclude { user, kernel, hv, .. } = attr.exclude;
    !(user || kernel || hv)
}

/// Excludes the levels that are not named, if any is named.
fn exclude(exclude: &mut Exclude, m: Modifiers) {
    if m.user || m.kernel || m.hypervisor {
        (exclude.user, exclude.kernel, exclude.hv) = (!m.user, !m.kernel, !m.hypervisor);
    }
    if m.host || m.guest {
        (exclude.host, exclude.guest) = (!m.host, !m.guest);
    }
    exclude.idle |= m.exclude_idle;
}
