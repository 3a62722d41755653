//! libpfm's PMU `perf`: the kernel's events. A cache event is a cache with one unit mask for the
//! operation and one for the result; perf's names are other names for these.

use super::plain::{PLAIN, RAW};
use crate::encode::error::{EncodeError, EncodeErrorKind};
use crate::encode::programmed::{Programmed, Words};
use crate::encode::request::{Attr, Request};
use crate::kernel::{self, Group, KernelEvent, Role};
use crate::modifier::{PerfAttribute, set};
use crate::pmu::{Event, Family, Known, OsEvent, OwnEvents, Pmu};
use crate::privilege::Privilege;
use crate::tables::row::{Facts, Marks, Mask, Row};
use crate::tables::table::Place;

pub(crate) static FAMILY: Family = Family {
    names_all_masks: true,
    own: Some(OwnEvents {
        all: |pmu| Box::new(events(pmu)),
        find: event,
        has,
        masks: |event| masks(event).collect(),
        describe: |mask| UMASKS.into_iter().find(|row| row.0 == mask.row.name).map(|row| row.4),
    }),
    left_out,
    has_all_levels: true,
    program,
    perf: |event, _, programmed, _| Ok(Words::new(kind(event), programmed.word(0))),
    ..PLAIN
};

const OPERATION: u8 = 0;
const RESULT: u8 = 1;

/// Name, bits of `config`, group, whether it is the default, a description.
const UMASKS: [(&str, u64, u8, bool, &str); 5] = [
    ("READ", 0x0, OPERATION, true, "Reads"),
    ("WRITE", 0x100, OPERATION, false, "Writes"),
    ("PREFETCH", 0x200, OPERATION, false, "Prefetches"),
    ("ACCESS", 0x0, RESULT, false, "All of them, whether served or not"),
    ("MISS", 0x1_0000, RESULT, true, "Those that it could not serve"),
];

/// The facts of a unit mask, by its group and whether it is the default.
static FACTS: [[Facts; 2]; 2] = [facts(OPERATION), facts(RESULT)];

const fn facts(group: u8) -> [Facts; 2] {
    [Facts { group, ..Facts::NONE }, Facts { group, marks: Marks::DEFAULT, ..Facts::NONE }]
}

fn events(pmu: &'static Pmu) -> impl Iterator<Item = Event> {
    let rows = kernel::rows().filter(is_listed);
    let optional = kernel::rows().filter(|row| row.role == Role::Optional);
    rows.flat_map(move |row| of_row(row, pmu)).chain(optional.map(move |row| of_machine(row, pmu)))
}

/// An event that only some machines have.
fn of_machine(row: &KernelEvent, pmu: &'static Pmu) -> Event {
    static OPTIONAL: Facts = Facts { marks: Marks::OPTIONAL, ..Facts::NONE };
    let event = plain(row, pmu);
    let of_table = Row { facts: &OPTIONAL, ..event.row };
    Event { os: Some(OsEvent { perf_kind: RAW, ..os(row) }), row: of_table, ..event }
}

fn is_listed(row: &&'static KernelEvent) -> bool {
    row.in_libpfm && row.role != Role::Optional
}

fn event(pmu: &'static Pmu, name: &str) -> Option<Event> {
    let mut called = kernel::called(name);
    let mut listed = called.clone().filter(|(row, _)| is_listed(row));
    listed.find_map(|(row, known)| named(row, known, pmu)).or_else(|| {
        let is_meant =
            |(row, known): &(&KernelEvent, _)| row.role == Role::Optional && *known == row.constant;
        let (row, _) = called.find(is_meant)?;
        Some(of_machine(row, pmu))
    })
}

/// Optional events exist where the processor's sysfs directory names them.
fn has(event: &Event, known: &Known<'_>) -> bool {
    kind(event) != RAW || known.core_events.iter().any(|name| name == event.name)
}

fn kind(event: &Event) -> u32 {
    event.os.map_or(RAW, |os| os.perf_kind)
}

/// The operations and results of a cache are those of its rows in the table.
fn masks(event: &Event) -> impl Iterator<Item = Mask> + use<> {
    let has_masks = kind(event) == Group::Cache.kind() && event.equiv.is_none();
    let known = if has_masks { MASKS[event.code as usize % MASKS.len()] } else { 0 };
    let umasks = UMASKS.iter().enumerate().filter(move |(which, _)| known >> which & 1 != 0);
    umasks.enumerate().map(|(number, (_, &(name, code, group, is_default, _)))| {
        let facts = &FACTS[usize::from(group)][usize::from(is_default)];
        Mask { number: number as u16, row: Row { name, code, facts } }
    })
}

