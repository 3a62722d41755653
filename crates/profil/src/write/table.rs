//! A table of text: the hottest functions and lines.

use super::{FunctionCount, LineCount, Profile, functions, lines};
use std::fmt::Write;

/// The part of a table of text that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableSize {
    /// The most rows; a line below them has the number of the others.
    pub rows: usize,
    /// The least share of a row, in percent.
    pub percent: f64,
    /// The most letters of a line; the end of a longer name becomes `…`.
    pub columns: usize,
}

/// All rows, of any length.
impl Default for TableSize {
    fn default() -> TableSize {
        TableSize { rows: usize::MAX, percent: 0.0, columns: usize::MAX }
    }
}

impl TableSize {
    /// The letters for which there is room behind the beginning of a line.
    pub(super) fn left(&self, row: &str) -> usize {
        self.columns.saturating_sub(row.chars().count())
    }

    /// The rows that are shown, which have these shares in descending order.
    fn shown(&self, percents: impl Iterator<Item = f64>) -> usize {
        percents.take(self.rows).take_while(|percent| *percent >= self.percent).count()
    }

    /// Says how many rows there are beside those that are shown.
    pub(super) fn more(&self, text: &mut String, shown: usize, all: usize, what: &str) {
        if let more @ 1.. = all.saturating_sub(shown) {
            let s = if more == 1 { "" } else { "s" };
            let _ = writeln!(text, "        … and {more} more {what}{s}");
        }
    }
}

/// A text table: the hottest functions, then the hottest lines, with their shares and standard errors.
///
/// Control characters in names are shown as `?`.
pub fn table(profile: &Profile<'_>, size: &TableSize) -> String {
    let mut text = String::new();
    let counts = Counts::new(profile.total(), profile.unit());
    let event = plain(profile.event);
    let total = counts.number(profile.total());
    let (counted, sample) = match profile.unit() {
        "weight" => (format!("samples of total weight {total}"), "one sample"),
        _ => (format!("{}{total} {}", profile.about(), counts.unit), "one"),
    };
    let period = match profile.period {
        0 => String::new(),
        period => format!(", {sample} every {period}"),
    };
    let _ = writeln!(text, "{event}: {counted}{period}");
    let (functions, lines) = (functions(profile), lines(profile));
    let _ = writeln!(text, "\n   part   error  {}  function", counts.title());
    let shown = size.shown(functions.iter().map(|of| of.percent));
    for of in &functions[..shown] {
        let FunctionCount { percent, count, .. } = *of;
        let row = format!("{percent:>6.2}%  {}  {}  ", error(count, of.error), counts.text(count));
        let name = name(&of.function, false, of.module.as_deref(), size.left(&row));
        let _ = writeln!(text, "{row}{name}");
    }
    size.more(&mut text, shown, functions.len(), "function");
    if !lines.is_empty() {
        of_lines(&mut text, &lines, size, &counts);
    }
    remarks(&mut text, profile, &counts);
    of_shared(&mut text, &functions, &counts);
    text
}

fn of_lines(text: &mut String, lines: &[LineCount], size: &TableSize, counts: &Counts) {
    let _ = writeln!(text, "\n   part   error  {}  line", counts.title());
    let shown = size.shown(lines.iter().map(|of| of.percent));
    let mut has_several = false;
    for of in &lines[..shown] {
        let LineCount { percent, count, .. } = *of;
        has_several |= of.lines.first < of.lines.last;
        let row = format!("{percent:>6.2}%  {}  {}  ", error(count, of.error), counts.text(count));
        let place = plain(&of.lines.to_string());
        let room = size.left(&row).saturating_sub(2 + of.function.chars().count().min(LETTERS));
        let row = format!("{row}{}  ", cut_path(&place, room));
        let function = cut_name(&plain(&of.function), size.left(&row));
        let _ = writeln!(text, "{}", format!("{row}{function}").trim_end());
    }
    size.more(text, shown, lines.len(), "line");
    if has_several {
        text.push_str("FILE:A-B stands for the lines A to B, whose instructions share a bucket: fewer addresses per bucket separate them\n");
    }
}

/// Counts in a column; times in the unit that fits their sum.
pub(super) struct Counts {
    unit: String,
    /// The count of one unit.
    divisor: u64,
    width: usize,
}

impl Counts {
    pub(super) fn new(total: u64, unit: &str) -> Counts {
        let (unit, divisor) = match (unit, total) {
            ("µs", 1_000_000..) => ("s", 1_000_000),
            ("µs", 1_000..) => ("ms", 1_000),
            _ => (unit, 1),
        };
        let counts = Counts { unit: unit.to_string(), divisor, width: 0 };
        let width = counts.number(total).len().max(unit.chars().count());
        Counts { width, ..counts }
    }

