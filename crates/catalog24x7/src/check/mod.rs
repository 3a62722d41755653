//! Checks for oddities in a catalog that can be read.

mod events;
mod formulas;
mod groups;
mod page0;
mod records;
mod schemas;

use crate::catalog::{Catalog, Reading};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::links::Links;
use crate::page0::Section;
use crate::records::Domain;

/// Checks the contents of a catalog: unused bytes, alignment, texts, domains, indexes, counters and schemas.
///
/// Anything that could not be read at all is in the diagnostics of [`Catalog::decode`]; the texts of formulas are not checked.
/// Returns at most 128 findings, and one that counts any others; the time is linear in the size of the catalog, except for sorting names.
///
/// ```
/// use counterpoint_catalog24x7::{CatalogBuilder, Code, Domain, Event, check};
///
/// let event = Event { counter_offset: 60, group_record_length: 64, ..Event::new("PM_CYC", Domain::CORE) };
/// let findings = check(&CatalogBuilder::new(1).event(event).build()?);
/// let past = findings.iter().find(|finding| finding.code == Code::CounterPastRecord).unwrap();
/// assert_eq!((past.index, past.offset), (Some(0), 0x100a));
/// # Ok::<(), counterpoint_catalog24x7::EncodeError>(())
/// ```
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    let schemas = catalog.schemas.iter().take(256);
    let mut checker = Checker {
        catalog,
        links: Links::new(catalog),
        core_groups: catalog.groups.iter().filter(|group| group.domain == Domain::CORE).count(),
        extents: schemas.map(|schema| schema.extent() as u32).collect(),
        findings: Findings::default(),
    };
    checker.page0();
    for section in Section::OF_RECORDS {
        checker.framing(section);
    }
    checker.schemas();
    checker.domain_offsets();
    checker.reading();
    checker.events();
    checker.groups();
    checker.formulas();
    checker.findings.finish()
}

struct Checker<'c> {
    catalog: &'c Catalog,
    links: Links<'c>,
    /// The number of groups of the core.
    core_groups: usize,
    /// The number of bytes that each schema describes, for the schemas that a group can refer to.
    extents: Vec<u32>,
    findings: Findings,
}

impl Checker<'_> {
    /// Reports that indexes are not those of real catalogs.
    fn reading(&mut self) {
        if self.links.reading() == Reading::Document && self.catalog.reading.is_none() {
            let at = self.catalog.page0.range(Section::Group, self.catalog.size);
            let at = at.map_or(0, |range| range.start);
            let text = "indexes count from the first record of all, as in the document, because the records of groups and events agree so";
            self.add(Code::ReadingsDiffer, (Section::Group, None), at, "event_indexes", || text);
        }
    }

    /// Adds a finding about the byte at `offset` of the file.
    fn add<M: Into<String>>(
        &mut self,
        code: Code,
        (section, index): (Section, Option<usize>),
        offset: usize,
        field: &'static str,
        message: impl FnOnce() -> M,
    ) {
        self.findings.add(|| Diagnostic::new(code, section, index, offset, field, message()));
    }
}

/// The records of a section with the position of each in the file.
fn placed<'c, T>(
    catalog: &'c Catalog,
    section: Section,
    records: &'c [T],
) -> impl Iterator<Item = (usize, usize, &'c T)> + use<'c, T> {
    let mut at = catalog.page0.range(section, catalog.size).map_or(0, |range| range.start);
    let starts = catalog.lengths(section).map(move |length| {
        let start = at;
        at += length;
        start
    });
    records.iter().zip(starts).enumerate().map(|(index, (record, at))| (index, at, record))
}
