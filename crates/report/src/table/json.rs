//! JSON, read piece by piece: the texts of values are kept until somebody asks what they are.

use super::{Cell, Column, ColumnType};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A text that is borrowed where it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Calls `each` with the keys of an object and the texts of their values, in their order.
pub(crate) fn object<'a>(
    text: &'a str,
    each: impl FnMut(Cow<'a, str>, &'a str) -> Result<(), String>,
) -> Result<(), String> {
    run(text, Each { each, failed: None, expected: "an object", is_map: true })
}

/// Calls `each` with the texts of the elements of an array.
pub(crate) fn array<'a>(
    text: &'a str,
    mut each: impl FnMut(&'a str) -> Result<(), String>,
) -> Result<(), String> {
    let each = |_: Cow<'a, str>, raw| each(raw);
    run(text, Each { each, failed: None, expected: "an array", is_map: false })
}

fn run<'a, F>(text: &'a str, mut each: Each<F>) -> Result<(), String>
where
    F: FnMut(Cow<'a, str>, &'a str) -> Result<(), String>,
{
    let mut json = serde_json::Deserializer::from_str(text);
    let result = DeserializeSeed::deserialize(&mut each, &mut json).and_then(|()| json.end());
    match (each.failed, result) {
        (Some(what), _) => Err(what),
        (None, Err(error)) if error.is_data() => Err(format!("not {}", each.expected)),
        (None, Err(error)) => Err(format!("not JSON from column {} on", error.column())),
        (None, Ok(())) => Ok(()),
    }
}

struct Each<F> {
    each: F,
    /// The error of the caller.
    failed: Option<String>,
    expected: &'static str,
    is_map: bool,
}

impl<F> Each<F> {
    fn call<'a, E: serde::de::Error>(&mut self, key: Cow<'a, str>, raw: &'a str) -> Result<(), E>
    where
        F: FnMut(Cow<'a, str>, &'a str) -> Result<(), String>,
    {
        (self.each)(key, raw).map_err(|what| {
            self.failed = Some(what);
            E::custom("")
        })
    }
}

impl<'a, F> DeserializeSeed<'a> for &mut Each<F>
where
    F: FnMut(Cow<'a, str>, &'a str) -> Result<(), String>,
{
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        if self.is_map { json.deserialize_map(self) } else { json.deserialize_seq(self) }
    }
}

impl<'a, F> Visitor<'a> for &mut Each<F>
where
    F: FnMut(Cow<'a, str>, &'a str) -> Result<(), String>,
{
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expected)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((Text(key), raw)) = map.next_entry::<Text<'a>, &'a RawValue>()? {
            self.call(key, raw.get())?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut array: A) -> Result<(), A::Error> {
        while let Some(raw) = array.next_element::<&'a RawValue>()? {
            self.call(Cow::Borrowed(""), raw.get())?;
        }
        Ok(())
    }
}

/// Returns the text of a JSON string, or `None` if it is not a string.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    let inside = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inside.contains('\\') {
        // Half of a surrogate pair is valid JSON and not a text.
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inside))
    }
}

/// Returns the cell of a value, or `None` if it has no form in the column that could be turned back: null, an empty text, and numbers that do not fit.
///
/// The error says what it is, where something else belongs.
pub(crate) fn cell(column: Column, raw: &str) -> Result<Option<Cell<'_>>, String> {
    if raw == "null" {
        return Ok(None);
    }
    let is_number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    match column.holds() {
        ColumnType::Text => text(raw)
            .map(|text| (!text.is_empty()).then_some(Cell::Text(text)))
            .ok_or_else(|| unexpected(column, raw, "a text")),
        ColumnType::Boolean => match raw {
            "true" => Ok(Some(Cell::Boolean(true))),
            "false" => Ok(Some(Cell::Boolean(false))),
            _ => Err(unexpected(column, raw, "true or false")),
        },
        _ if !is_number => Err(unexpected(column, raw, "a number")),
        ColumnType::Integer => match raw.parse() {
            Ok(number) => Ok(Some(Cell::Integer(number))),
            Err(_) if raw.bytes().skip(1).all(|byte| byte.is_ascii_digit()) => Ok(None),
            Err(_) => Err(unexpected(column, raw, "a whole number")),
        },
        ColumnType::Real => {
            let number = raw.parse().ok().filter(|number: &f64| number.is_finite());
            Ok(number.map(Cell::Real))
        }
    }
}

fn unexpected(column: Column, raw: &str, expected: &str) -> String {
    let what = match raw.as_bytes().first() {
        Some(b'"') if expected == "a text" => "a text with half of a character",
        Some(b'"') => "a text",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "this number",
    };
    format!("`{}` is {what}, where {expected} belongs", column.name())
}

/// Appends a JSON string.
pub(crate) fn push_text(out: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        // A text always has a form in JSON.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    } else {
        out.push('"');
        out.push_str(text);
        out.push('"');
    }
}

/// Appends a finite number in the shortest form that is read as the same number.
pub(crate) fn push_real(out: &mut String, number: f64) {
    // A finite number always has a form in JSON.
    out.push_str(&serde_json::to_string(&number).unwrap_or_default());
}
