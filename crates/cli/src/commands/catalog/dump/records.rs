//! The records of a catalog, as `catalog dump --json` and `catalog schema --json` write them.

#[cfg(test)]
use crate::schema::{Lines, schema_of};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<Page0>,
    schema_of::<Schema>,
    schema_of::<Event>,
    schema_of::<Group>,
    schema_of::<Formula>,
];

/// Page 0: what the catalog says of itself.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Page0 {
    /// `page0`.
    pub record: &'static str,
    /// The first four bytes, which are `24x7`.
    pub descriptor: String,
    /// The number of pages.
    pub length_pages: u32,
    /// The version of the catalog.
    pub version: u64,
    /// The bytes of the build date, in hexadecimal.
    pub build_date_raw: String,
    /// The build date.
    pub build_date: String,
    /// The first page of the section of schemas.
    pub schema_offset_pages: u16,
    /// The number of pages of that section.
    pub schema_length_pages: u16,
    /// The number of records of that section.
    pub schema_count: u16,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_reserved: Option<String>,
    /// The first page of the section of events.
    pub event_offset_pages: u16,
    /// The number of pages of that section.
    pub event_length_pages: u16,
    /// The number of records of that section.
    pub event_count: u16,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_reserved: Option<String>,
    /// The first page of the section of groups.
    pub group_offset_pages: u16,
    /// The number of pages of that section.
    pub group_length_pages: u16,
    /// The number of records of that section.
    pub group_count: u16,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_reserved: Option<String>,
    /// The first page of the section of formulas.
    pub formula_offset_pages: u16,
    /// The number of pages of that section.
    pub formula_length_pages: u16,
    /// The number of records of that section.
    pub formula_count: u16,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula_reserved: Option<String>,
    /// Where the events of the domain core begin in their section.
    pub off_core_events: u32,
    /// Where the events of the domain thread begin in their section.
    pub off_thread_events: u32,
    /// Where the events of the domain chip begin in their section.
    pub off_chip_events: u32,
    /// Where the groups of the domain core begin in their section.
    pub off_core_groups: u32,
    /// Where the groups of the domain thread begin in their section.
    pub off_thread_groups: u32,
    /// Where the groups of the domain chip begin in their section.
    pub off_chip_groups: u32,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved: Option<String>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved_end: Option<String>,
    /// The bytes of the catalog.
    pub resolved_bytes: usize,
    /// Where the sections are.
    pub resolved_sections: [SectionPlace; 4],
    /// Whether the catalog says where the events and groups of a domain begin.
    pub resolved_has_domain_offsets: bool,
}

/// Where a section is.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SectionPlace {
    /// `schema`, `event`, `group` or `formula`.
    pub name: &'static str,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last page.
    pub end: usize,
    /// The byte after its last record.
    pub used_end: usize,
    /// The bytes after the last record.
    pub tail: usize,
    /// Whether the file has all of it.
    pub full: bool,
    /// The number of records that were read.
    pub entries: usize,
}

/// Where a record is.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct PlaceKeys {
    /// `event`, `group` or `formula`.
    pub record: &'static str,
    /// The number of the record.
    pub index: usize,
    /// Its first byte in the file.
    pub offset: usize,
    /// Its first byte in the section.
    pub rel_offset: usize,
}

/// A schema: the fields of a group's record.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Schema {
    /// `schema`.
    pub record: &'static str,
    /// The number of the schema.
    pub index: usize,
    /// Its first byte in the file.
    pub offset: usize,
    /// Its bytes.
    pub length: u16,
    /// The kind of the schema.
    pub descriptor: u16,
    /// The version of the schema.
    pub version_id: u16,
    /// The number of fields.
    pub field_count: u16,
    /// The kind, offset, length and flags of each field.
    pub fields: Vec<[u16; 4]>,
    /// What the kind of each field is called.
    pub resolved_fields: Vec<Option<String>>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved: Option<String>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved_end: Option<String>,
    /// Bytes after the last field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
}

