//! A catalog that is read in place, without memory of its own.

use crate::catalog::FormatVersion;
use crate::decode;
use crate::error::DecodeError;
use crate::frame::{Frame, Frames, be16, be32};
use crate::page0::{Page0, Section};
use crate::records::Domain;
use crate::schema::{Field, FieldKind};
use crate::text::TextRef;

/// A borrowed view of a catalog: its records borrow from the bytes, and nothing is allocated.
///
/// The framing of a record is checked when iteration reaches it, and its texts when they are read.
/// Iteration stops after a record with a wrong length, and continues after one with a wrong text.
///
/// ```
/// use counterpoint_catalog24x7::{Catalog, CatalogBuilder, Domain, Event, View};
///
/// let bytes = CatalogBuilder::new(1).event(Event::new("PM_CYC", Domain::CORE)).build()?.encode()?;
/// let names: Vec<&str> = View::new(&bytes)?.events().flatten().filter_map(|event| event.name().as_str()).collect();
/// assert_eq!(names, ["PM_CYC"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct View<'a> {
    file: &'a [u8],
    page0: Page0,
    format: FormatVersion,
}

impl<'a> View<'a> {
    /// Creates a view of a catalog.
    ///
    /// # Errors
    /// Returns an error if the bytes are shorter than page 0 or do not begin with `24x7`.
    pub fn new(file: &'a [u8]) -> Result<View<'a>, DecodeError> {
        View::with_format(file, FormatVersion::default())
    }

    /// Creates a view of a catalog whose formulas have the given format version.
    ///
    /// # Errors
    /// Returns an error if the bytes are shorter than page 0 or do not begin with `24x7`.
    pub fn with_format(file: &'a [u8], format: FormatVersion) -> Result<View<'a>, DecodeError> {
        let page0 = decode::page0(file)?;
        decode::descriptor(&page0)?;
        Ok(View { file, page0, format })
    }

    /// Page 0.
    pub fn page0(&self) -> &Page0 {
        &self.page0
    }

    /// The schemas.
    pub fn schemas(
        &self,
    ) -> impl Iterator<Item = Result<SchemaView<'a>, DecodeError>> + Clone + use<'a> {
        self.frames(Section::Schema).map(|frame| Ok(SchemaView { frame: frame? }))
    }

    /// The events.
    #[inline]
    pub fn events(
        &self,
    ) -> impl Iterator<Item = Result<EventView<'a>, DecodeError>> + Clone + use<'a> {
        self.frames(Section::Event).map(|frame| EventView::new(frame?))
    }

    /// The groups.
    #[inline]
    pub fn groups(
        &self,
    ) -> impl Iterator<Item = Result<GroupView<'a>, DecodeError>> + Clone + use<'a> {
        self.frames(Section::Group).map(|frame| GroupView::new(frame?))
    }

    /// The formulas.
    pub fn formulas(
        &self,
    ) -> impl Iterator<Item = Result<FormulaView<'a>, DecodeError>> + Clone + use<'a> {
        let format = self.format;
        self.frames(Section::Formula).map(move |frame| FormulaView::new(frame?, format))
    }

    fn frames(&self, section: Section) -> Frames<'a> {
        Frames::new(self.file, &self.page0, section, self.format)
    }
}

macro_rules! common {
    ($view:ident $what:literal) => {
        impl<'a> $view<'a> {
            #[doc = concat!("The index of the ", $what, " in the catalog.")]
            pub fn index(&self) -> usize {
                self.frame.index
            }

            /// Its offset in the file, in bytes.
            pub fn offset(&self) -> usize {
                self.frame.offset
            }

            /// Its bytes, including padding.
            pub fn bytes(&self) -> &'a [u8] {
                self.frame.bytes
            }
        }
    };
}

common!(SchemaView "schema");
common!(EventView "event");
common!(GroupView "group");
common!(FormulaView "formula");

/// A borrowed view of a schema.
#[derive(Clone, Copy, Debug)]
pub struct SchemaView<'a> {
    frame: Frame<'a>,
}

impl<'a> SchemaView<'a> {
    /// The descriptor of the schema, a number.
    pub fn descriptor(&self) -> u16 {
        be16(self.frame.bytes, 4)
    }

    /// The version of the schema.
    pub fn version_id(&self) -> u16 {
        be16(self.frame.bytes, 6)
    }

    /// The fields found in the record, which may be fewer than its count.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = Field> + use<'a> {
        let count = usize::from(be16(self.frame.bytes, 14));
        let bytes = self.frame.bytes.get(16..).unwrap_or_default();
        bytes.chunks_exact(8).take(count).map(|field| Field {
            kind: FieldKind(be16(field, 0)),
            offset: be16(field, 2),
            length: be16(field, 4),
            flags: be16(field, 6),
        })
    }
}

/// A borrowed view of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventView<'a> {
    frame: Frame<'a>,
    name: &'a [u8],
    description: &'a [u8],
    detailed_description: &'a [u8],
}

impl<'a> EventView<'a> {
    #[inline]
    fn new(frame: Frame<'a>) -> Result<EventView<'a>, DecodeError> {
        let name = frame.text(0x14, "name")?;
        let at = 0x16 + name.len();
        let description = frame.text(at, "description")?;
        let at = at + 2 + description.len();
        let detailed_description = frame.text(at, "detailed_description")?;
        Ok(EventView { frame, name, description, detailed_description })
    }

    /// The name.
    pub fn name(&self) -> TextRef<'a> {
        TextRef { raw: self.name }
    }

