//! Events of the processor's tables: libpfm's strings to what the kernel is asked to open.

use crate::native::on_cores;
use crate::{Machine, Native, PmuBox};
use counterpoint_perf::{Attr, CpuSet, Exclude};
use counterpoint_pmu::syntax::{Modifiers, split_modifiers};
use counterpoint_pmu::{
    Context, EncodeError, EncodeErrorKind, Encoding, Layer, PerfEncoding, Pmu, PmuKind, Privilege,
    all, encode, find, kernel, similar,
};

/// The events that a string means, with the modifiers of its group: `spr::L1D:REPLACEMENT:u`, and without a prefix one for
/// each kind of core that has it, or one over all boxes of the uncore.
///
/// What follows the name belongs to the table's event; letters that it does not know are perf's modifiers.
pub(crate) fn resolve(
    machine: &Machine,
    text: &str,
    group: Modifiers,
) -> Result<Vec<Native>, EncodeError> {
    let error = match events(machine, text, group) {
        Ok(natives) => return Ok(natives),
        Err(error) => error,
    };
    match split_modifiers(text) {
        (bare, Some(own)) => events(machine, bare, own.with(group)).map_err(|_| error),
        _ => Err(error),
    }
}

/// Whether the tables have the event, so that only what follows its name is wrong.
pub(crate) fn has_event(error: &EncodeError) -> bool {
    use EncodeErrorKind::{SeveralEvents, UnknownEvent, UnknownPmu};
    !matches!(error.kind, UnknownEvent { .. } | UnknownPmu { .. } | SeveralEvents { .. })
}

fn events(machine: &Machine, text: &str, modifiers: Modifiers) -> Result<Vec<Native>, EncodeError> {
    let mut context = Context::new(Layer::PerfEventExt);
    // Which levels are counted is perf's default, all that may be, and not libpfm's.
    context.privilege = Privilege::ALL;
    context.machine = machine.tables().clone();
    if text.contains("::") {
        let encoding = encode(text, &context)?;
        return Ok(natives(machine, &[encoding], modifiers));
    }
    let first = encode(text, &context);
    let alike = alike(&context.machine.pmus, text);
    let of_each = alike.iter().map(|pmu| encode(&format!("{}::{text}", pmu.name), &context));
    let encodings: Vec<Encoding> = of_each.filter_map(Result::ok).collect();
    match (first, encodings.as_slice()) {
        (Err(error), []) => Err(error),
        (Ok(encoding), []) => Ok(natives(machine, &[encoding], modifiers)),
        (_, encodings) if alike[0].kind == PmuKind::Uncore => {
            Ok(natives(machine, encodings, modifiers))
        }
        (_, encodings) => {
            Ok(encodings.chunks(1).flat_map(|one| natives(machine, one, modifiers)).collect())
        }
    }
}

/// The PMUs that a string without a prefix means all together: the cores of each kind, or the boxes of one kind.
pub(crate) fn alike(pmus: &[&'static Pmu], text: &str) -> Vec<&'static Pmu> {
    let name = event_name(text);
    let having = || {
        let known = pmus.iter().copied().filter(|pmu| !pmu.is_deprecated());
        known.filter(|pmu| pmu.event(name).is_some())
    };
    let Some(first) = having().next() else { return Vec::new() };
    let is_alike = |pmu: &&'static Pmu| match first.kind {
        PmuKind::Core if !first.is_architectural() => {
            pmu.kind == PmuKind::Core && !pmu.is_architectural()
        }
        PmuKind::Uncore => stem(pmu.name) == stem(first.name),
        _ => *pmu == first,
    };
    having().filter(is_alike).collect()
}

/// The PMU that a string names, if it is one of other processors than this: its codes would count something else here.
pub(crate) fn foreign(machine: &Machine, text: &str) -> Option<&'static Pmu> {
    let pmu = find(text.split_once("::")?.0)?;
    let own = &machine.tables().pmus;
    // A processor that the tables do not have may be like one that they have.
    let is_known = own.iter().any(|pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural());
    (is_known && pmu.kind != PmuKind::OsGeneric && !own.contains(&pmu)).then_some(pmu)
}

/// The machine's PMUs, of boxes the first.
pub(crate) fn kinds(machine: &Machine) -> Vec<String> {
    let mut names: Vec<&str> = machine.tables().pmus.iter().map(|pmu| pmu.name).collect();
    names.dedup_by_key(|name| stem(name));
    names.into_iter().map(str::to_string).collect()
}

