//! One look for every page of HTML: a file without references to others, which a browser shows without a network.
//!
//! The data are JSON in the page, and `page.js` draws them; numbers are written by the program, so that a page shows them as the terminal does.

use crate::show::{decimal, grouped};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
pub struct Page {
    pub title: String,
    /// Sentences below the title.
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Section {
    Table(Table),
    Lines(Lines),
    Bars(Bars),
    Curves(Curves),
    Timeline(Timelines),
    Flame(Flame),
    Activity(Activity),
    Source(Source),
}

#[derive(Serialize)]
pub struct Table {
    pub title: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// True if the table is shown only when it is asked for.
    pub folded: bool,
}

#[derive(Serialize)]
pub struct Column {
    pub name: &'static str,
    /// True if the column is aligned to the right.
    pub number: bool,
}

/// A field of a table: what is shown, and the value by which it is sorted.
#[derive(Default, Serialize)]
pub struct Cell {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The text that is shown when the pointer rests on the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(rename = "class", skip_serializing_if = "Option::is_none")]
    pub look: Option<&'static str>,
}

/// Values over time, a line for each place.
#[derive(Serialize)]
pub struct Lines {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// In seconds, as all times: the start of the first interval, and the end of the last.
    pub start: f64,
    pub end: f64,
    /// The end of each interval.
    pub x: Vec<f64>,
    pub series: Vec<Series>,
}

#[derive(Serialize)]
pub struct Series {
    pub name: String,
    /// One for each interval; `None` if it was not counted.
    pub values: Vec<Option<f64>>,
}

/// Values beside each other.
#[derive(Serialize)]
pub struct Bars {
    pub title: String,
    pub rows: Vec<Bar>,
}

#[derive(Serialize)]
pub struct Bar {
    pub name: String,
    pub value: Option<f64>,
    /// The standard error of the value, or its standard deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    pub text: String,
    /// True if it stands out.
    pub marked: bool,
}

/// Values over a parameter, a curve for each choice of something else.
#[derive(Serialize)]
pub struct Curves {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The name of the parameter.
    pub parameter: String,
    /// The values of the parameter, as they were written.
    pub x: Vec<String>,
    /// The same as numbers; they are drawn side by side if one is none.
    pub at: Vec<Option<f64>>,
    pub series: Vec<Curve>,
    /// A value that does not depend on the parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<f64>,
}

#[derive(Serialize)]
pub struct Curve {
    pub name: String,
    pub points: Vec<Point>,
}

/// The index of the value of the parameter, the mean, the standard deviation, and both as text.
pub type Point = (usize, f64, Option<f64>, String);

/// The spans of each thread over time.
#[derive(Serialize)]
pub struct Timelines {
    pub title: String,
    pub start: f64,
    pub end: f64,
    pub regions: Vec<String>,
    pub lanes: Vec<Lane>,
}

#[derive(Serialize)]
pub struct Lane {
    pub name: String,
    pub spans: Vec<Span>,
}

/// Stacks as frames: each is as wide as the samples that have it, above the frame that called it.
#[derive(Serialize)]
pub struct Flame {
    pub title: String,
    /// The unit of the counts, such as samples.
    pub unit: &'static str,
    /// The samples of all stacks.
    pub total: u64,
    /// The modules, each with a colour; that without a name is unknown.
    pub modules: Vec<String>,
    pub functions: Vec<FlameFunction>,
    pub frames: Vec<Frame>,
}

/// A function of a flame graph.
#[derive(Serialize)]
pub struct FlameFunction {
    pub name: String,
    /// The full name, if the name is a short one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<String>,
    /// The index of its module.
    pub module: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inlined: bool,
}

/// The index of the function, the depth, the number of samples to the left, and the number of samples.
pub type Frame = (usize, usize, u64, u64);

/// The number of samples in intervals of time, in a lane for each thread.
#[derive(Serialize)]
pub struct Activity {
    pub title: String,
    pub start: f64,
    pub end: f64,
    /// The length of an interval.
    pub interval: f64,
    pub lanes: Vec<ActivityLane>,
}

#[derive(Serialize)]
pub struct ActivityLane {
    pub name: String,
    pub counts: Vec<u64>,
}

/// Lines of source, with the samples of each.
#[derive(Serialize)]
pub struct Source {
    pub title: String,
    pub functions: Vec<SourceFunction>,
}

#[derive(Serialize)]
pub struct SourceFunction {
    pub function: String,
    pub file: String,
    pub samples: String,
    pub rows: Vec<SourceRow>,
}

/// A line, or lines that share their samples.
#[derive(Serialize)]
pub struct SourceRow {
    pub first: u32,
    pub last: u32,
    pub code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// In percent of all samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The share with its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Start, end, the index of the region, and in how many others it is.
pub type Span = (f64, f64, usize, usize);

/// Spans in the order in which they are drawn: one that is inside another comes after it.
pub fn nested(mut spans: Vec<(f64, f64, usize)>) -> Vec<Span> {
    spans.sort_by(|one, two| one.0.total_cmp(&two.0).then(two.1.total_cmp(&one.1)));
    let mut open: Vec<f64> = Vec::new();
    let with_depth = |(start, end, region)| {
        open.retain(|outer| *outer > start);
        let depth = open.len();
        open.push(end);
        (start, end, region, depth)
    };
    spans.into_iter().map(with_depth).collect()
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// A number with all its digits if it is whole.
    pub fn number(value: f64) -> Cell {
        let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
        let text = if is_whole { grouped(value as i128) } else { decimal(value) };
        Cell { text, value: Some(value), ..Cell::default() }
    }

    /// A share, with one decimal.
    pub fn tenths(value: f64) -> Cell {
        Cell { text: format!("{value:.1}"), value: Some(value), ..Cell::default() }
    }

    /// A field without a number, and the reason.
    pub fn missing(text: impl Into<String>, reason: Option<String>) -> Cell {
        Cell { text: text.into(), title: reason, look: Some("missing"), value: None }
    }
}

impl Page {
    /// Writes the page.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        // No text of the data can end the element that holds it.
        let data = serde_json::to_string(self)?.replace('<', "\\u003c");
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let style = include_str!("style.css");
        let script =
            concat!(include_str!("profile.js"), include_str!("curves.js"), include_str!("page.js"));
        write!(
            out,
            "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main></main>
<noscript><p class=\"error\">The charts and tables of this page are drawn by its script, which this browser does not run.</p></noscript>
<script type=\"application/json\" id=\"data\">{data}</script>
<script>
{script}</script>
</body>
</html>
"
        )
    }
}
