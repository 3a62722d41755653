//! A table of text: the hottest functions and lines.

use super::{FunctionCount, LineCount, Profile, functions, lines};
use std::fmt::Write;

/// A text table: the hottest `rows` functions, then the hottest lines, with their shares and standard errors.
///
/// Control characters in names are shown as `?`.
pub fn table(profile: &Profile<'_>, rows: usize) -> String {
    let mut text = String::new();
    let total = profile.total();
    let unit = profile.unit();
    let event = plain(profile.event);
    let (counted, sample) = match unit {
        "weight" => (format!("samples of total weight {total}"), "one sample"),
        _ => (format!("{}{total} {unit}", profile.about()), "one"),
    };
    let period = match profile.period {
        0 => String::new(),
        period => format!(", {sample} every {period}"),
    };
    let _ = writeln!(text, "{event}: {counted}{period}");
    let width = total.to_string().len().max(unit.len());
    let functions = functions(profile);
    let _ = writeln!(text, "\n   part   error  {unit:>width$}  function");
    for function in functions.iter().take(rows) {
        let FunctionCount { percent, error, count, .. } = *function;
        let name = plain(&function.function);
        let module = function.module.as_deref().map(|module| format!("  {}", plain(module)));
        let module = module.unwrap_or_default();
        let _ = writeln!(text, "{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}  {name}{module}");
    }
    more(&mut text, functions.len(), rows, "function");
    let lines = lines(profile);
    if !lines.is_empty() {
        let _ = writeln!(text, "\n   part   error  {unit:>width$}  line");
    }
    for line in lines.iter().take(rows) {
        let LineCount { percent, error, count, .. } = *line;
        let (place, function) = (plain(&line.lines.to_string()), plain(&line.function));
        let _ =
            writeln!(text, "{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}  {place}  {function}");
    }
    more(&mut text, lines.len(), rows, "line");
    remarks(&mut text, profile);
    of_shared(&mut text, &functions, unit);
    text
}

pub(super) fn more(text: &mut String, all: usize, rows: usize, what: &str) {
    if let more @ 1.. = all.saturating_sub(rows) {
        let s = if more == 1 { "" } else { "s" };
        let _ = writeln!(text, "        … and {more} more {what}{s}");
    }
}

/// The meaning of the counts of shared buckets.
fn of_shared(text: &mut String, functions: &[FunctionCount], unit: &str) {
    let shared = functions.iter().filter(|function| function.shared.is_some());
    let shared = shared.fold(0_u64, |sum, function| sum.saturating_add(function.count));
    if shared > 0 {
        let _ = writeln!(
            text,
            "{} in buckets that several functions share, shown as [START-END: functions]: fewer addresses per bucket separate them",
            counted(shared, unit)
        );
    }
}

/// Remarks on what the numbers above do not include.
fn remarks(text: &mut String, profile: &Profile<'_>) {
    let snapshot = profile.snapshot;
    let saturated = profile.placed().filter(|bucket| bucket.saturated).count();
    if snapshot.outside > 0 {
        let _ = writeln!(text, "{} outside all regions", counted(snapshot.outside, profile.unit()));
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

/// `3 samples are`, `3 µs are`, or `a weight of 3 is`.
fn counted(count: u64, unit: &str) -> String {
    match unit {
        "weight" => format!("a weight of {count} is"),
        _ => format!("{count} {unit} are"),
    }
}

/// Replaces characters that could move the cursor of a terminal.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
