use std::borrow::Cow;

/// What is where in a group record ("Group Record Schema" of the document).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schema {
    /// The length of the record in the catalog, in bytes; [`CatalogBuilder`](crate::CatalogBuilder) writes it.
    pub length: u16,
    /// The bytes 2 and 3.
    pub reserved: u16,
    /// The number that the schema's descriptor is.
    pub descriptor: u16,
    /// The version of the schema.
    pub version_id: u16,
    /// The bytes 8 to 13.
    pub reserved_end: [u8; 6],
    /// The number of fields that the record counts; [`CatalogBuilder`](crate::CatalogBuilder) writes it.
    pub field_count: u16,
    /// The fields that are there.
    pub fields: Vec<Field>,
    /// What stands in the record behind the fields, up to the last byte that is not zero.
    pub rest: Box<[u8]>,
}

/// One field of a group record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// What it holds.
    pub kind: FieldKind,
    /// Where in the group record it begins, in bytes.
    pub offset: u16,
    /// Its length, in bytes.
    pub length: u16,
    /// The flags.
    pub flags: u16,
}

/// What a field of a group record holds ("Group Record Schema Field Content ENUMs" of the document).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKind(pub u16);

impl FieldKind {
    /// The timebase when the record was updated.
    #[doc(alias = "GRS_TIMEBASE_UPDATE")]
    pub const TIMEBASE_UPDATE: FieldKind = FieldKind(48);
    /// The timebase again, behind the counters: the record is consistent if both agree.
    #[doc(alias = "GRS_TIMEBASE_FENCE")]
    pub const TIMEBASE_FENCE: FieldKind = FieldKind(49);
    /// The number of updates.
    #[doc(alias = "GRS_UPDATE_COUNT")]
    pub const UPDATE_COUNT: FieldKind = FieldKind(50);
    /// How long the group is measured.
    #[doc(alias = "GRS_MEASUREMENT_PERIOD")]
    pub const MEASUREMENT_PERIOD: FieldKind = FieldKind(51);
    /// How long the group was measured in all.
    #[doc(alias = "GRS_ACCUMULATED_MEASUREMENT_PERIOD")]
    pub const ACCUMULATED_MEASUREMENT_PERIOD: FieldKind = FieldKind(52);
    /// How long the last update took.
    #[doc(alias = "GRS_LAST_UPDATE_PERIOD")]
    pub const LAST_UPDATE_PERIOD: FieldKind = FieldKind(53);
    /// The status.
    #[doc(alias = "GRS_STATUS_FLAGS")]
    pub const STATUS_FLAGS: FieldKind = FieldKind(54);
    /// The first time of day of chip records in real catalogs; the document does not name it.
    pub const TIME_OF_DAY: FieldKind = FieldKind(55);
    /// The last time of day of chip records in real catalogs; the document does not name it.
    pub const TIME_OF_DAY_FENCE: FieldKind = FieldKind(56);

    /// Counter `number`, from 1 to 31.
    #[doc(alias = "GRS_COUNTER_1")]
    pub const fn counter(number: u16) -> FieldKind {
        FieldKind(number)
    }

    /// Which counter it is, from 1.
    pub fn counter_number(self) -> Option<u16> {
        (1..=31).contains(&self.0).then_some(self.0)
    }

    /// Whether the document names it; 55 and 56, which real catalogs have, it does not.
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

    /// A schema of these fields.
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
    /// Where in the group record it ends, in bytes.
    pub(crate) fn end(&self) -> usize {
        usize::from(self.offset) + usize::from(self.length)
    }
}