    fn number(&self, count: u64) -> String {
        match self.divisor {
            1 => count.to_string(),
            divisor => format!("{:.3}", count as f64 / divisor as f64),
        }
    }

    pub(super) fn text(&self, count: u64) -> String {
        format!("{:>1$}", self.number(count), self.width)
    }

    /// `3 samples are`, `3 ms are`, or `a weight of 3 is`.
    fn are(&self, count: u64) -> String {
        let number = self.number(count);
        match self.unit.as_str() {
            "weight" => format!("a weight of {number} is"),
            unit => format!("{number} {unit} are"),
        }
    }

    pub(super) fn title(&self) -> String {
        format!("{:>1$}", self.unit, self.width)
    }
}

/// The standard error of a share; none of what has no samples, of which it is no measure.
pub(super) fn error(count: u64, error: f64) -> String {
    if count == 0 { " ".repeat(6) } else { format!("±{error:>4.2}%") }
}

/// A function and its module in so many letters.
pub(super) fn name(function: &str, inlined: bool, module: Option<&str>, letters: usize) -> String {
    let mark = if inlined { " (inlined)" } else { "" };
    let module = module.map_or(String::new(), |module| format!("  {}", plain(module)));
    // Of a long module, which is not usual, the function leaves less.
    let behind = mark.len() + module.chars().count();
    let function = cut_name(&plain(function), letters.saturating_sub(behind).max(LEAST_LETTERS));
    cut(&format!("{function}{mark}{module}"), letters.max(LEAST_LETTERS))
}

/// The letters of a name that are always shown.
const LEAST_LETTERS: usize = 12;
/// The letters of a function for which a line's path makes room.
const LETTERS: usize = 32;

/// A text of at most so many letters, of which the end is left out.
pub(super) fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        text.to_string()
    } else {
        text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
    }
}

/// A name of at most so many letters: without the namespaces before the last parts of it that fit, or else its beginning.
pub(super) fn cut_name(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_string();
    }
    let mut last = name;
    let (mut depth, mut before) = (0_usize, None);
    for (at, letter) in name.char_indices() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && before == Some(':') => {
                last = &name[at + 1..];
                // `…::` stands before it.
                if last.chars().count() + 3 <= letters {
                    return format!("…::{last}");
                }
            }
            _ => {}
        }
        before = Some(letter);
    }
    cut(last, letters)
}

/// A path of at most so many letters: without its first folders.
fn cut_path(path: &str, letters: usize) -> String {
    if path.chars().count() <= letters {
        return path.to_string();
    }
    let folders = path.match_indices('/').map(|(at, _)| &path[at..]);
    let fits = |rest: &&str| rest.chars().count() < letters;
    let last = path.rfind('/').map_or(path, |at| &path[at..]);
    format!("…{}", folders.into_iter().find(fits).unwrap_or(last))
}

/// The meaning of the counts of shared buckets.
fn of_shared(text: &mut String, functions: &[FunctionCount], counts: &Counts) {
    let shared = functions.iter().filter(|function| function.shared.is_some());
    let shared = shared.fold(0_u64, |sum, function| sum.saturating_add(function.count));
    if shared > 0 {
        let _ = writeln!(
            text,
            "{} in buckets that several functions share, shown as [START-END: functions]: fewer addresses per bucket separate them",
            counts.are(shared)
        );
    }
}

/// Remarks on what the numbers above do not include.
fn remarks(text: &mut String, profile: &Profile<'_>, counts: &Counts) {
    let snapshot = profile.snapshot;
    let saturated = profile.placed().filter(|bucket| bucket.saturated).count();
    if snapshot.outside > 0 {
        let _ = writeln!(text, "{} outside all regions", counts.are(snapshot.outside));
    }
    let remarks = [
        (snapshot.dropped, "dropped by the flags"),
        (profile.lost, "lost: the reader could not keep up with the program"),
    ];
    for (count, what) in remarks.into_iter().filter(|&(count, _)| count > 0) {
        let s = if count == 1 { "" } else { "s" };
        let _ = writeln!(text, "{count} sample{s} {what}");
    }
    if profile.unit() == "weight" {
        let _ = writeln!(text, "samples are weighted: each counts as 1 to 255");
    }
    for region in &snapshot.regions {
        let (wrapped, bits) = (region.wrapped, region.width.bits());
        if wrapped > 0 {
            let _ = writeln!(
                text,
                "buckets of {bits} bits wrapped {wrapped} times, each time from {} to 0: their counts are too low, and wider buckets are needed",
                region.width.max()
            );
        }
    }
    if saturated > 0 {
        let _ = writeln!(text, "{saturated} buckets are full: their counts are lower bounds");
    }
}

/// Replaces characters that could move the cursor of a terminal.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
