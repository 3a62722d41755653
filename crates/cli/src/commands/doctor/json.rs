//! A finding as a JSON line.

use crate::hints::fix;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::doctor::Finding;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// What permits or restricts counting.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// What the finding is about, such as `perf_event_paranoid`.
    subject: &'static str,
    /// `good`, `limited`, `blocked` or `unknown`.
    status: &'static str,
    /// The fact, in words.
    text: &'a str,
    /// The command or setting that changes it.
    command: Option<String>,
}

pub fn write(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let line = Line {
        schema: 1,
        subject: finding.subject,
        status: finding.status.name(),
        text: &finding.text,
        command: finding.hint.as_ref().map(fix),
    };
    show::json(out, &line)
}