/// The unit masks of each cache, a bit for each of [`UMASKS`].
static MASKS: [u8; 8] = {
    let (mut masks, mut line) = ([0; 8], 0);
    while line < kernel::ROWS.len() {
        let row = &kernel::ROWS[line];
        let mut which = 0;
        while which < UMASKS.len() && matches!((row.group, row.role), (Group::Cache, Role::Event)) {
            let (_, code, group, ..) = UMASKS[which];
            let byte = 0xff00 << (8 * group);
            masks[row.config as usize & 7] |= ((row.config & byte == code) as u8) << which;
            which += 1;
        }
        line += 1;
    }
    masks
};

/// Levels that the processor does not distinguish cannot be written; software events have neither
/// a hypervisor's level nor precision.
fn left_out(event: &Event, _: u32, told_apart: Privilege) -> u32 {
    use PerfAttribute::{HardwareSampling, Hypervisor, Kernel, Precise, User};
    if ![Group::Hardware.kind(), Group::Cache.kind()].contains(&kind(event)) {
        return set(&[Hypervisor, Precise, HardwareSampling]);
    }
    let levels =
        [(User, Privilege::USER), (Kernel, Privilege::KERNEL), (Hypervisor, Privilege::HYPERVISOR)];
    let unknown = levels.into_iter().filter(|(_, level)| !told_apart.contains(*level));
    unknown.fold(set(&[HardwareSampling]), |all, (which, _)| all | set(&[which]))
}

/// One operation and one result; reads that miss if the string has neither.
fn program(event: &Event, request: &mut Request, _: Privilege) -> Result<Programmed, EncodeError> {
    let mut chosen: [Option<Mask>; 2] = [None; 2];
    for asked in request.of_pmu() {
        let Attr::Umask(mask) = &asked.what else { continue };
        if let Some(first) = &chosen[usize::from(mask.row.group)] {
            let kind = EncodeErrorKind::SecondUmask {
                first: first.row.name.to_owned(),
                second: mask.row.name.to_owned(),
            };
            return Err(EncodeError { span: asked.span.clone(), kind });
        }
        chosen[usize::from(mask.row.group)] = Some(*mask);
    }
    for default in masks(event).filter(|mask| mask.has(Marks::DEFAULT)) {
        let chosen = &mut chosen[usize::from(default.row.group)];
        if chosen.is_none() {
            *chosen = Some(default);
            request.add_default(default);
        }
    }
    Ok(Programmed::code(
        chosen.iter().flatten().fold(event.code, |config, mask| config | mask.row.code),
    ))
}

/// The events of one line: the constant, then perf's names as other names for it.
fn of_row(row: &'static KernelEvent, pmu: &'static Pmu) -> impl Iterator<Item = Event> {
    [row.constant].into_iter().chain(row.names()).filter_map(move |name| named(row, name, pmu))
}

/// The event of this name of a line. A cache event's constant is an event and its unit masks, so that only the names are
/// events of their own.
fn named(row: &KernelEvent, name: &'static str, pmu: &'static Pmu) -> Option<Event> {
    let has_own = row.group != Group::Cache || row.role == Role::WholeCache;
    if name == row.constant {
        return has_own.then(|| plain(row, pmu));
    }
    (row.role == Role::Event).then(|| Event {
        name,
        equiv: Some(row.constant),
        // The operation and the result are unit masks of what the alias stands for.
        code: if has_own { row.config } else { row.config & 0xff },
        os: Some(OsEvent { precise: false, ..os(row) }),
        ..plain(row, pmu)
    })
}

fn plain(row: &KernelEvent, pmu: &'static Pmu) -> Event {
    let (name, code) = (row.constant, row.config);
    let of_table = Row { name, code, facts: &Facts::NONE };
    Event { pmu, name, equiv: None, code, row: of_table, place: Place::NOWHERE, os: Some(os(row)) }
}

fn os(row: &KernelEvent) -> OsEvent {
    OsEvent { description: row.description, perf_kind: row.kind(), precise: row.precise }
}
