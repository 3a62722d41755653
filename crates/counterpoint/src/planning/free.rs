//! The counters of a machine that are free for events.

use crate::machine::pmus::Machine;
use crate::names::finders::table::stem;
use crate::names::native::Native;
use counterpoint_perf::{Attr, pmu_type};
use counterpoint_pmu::counters::{self, CounterSet, FIXED};
use counterpoint_pmu::kernel::Group;
use counterpoint_pmu::plan::Demand;
use counterpoint_pmu::{CpuId, Pmu, PmuKind, Privilege, kernel};

/// The counters of a PMU, and those of them that are taken.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Free {
    /// The PMU.
    pub pmu: &'static Pmu,
    /// All counters in the tables.
    pub all: CounterSet,
    /// The counters that are not free.
    pub taken: Vec<Taken>,
}

/// Counters that are not free, by reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Taken {
    /// The watchdog of the kernel uses a counter for cycles (`kernel.nmi_watchdog`).
    NmiWatchdog {
        /// The counter, as one bit.
        counters: u64,
    },
    /// The other hardware thread of the core has half of the counters.
    OtherThread {
        /// The counters, one bit for each.
        counters: u64,
    },
}

impl Taken {
    /// The counters, one bit for each.
    pub fn counters(self) -> u64 {
        match self {
            Taken::NmiWatchdog { counters } | Taken::OtherThread { counters } => counters,
        }
    }
}

impl Free {
    /// The counters of a PMU that are free on a machine; `None` if the tables do not have them.
    fn on(machine: &Machine, pmu: &'static Pmu) -> Option<Free> {
        let all = counters::of(pmu)?;
        let mut free = Free { pmu, all, taken: Vec::new() };
        let host = machine.host();
        let is = |path: &str, value: &str| host.text(path).is_ok_and(|text| text.trim() == value);
        let counters = all.other_thread;
        if counters != 0 && !is("/sys/devices/system/cpu/smt/active", "0") {
            free.taken.push(Taken::OtherThread { counters });
        }
        let is_x86 = matches!(machine.tables().cpu, Some(CpuId::X86 { .. }));
        if pmu.kind == PmuKind::Core && is_x86 && is("/proc/sys/kernel/nmi_watchdog", "1") {
            let cycles = all.fixed & 1 << (FIXED + 1);
            // Which of several equal counters it uses does not matter.
            let counters = if cycles != 0 { cycles } else { highest(all.general) };
            free.taken.push(Taken::NmiWatchdog { counters });
        }
        Some(free)
    }

    /// All counters that are taken, one bit for each.
    pub fn taken(&self) -> u64 {
        self.taken.iter().fold(0, |all, taken| all | taken.counters())
    }

    /// The counters that are left for an event.
    pub(super) fn limit(&self, demand: Demand) -> Demand {
        Demand { counters: demand.counters & !self.taken(), ..demand }
    }
}

fn highest(counters: u64) -> u64 {
    counters.checked_ilog2().map_or(0, |bit| 1 << bit)
}

/// The PMU of an event, with its counters and the requirement of the event if they are known; `None` if the machine has no
/// such PMU.
pub(super) fn demand(
    machine: &Machine,
    native: &Native,
) -> Option<(String, Option<(Free, Demand)>)> {
    let attr = &native.boxes.first()?.attr;
    let Owner { name, device, pmu } = owner(machine, attr)?;
    let name = match native.boxes.len() {
        1 => name,
        // All boxes of one kind have the same counters.
        _ => stem(&name).trim_end_matches('_').to_string(),
    };
    let known = match (pmu.and_then(|pmu| Free::on(machine, pmu)), device) {
        (Some(free), _) => {
            let by_code = by_code(machine, attr);
            let demand = of_attr(free.pmu, by_code.as_ref().unwrap_or(attr), native.counters);
            demand.map(|of| free.limit(of)).map(|demand| (free, demand))
        }
        // A running machine is asked, because others may hold counters of its units.
        (None, Some(unit)) if !machine.host().is_running() => {
            of_unit(machine, &unit, pmu, native.counters)
        }
        _ => None,
    };
    Some((name, known))
}

/// The counters of a unit beside the cores, and the requirement of an event.
fn of_unit(
    machine: &Machine,
    unit: &str,
    pmu: Option<&'static Pmu>,
    counters: Option<u64>,
) -> Option<(Free, Demand)> {
    let all = CounterSet::of(machine.counters_of(unit));
    // A unit without a table is described by the cores of its processor.
    let pmu = pmu.or_else(|| machine.table_of_cores())?;
    let free = Free { pmu, all, taken: Vec::new() };
    let any = all.general;
    // Where libpfm numbers the counters of a unit after those of the cores, as Nehalem's, every one is taken to do.
    let own = counters.map(|counters| counters & any).filter(|own| *own != 0);
    (any != 0).then(|| (free, Demand::on(own.unwrap_or(any))))
}

