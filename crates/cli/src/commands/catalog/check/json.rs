//! A finding as JSON.

use super::help::help;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use counterpoint::catalog::Diagnostic;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Finding<'_>>];

/// What is wrong or odd in a catalog or a buffer.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Finding<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// The stable code of the finding.
    code: &'static str,
    /// The file.
    file: &'a str,
    /// The part of the catalog, such as `event`.
    section: &'static str,
    /// The number of the record, if the finding is about one.
    index: Option<usize>,
    /// The byte of the file.
    offset: usize,
    /// The field of the record.
    field: &'static str,
    /// What is wrong, in one sentence.
    message: &'a str,
    /// What it means or how to mend it.
    help: Cow<'static, str>,
}

pub fn finding<'a>(found: &'a Diagnostic, file: &'a str) -> Finding<'a> {
    Finding {
        schema: 1,
        severity: found.severity.name(),
        code: found.code.name(),
        file,
        section: found.section.name(),
        index: found.index,
        offset: found.offset,
        field: found.field,
        message: &found.message,
        help: help(found),
    }
}
