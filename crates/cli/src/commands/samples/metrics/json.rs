use super::measured::{Group, Measured};
use super::row::{notes, percent, rates, rows, whole};
use super::tally::{Rate, Tally};
use crate::commands::samples::About;
use crate::commands::samples::origin::Origin;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::records::Process;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// The metrics of a recording.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The recorded command, or the file.
    title: &'a str,
    #[serde(flatten)]
    process: &'a Process,
    /// The groups of events whose counts are in samples.
    groups: Vec<GroupLine<'a>>,
    /// The number of records that the kernel lost.
    lost: u64,
}

/// Events that were counted together.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct GroupLine<'a> {
    /// The event that was sampled.
    sampled: &'a str,
    /// The events that were counted, in the order of `counts`.
    events: &'a [String],
    /// The metrics, in the order of `values`.
    metrics: Vec<MetricLine<'a>>,
    /// All samples.
    all: Counts,
    /// The functions, those with the most samples first.
    functions: Vec<FunctionLine<'a>>,
    /// The functions with what they called, by the stacks.
    with_called: Vec<FunctionLine<'a>>,
    /// The source lines.
    lines: Vec<SourceLine<'a>>,
    /// The stacks of functions.
    stacks: Vec<StackLine<'a>>,
    /// What is not known, in words.
    notes: Vec<String>,
}

/// A metric.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct MetricLine<'a> {
    /// Its name.
    name: &'a str,
    /// The unit of its values.
    unit: Option<&'a str>,
}

/// What was counted at a place.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Counts {
    /// The number of samples.
    samples: u64,
    /// Their share of all samples, in percent.
    percent: f64,
    /// The sums of what each event counted between these samples and the ones before them.
    counts: Vec<f64>,
    /// Of two intervals after each other that begin and end at the place, the share that has the sample in between there, too; null if there are fewer than five.
    held: Option<f64>,
    /// The value of each metric; null if fewer than five intervals begin and end at the place, or there is no value.
    values: Vec<Option<ValueLine>>,
}

/// The value of a metric.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ValueLine {
    /// The value.
    value: f64,
    /// Its standard error, by chance in what happened between samples.
    error: f64,
    /// The number of intervals that it is of.
    intervals: u64,
    /// True if other places may have added to it, because `held` is below 0.9 or not known, or because the event that was sampled does not occur wherever the program runs.
    mixed: bool,
}

/// A function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct FunctionLine<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    #[serde(flatten)]
    counts: Counts,
}

/// The name of a function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Name<'a> {
    /// Its name.
    function: &'a str,
    /// The file that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'a str>,
}

/// A source line.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SourceLine<'a> {
    /// The source file.
    file: &'a str,
    /// The number of the line, from 1.
    line: u32,
    #[serde(flatten)]
    name: Name<'a>,
    #[serde(flatten)]
    counts: Counts,
}

/// A stack.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct StackLine<'a> {
    /// The functions, the innermost first; none for stacks beyond the limit.
    frames: Vec<Name<'a>>,
    #[serde(flatten)]
    counts: Counts,
}

pub fn write(
    out: &mut dyn Write,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured<'_>,
) -> io::Result<()> {
    let line = Line {
        schema: 1,
        title: &about.title,
        process: &origin.process,
        groups: measured.groups.iter().map(|of| group(measured, of)).collect(),
        lost: measured.lost,
    };
    show::json(out, &line)
}

fn group<'m>(measured: &'m Measured<'_>, of: &'m Group<'_>) -> GroupLine<'m> {
    let metrics = of.metrics.iter().map(|metric| &measured.metrics[metric.metric]);
    let name = |number: u32| {
        let (function, module) = &measured.functions[number as usize];
        Name { function, module: module.as_deref() }
    };
    let function = |(number, tally): (usize, &Tally)| FunctionLine {
        name: name(number as u32),
        counts: counts(tally, of, rates(tally, of)),
    };
    let line = |(number, tally): (usize, &Tally)| {
        let (function, file, line) = &measured.lines[number];
        SourceLine {
            file,
            line: *line,
            name: name(*function),
            counts: counts(tally, of, rates(tally, of)),
        }
    };
    let stack = |(number, tally): (usize, &Tally)| StackLine {
        frames: measured.stacks[number].iter().map(|function| name(*function)).collect(),
        counts: counts(tally, of, rates(tally, of)),
    };
    GroupLine {
        sampled: &of.sampled,
        events: &of.events,
        metrics: metrics
            .map(|metric| MetricLine { name: &metric.name, unit: metric.unit.as_deref() })
            .collect(),
        all: counts(&of.all, of, whole(of)),
        functions: rows(&of.by_function).into_iter().map(function).collect(),
        with_called: rows(&of.with_called).into_iter().map(function).collect(),
        lines: rows(&of.by_line).into_iter().map(line).collect(),
        stacks: rows(&of.by_stack).into_iter().map(stack).collect(),
        notes: notes(of, measured.lost),
    }
}

fn counts(tally: &Tally, of: &Group<'_>, values: Vec<Option<Rate>>) -> Counts {
    let value = |rate: Rate| ValueLine {
        value: rate.value,
        error: rate.error,
        intervals: rate.intervals,
        mixed: rate.is_mixed,
    };
    Counts {
        samples: tally.samples,
        percent: percent(tally, of),
        counts: tally.ended.sums().to_vec(),
        held: tally.held(),
        values: values.into_iter().map(|rate| rate.map(value)).collect(),
    }
}
