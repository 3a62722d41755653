//! A picture of a histogram.

use super::functions::functions;
use super::profile::{Profile, percent};
use crate::{Bucket, RegionSnapshot};
use std::fmt::Write;

const WIDTH: usize = 1000;
const LEFT: usize = 60;
/// The number of columns of one unit in a region's picture.
const COLUMNS: usize = WIDTH - LEFT - 20;
const BARS: usize = 140;
const PANEL: usize = BARS + 50;
const HEAD: usize = 50;
const ROW: usize = 18;
/// The number of functions listed below the picture.
const LISTED: usize = 12;

/// An SVG picture of the histogram: for each region with counts, bars over its addresses from the first to the last hit, and the hottest functions with their shares.
///
/// Hovering over a bar shows its addresses, its count, its share and its functions.
pub fn svg(profile: &Profile<'_>) -> String {
    let panels: Vec<&RegionSnapshot> = profile
        .snapshot
        .regions
        .iter()
        .filter(|region| !region.region.is_catch_all() && !region.buckets.is_empty())
        .collect();
    let functions = functions(profile);
    let listed = functions.len().min(LISTED);
    let height = HEAD + panels.len() * PANEL + listed * ROW + 20;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let title =
        format!("{}: {}{} {}", profile.event, profile.about(), profile.total(), profile.unit());
    text(&mut svg, LEFT, 30, "font-size=\"16\" font-weight=\"bold\"", &title);
    for (index, region) in panels.into_iter().enumerate() {
        panel(&mut svg, profile, region, HEAD + index * PANEL);
    }
    for (row, function) in functions.iter().take(LISTED).enumerate() {
        let y = height - 20 - (listed - row - 1) * ROW;
        let line =
            format!("{:.2} % ± {:.2}  {}", function.percent, function.error, function.function);
        let bar = (function.percent * 1.5).ceil() as usize;
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{bar}\" height=\"12\" fill=\"#d9822b\"/>",
            y - 10
        );
        text(&mut svg, LEFT + 160, y, "", &line);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The bars of one region, with its addresses below.
fn panel(svg: &mut String, profile: &Profile<'_>, region: &RegionSnapshot, top: usize) {
    let (Some(first), Some(last)) = (region.buckets.first(), region.buckets.last()) else { return };
    let columns = columns(&region.buckets);
    let highest = columns.iter().map(|column| column.count).max().unwrap_or(1);
    let base = top + BARS;
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{base}\" x2=\"{}\" y2=\"{base}\" stroke=\"#888\"/>",
        LEFT + COLUMNS
    );
    text(svg, 4, top + 12, "fill=\"#555\"", &highest.to_string());
    for column in &columns {
        let height = (column.count as f64 / highest as f64 * (BARS - 4) as f64).max(1.0);
        let mut functions: Vec<String> = Vec::new();
        for function in column.buckets.iter().flat_map(|bucket| profile.place(bucket).functions) {
            if !functions.contains(&function) {
                functions.push(function);
            }
        }
        let tip = format!(
            "{:#x}–{:#x}: {} ({:.2} %) {}",
            column.first,
            column.last,
            column.count,
            percent(column.count, profile.total()),
            functions.join(", "),
        );
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\" fill=\"#c0392b\"><title>{}</title></rect>",
            LEFT + column.x,
            base as f64 - height,
            column.width,
            escaped(tip.trim_end()),
        );
    }
    text(svg, LEFT, base + 16, "fill=\"#555\"", &format!("{:#x}", first.first));
    let end = "fill=\"#555\" text-anchor=\"end\"";
    text(svg, LEFT + COLUMNS, base + 16, end, &format!("{:#x}", last.last));
}

/// The buckets that fall into the same column of the picture.
struct Column<'a> {
    x: usize,
    width: usize,
    first: u64,
    last: u64,
    count: u64,
    buckets: &'a [Bucket],
}

fn columns(buckets: &[Bucket]) -> Vec<Column<'_>> {
    let (Some(first), Some(last)) = (buckets.first(), buckets.last()) else { return Vec::new() };
    let across = last.index - first.index + 1;
    let width = (COLUMNS / across).clamp(1, 40);
    let mut columns: Vec<Column<'_>> = Vec::new();
    for (index, bucket) in buckets.iter().enumerate() {
        let place = (bucket.index - first.index) as u128;
        let x = (place * COLUMNS as u128 / across as u128) as usize;
        match columns.last_mut().filter(|column| column.x == x) {
            Some(column) => {
                column.last = bucket.last;
                column.count = column.count.saturating_add(bucket.count);
                column.buckets = &buckets[index - column.buckets.len()..=index];
            }
            None => {
                let Bucket { first, last, count, .. } = *bucket;
                let buckets = &buckets[index..=index];
                columns.push(Column { x, width, first, last, count, buckets });
            }
        }
    }
    columns
}

pub(super) fn text(svg: &mut String, x: usize, y: usize, attributes: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {attributes}>{}</text>", escaped(text));
}

/// Escapes text for XML; control characters and others that XML does not allow become `?`.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('?'),
            c => escaped.push(c),
        }
    }
    escaped
}
