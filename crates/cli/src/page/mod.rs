//! One look for every page of HTML: a file without references to others, which a browser shows without a network.
//!
//! The data are JSON in the page, and `page.js` draws them; numbers are written by the program, so that a page shows them as the terminal does.

use crate::show::{decimal, grouped};
use counterpoint::symbols::ShortNames;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

#[derive(Serialize)]
pub struct Page {
    pub title: String,
    /// What is to be known of the measurement, below the title.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Sentences below the title.
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
}

/// A fact of the measurement.
#[derive(Serialize)]
pub struct Fact {
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A date, in milliseconds since 1970, which the page shows in the time of its reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<f64>,
}

impl Fact {
    pub fn text(name: &'static str, text: impl Into<String>) -> Fact {
        Fact { name, text: Some(text.into()), date: None }
    }

    pub fn date(name: &'static str, date: f64) -> Fact {
        Fact { name, text: None, date: Some(date) }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Section {
    Table(Table),
    Lines(Lines),
    Bars(Bars),
    Curves(Curves),
    Timeline(Timelines),
    Profile(Box<Profile>),
    Difference(Box<Difference>),
    Activity(Activity),
}

#[derive(Serialize)]
pub struct Table {
    pub title: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// True if the table is shown only when it is asked for.
    pub folded: bool,
}

#[derive(Clone, Serialize)]
pub struct Column {
    pub name: Cow<'static, str>,
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

/// The samples of an event, with their stacks over time: the page adds them up for the time and the threads that are chosen.
///
/// Lists of numbers are columns, because there may be many: the same place of each belongs to one thing.
#[derive(Serialize, Default)]
pub struct Profile {
    pub title: String,
    /// The unit of the counts, such as samples.
    pub unit: &'static str,
    /// All samples, also those of no stack below.
    pub total: u64,
    /// Of the total, the part that is as precise as independent samples: 1 unless samples have weights; none if not all is sampled.
    pub independent: Option<f64>,
    /// The modules; that without a name is unknown.
    pub modules: Vec<String>,
    pub functions: Vec<PageFunction>,
    /// The function of each call.
    pub calls: Vec<usize>,
    /// The index of the call that made it, which is less than its own; -1 for the outermost.
    pub callers: Vec<i64>,
    /// The innermost call of each place with samples.
    pub place_calls: Vec<usize>,
    /// The source line of each place, -1 where it is not known.
    pub place_lines: Vec<i64>,
    pub files: Vec<String>,
    /// The file, the number, and the function of each source line.
    pub lines: Vec<(usize, u32, usize)>,
    pub threads: Vec<PageThread>,
    /// The time of the first interval, in seconds.
    pub start: f64,
    /// The end of the last one.
    pub end: f64,
    /// The length of an interval; 0 if times are not known.
    pub interval: f64,
    /// The counts, four numbers each: by how much the interval is later than that of the one before, the thread, the place, and the samples.
    pub counts: Vec<u64>,
    pub sources: Vec<PageSource>,
    /// The names of the metrics by which functions may be coloured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
}

/// The calls of two profiles.
#[derive(Serialize, Default)]
pub struct Difference {
    pub title: String,
    /// The samples of each.
    pub totals: [u64; 2],
    /// The seconds that a sample of each stands for; 0 if the event is not a clock.
    pub each: [f64; 2],
    /// The runs of each, if the amounts of a run are compared and not shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<[usize; 2]>,
    pub modules: Vec<String>,
    pub functions: Vec<PageFunction>,
    /// As in a profile.
    pub calls: Vec<usize>,
    pub callers: Vec<i64>,
    /// The samples of each call with those of what it called, in both.
    pub counts: Vec<[u64; 2]>,
    /// For each call 1 if the second has more by more than noise, -1 if it has less, and 0 otherwise.
    pub verdicts: Vec<i8>,
}

/// A function of a profile.
#[derive(Serialize)]
pub struct PageFunction {
    pub name: String,
    /// The full name, if the name is a short one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<String>,
    /// The index of its module.
    pub module: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inlined: bool,
    /// For each metric, its value as text, and its place from the lowest value of all functions, 0, to the highest, 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, Option<f64>)>,
}

#[derive(Serialize)]
pub struct PageThread {
    pub name: String,
    pub pid: u32,
    pub tid: u32,
    /// Its node, if there are several, and its rank, of several recordings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<String>,
}

/// The source of a function: the numbers and texts of lines with samples, and of those around them.
#[derive(Serialize)]
pub struct PageSource {
    pub function: usize,
    pub file: usize,
    pub rows: Vec<(u32, String)>,
}

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

/// A note of the terminal as a sentence.
pub fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters.next().map(|first| first.to_uppercase()).into_iter().flatten();
    format!("{}{}.", first.collect::<String>(), letters.as_str())
}

impl PageFunction {
    /// A function by its full name.
    pub fn new(names: &ShortNames, full: &str, module: usize, inlined: bool) -> PageFunction {
        let name = names.short(full).to_string();
        let full = (name != full).then(|| full.to_string());
        PageFunction { name, full, module, inlined, values: Vec::new() }
    }
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
        let script = concat!(
            include_str!("profile.js"),
            include_str!("samples.js"),
            include_str!("flame.js"),
            include_str!("curves.js"),
            include_str!("page.js")
        );
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
