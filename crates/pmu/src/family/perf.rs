//! libpfm's PMU `perf`: the kernel's events. A cache event is a cache with one unit mask for the
//! operation and one for the result; perf's names are other names for these.

use super::{PerfText, Programmed};
use crate::attribute::{Attribute, PerfAttribute, Speculative};
use crate::encode::{EncodeError, EncodeErrorKind, Request};
use crate::kernel::{self, Group, KernelEvent, Role};
use crate::machine::{Machine, Privilege};
use crate::pmu::{Event, Pmu};

const OPERATION: u8 = 0;
const RESULT: u8 = 1;

/// Name, bits of `config`, group, whether it is the default, what it does.
const UMASKS: [(&str, u64, u8, bool, &str); 5] = [
    ("READ", 0x0, OPERATION, true, "Reads"),
    ("WRITE", 0x100, OPERATION, false, "Writes"),
    ("PREFETCH", 0x200, OPERATION, false, "Prefetches"),
    ("ACCESS", 0x0, RESULT, false, "All of them, whether served or not"),
    ("MISS", 0x1_0000, RESULT, true, "Those that it could not serve"),
];

/// `perf_event_attr.type` of a raw event.
const RAW: u32 = 4;

pub(super) fn events(pmu: &'static Pmu) -> impl Iterator<Item = Event> {
    let rows = kernel::rows().filter(|row| row.in_libpfm && row.role != Role::Optional);
    rows.flat_map(move |row| of_row(row, pmu))
}

pub(super) fn event(pmu: &'static Pmu, name: &str) -> Option<Event> {
    let optional = kernel::rows()
        .filter(|row| row.role == Role::Optional)
        .map(|row| Event { perf_kind: RAW, ..plain(&row, pmu) });
    events(pmu).chain(optional).find(|event| event.name.eq_ignore_ascii_case(name))
}

/// Optional events exist where the processor's sysfs directory names them.
pub(super) fn has(event: &Event, machine: &Machine) -> bool {
    event.perf_kind != RAW || machine.core_events.iter().any(|name| name == event.name)
}

/// Which operations and results a cache has is what its rows in the table say.
pub(super) fn umasks(event: &Event) -> Vec<Attribute> {
    if event.perf_kind != Group::Cache.kind() || event.equiv.is_some() {
        return Vec::new();
    }
    let choices = |row: KernelEvent| row.constant.strip_prefix(event.name)?.strip_prefix(':');
    let known: Vec<&str> = kernel::rows().filter_map(choices).flat_map(|c| c.split(':')).collect();
    let umasks = UMASKS.into_iter().filter(|(name, ..)| known.contains(name));
    umasks
        .map(|(name, code, group, is_default, description)| {
            Attribute::umask(name, code, group, is_default, description)
        })
        .collect()
}

/// Levels that the processor does not tell apart cannot be asked for; software events have neither
/// a hypervisor's level nor precision.
pub(super) fn keeps(event: &Event, attribute: &Attribute, machine: &Machine) -> bool {
    let counted_by_hardware =
        [Group::Hardware.kind(), Group::Cache.kind()].contains(&event.perf_kind);
    let told_apart = |level| !counted_by_hardware || machine.privilege.contains(level);
    match PerfAttribute::of(attribute) {
        Some(PerfAttribute::User) => told_apart(Privilege::USER),
        Some(PerfAttribute::Kernel) => told_apart(Privilege::KERNEL),
        Some(PerfAttribute::Hypervisor) => counted_by_hardware && told_apart(Privilege::HYPERVISOR),
        Some(PerfAttribute::Precise) => counted_by_hardware,
        Some(PerfAttribute::HardwareSampling) => false,
        _ => true,
    }
}

/// One operation and one result; reads that miss when the string does not say.
pub(super) fn program(event: &Event, request: &Request) -> Result<Programmed, EncodeError> {
    let mut chosen: Vec<&Attribute> = Vec::new();
    for (attribute, requested) in request.umasks() {
        if let Some(first) = chosen.iter().find(|first| first.group == attribute.group) {
            let kind = EncodeErrorKind::SecondUmask {
                first: first.name.to_owned(),
                second: attribute.name.to_owned(),
            };
            return Err(EncodeError { span: requested.span.clone(), kind });
        }
        chosen.push(attribute);
    }
    for default in request.attributes.iter().filter(|attribute| attribute.is_default) {
        if !chosen.iter().any(|chosen| chosen.group == default.group) {
            chosen.push(default);
        }
    }
    chosen.sort_by_key(|attribute| attribute.index);
    let config = chosen.iter().fold(event.code, |config, umask| config | umask.code);
    Ok(Programmed {
        codes: vec![config],
        event: event.name.to_owned(),
        attributes: chosen.iter().map(|umask| format!(":{}", umask.name)).collect(),
        perf_text: PerfText::Same,
        perf: (event.perf_kind, [config, 0, 0]),
    })
}

/// The events of one line: the constant, then perf's names as other names for it. A cache event's
/// constant is an event and its unit masks, so that only the names are events of their own.
fn of_row(row: KernelEvent, pmu: &'static Pmu) -> impl Iterator<Item = Event> {
    let has_own = row.group != Group::Cache || row.role == Role::WholeCache;
    let own = has_own.then(|| plain(&row, pmu));
    let names = row.names().filter(move |_| row.role == Role::Event);
    let alias = move |name| Event {
        name,
        equiv: Some(row.constant),
        // The operation and the result are unit masks of what the alias stands for.
        code: if has_own { row.config } else { row.config & 0xff },
        is_precise: false,
        ..plain(&row, pmu)
    };
    own.into_iter().chain(names.map(alias))
}

fn plain(row: &KernelEvent, pmu: &'static Pmu) -> Event {
    Event {
        pmu,
        name: row.constant,
        equiv: None,
        code: row.config,
        is_precise: row.precise,
        speculative: Speculative::Unknown,
        description: row.description,
        perf_kind: row.kind(),
    }
}
