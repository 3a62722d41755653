//! Answers of `--batch` as JSON.

use counterpoint::formula::Number;
use serde_json::{Value, json};
use std::ops::Range;

/// The value; the key `warnings` is there if there are any.
pub fn value(number: Number, warnings: &[String]) -> Value {
    let mut answer = match number {
        Number::Int(whole) => {
            let value =
                i64::try_from(whole).map_or_else(|_| json!(whole as f64), |whole| json!(whole));
            json!({"ok": true, "value": value, "exact": whole.to_string()})
        }
        Number::Real(real) => json!({"ok": true, "value": real}),
    };
    if !warnings.is_empty() {
        answer["warnings"] = json!(warnings);
    }
    answer
}

pub fn refusal(refusal: &Refusal) -> Value {
    let Refusal { kind, message, span } = refusal;
    let span = span.as_ref().map(|span| [span.start, span.end]);
    json!({"ok": false, "error": {"kind": kind, "message": message, "span": span}})
}

/// Why a line of a batch has no value.
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
