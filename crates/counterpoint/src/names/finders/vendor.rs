//! Finds events of vendors' files.
//!
//! # How a vendor's events are found
//!
//! 1. The program chooses the directory (`--vendor-events`, `COUNTERPOINT_EVENTS_DIR`, `/usr/share/counterpoint/events`) and reads the files that its map names for the machine's processor (`pmu::vendor::files`); a directory of one processor is taken as it is.
//! 2. `pmu::vendor::Events` holds the events of that processor: each has perf's terms, the unit that counts it, its counters and the vendor's descriptions. JSON is read in one pass; what is wrong costs its event, and its place is looked up in a second pass.
//! 3. `Machine::with_vendor` takes the events that the user asked for, which come before those of the tables; `Machine::with_vendor_source` reads them when a name is looked up that nothing else has, so that `stat` of a known name reads no file. The events of every processor that Linux knows are built in (`Events::built_in`), and come last.
//! 4. `names::finders::vendor` adds an event to the PMU of sysfs that counts it (`vendor::Event::for_pmu`), whose fields encode it. A machine that shows no PMU of its cores, as one of `--pmu`, has the fields that Linux gives such cores (`sysfs::standard_core`).
//! 5. Between the slashes of `pmu/terms/`, names that sysfs does not have are events of vendors' files, then of the tables (`names::finders::inner`); terms beside them override theirs.

use crate::error::Error;
use crate::machine::pmus::{Device, Machine, attr_of};
use crate::names::candidate::{Candidate, CandidateEvent, Query};
use crate::names::error::NameError;
use crate::names::ids::EventId;
use crate::names::native::{Native, PmuBox};
use counterpoint_pmu::syntax::{Modifiers, Term, Value};
use counterpoint_pmu::vendor::{self, Events};
use counterpoint_pmu::{Pmu, sysfs, unit_named};
use std::borrow::Cow;

/// The event with a name, if the files come before the tables.
pub(crate) fn before_tables(query: &Query<'_>) -> Vec<Candidate> {
    if query.machine.prefers_vendor() { find(query) } else { Vec::new() }
}

/// The event with a name: of cores, one for each kind that has it; of another unit, one over all of its boxes.
pub(crate) fn find(query: &Query<'_>) -> Vec<Candidate> {
    let machine = query.machine;
    for (name, modifiers) in query.spellings() {
        // A machine of one PMU has no cores of another kind.
        let is_here = |event: &Cow<'_, vendor::Event>| {
            machine.only_pmu().is_none_or(|pmu| !event.is_of_core() || event.is_for(pmu))
        };
        // `srf_unc_cha::NAME` is an event of one unit.
        let (prefix, name) = name.split_once("::").map_or((None, name), |(p, n)| (Some(p), n));
        let is_asked = |event: &Cow<'_, vendor::Event>| {
            prefix.is_none_or(|prefix| is_of_unit(machine, event, prefix))
        };
        let named = machine.vendor().named(name).filter(is_here).filter(is_asked);
        let events: Vec<vendor::Event> = named.map(Cow::into_owned).collect();
        if events.is_empty() {
            continue;
        }
        let natives = natives(machine, &events, modifiers);
        let of = |event| CandidateEvent::Vendor { pmu: pmu_name(machine, &event), event };
        let found = events.into_iter().map(of).collect();
        return vec![Candidate::new(
            found,
            natives.map_err(|error| error.at(query.spec.span.clone())),
        )];
    }
    Vec::new()
}

/// Returns true if an event is that of the unit of a name such as `srf_unc_cha`, on a machine with this processor.
fn is_of_unit(machine: &Machine, event: &vendor::Event, name: &str) -> bool {
    let Some((core, unit)) = unit_named(name) else { return false };
    let is_here = machine.cpu().is_some_and(|cpu| core.is_of(&cpu));
    is_here && event.is_on(&unit, false)
}

fn natives(
    machine: &Machine,
    events: &[vendor::Event],
    modifiers: Modifiers,
) -> Result<Vec<Native>, Error> {
    let standard = machine.standard_core();
    let mut natives: Vec<Native> = Vec::new();
    for event in events {
        let devices = devices(machine, event, standard);
        let boxes: Result<Vec<PmuBox>, Error> =
            devices.iter().map(|device| on_box(event, device)).collect();
        let mut boxes = boxes?;
        // As of the tables' events: those of guests are not counted.
        boxes.iter_mut().for_each(|one| one.attr.exclude.guest = event.is_of_core());
        // The cores of each kind are events of their own, the boxes of a unit are counted as their sum.
        if event.is_of_core() {
            let is_hybrid = !machine.hybrid_pmus().is_empty();
            for (device, one) in devices.iter().zip(boxes) {
                let id = if is_hybrid {
                    EventId::terms(&device.pmu.name, &event.name)
                } else {
                    EventId::name(&event.name)
                };
                let native = native(event, device, id, modifiers, vec![one]);
                // A machine that shows no PMU of its cores does not tell their kinds apart.
                if !natives.iter().any(|known| known.id == native.id && known.is_same(&native)) {
                    natives.push(native);
                }
            }
        } else if let Some(first) = devices.first() {
            let id = EventId::name(&event.name);
            natives.push(native(event, first, id, modifiers, boxes));
        }
        if !event.is_of_core() && !natives.is_empty() {
            break;
        }
    }
    match (natives.is_empty(), events.first()) {
        (true, Some(event)) => Err(Error::from(NameError::UnknownPmu {
            name: pmu_name(machine, event).to_string(),
            similar: Vec::new(),
            known: machine.pmu_names().to_vec(),
        })),
        _ => Ok(natives),
    }
}