    /// The description; empty if equal to the name.
    pub fn description(&self) -> TextRef<'a> {
        TextRef { raw: self.description }
    }

    /// The detailed description; empty if equal to the description.
    pub fn detailed_description(&self) -> TextRef<'a> {
        TextRef { raw: self.detailed_description }
    }

    /// The raw index of the formula.
    pub fn formula_index(&self) -> u16 {
        be16(self.frame.bytes, 0x02)
    }

    /// The domain in which the event is counted.
    pub fn domain(&self) -> Domain {
        Domain((be16(self.frame.bytes, 0x04) >> 8) as u8)
    }

    /// The offset of the group record among those of the domain, in bytes.
    pub fn group_record_offset(&self) -> u16 {
        be16(self.frame.bytes, 0x06)
    }

    /// The length of the group record, in bytes.
    pub fn group_record_length(&self) -> u16 {
        be16(self.frame.bytes, 0x08)
    }

    /// The offset of the counter in the group record, in bytes.
    pub fn counter_offset(&self) -> u16 {
        be16(self.frame.bytes, 0x0a)
    }

    /// The state flags.
    pub fn flags(&self) -> u32 {
        be32(self.frame.bytes, 0x0c)
    }

    /// The raw index of the primary group.
    pub fn primary_group_index(&self) -> u16 {
        be16(self.frame.bytes, 0x10)
    }

    /// The number of groups that have the event, according to the record; real catalogs are not reliable there.
    pub fn group_count(&self) -> u16 {
        be16(self.frame.bytes, 0x12)
    }
}

/// A borrowed view of a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupView<'a> {
    frame: Frame<'a>,
    name: &'a [u8],
    description: &'a [u8],
}

impl<'a> GroupView<'a> {
    #[inline]
    fn new(frame: Frame<'a>) -> Result<GroupView<'a>, DecodeError> {
        let name = frame.text(0x30, "name")?;
        let description = frame.text(0x32 + name.len(), "description")?;
        Ok(GroupView { frame, name, description })
    }

    /// The name.
    pub fn name(&self) -> TextRef<'a> {
        TextRef { raw: self.name }
    }

    /// The description; empty if equal to the name.
    pub fn description(&self) -> TextRef<'a> {
        TextRef { raw: self.description }
    }

    /// The flags.
    pub fn flags(&self) -> u32 {
        be32(self.frame.bytes, 4)
    }

    /// The index of the schema of its records.
    pub fn schema_index(&self) -> u8 {
        (be16(self.frame.bytes, 0x0e) >> 8) as u8
    }

    /// The domain in which the group's events are counted.
    pub fn domain(&self) -> Domain {
        Domain((be16(self.frame.bytes, 0x08) >> 8) as u8)
    }

    /// The offset of the group record among those of the domain, in bytes.
    pub fn group_record_offset(&self) -> u16 {
        be16(self.frame.bytes, 0x0a)
    }

    /// The length of the group record, in bytes.
    pub fn group_record_length(&self) -> u16 {
        be16(self.frame.bytes, 0x0c)
    }

    /// The raw indexes of its events: those in use, at most 16.
    pub fn event_indexes(&self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
        let count = usize::from(be16(self.frame.bytes, 0x0e) & 0xff);
        let slots = self.frame.bytes.get(0x10..0x30).unwrap_or_default();
        slots.chunks_exact(2).take(count).map(|slot| be16(slot, 0))
    }
}

/// A borrowed view of a formula.
#[derive(Clone, Copy, Debug)]
pub struct FormulaView<'a> {
    frame: Frame<'a>,
    name: &'a [u8],
    description: &'a [u8],
    formula: &'a [u8],
    unit: Option<&'a [u8]>,
}

impl<'a> FormulaView<'a> {
    fn new(frame: Frame<'a>, format: FormatVersion) -> Result<FormulaView<'a>, DecodeError> {
        let name = frame.text(0x10, "name")?;
        let at = 0x12 + name.len();
        let description = frame.text(at, "description")?;
        let at = at + 2 + description.len();
        let formula = frame.text(at, "formula")?;
        let at = at + 2 + formula.len();
        let unit = if format.has_unit() { Some(frame.text(at, "unit")?) } else { None };
        Ok(FormulaView { frame, name, description, formula, unit })
    }

    /// The name.
    pub fn name(&self) -> TextRef<'a> {
        TextRef { raw: self.name }
    }

    /// The description.
    pub fn description(&self) -> TextRef<'a> {
        TextRef { raw: self.description }
    }

    /// The text of the formula.
    pub fn formula(&self) -> TextRef<'a> {
        TextRef { raw: self.formula }
    }

    /// The unit of its value; absent in older formats.
    pub fn unit(&self) -> Option<TextRef<'a>> {
        self.unit.map(|raw| TextRef { raw })
    }

    /// The flags.
    pub fn flags(&self) -> u32 {
        be32(self.frame.bytes, 4)
    }

    /// The raw index of its group, for a grouped formula.
    pub fn group(&self) -> u16 {
        be16(self.frame.bytes, 8)
    }
}
