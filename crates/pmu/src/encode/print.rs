//! The strings of an encoding: libpfm's, and the canonical one.

use std::borrow::Cow;

use super::matching::Matching;
use super::perf_events::PerfEncoding;
use super::programmed::Programmed;
use super::request::{Asked, Attr};
use super::spelling::Spelling;
use crate::machine::Context;
use crate::modifier::PerfAttribute;
use crate::privilege::Privilege;
use crate::tables::row::Marks;

/// libpfm's string has room for this much after the PMU.
const ROOM: usize = 255;

pub(super) struct Spelled {
    pub(super) event: Cow<'static, str>,
    pub(super) fully_qualified: String,
    pub(super) canonical: String,
}

pub(super) fn spelled(
    matching: &Matching<'_>,
    named: &'static str,
    programmed: &Programmed,
    perf: Option<&PerfEncoding>,
    context: &Context,
) -> Spelled {
    let Matching { event, request, allowed, .. } = matching;
    let (family, pmu) = (event.pmu.family, event.pmu.name);
    // A target that is an alias itself was not followed; its own name would be.
    let by_alias = event.equiv.is_some() || request.needs_alias();
    let (mut name, mut named) =
        (Cow::Borrowed(event.name), if by_alias { named } else { event.name });
    if family.is_raw {
        name = Cow::Owned(format!("r{:x}", event.code));
        named = &name;
    }
    let mut canonical = Spelling::of_pmu(pmu);
    canonical.push(named);
    if family.names_all_masks {
        request.each_umask(|asked| push_asked(&mut canonical, asked));
    } else {
        push_written(&mut canonical, &request.written(!by_alias));
    }
    let mut full = Spelling::of_pmu(pmu);
    let start = full.len();
    if perf.is_none() || !family.is_raw {
        full.push(&name);
        request.each_umask(|asked| push_asked(&mut full, asked));
        (family.print)(event, request, programmed, context.layer, &mut full);
    }
    if let Some(perf) = perf {
        if request.any_umask(Marks::NO_MODS) {
            // Nothing may be set then, and libpfm has no string.
            let perf = |asked: &&&Asked| matches!(asked.what, Attr::Perf(_));
            let written = request.written(true);
            written.iter().filter(perf).for_each(|asked| push_asked(&mut canonical, asked));
            full.truncate(0);
        } else {
            let supported = family.privilege(event, context.machine.privilege);
            push_canonical(&mut canonical, perf, allowed.of_perf_events(), supported);
            push_printed(&mut full, perf, allowed.of_perf_events());
        }
    }
    full.truncate(start + ROOM);
    Spelled { fully_qualified: full.into_string(), canonical: canonical.into_string(), event: name }
}

fn push_asked(string: &mut Spelling, asked: &Asked) {
    match &asked.what {
        Attr::Umask(mask) => string.push_name(mask.row.name),
        // libpfm prints 32 bits of it.
        Attr::RawUmask => string.push(&format!(":{:#x}", asked.value as u32)),
        Attr::Modifier(modifier) => string.push_value(modifier, asked.value),
        Attr::Perf(which) => string.push_value(which.modifier(), asked.value),
    }
}

/// The written attributes, in the order of the event's list.
fn push_written(string: &mut Spelling, written: &[&Asked]) {
    for (number, asked) in written.iter().enumerate() {
        if let Attr::Perf(_) = asked.what {
            continue;
        }
        if let Attr::RawUmask = &asked.what {
            string.push(&format!(":{:#x}", asked.value));
            continue;
        }
        push_asked(string, asked);
        let before = number.checked_sub(1).and_then(|number| written.get(number));
        let is_again = |before: &&Asked| match (&before.what, &asked.what) {
            (Attr::Umask(a), Attr::Umask(b)) => a.number == b.number,
            _ => false,
        };
        let has_other = |after: &&Asked| match (&asked.what, &after.what) {
            (Attr::Modifier(a), Attr::Modifier(b)) => a.index == b.index,
            _ => false,
        };
        // Of three equal ones two stay, of two one; a value after two others is not compared with them.
        if before.is_some_and(is_again) || written.get(number + 1).is_some_and(has_other) {
            push_asked(string, asked);
        }
    }
}

/// libpfm's string: every attribute that the event has, but numbers only when they are not 0, period and
/// frequency as the same number, and neither CPU nor pinning.
fn push_printed(string: &mut Spelling, perf: &PerfEncoding, kept: u32) {
    for which in PerfAttribute::of_set(kept) {
        let value = match which {
            PerfAttribute::Period | PerfAttribute::Frequency if perf.period == 0 => continue,
            PerfAttribute::Cpu | PerfAttribute::Pinned => continue,
            PerfAttribute::Period | PerfAttribute::Frequency => perf.period,
            PerfAttribute::HardwareSampling => perf.precise_ip.into(),
            which => perf.value_of(which),
        };
        string.push_value(which.modifier(), value);
    }
}

/// A string that gives the same: levels by their values, the rest only where it differs from the default.
fn push_canonical(string: &mut Spelling, perf: &PerfEncoding, kept: u32, supported: Privilege) {
    let has = |which: PerfAttribute| which.is_in(kept);
    // Naming one level leaves out the others, so the hypervisor cannot be kept where it has no name;
    // it is then the context's default, which stays so when nothing is named.
    let unnamed = !perf.exclude_hv
        && supported.contains(Privilege::HYPERVISOR)
        && !has(PerfAttribute::Hypervisor);
    for which in PerfAttribute::of_set(kept) {
        let value = perf.value_of(which);
        let named = match which {
            PerfAttribute::User | PerfAttribute::Kernel | PerfAttribute::Hypervisor => !unnamed,
            PerfAttribute::Cpu => perf.cpu.is_some(),
            PerfAttribute::HardwareSampling => value != 0 && !has(PerfAttribute::Precise),
            _ => value != 0,
        };
        if named {
            string.push_value(which.modifier(), value);
        }
    }
}
