//! From the text of one event to what the kernel is asked to open.

use crate::machine::{Tracepoint, attr_of};
use crate::{Device, Error, Machine, component, tables, without_component};
use counterpoint_perf::{Attr, CpuSet, Exclude, pmu_type};
use counterpoint_pmu::syntax::{self, Breakpoint, EventSpec, Modifiers, Source, Term};
use counterpoint_pmu::{kernel, similar, sysfs};
use std::borrow::Cow;
use std::ops::Range;

/// An event that the kernel counts by itself, without a formula.
#[derive(Clone, Debug)]
pub struct Native {
    /// Its usual name, with the PMU where several have it and with its modifiers.
    pub canonical: String,
    /// What to open; the counts of several are summed.
    pub boxes: Vec<PmuBox>,
    /// What to multiply the count with, as sysfs says.
    pub scale: Option<f64>,
    /// What the value is in: `ns` for clocks, or what sysfs says; `None` for plain counts.
    pub unit: Option<String>,
    /// A state at the time of reading, which is not summed.
    pub snapshot: bool,
    /// Happens in the kernel alone, so that a count without the kernel would be a false 0.
    pub kernel_only: bool,
    /// May leave its group when it does not fit (`:W`).
    pub weak: bool,
    /// The counters that may count it, a bit for each, where its table says.
    pub counters: Option<u64>,
}

/// An event on one PMU.
#[derive(Clone, Debug, PartialEq)]
pub struct PmuBox {
    /// What to open.
    pub attr: Attr,
    /// It counts for whole packages and is opened on these CPUs.
    pub cpumask: Option<CpuSet>,
    /// It exists on these CPUs only.
    pub cpus: Option<CpuSet>,
}

