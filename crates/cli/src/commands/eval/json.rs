//! Answers of `--batch` as JSON.

#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::formula::Number;
use counterpoint::records::Amount;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::Range;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Answer>];

/// The value of a formula, or why it has none.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Answer {
    Value(Value),
    Refused(Refused),
}

/// The value of a formula.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Value {
    /// True.
    ok: bool,
    /// The value; null if it is not finite.
    value: Option<Amount>,
    /// All digits of a value that is whole and was computed without rounding.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
    /// What is odd about the formula.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A formula without a value.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Refused {
    /// False.
    ok: bool,
    /// Why.
    error: Problem,
}

/// Why there is no value.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Problem {
    /// The code of the reason, such as `syntax`, `missing-input` or `division-by-zero`.
    kind: &'static str,
    /// The reason in words.
    message: String,
    /// The bytes of the formula: the first, and the one after the last.
    span: Option<[usize; 2]>,
}

pub fn value(number: Number, warnings: Vec<String>) -> Answer {
    let exact = match number {
        Number::Int(whole) => Some(whole.to_string()),
        Number::Real(_) => None,
    };
    Answer::Value(Value { ok: true, value: Some(counterpoint::amount(number)), exact, warnings })
}

pub fn refusal(refusal: Refusal) -> Answer {
    let Refusal { kind, message, span } = refusal;
    let span = span.map(|span| [span.start, span.end]);
    Answer::Refused(Refused { ok: false, error: Problem { kind, message, span } })
}

/// The reason why a line of a batch has no value.
pub struct Refusal {
    pub kind: &'static str,
    pub message: String,
    pub span: Option<Range<usize>>,
}

impl Refusal {
    pub fn new(kind: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { kind, message: message.into(), span: None }
    }
}
