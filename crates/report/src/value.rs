//! The comments on a value that stand beside it.

/// A metric whose value a row has.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Metric {
    /// The formula, as its source spells it.
    pub formula: String,
    /// The groups that the metric is in.
    pub groups: Vec<String>,
    /// The metric that this one is a part of.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub parent: Option<String>,
    /// When the value is worth a look, as the source spells it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub threshold: Option<String>,
    /// Whether the threshold is crossed; `None` if it has no value.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub crossed: Option<bool>,
    /// Whether the threshold lies within the errors of the values that it is about, so that `crossed` may be otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub uncertain: bool,
}

/// The meaning of a value relative to others: a rate, a ratio or a share.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Comment {
    /// The number.
    pub value: f64,
    /// What the number is, such as `CPUs utilized` or `of all branches`.
    pub unit: &'static str,
}
