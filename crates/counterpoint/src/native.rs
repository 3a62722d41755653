//! Native events: what the kernel is asked to open.

use crate::event_id::EventId;
use crate::machine::{Device, Machine};
use counterpoint_perf::{Attr, CpuSet, Exclude, pmu_type};
use counterpoint_pmu::kernel;
use counterpoint_pmu::syntax::Modifiers;

/// An event that the kernel counts by itself, without a formula.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Native {
    /// Its usual name, with the PMU where several have it and with its modifiers.
    pub id: EventId,
    /// What to open; the counts of several boxes are summed.
    pub boxes: Vec<PmuBox>,
    /// What the count is multiplied by, as sysfs says.
    pub scale: Option<f64>,
    /// The unit of the value: `ns` for clocks, or what sysfs says; `None` for plain counts.
    pub unit: Option<String>,
    /// The value is a state at the time of reading, which is not summed.
    pub snapshot: bool,
    /// The event happens in the kernel alone, so that a count without the kernel would be a false 0.
    pub kernel_only: bool,
    /// The event may leave its group when it does not fit (`:W`).
    pub weak: bool,
    /// The counters that may count it, a bit for each, where its table says.
    pub counters: Option<u64>,
}

/// An event on one PMU.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PmuBox {
    /// What to open.
    pub attr: Attr,
    /// The PMU counts for whole packages, and its events are opened on these CPUs.
    pub cpumask: Option<CpuSet>,
    /// The PMU exists on these CPUs only.
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
    /// Whether the kernel counts it in software, so that it never waits for a counter.
    pub fn is_software(&self) -> bool {
        self.boxes.iter().all(|b| matches!(b.attr.kind, pmu_type::SOFTWARE | pmu_type::TRACEPOINT))
    }

    /// Whether it is the same event as `other`, counted in the same way.
    pub fn is_same(&self, other: &Native) -> bool {
        // The same code may have a scale under a name of sysfs, and none as a number.
        let meaning = |native: &Native| (native.scale, native.snapshot);
        self.boxes == other.boxes && meaning(self) == meaning(other)
    }

    /// Whether it is the same event as `other`, perhaps at other levels.
    pub(crate) fn is_same_code(&self, other: &Native) -> bool {
        let code = |b: &PmuBox| (b.attr.kind, b.attr.config, b.attr.config1, b.attr.config2);
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

    /// The same, at these levels only if it names no level itself.
    pub(crate) fn at_levels(self, levels: Modifiers) -> Native {
        let names_none = self.boxes.iter().all(|b| counts_every_level(&b.attr));
        if levels.is_empty() || !names_none { self } else { self.modified(levels) }
    }

    /// Takes over what the kernel's own table says of the event beyond its code.
    pub(crate) fn describe(&mut self, event: &kernel::KernelEvent) {
        self.kernel_only = event.kernel_only;
        self.unit = (event.unit == kernel::Unit::Nanoseconds).then(|| "ns".to_string());
    }
}

/// A generic or raw event; on a hybrid machine one for each core PMU.
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

/// Whether an event names no privilege levels, so that it counts at every level and the kernel may be left out.
pub(crate) fn counts_every_level(attr: &Attr) -> bool {
    let Exclude { user, kernel, hv, .. } = attr.exclude;
    !(user || kernel || hv)
}

/// Leaves out the levels that are not named, if any is.
fn exclude(exclude: &mut Exclude, m: Modifiers) {
    if m.user || m.kernel || m.hypervisor {
        (exclude.user, exclude.kernel, exclude.hv) = (!m.user, !m.kernel, !m.hypervisor);
    }
    if m.host || m.guest {
        (exclude.host, exclude.guest) = (!m.host, !m.guest);
    }
    exclude.idle |= m.exclude_idle;
}
