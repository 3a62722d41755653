//! Every format of the result.

use super::format::Format;
use super::{csv, json, perf, text};
use crate::failure::Failure;

/// The name of each format for `--format`, and how it is made of the separator of fields.
const FORMATS: &[(&str, Make)] = &[
    ("text", |_| Ok(Box::new(text::Text::default()))),
    ("json", |_| Ok(Box::new(json::Json))),
    ("csv", |separator| Ok(Box::new(csv::Csv::new(separator)?))),
    ("perf", |separator| Ok(Box::new(perf::Perf::new(separator)?))),
];

type Make = fn(&str) -> Result<Box<dyn Format>, Failure>;

pub fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|(name, _)| *name)
}

/// The format of this name.
pub fn make(name: &str, separator: &str) -> Result<Box<dyn Format>, Failure> {
    let format = FORMATS.iter().find(|(known, _)| *known == name);
    let (_, make) = format.ok_or_else(|| Failure::new(format!("there is no format `{name}`")))?;
    make(separator)
}
