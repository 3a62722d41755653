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
    Timeline(Timelines),
}

#[derive(Serialize)]
pub struct Table {
    pub title: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// Whether it is shown only when it is asked for.
    pub folded: bool,
}

#[derive(Serialize)]
pub struct Column {
    pub name: &'static str,
    /// Whether it is aligned to the right.
    pub number: bool,
}

/// A field of a table: what is shown, and the value by which it is sorted.
#[derive(Default, Serialize)]
pub struct Cell {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What is shown when the pointer rests on it.
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
    pub text: String,
    /// Whether it stands out.
    pub marked: bool,
}

/// What each thread did over time.
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

    /// What has no number, and why.
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
        let (style, script) = (include_str!("style.css"), include_str!("page.js"));
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
