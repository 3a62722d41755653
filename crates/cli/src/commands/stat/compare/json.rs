//! The comparison as JSON lines: an object for each event and side, then one that sums up.

use super::sentences;
use super::table::{Cell, Design, Heading, Row, Table};
use super::why;
use crate::records::Last;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::records::{Location, SCHEMA};
use counterpoint_compare::Interval;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines =
    &[schema_of::<Line<'_>>, schema_of::<why::Line<'_>>, schema_of::<Last<Summary<'_>>>];

pub fn write(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    lines(table).try_for_each(|line| show::json(out, &line))?;
    let mut parts = table.why.iter().flat_map(why::lines);
    parts.try_for_each(|line| show::json(out, &line))?;
    show::json(out, &Last::new(Summary::new(table)))
}

/// A line for each event and each side but the base.
pub fn lines(table: &Table) -> impl Iterator<Item = Line<'_>> {
    let of_row = move |row| (1..table.sides.len()).map(move |side| Line::new(row, side, table));
    table.rows.iter().flat_map(of_row)
}

/// One event of one side, compared with the base.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Line<'a> {
    /// The version of the format: 1.
    pub schema: u32,
    /// The event or metric, as it was written.
    pub event: &'a str,
    /// Its usual name, with its PMU and its modifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<&'a str>,
    /// The unit of the values, if they have one.
    pub unit: Option<&'a str>,
    #[serde(flatten)]
    pub location: &'a Location,
    /// The side that the other is compared with.
    pub base: SideValues<'a>,
    /// The other side.
    pub other: SideValues<'a>,
    /// The mean of the other side divided by that of the base.
    pub ratio: Option<f64>,
    /// The lower end of the interval of the ratio.
    pub ratio_low: Option<f64>,
    /// The upper end of the interval of the ratio.
    pub ratio_high: Option<f64>,
    /// The mean of the other side minus that of the base.
    pub difference: Option<f64>,
    /// The lower end of the interval of the difference.
    pub difference_low: Option<f64>,
    /// The upper end of the interval of the difference.
    pub difference_high: Option<f64>,
    /// The probability that equal sides differ as much.
    pub p: Option<f64>,
    /// `more`, `less`, `uncertain`, `no-difference` or `not-compared`.
    pub verdict: &'static str,
}

/// The values of one side.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SideValues<'a> {
    /// The name of the side: A, B, …, or in a sweep its parameters, such as `n=1`.
    pub side: &'a str,
    /// The values of the parameters of a sweep, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<&'a str, &'a str>,
    /// The runs that have a value.
    pub runs: usize,
    /// The mean of the runs.
    pub mean: Option<f64>,
    /// The standard deviation of the runs.
    pub stddev: Option<f64>,
    /// The runs that are far from the others, counted from 1.
    pub outliers: &'a [usize],
    /// The value of each run, in the order of the runs.
    pub values: &'a [Option<f64>],
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// What was compared.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Summary<'a> {
    /// The commands or files that were compared.
    pub sides: Vec<SideTitle<'a>>,
    /// `rounds` if the sides took turns, `samples` if each was run on its own.
    pub design: &'static str,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// What was found, in words.
    pub sentences: Vec<String>,
}

/// A command or file.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SideTitle<'a> {
    /// The name of the side: A, B, …, or in a sweep its parameters, such as `n=1`.
    pub side: &'a str,
    /// The values of the parameters of a sweep, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<&'a str, &'a str>,
    /// The command or the file.
    pub title: &'a str,
    /// The number of runs.
    pub runs: usize,
}

impl<'a> Line<'a> {
    fn new(row: &'a Row, side: usize, table: &'a Table) -> Line<'a> {
        let against = row.against[side].as_ref();
        let comparison = against.map(|against| against.comparison);
        let ratio = comparison.and_then(|comparison| comparison.ratio);
        let difference = comparison.map(|comparison| comparison.difference);
        let finite = |bound: &f64| bound.is_finite();
        let low = |interval: Option<Interval>| interval.map(|interval| interval.low).filter(finite);
        let high =
            |interval: Option<Interval>| interval.map(|interval| interval.high).filter(finite);
        let estimate = |interval: Option<Interval>| interval.map(|interval| interval.estimate);
        Line {
            schema: SCHEMA,
            event: &row.name,
            canonical: row.canonical.as_deref(),
            unit: row.unit.as_deref(),
            location: &row.location,
            base: SideValues::new(row, 0, table),
            other: SideValues::new(row, side, table),
            ratio: estimate(ratio),
            ratio_low: low(ratio),
            ratio_high: high(ratio),
            difference: estimate(difference),
            difference_low: low(difference),
            difference_high: high(difference),
            p: comparison.map(|comparison| comparison.p),
            verdict: against.map_or("not-compared", |against| against.verdict.name()),
        }
    }
}

/// The values of the parameters of a side, by their names.
pub fn parameters(side: &Heading) -> BTreeMap<&str, &str> {
    let parameters = side.swept.iter().flat_map(|swept| &swept.parameters);
    parameters.map(|of| (of.name.as_str(), of.value.as_str())).collect()
}

impl<'a> SideValues<'a> {
    fn new(row: &'a Row, side: usize, table: &'a Table) -> SideValues<'a> {
        let heading = &table.sides[side];
        let (label, parameters) = (heading.label.as_str(), parameters(heading));
        let Some(cell) = &row.cells[side] else {
            let (outliers, values): (&[usize], &[Option<f64>]) = (&[], &[]);
            let reason = Some("this side has no such event");
            return SideValues {
                side: label,
                parameters,
                runs: 0,
                mean: None,
                stddev: None,
                outliers,
                values,
                reason,
            };
        };
        let Cell { values, mean, stddev, outliers, reason, .. } = cell;
        SideValues {
            side: label,
            parameters,
            runs: values.iter().flatten().count(),
            mean: *mean,
            stddev: *stddev,
            outliers,
            values,
            reason: reason.as_deref(),
        }
    }
}

impl<'a> Summary<'a> {
    fn new(table: &'a Table) -> Summary<'a> {
        let title = |side: &'a Heading| SideTitle {
            side: &side.label,
            parameters: parameters(side),
            title: &side.title,
            runs: side.runs,
        };
        Summary {
            sides: table.sides.iter().map(title).collect(),
            design: match table.design {
                Design::Rounds => "rounds",
                Design::Samples | Design::InOrder => "samples",
            },
            confidence: 0.95,
            sentences: sentences::all(table).collect(),
        }
    }
}
