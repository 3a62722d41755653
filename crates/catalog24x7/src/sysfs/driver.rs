//! Follows the driver through the event section: which events it shows, which it skips, and where it stops.

use super::kernel::Kernel;
use super::value::Value;
use crate::data::InterfaceVersion;
use crate::decode;
use crate::frame::be16;
use crate::page0::{PAGE, Page0, Section};
use crate::records::{Domain, Event};

/// The events that the driver shows for a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The events in the order of the catalog.
    pub entries: Vec<Entry>,
    /// The number of records that it skips: those with reserved names, without a group record, or in unknown domains.
    pub skipped: usize,
    /// The reason why it rejects the whole catalog.
    pub refusal: Option<Refusal>,
    /// The place where it stops before the last record that page 0 counts; the events before that are shown.
    pub stop: Option<Stop>,
}

/// An event in sysfs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the file.
    pub name: String,
    /// The contents of the file.
    pub value: Value,
    /// The index of the record that it comes from.
    pub event: usize,
}

/// The reason why the driver rejects a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Page 0 cannot be read.
    #[error("page 0 cannot be read (EIO)")]
    NoPage0,
    /// The events extend past the length that page 0 gives.
    #[error("the events extend past the length of the catalog (EIO)")]
    PastLength,
    /// The section of the events has no length, so the driver cannot allocate memory for it.
    #[error("the section of the events has no length (ENOMEM)")]
    NoEvents,
    /// Some pages of the events are missing.
    #[error("a page of the events cannot be read (EIO)")]
    NoPage,
}

/// The place where the driver stops reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event}: {kind}")]
pub struct Stop {
    /// The index of the record.
    pub event: usize,
    /// The reason.
    pub kind: StopKind,
}

/// The reason why the driver stops reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopKind {
    /// The section ends.
    #[error("the section of the events has ended")]
    End,
    /// The fixed part extends to or past the end of the section.
    #[error("its fixed part does not end before the end of the section")]
    FixedPart,
    /// The record extends past the end of the section.
    #[error("its length {0} runs past the end of the section")]
    Length(u16),
    /// A driver that reads page by page rejects records longer than a page.
    #[error("its length {0} is more than a page")]
    LongerThanPage(u16),
    /// A text is shorter than its length field, or extends past the end of the section.
    #[error("its texts run past the end of the section, or one has a length below 2")]
    Texts,
    /// The texts are longer than the record.
    #[error("its texts are longer than the record")]
    Record,
}

/// The events that a kernel shows for a catalog, on a machine with this version of the hypervisor interface.
///
/// The driver checks neither the descriptor nor any other section than the events; from a damaged catalog it may read less than [`Catalog::decode`](crate::Catalog::decode), or something different.
pub fn list(file: &[u8], kernel: Kernel, interface: InterfaceVersion) -> Listing {
    let section = match section(file) {
        Ok(section) => section,
        Err(refusal) => return Listing { refusal: Some(refusal), ..Listing::default() },
    };
    let (bytes, count) = section;
    let mut listing = Listing::default();
    // Names with their padding and domains, to number repeated ones.
    let mut seen = std::collections::HashMap::new();
    let mut at = 0;
    for event in 0..count {
        let record = match record(bytes, at, kernel) {
            Ok(record) => record,
            Err(kind) => {
                listing.stop = Some(Stop { event, kind });
                break;
            }
        };
        at += usize::from(record.length);
        if record.is_skipped(kernel, interface) {
            listing.skipped += 1;
            continue;
        }
        let number = seen.entry((record.name, record.event.domain)).or_insert(0_usize);
        let again = if kernel == Kernel::Y2014 { 0 } else { *number };
        *number += 1;
        for (suffix, domain) in shown(kernel, record.event.domain) {
            let mut name = record.printed_name();
            name.push_str(suffix);
            if again > 0 {
                name.push_str(&format!("__{again}"));
            }
            let value = Value::new(kernel, &record.event, *domain);
            listing.entries.push(Entry { name, value, event });
        }
    }
    listing
}

/// The bytes of the event section, and the number of its records.
fn section(file: &[u8]) -> Result<(&[u8], usize), Refusal> {
    let page0: Page0 = decode::page0(file).map_err(|_| Refusal::NoPage0)?;
    let extent = page0.extent(Section::Event);
    let range = extent.bytes();
    if range.end as u64 > u64::from(page0.length) * PAGE as u64 {
        return Err(Refusal::PastLength);
    }
    if range.is_empty() {
        return Err(Refusal::NoEvents);
    }
    let bytes = file.get(range).ok_or(Refusal::NoPage)?;
    Ok((bytes, extent.count.into()))
}

