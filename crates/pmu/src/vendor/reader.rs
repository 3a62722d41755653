//! The objects of a vendor's file: a list, or an object that has the list under `Events`.
//!
//! Objects are read in one pass over the text, and only the members that matter are kept. Places are looked up in a
//! second pass, and only of what is wrong.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{
    Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::error::{Error, ErrorKind};

macro_rules! keys {
    ($($key:ident)*) => {
        /// A member of an object that says something about an event.
        #[expect(
            non_camel_case_types,
            clippy::upper_case_acronyms,
            reason = "the names are those of the files"
        )]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Key { $($key),* }

        impl Key {
            const COUNT: usize = [$(Key::$key),*].len();

            fn find(name: &str) -> Option<Key> {
                match name {
                    $(stringify!($key) => Some(Key::$key),)*
                    _ => None,
                }
            }

            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Key::$key => stringify!($key)),*
                }
            }
        }
    };
}

keys! {
    AnyThread ArchStdEvent BriefDescription ConfigCode Counter CounterMask CounterType Deprecated Description EdgeDetect
    EnAllCores EnAllSlices Errata EventCode EventName EventidCode ExtSel FCMask FILTER_VALUE Filter Invert MSRIndex MSRValue MetricName
    NodeType PEBS PortMask Precise PublicDescription RdWrMask RetirementLatencyMean ScaleUnit SliceId ThreadMask UMask UMaskExt Unit
}

/// The members of an object; those with `null`, an empty text, or a value that is no text are left out.
pub(super) struct Object<'a> {
    members: [Option<Cow<'a, str>>; Key::COUNT],
    /// It is something else than an object.
    pub(super) is_other: bool,
    /// A member that has a list or an object where a text is expected.
    pub(super) nested: Option<Key>,
}

impl<'a> Object<'a> {
    fn new() -> Object<'a> {
        Object { members: [const { None }; Key::COUNT], is_other: false, nested: None }
    }

    /// A text that says something.
    pub(super) fn text(&self, key: Key) -> Option<&str> {
        let text = self.members[key as usize].as_deref()?.trim();
        (!matches!(text, "" | "na" | "null" | "tbd")).then_some(text)
    }
}

/// Gives every object of a file to `each`, with its number, up to the first place that is not JSON.
pub(super) fn objects<'a>(
    file: &'a str,
    mut each: impl FnMut(usize, Object<'a>),
) -> Result<(), Error> {
    elements(file, &mut each)
}

/// The part of a file that a member of an object fills, or the object without a key.
pub(super) fn place(file: &str, object: usize, key: Option<Key>) -> Range<usize> {
    let mut found = None;
    // A text that is not JSON is reported by `objects`.
    let _ = elements(file, &mut |number, raw: &RawValue| {
        if number == object {
            found = Some(raw.get());
        }
    });
    let Some(object) = found else { return 0..0 };
    let value = key.and_then(|key| {
        let Members(members) = serde_json::from_str(object).ok()?;
        members.into_iter().rev().find(|(name, _)| name == key.name()).map(|(_, raw)| raw.get())
    });
    let part = value.unwrap_or(object);
    // Both are parts of one text, so that the distance of their beginnings is the place.
    let start = part.as_ptr().addr() - file.as_ptr().addr();
    start..start + part.len()
}

fn elements<'a, T: Deserialize<'a>>(
    file: &'a str,
    each: &mut impl FnMut(usize, T),
) -> Result<(), Error> {
    let text = file.strip_prefix('\u{feff}').unwrap_or(file);
    let skipped = file.len() - text.len();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let visitor = File { each, element: std::marker::PhantomData };
    let read = deserializer.deserialize_any(visitor).and_then(|()| deserializer.end());
    read.map_err(|error| {
        let at = skipped + offset(text, error.line(), error.column());
        let kind = match error.classify() {
            Category::Data => ErrorKind::NoEvents,
            _ => ErrorKind::NotJson { message: message(&error) },
        };
        let end = file[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        Error::new(file, at..end, None, kind)
    })
}

/// The text of an error without the place, which [`Error`] has.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).to_owned()
}