impl PmuBox {
    fn anywhere(attr: Attr) -> PmuBox {
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

    pub(crate) fn new(name: &str, modifiers: Modifiers, boxes: Vec<PmuBox>) -> Native {
        let native = Native {
            canonical: name.to_string(),
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
        let separator = if self.canonical.ends_with('/') { "" } else { ":" };
        self.canonical = format!("{}{separator}{}", self.canonical, letters(modifiers));
        for PmuBox { attr, .. } in &mut self.boxes {
            exclude(&mut attr.exclude, modifiers);
            attr.precise = attr.precise.max(modifiers.precise);
            attr.pinned |= modifiers.pinned;
            attr.exclusive |= modifiers.exclusive;
        }
        self
    }

    /// What the kernel's own table says of the event beyond its code.
    pub(crate) fn describe(&mut self, event: &kernel::KernelEvent) {
        self.kernel_only = event.kernel_only;
        self.unit = (event.unit == kernel::Unit::Nanoseconds).then(|| "ns".to_string());
    }
}

/// The events that `spec` names: one, or on a hybrid machine one for each core PMU that has it.
pub(crate) fn resolve(machine: &Machine, spec: &EventSpec) -> Result<Vec<Native>, Error> {
    match &spec.source {
        Source::Name(name) if component::of_rapl(name).is_some() => {
            energy(machine, name, spec).map(|native| vec![native])
        }
        Source::Name(name) => without_component(name).and_then(|plain| {
            let span = spec.span.start + (name.len() - plain.len())..spec.span.end;
            resolve_name(machine, &plain, spec.modifiers, span)
        }),
        Source::Raw(code) => Ok(on_cores(
            machine,
            &format!("r{code:x}"),
            &Attr::new(pmu_type::RAW, *code),
            spec.modifiers,
        )),
        Source::Breakpoint(breakpoint) => Ok(vec![watch(*breakpoint, spec)]),
        Source::Pmu { pmu, terms, .. } => {
            pmu_event(machine, pmu, terms, spec.modifiers).map(|native| vec![native])
        }
        _ => Err(Error::unknown_event(&spec.text, Vec::new())),
    }
    .map_err(|error| error.at(spec.span.clone()))
}

/// A name as it stands in an event list or a definition file, modifiers included.
fn resolve_name(
    machine: &Machine,
    text: &str,
    group: Modifiers,
    span: Range<usize>,
) -> Result<Vec<Native>, Error> {
    let (bare, own) = syntax::split_modifiers(text);
    for (name, modifiers) in [(text, group), (bare, own.unwrap_or_default().with(group))] {
        let plain = name.strip_prefix("perf::").unwrap_or(name);
        if let Some(event) = kernel::find(plain) {
            let attr = Attr::new(event.kind(), event.config);
            let mut natives = on_cores(machine, event.name, &attr, modifiers);
            natives.iter_mut().for_each(|native| native.describe(&event));
            return Ok(natives);
        }
        let on_cores = core_event(machine, name, modifiers);
        if !on_cores.is_empty() {
            return Ok(on_cores);
        }
    }
    if let Some(pmu) = tables::foreign(machine, text) {
        return Err(Error::unknown_pmu(pmu.name, Vec::new(), &tables::kinds(machine)));
    }
    let error = match tables::resolve(machine, text, group) {
        Ok(natives) => return Ok(natives),
        // `::` belongs to libpfm's strings alone, so that its error is the one to show.
        Err(error) if text.contains("::") => return Err(Error::encode(error, span.start)),
        Err(error) => error,
    };
    if let Some((name, letters)) = text.rsplit_once(':')
        && kernel::find(name.strip_prefix("perf::").unwrap_or(name)).is_some()
    {
        return Err(Error::unknown_modifier(name, letters));
    }
    let mut no_tracepoint = None;
    if let Some((system, event)) = bare.split_once(':')
        && is_word(system)
        && is_word(event)
    {
        match tracepoint(machine, system, event, own.unwrap_or_default().with(group)) {
            Ok(native) => return Ok(vec![native]),
            Err(error) => no_tracepoint = Some(error),
        }
    }
    if tables::has_event(&error) {
        return Err(Error::encode(error, span.start));
    }
    let pmus = tables::elsewhere(text);
    if pmus.is_empty() {
        return Err(
            no_tracepoint.unwrap_or_else(|| Error::unknown_event(bare, near(machine, bare)))
        );
    }
    let name = tables::event_name(text);
    Err(Error::event_of_others(text, name, pmus, near(machine, name)))
}

pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// A generic or raw event; on a hybrid machine one for each core PMU.
pub(crate) fn on_cores(
    machine: &Machine,
    name: &str,
    attr: &Attr,
    modifiers: Modifiers,
) -> Vec<Native> {
    let hardware = matches!(attr.kind, pmu_type::HARDWARE | pmu_type::HW_CACHE | pmu_type::RAW);
    let hybrid = if hardware { machine.hybrid_pmus() } else { Vec::new() };
    if hybrid.is_empty() {
        return vec![Native::new(name, modifiers, vec![PmuBox::anywhere(attr.clone())])];
    }
    let on = |device: &&Device| {
        let mut attr = attr.clone();
        match attr.kind {
            pmu_type::RAW => attr.kind = device.pmu.kind,
            // The PMU's type in the upper half selects it; without it the kernel chooses one (kernel's perf_event.h).
            _ => attr.config |= u64::from(device.pmu.kind) << 32,
        }
        Native::new(
            &format!("{}/{name}/", device.pmu.name),
            modifiers,
            vec![PmuBox::on(device, attr)],
        )
    };
    hybrid.iter().map(on).collect()
}

/// A bare name of a core PMU's event, such as `mem-loads`.
fn core_event(machine: &Machine, name: &str, modifiers: Modifiers) -> Vec<Native> {
    let cores = machine.core_pmus();
    let having = cores.iter().filter_map(|device| {
        let event = device.pmu.event(name)?;
        let pmu_box = PmuBox::on(device, device.attr(&event.name)?);
        let mut native =
            Native::new(&format!("{}/{}/", device.pmu.name, event.name), modifiers, vec![pmu_box]);
        (native.scale, native.unit, native.snapshot) =
            (event.scale, event.unit.clone(), event.snapshot);
        Some(native)
    });
    having.collect()
}

fn watch(breakpoint: Breakpoint, spec: &EventSpec) -> Native {
    let attr = Attr {
        kind: pmu_type::BREAKPOINT,
        config1: breakpoint.address,
        // perf watches 4 bytes unless told otherwise; an instruction is watched with the length of a pointer.
        config2: match (breakpoint.length, breakpoint.execute) {
            (_, true) => size_of::<usize>() as u64,
            (length, false) => length.unwrap_or(4),
        },
        breakpoint: u32::from(breakpoint.read)
            | u32::from(breakpoint.write) << 1
            | u32::from(breakpoint.execute) << 2,
        ..Attr::default()
    };
    Native {
        canonical: spec.text.clone(),
        ..Native::new("", spec.modifiers, vec![PmuBox::anywhere(attr)])
    }
}

/// `pmu/terms/`: one event on all the boxes that the name stands for.
fn pmu_event(
    machine: &Machine,
    pmu: &str,
    terms: &[Term],
    modifiers: Modifiers,
) -> Result<Native, Error> {
    let devices = machine.boxes(pmu);
    let Some(first) = devices.first() else {
        let names = machine.pmu_names();
        let similar = similar(pmu, names.iter().map(String::as_str));
        return Err(Error::unknown_pmu(
            pmu,
            similar.into_iter().map(str::to_string).collect(),
            names,
        ));
    };
    if let [Term { name, value: syntax::Value::Flag, .. }] = terms
        && first.pmu.event(name).is_none()
        && machine.core_pmus().iter().any(|core| core.pmu.name == first.pmu.name)
        && let Some(event) = kernel::find(name)
        && event.group != kernel::Group::Software
    {
        // `cpu/cycles/` and `cpu_core/cycles/`: the kernel's generic event on that PMU.
        let kind =
            if machine.hybrid_pmus().is_empty() { 0 } else { u64::from(first.pmu.kind) << 32 };
        let pmu_box = PmuBox::on(first, Attr::new(event.kind(), event.config | kind));
        return Ok(Native::new(&format!("{pmu}/{}/", event.name), modifiers, vec![pmu_box]));
    }
    let terms = &*with_domain(first, terms);
    let config = first.pmu.encode(terms)?;
    let mut boxes = Vec::new();
    for device in &devices {
        boxes.push(PmuBox::on(device, attr_of(&device.pmu, &device.pmu.encode(terms)?)));
    }
    let written: Vec<String> = terms.iter().map(Term::to_string).collect();
    let name = config.name.clone().unwrap_or_else(|| format!("{pmu}/{}/", written.join(",")));
    let mut native = Native::new(&name, modifiers, boxes);
    if let Some(event) = config.event.as_deref().and_then(|name| first.pmu.event(name)) {
        (native.scale, native.unit, native.snapshot) =
            (event.scale, event.unit.clone(), event.snapshot);
    }
    Ok(native)
}

/// What PAPI's component `rapl` calls an energy, in the unit of sysfs: of all packages, or of the one that is named.
fn energy(machine: &Machine, text: &str, spec: &EventSpec) -> Result<Native, Error> {
    let devices = machine.boxes(POWER);
    let has = |event: &str| devices.iter().any(|device| device.pmu.event(event).is_some());
    let known = match component::energy(text) {
        Some(energy) if has(energy.event) || devices.is_empty() => energy,
        _ => return Err(Error::unknown_event(text, component::energies(has).collect())),
    };
    let (name, value) = (known.event.to_string(), syntax::Value::Flag);
    let term = Term { name, value, span: spec.span.clone(), value_span: spec.span.clone() };
    let mut native = pmu_event(machine, POWER, &[term], spec.modifiers)?;
    let Some(package) = known.package else { return Ok(native) };
    let of = |cpu: &u32| machine.host().core_and_socket(*cpu).map(|(_, socket)| socket);
    let all: Vec<u32> =
        native.boxes.iter().flat_map(|b| &b.cpumask).flat_map(CpuSet::iter).collect();
    let those: CpuSet = all.iter().copied().filter(|cpu| of(cpu) == Some(package)).collect();
    if those.is_empty() {
        let event = text.rsplit_once(':').map_or(text, |(event, _)| event);
        let packages = all.iter().filter_map(of).map(|package| format!("{event}:PACKAGE{package}"));
        return Err(Error::unknown_event(text, packages.collect()));
    }
    native.boxes.iter_mut().for_each(|b| b.cpumask = Some(those.clone()));
    native.canonical = text.to_string();
    Ok(native)
}

/// The kernel's PMU of energies.
const POWER: &str = "power";

/// The terms with the domain that `core=N` means, where a 24x7 event leaves it open: counters of virtual CPUs are asked for by `vcpu=N`.
fn with_domain<'t>(device: &Device, terms: &'t [Term]) -> Cow<'t, [Term]> {
    let given = |name: &str| terms.iter().find(|term| term.name == name);
    let leaves_open = |event: &sysfs::Event| event.placeholders().any(|name| name == "domain");
    let event = terms.iter().find_map(|term| device.pmu.event(&term.name));
    match (given("core"), given("domain")) {
        (Some(core), None) if device.pmu.name == "hv_24x7" && event.is_some_and(leaves_open) => {
            let value = syntax::Value::Number(2);
            let domain = Term { name: "domain".to_string(), value, ..core.clone() };
            terms.iter().cloned().chain([domain]).collect()
        }
        _ => Cow::Borrowed(terms),
    }
}

