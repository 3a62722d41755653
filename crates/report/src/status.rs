//! The status of a count.

/// The status of a count: whether, and how, the event was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Status {
    /// It was on a counter all the time.
    Counted,
    /// It was on a counter for a part of the time, and the count was scaled.
    Estimated,
    /// It has no value.
    #[default]
    NotCounted,
    /// This machine, or this user on it, cannot count it.
    NotSupported,
}

impl Status {
    /// The name in reports, such as `not-counted`.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Counted => "counted",
            Status::Estimated => "estimated",
            Status::NotCounted => "not-counted",
            Status::NotSupported => "not-supported",
        }
    }

    /// The name for people, such as `not counted`.
    pub const fn words(self) -> &'static str {
        match self {
            Status::Counted => "counted",
            Status::Estimated => "estimated",
            Status::NotCounted => "not counted",
            Status::NotSupported => "not supported",
        }
    }

    /// Returns true if there is a value.
    pub const fn has_value(self) -> bool {
        matches!(self, Status::Counted | Status::Estimated)
    }
}

/// One of the names.
#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Status {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Status".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let all = [Status::Counted, Status::Estimated, Status::NotCounted, Status::NotSupported];
        schemars::json_schema!({
            "type": "string",
            "description": "Whether an event was counted.",
            "enum": all.map(Status::name),
        })
    }
}
