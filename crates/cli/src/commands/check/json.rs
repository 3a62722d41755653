//! A finding as a JSON line.

use crate::finding::Source;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::definitions::Diagnostic;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[
    schema_of::<Finding<'_>>,
    schema_of::<NeededEvent<'_>>,
    schema_of::<OfProcessor<'_>>,
    schema_of::<OnProcessor<'_>>,
    schema_of::<AllOnProcessor<'_>>,
];

/// What is wrong or odd in a file of definitions.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Finding<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    /// The stable code of the finding.
    code: &'static str,
    /// The file.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The column, in bytes from 1.
    column: usize,
    /// The bytes of the file: the first, and the one after the last.
    span: [usize; 2],
    /// What is wrong, in one sentence.
    message: &'a str,
    /// What to write instead.
    help: Option<&'a str>,
}

/// An event that the metrics of a processor need.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct NeededEvent<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// The processor, by the name of its directory or of its PMU.
    pub processor: &'a str,
    /// The event, as the metrics spell it.
    pub event: &'a str,
    /// How many metrics need it.
    pub metrics: usize,
    /// What it stands for.
    pub encoding: Option<&'a str>,
    /// Why it is not known.
    pub reason: Option<&'a str>,
}

/// How many metrics of a processor have all their events.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct OfProcessor<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// The processor, by the name of its directory or of its PMU.
    pub processor: &'a str,
    /// The PMU of its cores.
    pub pmu: Option<&'a str>,
    /// The number of metrics.
    pub metrics: usize,
    /// The number of metrics whose every event is known.
    pub resolved: usize,
}

/// What a processor of `--on` counts of a name.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct OnProcessor<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// The PMU of the cores.
    pub pmu: &'a str,
    /// The event, definition or metric, as it was written.
    pub name: &'a str,
    /// `event`, `definition`, `metric`, or `group` for events in braces; null if it cannot be counted.
    pub kind: Option<&'static str>,
    /// In how many passes its events are counted: 0 if no counter is needed; null if it cannot be counted, or if the counters are not known.
    pub passes: Option<usize>,
    /// The events that are counted, by their usual names.
    pub events: &'a [String],
    /// The events of units such as memory controllers, as `pmu/terms/`.
    pub unit_events: &'a [String],
    /// The event that has replaced a deprecated one.
    pub successor: Option<&'a str>,
    /// Why it cannot be counted.
    pub reason: Option<&'a str>,
    /// The preset that counts the same here.
    pub stand_in: Option<&'a str>,
}

/// What a processor of `--on` counts of all names together.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct AllOnProcessor<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// The PMU of the cores.
    pub pmu: &'a str,
    /// The processor, in words.
    pub description: &'a str,
    /// The number of names.
    pub names: usize,
    /// The number of names that can be counted.
    pub countable: usize,
    /// In how many passes the cores count all of these together; null if the counters are not known.
    pub passes_together: Option<usize>,
}

pub fn write(out: &mut impl Write, diagnostic: &Diagnostic, source: &Source<'_>) -> io::Result<()> {
    let (line, start) = source.line(diagnostic.span.start);
    let finding = Finding {
        schema: 1,
        severity: diagnostic.severity.name(),
        code: diagnostic.code.name(),
        file: source.path.display().to_string(),
        line,
        column: 1 + diagnostic.span.start - start,
        span: [diagnostic.span.start, diagnostic.span.end],
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
    };
    show::json(out, &finding)
}