struct Record<'a> {
    length: u16,
    /// The field of the name, without its length.
    name: &'a [u8],
    /// The record without its texts.
    event: Event,
}

impl Record<'_> {
    fn is_skipped(&self, kernel: Kernel, interface: InterfaceVersion) -> bool {
        let known = match (kernel, interface) {
            (Kernel::Current, InterfaceVersion::V2) => 1..=6,
            _ => 1..=2,
        };
        let reserved = kernel == Kernel::Current && self.name.starts_with(b"RESERVED");
        let unreadable = kernel != Kernel::Y2014 && self.event.group_record_length == 0;
        reserved || unreadable || !known.contains(&self.event.domain.0)
    }

    /// The name up to its first NUL.
    fn printed_name(&self) -> String {
        let name = self.name.split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(name).into_owned()
    }
}

/// Reads a record with exactly the checks of the driver.
fn record(bytes: &[u8], at: usize, kernel: Kernel) -> Result<Record<'_>, StopKind> {
    if at >= bytes.len() {
        return Err(StopKind::End);
    }
    if at + 0x16 >= bytes.len() {
        return Err(StopKind::FixedPart);
    }
    let number = |offset: usize| be16(bytes, at + offset);
    let length = number(0);
    if kernel == Kernel::Y2014 && usize::from(length) > PAGE {
        return Err(StopKind::LongerThanPage(length));
    }
    if at + usize::from(length) > bytes.len() {
        return Err(StopKind::Length(length));
    }
    // The driver adds up the texts from the start of the record, without the fixed part before them.
    let mut texts = 0;
    for _ in 0..3 {
        let text = usize::from(number(0x14 + texts));
        texts += text;
        if text < 2 || at + texts > bytes.len() {
            return Err(StopKind::Texts);
        }
    }
    if texts > usize::from(length) {
        return Err(StopKind::Record);
    }
    let name_end = (at + 0x14 + usize::from(number(0x14))).min(bytes.len());
    let event = Event {
        group_record_offset: number(0x06),
        group_record_length: number(0x08),
        counter_offset: number(0x0a),
        ..Event::new("", Domain((number(0x04) >> 8) as u8))
    };
    Ok(Record { length, name: bytes.get(at + 0x16..name_end).unwrap_or_default(), event })
}

/// The variants of an event of this domain that a kernel shows: the suffix of the name, and the domain of each.
fn shown(kernel: Kernel, domain: Domain) -> &'static [(&'static str, Domain)] {
    const fn virtual_domains(names: [&'static str; 5]) -> [(&'static str, Domain); 5] {
        let [core, home_core, home_chip, home_node, remote_node] = names;
        [
            (core, Domain::CORE),
            (home_core, Domain::VCPU_HOME_CORE),
            (home_chip, Domain::VCPU_HOME_CHIP),
            (home_node, Domain::VCPU_HOME_NODE),
            (remote_node, Domain::VCPU_REMOTE_NODE),
        ]
    }
    const OF_2014: [(&str, Domain); 5] = virtual_domains([
        "",
        "__vcpu_home_core",
        "__vcpu_home_chip",
        "__vcpu_home_node",
        "__vcpu_remote_node",
    ]);
    const OF_4_1: [(&str, Domain); 5] = virtual_domains([
        "__PHYS_CORE",
        "__VCPU_HOME_CORE",
        "__VCPU_HOME_CHIP",
        "__VCPU_HOME_NODE",
        "__VCPU_REMOTE_NODE",
    ]);
    match (kernel, domain) {
        (Kernel::Y2014, Domain::CHIP) => &[("__phys_chip", Domain::CHIP)],
        (Kernel::Y2014, _) => &OF_2014,
        (Kernel::V4_1, Domain::CHIP) => &[("__PHYS_CHIP", Domain::CHIP)],
        (Kernel::V4_1, _) => &OF_4_1,
        (Kernel::Current, Domain::CHIP) => &[("", Domain::CHIP)],
        (Kernel::Current, Domain::CORE) => &[("", Domain::CORE)],
        (Kernel::Current, _) => &[("", Domain::VCPU_HOME_CORE)],
    }
}
