//! The keys of records: each is declared once, and the field, its JSON, its column and its description follow.

use crate::field::Field;

/// A key of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name.
    pub name: &'static str,
    /// The meaning, in one or more sentences.
    pub description: &'static str,
}

/// The place of the key that has this name.
#[cfg(feature = "serde")]
pub(crate) const fn place(keys: &[Key], name: &str) -> usize {
    let mut at = 0;
    while !is_same(keys[at].name, name) {
        at += 1;
    }
    at
}

/// Compares texts where `==` cannot be called.
#[cfg(feature = "serde")]
pub(crate) const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A value that is left out where it has nothing to say.
#[cfg(feature = "serde")]
pub(crate) trait Absent {
    fn is_absent(&self) -> bool;
}

#[cfg(feature = "serde")]
impl<T> Absent for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

#[cfg(feature = "serde")]
impl<T> Absent for Vec<T> {
    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

#[cfg(feature = "serde")]
impl Absent for bool {
    fn is_absent(&self) -> bool {
        !self
    }
}

/// A record whose keys stand beside those of another.
pub(crate) trait Part {
    /// Calls a function with each key and what the record says there.
    fn each<'r>(&'r self, with: &mut dyn FnMut(&'static str, Field<'r>));
}

impl<P: Part> Part for &P {
    fn each<'r>(&'r self, with: &mut dyn FnMut(&'static str, Field<'r>)) {
        (**self).each(with);
    }
}

impl<P: Part> Part for Option<P> {
    fn each<'r>(&'r self, with: &mut dyn FnMut(&'static str, Field<'r>)) {
        if let Some(part) = self {
            part.each(with);
        }
    }
}

/// Declares a record: its keys, in their order, each with what it means.
///
/// A key is left out where the record has nothing to say; one that is `always` there is null then, and one that is `written` is not read.
/// A `part` is a record whose keys stand beside the others.
macro_rules! record {
    // A key that is always there.
    (@key $head:tt [$($fields:tt)*] [$($keys:tt)*] [$($each:tt)*] [$($take:tt)*]
        $(#[doc = $doc:literal])+ always $key:ident: $type:ty, $($rest:tt)*) => {
        record! { @key $head
            [$($fields)* $(#[doc = $doc])+ pub $key: $type,]
            [$($keys)* { $key $($doc)+ }]
            [$($each)* { key $key }]
            [$($take)* $key]
            $($rest)*
        }
    };
    // A key that is not read.
    (@key $head:tt [$($fields:tt)*] [$($keys:tt)*] [$($each:tt)*] [$($take:tt)*]
        $(#[doc = $doc:literal])+ written $key:ident: $type:ty, $($rest:tt)*) => {
        record! { @key $head
            [$($fields)* $(#[doc = $doc])+
                #[cfg_attr(feature = "serde", serde(skip_serializing_if = "crate::keys::Absent::is_absent"))]
                pub $key: $type,]
            [$($keys)* { $key $($doc)+ }]
            [$($each)* { key $key }]
            [$($take)*]
            $($rest)*
        }
    };
    // The keys of another record.
    (@key $head:tt [$($fields:tt)*] [$($keys:tt)*] [$($each:tt)*] [$($take:tt)*]
        $(#[doc = $doc:literal])+ part $key:ident: $type:ty, $($rest:tt)*) => {
        record! { @key $head
            [$($fields)* $(#[doc = $doc])+ #[cfg_attr(feature = "serde", serde(flatten))] pub $key: $type,]
            [$($keys)*]
            [$($each)* { part $key }]
            [$($take)*]
            $($rest)*
        }
    };
    // A key that may be left out.
    (@key $head:tt [$($fields:tt)*] [$($keys:tt)*] [$($each:tt)*] [$($take:tt)*]
        $(#[doc = $doc:literal])+ $key:ident: $type:ty, $($rest:tt)*) => {
        record! { @key $head
            [$($fields)* $(#[doc = $doc])+
                #[cfg_attr(feature = "serde", serde(skip_serializing_if = "crate::keys::Absent::is_absent"))]
                pub $key: $type,]
            [$($keys)* { $key $($doc)+ }]
            [$($each)* { key $key }]
            [$($take)* $key]
            $($rest)*
        }
    };
    (@key { $(#[$meta:meta])* $record:ident [$($life:lifetime)?] } [$($fields:tt)*] [$({ $key:ident $($doc:literal)+ })*]
        [$({ $kind:ident $each:ident })*] [$($take:ident)*]) => {
        $(#[$meta])*
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
        pub struct $record$(<$life>)? { $($fields)* }

        impl$(<$life>)? $record$(<$life>)? {
            /// The keys, in their order, without those of its parts.
            pub const KEYS: &'static [Key] = &[
                $(Key { name: stringify!($key), description: concat!($($doc, "\n"),+).trim_ascii() },)*
            ];
        }

        impl$(<$life>)? Part for $record$(<$life>)? {
            fn each<'r>(&'r self, with: &mut dyn FnMut(&'static str, Field<'r>)) {
                $(record! { @each $kind $each self with })*
            }
        }

        record! { @take [$($life)?] $record $($take)* }
    };
    // A record that borrows is written, and not read.
    (@take [$life:lifetime] $($rest:tt)*) => {};
    (@take [] $record:ident $($take:ident)*) => {
        impl $record {
            /// Reads the value of a key; returns its place among the keys, and `None` for a key of another record.
            #[cfg(feature = "serde")]
            #[allow(dead_code, reason = "a record that is no part of a row is read as a whole")]
            pub(crate) fn take<'de, A: serde::de::MapAccess<'de>>(
                &mut self,
                key: &str,
                map: &mut A,
            ) -> Result<Option<usize>, A::Error> {
                Ok(Some(match key {
                    $(stringify!($take) => {
                        self.$take = map.next_value()?;
                        const { crate::keys::place($record::KEYS, stringify!($take)) }
                    })*
                    _ => return Ok(None),
                }))
            }
        }
    };
    (@each key $key:ident $record:ident $with:ident) => {
        $with(stringify!($key), ToField::field(&$record.$key));
    };
    (@each part $key:ident $record:ident $with:ident) => {
        Part::each(&$record.$key, $with);
    };
    ($(#[$meta:meta])* pub struct $record:ident $(<$life:lifetime>)? { $($keys:tt)* }) => {
        record! { @key { $(#[$meta])* $record [$($life)?] } [] [] [] [] $($keys)* }
    };
}
pub(crate) use record;
