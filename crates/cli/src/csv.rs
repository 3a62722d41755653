//! CSV (RFC 4180), which every command writes in the same way.

use crate::failure::Failure;
use ::csv::WriterBuilder;
use serde::{Serialize, Serializer};
use std::io;

/// The byte that separates columns, which must not occur in numbers or words; `\t` is a tab, as in perf.
pub fn separator(text: &str) -> Result<u8, Failure> {
    let bytes = if text == "\\t" { b"\t" } else { text.as_bytes() };
    let in_fields = |b: u8| b.is_ascii_alphanumeric() || b"\".-\n\r".contains(&b);
    match bytes {
        [byte] if !in_fields(*byte) => Ok(*byte),
        _ => Err(Failure::new(format!("`{text}` cannot separate fields"))
            .help("write one ASCII character, for example --csv=';'")),
    }
}

/// The lines of these rows.
pub fn lines<R: Serialize>(
    separator: u8,
    has_headers: bool,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<Vec<u8>> {
    let mut builder = WriterBuilder::new();
    builder.delimiter(separator).has_headers(has_headers);
    let mut writer = builder.from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// A fraction without an exponent, which spreadsheets do not all read.
pub struct Plain(pub f64);

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
