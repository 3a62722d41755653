//! The layouts of group records.

use std::borrow::Cow;

/// The layout of a group record ("Group Record Schema" of the document).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schema {
    /// The length of the record in the catalog, in bytes; [`CatalogBuilder`](crate::CatalogBuilder) sets it.
    pub length: u16,
    /// Bytes 2 and 3.
    pub reserved: u16,
    /// The descriptor of the schema, a number.
    pub descriptor: u16,
    /// The version of the schema.
    pub version_id: u16,
    /// Bytes 8 to 13.
    pub reserved_end: [u8; 6],
    /// The number of fields according to the record; [`CatalogBuilder`](crate::CatalogBuilder) sets it.
    pub field_count: u16,
    /// The fields found in the record.
    pub fields: Vec<Field>,
    /// The bytes of the record after the fields, up to the last byte that is not zero.
    pub rest: Box<[u8]>,
}

/// One field of a group record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The kind of its content.
    pub kind: FieldKind,
    /// Its offset in the group record, in bytes.
    pub offset: u16,
    /// Its length, in bytes.
    pub length: u16,
    /// The flags.
    pub flags: u16,
}

/// The content of a field of a group record ("Group Record Schema Field Content ENUMs" of the document).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKind(pub u16);

impl FieldKind {
    /// The timebase when the record was updated.
    #[doc(alias = "GRS_TIMEBASE_UPDATE")]
    pub const TIMEBASE_UPDATE: FieldKind = FieldKind(48);
    /// The timebase again, after the counters: the record is consistent if both agree.
    #[doc(alias = "GRS_TIMEBASE_FENCE")]
    pub const TIMEBASE_FENCE: FieldKind = FieldKind(49);
    /// The number of updates.
    #[doc(alias = "GRS_UPDATE_COUNT")]
    pub const UPDATE_COUNT: FieldKind = FieldKind(50);
    /// The length of the group's measurement.
    #[doc(alias = "GRS_MEASUREMENT_PERIOD")]
    pub const MEASUREMENT_PERIOD: FieldKind = FieldKind(51);
    /// The total length of the group's measurements.
    #[doc(alias = "GRS_ACCUMULATED_MEASUREMENT_PERIOD")]
    pub const ACCUMULATED_MEASUREMENT_PERIOD: FieldKind = FieldKind(52);
    /// The duration of the last update.
    #[doc(alias = "GRS_LAST_UPDATE_PERIOD")]
    pub const LAST_UPDATE_PERIOD: FieldKind = FieldKind(53);
    /// The status.
    #[doc(alias = "GRS_STATUS_FLAGS")]
    pub const STATUS_FLAGS: FieldKind = FieldKind(54);
    /// The first time of day in the chip records of real catalogs; not in the document.
    pub const TIME_OF_DAY: FieldKind = FieldKind(55);
    /// The last time of day in the chip records of real catalogs; not in the document.
    pub const TIME_OF_DAY_FENCE: FieldKind = FieldKind(56);

    /// Counter `number`, from 1 to 31.
    #[doc(alias = "GRS_COUNTER_1")]
    pub const fn counter(number: u16) -> FieldKind {
        FieldKind(number)
    }

    /// The number of the counter, from 1, if the field is one.
    pub fn counter_number(self) -> Option<u16> {
        (1..=31).contains(&self.0).then_some(self.0)
    }

    /// Returns true if the document defines it; it does not define 55 and 56, which real catalogs use.
    pub fn is_documented(self) -> bool {
        matches!(self.0, 1..=31 | 48..=54)
    }

    /// The name, if it has one.
    pub fn name(self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self.0 {
            1..=31 => return Some(Cow::Owned(format!("GRS_COUNTER_{}", self.0))),
            48 => "GRS_TIMEBASE_UPDATE",
            49 => "GRS_TIMEBASE_FENCE",
            50 => "GRS_UPDATE_COUNT",
            51 => "GRS_MEASUREMENT_PERIOD",
            52 => "GRS_ACCUMULATED_MEASUREMENT_PERIOD",
            53 => "GRS_LAST_UPDATE_PERIOD",
            54 => "GRS_STATUS_FLAGS",
            55 => "TIME_OF_DAY",
            56 => "TIME_OF_DAY_FENCE",
            _ => return None,
        }))
    }
}

impl Schema {
    /// The index of the schema of core groups ("Group Record Schema ENUMs" of the document).
    #[doc(alias = "GRS_CORE_SCHEMA_INDEX")]
    pub const CORE_INDEX: u8 = 0;

    /// A schema with these fields.
    pub fn new(descriptor: u16, version_id: u16, fields: Vec<Field>) -> Schema {
        Schema { descriptor, version_id, fields, ..Schema::default() }
    }

    /// The first field of a kind.
    pub fn field(&self, kind: FieldKind) -> Option<Field> {
        self.fields.iter().copied().find(|field| field.kind == kind)
    }

    /// The bytes of a group record that the fields need.
    pub fn extent(&self) -> usize {
        self.fields.iter().map(Field::end).max().unwrap_or(0)
    }
}

impl Field {
    /// The end of the field in the group record, in bytes.
    pub(crate) fn end(&self) -> usize {
        usize::from(self.offset) + usize::from(self.length)
    }
}