/// An event.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Event {
    #[serde(flatten)]
    pub place: PlaceKeys,
    /// Its bytes.
    pub length: u16,
    /// The number of its formula.
    pub formula_index: u16,
    /// The number of its domain.
    pub domain: u8,
    /// Where the record of its group begins in the data of the domain.
    pub group_record_offset: u16,
    /// The bytes of the record of its group.
    pub group_record_length: u16,
    /// Where its counter is in the record of its group.
    pub counter_offset: u16,
    /// The flags.
    pub flags: u32,
    /// The number of the group that has it first.
    pub primary_group_index: u16,
    /// The number of groups that have it.
    pub group_count: u16,
    /// The length of the name, in bytes with its field.
    pub name_len: Option<usize>,
    /// The name.
    pub name: Option<String>,
    /// The bytes of the name, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_raw: Option<String>,
    /// The length of the description, in bytes with its field.
    pub description_len: Option<usize>,
    /// The description.
    pub description: Option<String>,
    /// The bytes of the description, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_raw: Option<String>,
    /// The length of the detailed description, in bytes with its field.
    pub detailed_description_len: Option<usize>,
    /// The detailed description.
    pub detailed_description: Option<String>,
    /// The bytes of the detailed description, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detailed_description_raw: Option<String>,
    /// The bytes after the texts; null if a text is missing.
    pub padding: Option<usize>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved: Option<String>,
    /// Bytes after the texts that are not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// What the domain is called.
    pub resolved_domain: Option<&'static str>,
    /// The address of the counter in the data of the domain.
    pub resolved_address: u32,
    /// The number of the formula, if the catalog has it.
    pub resolved_formula: Option<u16>,
    /// The name of the formula.
    pub resolved_formula_name: Option<String>,
    /// The number of the group that has it first, if the catalog has it.
    pub resolved_primary_group: Option<usize>,
    /// The name of that group.
    pub resolved_primary_group_name: Option<String>,
    /// The number of the event that counts the same in user space.
    pub resolved_user: Option<usize>,
    /// The number of the event that counts the same in the kernel.
    pub resolved_kernel: Option<usize>,
    /// The number of the event with the last sample.
    pub resolved_last_sample: Option<usize>,
}

/// A group: events that are read together.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Group {
    #[serde(flatten)]
    pub place: PlaceKeys,
    /// Its bytes.
    pub length: u16,
    /// The flags.
    pub flags: u32,
    /// The number of its domain.
    pub domain: u8,
    /// Where its record begins in the data of the domain.
    pub group_record_offset: u16,
    /// The bytes of its record.
    pub group_record_length: u16,
    /// The number of its schema.
    pub schema_index: u8,
    /// The number of events.
    pub event_count: u8,
    /// The number of the event in each slot.
    pub event_indexes: [u16; 16],
    /// The length of the name, in bytes with its field.
    pub name_len: Option<usize>,
    /// The name.
    pub name: Option<String>,
    /// The bytes of the name, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_raw: Option<String>,
    /// The length of the description, in bytes with its field.
    pub description_len: Option<usize>,
    /// The description.
    pub description: Option<String>,
    /// The bytes of the description, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_raw: Option<String>,
    /// The bytes after the texts; null if a text is missing.
    pub padding: Option<usize>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved: Option<String>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved_end: Option<String>,
    /// Bytes after the texts that are not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// What the domain is called.
    pub resolved_domain: Option<&'static str>,
    /// The events in its slots.
    pub resolved_events: Vec<Slot>,
}

/// An event of a group.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Slot {
    /// The number of the slot.
    pub slot: usize,
    /// The number of the event, if the catalog has it.
    pub event: Option<usize>,
    /// The name of the event.
    pub name: Option<String>,
    /// Where the schema has the counter of the slot.
    pub counter_offset: Option<u16>,
}

/// A formula.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Formula {
    #[serde(flatten)]
    pub place: PlaceKeys,
    /// Its bytes.
    pub length: u32,
    /// The flags.
    pub flags: u32,
    /// The number of its group.
    pub group: u16,
    /// The length of the name, in bytes with its field.
    pub name_len: Option<usize>,
    /// The name.
    pub name: Option<String>,
    /// The bytes of the name, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_raw: Option<String>,
    /// The length of the description, in bytes with its field.
    pub description_len: Option<usize>,
    /// The description.
    pub description: Option<String>,
    /// The bytes of the description, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_raw: Option<String>,
    /// The length of the formula, in bytes with its field.
    pub formula_len: Option<usize>,
    /// The formula.
    pub formula: Option<String>,
    /// The bytes of the formula, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula_raw: Option<String>,
    /// The length of the unit, in bytes with its field.
    pub unit_len: Option<usize>,
    /// The unit.
    pub unit: Option<String>,
    /// The bytes of the unit, if they do not follow from the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_raw: Option<String>,
    /// The bytes after the texts; null if a text is missing.
    pub padding: Option<usize>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved: Option<String>,
    /// Bytes that should be zero, if they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserved_end: Option<String>,
    /// Bytes after the texts that are not zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// Whether its events are read together.
    pub resolved_grouped: bool,
    /// The number of the group that has its events.
    pub resolved_group: Option<usize>,
    /// What the formula needs.
    pub resolved_operands: Vec<Operand>,
}

/// What a formula needs: one of the keys after the name is there.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Operand {
    /// The name.
    pub name: String,
    /// The number of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// The number of the formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<usize>,
    /// True for the time that passed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elapsed: bool,
    /// True for a symbol that the catalog does not define.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub symbol: bool,
}
