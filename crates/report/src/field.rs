//! The value of a record at a key.

use crate::value::{Comment, Metric};
use crate::{Amount, Status};

/// The value of a record at a key.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Field<'r> {
    /// Nothing.
    Absent,
    /// A text.
    Text(&'r str),
    /// A number that is whole as long as it is exact.
    Number(Amount),
    /// A fraction.
    Real(f64),
    /// True or false.
    Boolean(bool),
    /// Numbers, of which some are missing.
    Numbers(&'r [Option<Amount>]),
    /// The value relative to others.
    Comment(&'r Comment),
    /// The metric that the value is of.
    Metric(&'r Metric),
}

/// A value that a record can have at a key.
pub(crate) trait ToField {
    fn field(&self) -> Field<'_>;
}

impl<T: ToField> ToField for Option<T> {
    fn field(&self) -> Field<'_> {
        self.as_ref().map_or(Field::Absent, ToField::field)
    }
}

impl ToField for String {
    fn field(&self) -> Field<'_> {
        Field::Text(self)
    }
}

impl ToField for &str {
    fn field(&self) -> Field<'_> {
        Field::Text(self)
    }
}

impl ToField for Status {
    fn field(&self) -> Field<'_> {
        Field::Text(self.name())
    }
}

impl ToField for Amount {
    fn field(&self) -> Field<'_> {
        Field::Number(*self)
    }
}

impl ToField for bool {
    fn field(&self) -> Field<'_> {
        if *self { Field::Boolean(true) } else { Field::Absent }
    }
}

impl ToField for f64 {
    fn field(&self) -> Field<'_> {
        Field::Real(*self)
    }
}

macro_rules! whole {
    ($($type:ty)+) => {
        $(impl ToField for $type {
            fn field(&self) -> Field<'_> {
                Field::Number(Amount::Whole(*self as i128))
            }
        })+
    };
}
whole!(u8 u32 u64 usize);

impl ToField for Vec<Option<Amount>> {
    fn field(&self) -> Field<'_> {
        Field::Numbers(self)
    }
}

impl ToField for Comment {
    fn field(&self) -> Field<'_> {
        Field::Comment(self)
    }
}

impl ToField for Metric {
    fn field(&self) -> Field<'_> {
        Field::Metric(self)
    }
}
