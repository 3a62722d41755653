//! JSON whose parts keep their places in the text.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::reader::Reader;
use super::text::Text;
use crate::diagnostic::Code;

/// The place of a part of the text.
pub(super) fn span(text: &str, part: &RawValue) -> Range<usize> {
    let start = (part.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.get().len()
}

impl<'t> Reader<'t> {
    /// The string at a key; anything else is reported.
    pub(super) fn string(&mut self, key: &str, part: Option<&'t RawValue>) -> Option<Text<'t>> {
        let part = part.filter(|part| part.get() != "null")?;
        let place = span(self.text, part);
        let whole = part.get();
        let raw = whole.get(1..whole.len().saturating_sub(1)).filter(|_| whole.starts_with('"'));
        let Some(raw) = raw else {
            self.report(Code::WrongShape, place, format!("the value of {key} is not a text"));
            return None;
        };
        let value = if raw.contains('\\') {
            Cow::Owned(serde_json::from_str(whole).ok()?)
        } else {
            Cow::Borrowed(raw)
        };
        Some(Text::new(value, raw, place.start + 1))
    }

    /// The elements of a file: a list, the list `Metrics` of an object, or one object alone.
    ///
    /// The objects before a mistake in the JSON itself are returned.
    pub(super) fn elements(&mut self) -> Vec<&'t RawValue> {
        let mut elements = Vec::new();
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(self.text);
        let skipped = self.text.len() - text.len();
        let mut json = serde_json::Deserializer::from_str(text);
        let read = json.deserialize_any(Elements { into: &mut elements, is_list: false });
        if let Err(error) = read.and_then(|()| json.end()) {
            let at = skipped + offset(text, error.line(), error.column());
            let end = at + self.text[at..].chars().next().map_or(0, char::len_utf8);
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            let code = if error.is_data() { Code::WrongShape } else { Code::BadJson };
            self.report(code, at..end, message);
        }
        if let Ok(whole) = serde_json::from_str::<&RawValue>(text.trim())
            && elements.is_empty()
            && whole.get().starts_with('{')
        {
            elements.push(whole);
        }
        elements
    }
}

/// The offset of a line and column, both counted from 1, as serde_json reports them.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    let start = std::iter::once(0).chain(ends).nth(line.saturating_sub(1)).unwrap_or(text.len());
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Puts the elements of a list into a vector, those before a mistake too.
struct Elements<'v, 't> {
    into: &'v mut Vec<&'t RawValue>,
    is_list: bool,
}

impl<'t> DeserializeSeed<'t> for Elements<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'t> Visitor<'t> for Elements<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_list { "a list of metrics" } else { "a list or an object" })
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            self.into.push(element);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'t>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<Cow<'t, str>>()? {
            match &*key {
                "Metrics" => {
                    object.next_value_seed(Elements { into: self.into, is_list: true })?;
                }
                _ => _ = object.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}
