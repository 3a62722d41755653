//! Every format of the result.

use super::format::{Format, Style};
use super::{csv, json, perf, perf_json, perfetto, plot, text};
use crate::failure::Failure;

/// The name of each format for `--format`, and how it is made.
const FORMATS: &[(&str, Make)] = &[
    ("text", |style| Ok(Box::new(text::Text::new(style)))),
    ("plot", |style| Ok(Box::new(plot::Plot::new(style.width)))),
    ("json", |_| Ok(Box::new(json::Json))),
    ("csv", |style| Ok(Box::new(csv::Csv::new(style.separator)?))),
    ("perf", |style| Ok(Box::new(perf::Perf::new(style.separator)?))),
    ("perf-json", |_| Ok(Box::new(perf_json::PerfJson))),
    ("perfetto", |_| Ok(Box::new(perfetto::Perfetto::default()))),
];

/// The formats of a comparison.
pub const COMPARISON: [&str; 4] = ["text", "json", "csv", "markdown"];

type Make = fn(&Style<'_>) -> Result<Box<dyn Format>, Failure>;

/// The names of the formats of counts, and of comparisons.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_counts = FORMATS.iter().map(|(name, _)| *name);
    let is_other = |name: &&str| FORMATS.iter().all(|(known, _)| known != name);
    of_counts.chain(COMPARISON.into_iter().filter(is_other))
}

/// The format of this name.
pub fn make(name: &str, style: &Style<'_>) -> Result<Box<dyn Format>, Failure> {
    let format = FORMATS.iter().find(|(known, _)| *known == name);
    let (_, make) = format.ok_or_else(|| {
        Failure::new(format!("`{name}` is a format of comparisons only"))
            .help("use --json or --csv, or compare commands: stat --compare 'COMMAND' 'COMMAND'")
    })?;
    make(style)
}