fn native(
    event: &vendor::Event,
    device: &Device,
    id: EventId,
    modifiers: Modifiers,
    boxes: Vec<PmuBox>,
) -> Native {
    let native = Native { counters: event.counters, ..Native::new(id, modifiers, boxes) };
    native.described(&event.for_pmu(&device.pmu))
}

/// The PMUs that count an event; those of a machine that shows none have the fields that Linux usually gives them.
fn devices<'m>(
    machine: &'m Machine,
    event: &vendor::Event,
    standard: Option<&'m Device>,
) -> Vec<&'m Device> {
    let cores = machine.core_names();
    let is_on = |device: &&Device| {
        event.is_on(&device.pmu.name, cores.contains(&device.pmu.name))
            && is_of_kind(machine, device, event)
    };
    let of_machine: Vec<&Device> = machine.devices().iter().filter(is_on).collect();
    if !of_machine.is_empty() {
        return of_machine;
    }
    let is_on = |core: &&Device| event.is_of_core() || event.is_on(&core.pmu.name, true);
    let mut units = machine.units().iter().map(|unit| &unit.device);
    let unit = || units.find(|unit| event.is_on(&unit.pmu.name, false));
    standard.filter(is_on).or_else(unit).into_iter().collect()
}

fn on_box(event: &vendor::Event, device: &Device) -> Result<PmuBox, Error> {
    let mut pmu = device.pmu.clone();
    pmu.events = vec![event.for_pmu(&pmu)];
    let term = Term { name: event.name.clone(), value: Value::Flag, span: 0..0, value_span: 0..0 };
    let config = pmu.encode(&[term])?;
    Ok(PmuBox::on(device, attr_of(&pmu, &config)))
}

/// The PMU of an event without the number of its box, by the name that the machine has for it, or else its first name.
pub(crate) fn pmu_name(machine: &Machine, event: &vendor::Event) -> String {
    let pmus = event.pmus();
    let is_here = |pmu: &&String| !machine.boxes(pmu).is_empty();
    let core = machine.core_names().iter().find(|core| event.is_on(core, true)).cloned();
    let known = pmus.iter().find(is_here).cloned().or(core).or_else(|| pmus.first().cloned());
    known.unwrap_or_else(|| "cpu".to_string())
}

/// An event of a device by its name, and its counters.
pub(crate) fn on_device(
    machine: &Machine,
    device: &Device,
    name: &str,
) -> Option<(sysfs::Event, Option<u64>)> {
    let event = event(machine, device, name)?;
    Some((event.for_pmu(&device.pmu), event.counters))
}

/// The event that is written as `pmu/name/`.
pub(crate) fn candidate(machine: &Machine, pmu: &str, name: &str) -> Option<CandidateEvent> {
    let standard = machine.standard_named(pmu);
    let device = machine.boxes(pmu).into_iter().next().or(standard)?;
    let event = event(machine, device, name)?;
    Some(CandidateEvent::Vendor { pmu: pmu.to_string(), event })
}

fn event(machine: &Machine, device: &Device, name: &str) -> Option<vendor::Event> {
    let is_core = machine.is_core(device);
    let is_any_core = machine.is_of_any_core(device);
    let is_here = |event: &Cow<'_, vendor::Event>| {
        event.is_on(&device.pmu.name, is_core)
            || is_any_core
                && event.is_of_core()
                && machine.only_pmu().is_none_or(|pmu| event.is_for(pmu))
    };
    let mut named = machine.vendor().named(name);
    named.find(|event| is_here(event) && is_of_kind(machine, device, event)).map(Cow::into_owned)
}

/// Returns false if an event that names no unit is of another kind of cores than those of a device: where a machine has
/// several, as Arm's big and little ones, each kind has the events of its own processor.
fn is_of_kind(machine: &Machine, device: &Device, event: &vendor::Event) -> bool {
    if event.unit.is_some() || machine.vendor().has_files() || machine.hybrid_pmus().is_empty() {
        return true;
    }
    let is_it = |pmu: &&&Pmu| pmu.devices().any(|name| name == device.pmu.name);
    let kind = machine.tables().pmus.iter().find(is_it);
    let Some(cpu) = kind.and_then(|kind| kind.processor()) else { return true };
    Events::built_in(&cpu).named(&event.name).any(|own| *own == *event)
}

/// The PMU of an event that stands in the place of one: `EVENT/terms/`.
pub(crate) fn pmu_of(machine: &Machine, name: &str) -> Option<String> {
    let event = machine.vendor().named(name).next()?.into_owned();
    Some(pmu_name(machine, &event))
}
