//! The strings of an encoding: libpfm's, and the canonical one.

use super::{Asked, Attr, PerfEncoding, Request};
use crate::attribute::{PerfAttribute, PerfRow, of_perf_events};
use crate::family::{Family, Programmed};
use crate::machine::{Context, Layer, Privilege};
use crate::tables::Marks;

/// libpfm's string has room for this much after the PMU.
const ROOM: usize = 255;

pub(super) struct Spelled {
    pub(super) event: String,
    pub(super) fully_qualified: String,
    pub(super) canonical: String,
}

pub(super) fn spelled(
    request: &Request,
    named: &'static str,
    programmed: &Programmed,
    perf: Option<&PerfEncoding>,
    context: &Context,
) -> Spelled {
    let event = request.event;
    let mut name = event.name.to_owned();
    // A target that is an alias itself was not followed; its own name would be.
    let by_alias = event.equiv.is_some() || request.needs_alias();
    let mut canonical_name = if by_alias { named } else { event.name };
    if event.pmu.family == Family::PerfRaw {
        name = format!("r{:x}", event.code);
        canonical_name = &name;
    }
    let mut canonical = String::with_capacity(96);
    canonical.push_str(event.pmu.name);
    canonical.push_str("::");
    canonical.push_str(canonical_name);
    if event.pmu.family == Family::Perf {
        request.printed_umasks().into_iter().for_each(|asked| push_asked(&mut canonical, asked));
    } else {
        push_written(&mut canonical, &request.written(!by_alias));
    }
    let no_modifiers = request.any_umask(Marks::NO_MODS);
    let mut full = String::with_capacity(160);
    full.push_str(event.pmu.name);
    full.push_str("::");
    let start = full.len();
    if perf.is_none() || event.pmu.family != Family::PerfRaw {
        full.push_str(&name);
        request.printed_umasks().into_iter().for_each(|asked| push_asked(&mut full, asked));
        event.pmu.family.print(request, programmed, context.layer, &mut full);
    }
    if let Some(perf) = perf {
        let rows = || {
            let family = event.pmu.family;
            of_perf_events(context.layer)
                .filter(move |row| family.keeps(&event, row.0, &context.machine))
        };
        let supported = event.pmu.family.privilege(&event, &context.machine);
        if no_modifiers {
            // Nothing may be set then, and libpfm has no string.
            let perf = |asked: &&&Asked| matches!(asked.what, Attr::Perf(_));
            let written = request.written(true);
            written.iter().filter(perf).for_each(|asked| push_asked(&mut canonical, asked));
            full.clear();
        } else {
            push_canonical(&mut canonical, perf, rows(), supported);
            push_printed(&mut full, perf, rows());
        }
    }
    // Names are ASCII, so that any place is the beginning of a character.
    full.truncate(start + ROOM);
    Spelled { event: name, fully_qualified: full, canonical }
}

fn push_asked(string: &mut String, asked: &Asked) {
    match &asked.what {
        Attr::Umask(mask) => {
            string.push(':');
            string.push_str(mask.name);
        }
        // libpfm prints 32 bits of it.
        Attr::RawUmask => string.push_str(&format!(":{:#x}", asked.value as u32)),
        Attr::Modifier(modifier) => push_value(string, modifier.name, asked.value),
        Attr::Perf(row) => push_value(string, row.1, asked.value),
    }
}

/// What was written, in the order of the event's list.
fn push_written(string: &mut String, written: &[&Asked]) {
    for (number, asked) in written.iter().enumerate() {
        if let Attr::Perf(_) = asked.what {
            continue;
        }
        if let Attr::RawUmask = &asked.what {
            string.push_str(&format!(":{:#x}", asked.value));
            continue;
        }
        push_asked(string, asked);
        let again = number.checked_sub(1).and_then(|number| written.get(number));
        let same = |other: &&Asked| match (&other.what, &asked.what) {
            (Attr::Umask(a), Attr::Umask(b)) => a.number == b.number,
            _ => false,
        };
        if again.is_some_and(same) {
            // Of three equal ones two stay, of two one.
            push_asked(string, asked);
        }
    }
}

/// libpfm's string: every attribute that the event has, but numbers only when they are not 0, period and
/// frequency as the same number, and neither CPU nor pinning.
fn push_printed(
    string: &mut String,
    perf: &PerfEncoding,
    listed: impl Iterator<Item = &'static PerfRow>,
) {
    for row in listed {
        let value = match row.0 {
            PerfAttribute::Period | PerfAttribute::Frequency if perf.period == 0 => continue,
            PerfAttribute::Cpu | PerfAttribute::Pinned => continue,
            PerfAttribute::Period | PerfAttribute::Frequency => perf.period,
            PerfAttribute::HardwareSampling => perf.precise_ip.into(),
            which => perf.value_of(which),
        };
        push_value(string, row.1, value);
    }
}

/// A string that gives the same: levels by their values, the rest only where it differs from the default.
fn push_canonical(
    string: &mut String,
    perf: &PerfEncoding,
    listed: impl Iterator<Item = &'static PerfRow>,
    supported: Privilege,
) {
    let listed: Vec<&PerfRow> = listed.collect();
    let has = |which| listed.iter().any(|row| row.0 == which);
    // Naming one level leaves out the others, so the hypervisor cannot be kept where it has no name;
    // it is then the context's default, which stays so when nothing is named.
    let unnamed = !perf.exclude_hv
        && supported.contains(Privilege::HYPERVISOR)
        && !has(PerfAttribute::Hypervisor);
    for row in &listed {
        let value = perf.value_of(row.0);
        let named = match row.0 {
            PerfAttribute::User | PerfAttribute::Kernel | PerfAttribute::Hypervisor => !unnamed,
            PerfAttribute::Cpu => perf.cpu.is_some(),
            PerfAttribute::HardwareSampling => value != 0 && !has(PerfAttribute::Precise),
            _ => value != 0,
        };
        if named {
            push_value(string, row.1, value);
        }
    }
}

/// `:name=value`
pub(crate) fn push_value(string: &mut String, name: &str, value: u64) {
    string.push(':');
    string.push_str(name);
    string.push('=');
    push_number(string, value);
}

fn push_number(string: &mut String, value: u64) {
    if value >= 10 {
        push_number(string, value / 10);
    }
    string.push(char::from(b'0' + (value % 10) as u8));
}

/// The modifiers of the event's list with their values.
pub(crate) fn push_modifiers(
    string: &mut String,
    request: &Request,
    programmed: &Programmed,
    layer: Layer,
) {
    for modifier in request.event.pmu.family.modifiers_of(&request.event, layer) {
        push_value(string, modifier.name, programmed.values[usize::from(modifier.index)]);
    }
}