/// The code by which the kernel counts an event that it names itself: on POWER it holds the counter, and sysfs tells it.
fn by_code(machine: &Machine, attr: &Attr) -> Option<Attr> {
    let is_power = matches!(machine.tables().cpu, Some(CpuId::Power { .. }));
    let known = kernel::all()
        .find(|known| is_power && (known.kind(), known.config) == (attr.kind, attr.config))?;
    let cores = machine.core_pmus();
    let code = cores.iter().find_map(|core| known.names().find_map(|name| core.attr(name)))?;
    Some(Attr { kind: code.kind, config: code.config, ..attr.clone() })
}

fn of_attr(pmu: &Pmu, attr: &Attr, table: Option<u64>) -> Option<Demand> {
    let config = attr.config & 0xffff_ffff;
    let mut demand = match attr.kind {
        pmu_type::HARDWARE => counters::demand_of_kernel(pmu, Group::Hardware, config),
        pmu_type::HW_CACHE => counters::demand_of_kernel(pmu, Group::Cache, config),
        _ => counters::demand_of(pmu, &[attr.config, attr.config1], table),
    }?;
    demand.claims.extend(counters::shared_levels(pmu, levels(attr)));
    Some(demand)
}

/// The levels at which an event is counted.
fn levels(attr: &Attr) -> Privilege {
    let excluded = [
        (attr.exclude.user, Privilege::USER),
        (attr.exclude.kernel, Privilege::KERNEL),
        (attr.exclude.hv, Privilege::HYPERVISOR),
    ];
    let counted = excluded.into_iter().filter(|(is_excluded, _)| !is_excluded);
    counted.fold(Privilege::NONE, |all, (_, level)| all | level)
}

/// The PMU that counts an event.
struct Owner {
    /// Its name in the kernel, or of a machine that shows none, in the tables.
    name: String,
    /// The kernel's name of it, or of its unit without the number of a box.
    device: Option<String>,
    /// Its table.
    pmu: Option<&'static Pmu>,
}

fn owner(machine: &Machine, attr: &Attr) -> Option<Owner> {
    let kind = kind_of(attr);
    // That a machine shows no PMU of its cores is known without its processor.
    if kind == pmu_type::RAW && machine.core_names().is_empty() && machine.only_pmu().is_none() {
        return None;
    }
    let pmus = &machine.tables().pmus;
    let device = machine.tables().devices.iter().find(|(_, number)| **number == kind);
    let device = device.map(|(name, _)| name.as_str());
    if let Some(only) = machine.only_pmu() {
        let of_kind = machine.units().iter().find(|unit| unit.device.pmu.kind == kind);
        let Some(unit) = of_kind.or_else(|| machine.unit_named(device?)) else {
            return Some(Owner { name: only.name.to_string(), device: None, pmu: Some(only) });
        };
        let (name, device) = (unit.table_name.clone(), unit.name().to_string());
        let pmu = machine.table_of(&device);
        return Some(Owner { name, device: Some(device), pmu });
    }
    let cores = machine.core_names();
    let is_core = |name: &str| cores.iter().any(|core| core == name);
    let name = match device {
        Some(name) => name,
        None if kind == pmu_type::RAW => cores.first()?,
        None => return Some(Owner { name: format!("type {kind}"), device: None, pmu: None }),
    };
    let named = pmus.iter().copied().find(|pmu| pmu.devices().any(|of_table| of_table == name));
    let of_cores = || {
        let is_of_all = |pmu: &&'static Pmu| {
            pmu.kind == PmuKind::Core && !pmu.is_architectural() && !pmu.is_deprecated()
        };
        let is_one = is_core(name) && machine.hybrid_pmus().is_empty();
        if is_one { pmus.iter().copied().find(is_of_all) } else { None }
    };
    let device = if is_core(name) { None } else { Some(name.to_string()) };
    Some(Owner { name: name.to_string(), device, pmu: named.or_else(of_cores) })
}

/// The type of an event's core PMU, which the kernel's own events may name in the upper half of their code.
fn kind_of(attr: &Attr) -> u32 {
    match attr.kind {
        pmu_type::HARDWARE | pmu_type::HW_CACHE => match (attr.config >> 32) as u32 {
            0 => pmu_type::RAW,
            kind => kind,
        },
        kind => kind,
    }
}