/// The byte at a line and column, both counted from 1; the column is one of bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line.saturating_sub(1)).map(str::len).sum();
    let at = (before + column.saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The whole of a file.
struct File<'e, E, T> {
    each: &'e mut E,
    element: std::marker::PhantomData<T>,
}

impl<'a, E: FnMut(usize, T), T: Deserialize<'a>> Visitor<'a> for File<'_, E, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(element) = list.next_element()? {
            (self.each)(number, element);
            number += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_events = false;
        while let Some(key) = map.next_key::<Cow<'a, str>>()? {
            if key == "Events" && !has_events {
                has_events = true;
                map.next_value_seed(File { each: &mut *self.each, element: self.element })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if has_events { Ok(()) } else { Err(A::Error::invalid_type(Unexpected::Map, &self)) }
    }
}

impl<'a, E: FnMut(usize, T), T: Deserialize<'a>> serde::de::DeserializeSeed<'a> for File<'_, E, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'a> Deserialize<'a> for Object<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Object<'a>, D::Error> {
        deserializer.deserialize_any(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'a> Visitor<'a> for ObjectVisitor {
    type Value = Object<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Object<'a>, A::Error> {
        let mut object = Object::new();
        while let Some(name) = map.next_key::<Text<'a>>()? {
            let Text(Some(name)) = name else { continue };
            match Key::find(&name) {
                None => _ = map.next_value::<IgnoredAny>()?,
                Some(key) => match map.next_value::<Value<'a>>()? {
                    Value::Text(text) => object.members[key as usize] = text,
                    Value::Nested => object.nested = Some(key),
                },
            }
        }
        Ok(object)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Object<'a>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        other()
    }

    fn visit_unit<E>(self) -> Result<Object<'a>, E> {
        other()
    }

    fn visit_bool<E>(self, _: bool) -> Result<Object<'a>, E> {
        other()
    }

    fn visit_u64<E>(self, _: u64) -> Result<Object<'a>, E> {
        other()
    }

    fn visit_i64<E>(self, _: i64) -> Result<Object<'a>, E> {
        other()
    }

    fn visit_f64<E>(self, _: f64) -> Result<Object<'a>, E> {
        other()
    }

    fn visit_str<E>(self, _: &str) -> Result<Object<'a>, E> {
        other()
    }
}

/// An element of the list that is not an object.
fn other<'a, E>() -> Result<Object<'a>, E> {
    Ok(Object { is_other: true, ..Object::new() })
}

/// A value: a text, a number or word as its text, or something with parts.
enum Value<'a> {
    Text(Option<Cow<'a, str>>),
    Nested,
}

struct Text<'a>(Option<Cow<'a, str>>);

impl<'a> Deserialize<'a> for Text<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Text<'a>, D::Error> {
        Ok(match deserializer.deserialize_any(ValueVisitor)? {
            Value::Text(text) => Text(text),
            Value::Nested => Text(None),
        })
    }
}

impl<'a> Deserialize<'a> for Value<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Value<'a>, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'a> Visitor<'a> for ValueVisitor {
    type Value = Value<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Value<'a>, E> {
        Ok(Value::Text(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'a>, E> {
        Ok(Value::Text(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_unit<E>(self) -> Result<Value<'a>, E> {
        Ok(Value::Text(None))
    }

    fn visit_bool<E>(self, word: bool) -> Result<Value<'a>, E> {
        Ok(Value::Text(Some(Cow::Borrowed(if word { "1" } else { "0" }))))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value<'a>, E> {
        Ok(Value::Text(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value<'a>, E> {
        Ok(Value::Text(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value<'a>, E> {
        Ok(Value::Text(Some(Cow::Owned(number.to_string()))))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Value<'a>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Nested)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Value<'a>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Nested)
    }
}

/// The members of an object, each with its text in the file.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Deserialize<'a> for Members<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        struct MembersVisitor;
        impl<'a> Visitor<'a> for MembersVisitor {
            type Value = Members<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}
