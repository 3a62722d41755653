//! Numbers of reports.

/// A number: whole as long as it is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A whole number.
    Whole(i128),
    /// A fraction, or a number that is not exact.
    Real(f64),
}

impl Amount {
    /// The number as a fraction, which may be less exact.
    pub fn real(self) -> f64 {
        match self {
            Amount::Whole(whole) => whole as f64,
            Amount::Real(real) => real,
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Amount) -> Amount {
        match (self, other) {
            (Amount::Whole(one), Amount::Whole(two)) => Amount::Whole(one + two),
            (one, two) => Amount::Real(one.real() + two.real()),
        }
    }
}

/// A number of JSON.
#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number" })
    }
}

/// A number, never text; one that is too large for 64 bits is a fraction.
#[cfg(feature = "serde")]
impl serde::Serialize for Amount {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Amount::Real(real) => serializer.serialize_f64(real),
            Amount::Whole(whole) => match (u64::try_from(whole), i64::try_from(whole)) {
                (Ok(whole), _) => serializer.serialize_u64(whole),
                (_, Ok(whole)) => serializer.serialize_i64(whole),
                _ => serializer.serialize_f64(whole as f64),
            },
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Amount {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        struct Numbers;

        impl serde::de::Visitor<'_> for Numbers {
            type Value = Amount;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a number")
            }

            fn visit_u64<E>(self, whole: u64) -> Result<Amount, E> {
                Ok(Amount::Whole(whole.into()))
            }

            fn visit_i64<E>(self, whole: i64) -> Result<Amount, E> {
                Ok(Amount::Whole(whole.into()))
            }

            fn visit_f64<E>(self, real: f64) -> Result<Amount, E> {
                Ok(Amount::Real(real))
            }
        }
        deserializer.deserialize_any(Numbers)
    }
}