fn tracepoint(
    machine: &Machine,
    system: &str,
    event: &str,
    modifiers: Modifiers,
) -> Result<Native, Error> {
    let name = format!("{system}:{event}");
    match machine.tracepoint(system, event) {
        Tracepoint::Id(id) => {
            let attr = Attr::new(pmu_type::TRACEPOINT, id);
            Ok(Native::new(&name, modifiers, vec![PmuBox::anywhere(attr)]))
        }
        Tracepoint::Unknown => Err(Error::unknown_event(&name, near(machine, &name))),
        Tracepoint::Unreadable => match near(machine, &name) {
            near if near.is_empty() => Err(Error::no_tracefs(&name)),
            near => Err(Error::unknown_event(&name, near)),
        },
    }
}

/// Names of this machine that are near `name`.
pub(crate) fn near(machine: &Machine, name: &str) -> Vec<String> {
    let events: Vec<_> = kernel::all().collect();
    let mut known: Vec<String> =
        events.iter().flat_map(|event| event.names()).map(str::to_string).collect();
    known.extend(events.iter().map(|event| event.constant.to_string()));
    for device in machine.devices() {
        known.extend(
            device.pmu.events.iter().map(|event| format!("{}/{}/", device.pmu.name, event.name)),
        );
    }
    for device in machine.core_pmus() {
        known.extend(device.pmu.events.iter().map(|event| event.name.clone()));
    }
    if name.contains(':') {
        known.extend(machine.tracepoints());
    }
    let mut near: Vec<String> =
        similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_string).collect();
    let of_tables = tables::near(machine, name);
    near.extend(of_tables.into_iter().filter(|event| !near.contains(event)).collect::<Vec<_>>());
    near.truncate(3);
    near
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

/// The modifiers as they are written.
fn letters(m: Modifiers) -> String {
    let flags = [
        (m.user, "u"),
        (m.kernel, "k"),
        (m.hypervisor, "h"),
        (m.host, "H"),
        (m.guest, "G"),
        (m.exclude_idle, "I"),
        (m.precise > 0, &"ppp"[..usize::from(m.precise.min(3))]),
        (m.precise_max, "P"),
        (m.pinned, "D"),
        (m.exclusive, "e"),
        (m.weak, "W"),
    ];
    flags.iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect()
}
