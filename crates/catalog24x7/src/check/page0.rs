//! Checks page 0: its constants, and the extents of the sections.

use super::{Checker, placed};
use crate::catalog::Stretch;
use crate::diagnostic::Code;
use crate::page0::{PAGE, Section};
use crate::records::Domain;

const HERE: (Section, Option<usize>) = (Section::Page0, None);

impl Checker<'_> {
    pub(super) fn page0(&mut self) {
        let (page0, size) = (&self.catalog.page0, self.catalog.size);
        if u64::from(page0.length) * PAGE as u64 != size as u64 {
            self.add(Code::FileLength, HERE, 4, "length", || {
                let bytes = u64::from(page0.length) * PAGE as u64;
                format!("{} pages are {bytes} bytes, but the file has {size}", page0.length)
            });
        }
        if page0.build_date().is_none() && page0.build_date != [0; 16] {
            self.add(Code::BuildDate, HERE, 0x10, "build_date", || {
                format!("`{}` is not a date", page0.build_date.escape_ascii())
            });
        }
        if page0.reserved != [0; 32] {
            self.reserved(HERE, 0x20);
        }
        for section in Section::OF_RECORDS {
            if page0.extent(section).reserved != 0 {
                self.reserved(HERE, section.entry() + 6);
            }
        }
        if page0.reserved_end != [0; 8] {
            self.reserved(HERE, 0x78);
        }
        self.rest_of_page0();
        self.past_stated_length();
        self.overlaps();
    }

    /// Checks the bytes of page 0 after its fields.
    fn rest_of_page0(&mut self) {
        let in_page0 = |stretch: &&Stretch| stretch.offset < PAGE;
        if let Some(stretch) = self.catalog.outside.iter().find(in_page0) {
            self.reserved(HERE, stretch.offset);
        }
    }

    /// Checks sections that the file holds, but not the catalog by its own length: the driver reads pages of that length.
    fn past_stated_length(&mut self) {
        let (page0, size) = (&self.catalog.page0, self.catalog.size);
        let stated = u64::from(page0.length) * PAGE as u64;
        for section in Section::OF_RECORDS {
            let bytes = page0.extent(section).bytes();
            // A section past the end of the file is an error of its own.
            if bytes.is_empty() || bytes.end > size || bytes.end as u64 <= stated {
                continue;
            }
            self.add(Code::PastStatedLength, HERE, section.entry(), section.name(), || {
                format!("the section ends at {:#x}, past the stated length {stated:#x}", bytes.end)
            });
        }
    }

    pub(super) fn reserved(&mut self, place: (Section, Option<usize>), offset: usize) {
        self.add(Code::Reserved, place, offset, "reserved", || "reserved bytes are not zero");
    }

    fn overlaps(&mut self) {
        let page0 = &self.catalog.page0;
        for (number, section) in Section::OF_RECORDS.into_iter().enumerate() {
            let bytes = page0.extent(section).bytes();
            let other = Section::OF_RECORDS.into_iter().take(number).find(|other| {
                let other = page0.extent(*other).bytes();
                other.start < bytes.end && bytes.start < other.end && !other.is_empty()
            });
            let Some(other) = other.filter(|_| bytes.start >= PAGE && !bytes.is_empty()) else {
                continue;
            };
            self.add(Code::SectionsOverlap, HERE, section.entry(), section.name(), || {
                let (start, end) = (bytes.start, bytes.end);
                format!("the section {start:#x}..{end:#x} overlaps that of the {other}s")
            });
        }
    }

    /// Checks the offsets of the domains, if the catalog has them.
    pub(super) fn domain_offsets(&mut self) {
        const EVENTS: [&str; 3] = ["off_core_events", "off_thread_events", "off_chip_events"];
        const GROUPS: [&str; 3] = ["off_core_groups", "off_thread_groups", "off_chip_groups"];
        let catalog = self.catalog;
        if !catalog.page0.has_domain_offsets() {
            return;
        }
        let events = placed(catalog, Section::Event, &catalog.events);
        let events = firsts(events.map(|(_, at, event)| (at, event.domain)));
        let groups = placed(catalog, Section::Group, &catalog.groups);
        let groups = firsts(groups.map(|(_, at, group)| (at, group.domain)));
        let written = [(catalog.page0.domain_events, events, EVENTS, 0x60, "event")];
        let written = written.into_iter().chain([(
            catalog.page0.domain_groups,
            groups,
            GROUPS,
            0x6c,
            "group",
        )]);
        for (written, firsts, fields, at, what) in written {
            for (number, field) in fields.into_iter().enumerate() {
                let (written, first) = (written[number], firsts[number]);
                if written == first {
                    continue;
                }
                self.add(Code::DomainOffset, HERE, at + 4 * number, field, || {
                    let domain = DOMAINS[number].name().unwrap_or_default();
                    match first {
                        u32::MAX => format!("{written:#x}, but there is no {domain} {what}"),
                        _ => {
                            format!("{written:#x}, but the first {domain} {what} is at {first:#x}")
                        }
                    }
                });
            }
        }
    }
}

const DOMAINS: [Domain; 3] = [Domain::CORE, Domain::THREAD, Domain::CHIP];

/// The position of the first record of each domain, from the start of the section; 0xffffffff for a domain without records.
fn firsts(records: impl Iterator<Item = (usize, Domain)>) -> [u32; 3] {
    let (mut start, mut firsts) = (None, [u32::MAX; 3]);
    for (at, domain) in records {
        let relative = (at - *start.get_or_insert(at)) as u32;
        if let Some(number) = DOMAINS.iter().position(|of| *of == domain) {
            firsts[number] = firsts[number].min(relative);
        }
    }
    firsts
}
