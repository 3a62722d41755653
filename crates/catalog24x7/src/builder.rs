//! Catalogs made from records.

use crate::catalog::{Catalog, FormatVersion};
use crate::encode;
use crate::error::{EncodeError, EncodeErrorKind};
use crate::page0::{Extent, PAGE, Page0, Section};
use crate::records::{Domain, Event, Formula, Group};
use crate::schema::Schema;

/// Builds a catalog from records: sets their lengths, assigns pages to each section, and fills in page 0.
///
/// Records keep the order in which they are added; add those of one domain together.
///
/// ```
/// use counterpoint_catalog24x7::{CatalogBuilder, Domain, Event, Formula};
///
/// let catalog = CatalogBuilder::new(3)
///     .build_date("20150520120000")
///     .event(Event::new("CHIP_XFER", Domain::CHIP))
///     .formula(Formula::new("BANDWIDTH", "CHIP_XFER 128 * delta-seconds /"))
///     .build()?;
/// assert_eq!((catalog.size(), catalog.page0.formula.count), (3 * 4096, 1));
/// # Ok::<(), counterpoint_catalog24x7::EncodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CatalogBuilder {
    catalog: Catalog,
}

impl CatalogBuilder {
    /// An empty catalog with this version.
    pub fn new(version: u64) -> CatalogBuilder {
        let page0 = Page0 { version, ..Page0::default() };
        let catalog = Catalog {
            reading: None,
            page0,
            schemas: Vec::new(),
            events: Vec::new(),
            groups: Vec::new(),
            formulas: Vec::new(),
            outside: Vec::new(),
            size: 0,
            format: FormatVersion::default(),
        };
        CatalogBuilder { catalog }
    }

    /// A builder with the records of a catalog.
    pub fn from_catalog(catalog: &Catalog) -> CatalogBuilder {
        let mut catalog = catalog.clone();
        catalog.outside.clear();
        CatalogBuilder { catalog }
    }

    /// Sets the build date: `YYYYMMDDHHMMSS`, of which at most 15 bytes are kept.
    pub fn build_date(mut self, date: &str) -> CatalogBuilder {
        self.catalog.page0.build_date = [0; 16];
        let to = self.catalog.page0.build_date.iter_mut().take(15);
        to.zip(date.bytes()).for_each(|(to, byte)| *to = byte);
        self
    }

    /// Sets the format version in which the formulas are written.
    pub fn format(mut self, format: FormatVersion) -> CatalogBuilder {
        self.catalog.format = format;
        self
    }

    /// Adds a schema.
    pub fn schema(mut self, schema: Schema) -> CatalogBuilder {
        self.catalog.schemas.push(schema);
        self
    }

    /// Adds an event.
    pub fn event(mut self, event: Event) -> CatalogBuilder {
        self.catalog.events.push(event);
        self
    }

    /// Adds a group.
    pub fn group(mut self, group: Group) -> CatalogBuilder {
        self.catalog.groups.push(group);
        self
    }

    /// Adds a formula.
    pub fn formula(mut self, formula: Formula) -> CatalogBuilder {
        self.catalog.formulas.push(formula);
        self
    }

    /// Builds the catalog.
    ///
    /// # Errors
    /// Returns an error if a section has more than 65535 records or pages, or if a record or text is longer than 65535 bytes.
    pub fn build(self) -> Result<Catalog, EncodeError> {
        let mut catalog = self.catalog;
        lengths(&mut catalog)?;
        let mut page = 1;
        for section in Section::OF_RECORDS {
            let extent = place(&catalog, section, &mut page)?;
            match section {
                Section::Schema => catalog.page0.schema = extent,
                Section::Event => catalog.page0.event = extent,
                Section::Group => catalog.page0.group = extent,
                Section::Formula => catalog.page0.formula = extent,
                Section::Page0 | Section::Request | Section::Result => {}
            }
        }
        catalog.page0.length = page as u32;
        catalog.size = page * PAGE;
        let events = catalog.events.iter().map(|event| (event.domain, event.length));
        let groups = catalog.groups.iter().map(|group| (group.domain, group.length));
        catalog.page0.domain_events = firsts(events);
        catalog.page0.domain_groups = firsts(groups);
        Ok(catalog)
    }
}

/// Sets each record's length to what its contents need, padded to a multiple of 16.
fn lengths(catalog: &mut Catalog) -> Result<(), EncodeError> {
    for (index, schema) in catalog.schemas.iter_mut().enumerate() {
        let error = |kind| EncodeError { section: Section::Schema, index: Some(index), kind };
        let count = schema.fields.len();
        schema.field_count =
            u16::try_from(count).map_err(|_| error(EncodeErrorKind::TooMany { count }))?;
        schema.length = padded(encode::schema(schema)).map_err(error)?;
    }
    for (index, event) in catalog.events.iter_mut().enumerate() {
        let error = |kind| EncodeError { section: Section::Event, index: Some(index), kind };
        event.length = padded(encode::event(event)).map_err(error)?;
    }
    for (index, group) in catalog.groups.iter_mut().enumerate() {
        let error = |kind| EncodeError { section: Section::Group, index: Some(index), kind };
        group.length = padded(encode::group(group)).map_err(error)?;
    }
    for (index, formula) in catalog.formulas.iter_mut().enumerate() {
        let error = |kind| EncodeError { section: Section::Formula, index: Some(index), kind };
        formula.length = 0;
        formula.length = padded(encode::formula(formula, catalog.format)).map_err(error)?.into();
    }
    Ok(())
}

fn padded(packed: Result<(usize, Vec<u8>), EncodeErrorKind>) -> Result<u16, EncodeErrorKind> {
    let (_, bytes) = packed?;
    let length = bytes.len().next_multiple_of(16);
    u16::try_from(length).map_err(|_| EncodeErrorKind::TooLong { length })
}

/// Assigns pages to a section, from `page` on.
fn place(catalog: &Catalog, section: Section, page: &mut usize) -> Result<Extent, EncodeError> {
    let number = |count: usize| {
        let kind = EncodeErrorKind::TooMany { count };
        u16::try_from(count).map_err(|_| EncodeError { section, index: None, kind })
    };
    let count = number(catalog.len(section))?;
    if count == 0 {
        return Ok(Extent::default());
    }
    let bytes: usize = catalog.lengths(section).sum();
    let length = number(bytes.div_ceil(PAGE))?;
    let offset = number(*page)?;
    *page += usize::from(length);
    Ok(Extent { offset, length, count, reserved: 0 })
}

/// The offsets of the first record of the core, thread and chip domains.
fn firsts(records: impl Iterator<Item = (Domain, u16)>) -> [u32; 3] {
    let domains = [Domain::CORE, Domain::THREAD, Domain::CHIP];
    let mut firsts = [u32::MAX; 3];
    let mut at = 0;
    for (domain, length) in records {
        for (first, of) in firsts.iter_mut().zip(domains) {
            if of == domain {
                *first = (*first).min(at);
            }
        }
        at += u32::from(length);
    }
    firsts
}