/// The PMUs of other machines that have the event of a string, with what follows it if any has that; of boxes the first.
pub(crate) fn elsewhere(text: &str) -> Vec<&'static str> {
    // No table has a longer name.
    const LONGEST: usize = 256;
    let name = event_name(text);
    if name.len() > LONGEST {
        return Vec::new();
    }
    let has = |pmu: &&'static Pmu| pmu.kind != PmuKind::OsGeneric && pmu.event(name).is_some();
    let mut names: Vec<&str> = all().filter(has).map(|pmu| pmu.name).collect();
    names.dedup_by_key(|name| stem(name));
    let context = Context::new(Layer::Raw);
    let takes = |name: &&str| encode(&format!("{name}::{text}"), &context).is_ok();
    if names.iter().any(takes) {
        names.retain(takes);
    }
    names
}

/// What stands before the attributes of a string without a prefix.
pub(crate) fn event_name(text: &str) -> &str {
    text.split([':', '.']).next().unwrap_or_default()
}

/// Names of the machine's tables that are near the event of a string.
pub(crate) fn near(machine: &Machine, text: &str) -> Vec<String> {
    let name = event_name(text);
    let pmus = machine.tables().pmus.iter().filter(|pmu| pmu.kind != PmuKind::OsGeneric);
    let names = pmus.flat_map(|pmu| pmu.events()).map(|event| event.name);
    similar(name, names).into_iter().map(str::to_string).collect()
}

/// A PMU's name without the number of its box.
pub(crate) fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// What to open for encodings of one string: one event, which on several PMUs is counted as their sum.
fn natives(machine: &Machine, encodings: &[Encoding], modifiers: Modifiers) -> Vec<Native> {
    let Some(first) = encodings.first() else { return Vec::new() };
    let name = short(&first.canonical);
    let Some(perf) = &first.perf else { return Vec::new() };
    let mut natives = match device(machine, first.pmu) {
        None => on_cores(machine, name, &attr_of(perf), modifiers),
        Some(_) => {
            let on_box = |encoding: &Encoding| {
                let attr = attr_of(encoding.perf.as_ref()?);
                Some(PmuBox::on(device(machine, encoding.pmu)?, attr))
            };
            vec![Native::new(name, modifiers, encodings.iter().filter_map(on_box).collect())]
        }
    };
    let mut events = kernel::all();
    let event = events.find(|event| (event.kind(), event.config) == (perf.kind, perf.config));
    for native in &mut natives {
        native.counters = first.counters;
        if let Some(event) = &event {
            native.describe(event);
        }
        if let Some(cpu) = perf.cpu {
            native.boxes.iter_mut().for_each(|b| b.cpumask = Some(CpuSet::from_iter([cpu])));
        }
    }
    natives
}

/// The device of a PMU of the tables, if sysfs shows it.
fn device<'m>(machine: &'m Machine, pmu: &str) -> Option<&'m crate::Device> {
    let pmu = counterpoint_pmu::find(pmu)?;
    let shown = |name| machine.devices().iter().find(|device| device.pmu.name == name);
    pmu.devices().find_map(shown)
}

/// The canonical string without what holds when it is not written: every level is counted, and guests are not.
fn short(canonical: &str) -> &str {
    let name = canonical.strip_suffix(":mh=1").unwrap_or(canonical);
    if [":u=0", ":k=0", ":h=0"].iter().any(|level| name.contains(level)) {
        return name;
    }
    let levels = [":h=1", ":k=1", ":u=1"];
    levels.iter().fold(name, |name, level| name.strip_suffix(level).unwrap_or(name))
}

fn attr_of(perf: &PerfEncoding) -> Attr {
    Attr {
        kind: perf.kind,
        config: perf.config,
        config1: perf.config1,
        config2: perf.config2,
        exclude: Exclude {
            user: perf.exclude_user,
            kernel: perf.exclude_kernel,
            hv: perf.exclude_hv,
            idle: false,
            host: perf.exclude_host,
            guest: perf.exclude_guest,
        },
        precise: perf.precise_ip,
        pinned: perf.pinned,
        exclusive: perf.exclusive,
        ..Attr::default()
    }
}
