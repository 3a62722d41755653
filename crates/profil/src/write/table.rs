use super::{Profile, functions, lines};
use std::fmt::Write;

/// A text table: the hottest `rows` functions, then the hottest lines, with their shares and standard errors.
///
/// Control characters in names are shown as `?`.
pub fn table(profile: &Profile<'_>, rows: usize) -> String {
    let mut text = String::new();
    let total = profile.total();
    let period = match profile.period {
        0 => String::new(),
        period => format!(", one every {period}"),
    };
    let unit = profile.unit();
    let _ = match unit {
        "samples" => writeln!(text, "{}: {total} samples{period}", plain(profile.event)),
        _ => writeln!(text, "{}: total {unit} {total}{period}", plain(profile.event)),
    };
    let functions = functions(profile);
    let width = total.to_string().len().max(unit.len());
    let _ = writeln!(text, "\n   part   error  {unit:>width$}  function");
    for function in functions.iter().take(rows) {
        let module = function.module.as_deref().map(|module| format!("  {}", plain(module)));
        let _ = writeln!(
            text,
            "{:>6.2}%  ±{:>4.2}%  {:>width$}  {}{}",
            function.percent,
            function.error,
            function.count,
            plain(&function.function),
            module.unwrap_or_default(),
        );
    }
    more(&mut text, functions.len(), rows, "functions");
    let lines = lines(profile);
    if !lines.is_empty() {
        let _ = writeln!(text, "\n   part   error  {unit:>width$}  line");
        for line in lines.iter().take(rows) {
            let last = if line.last_line > line.line {
                format!("-{}", line.last_line)
            } else {
                String::new()
            };
            let _ = writeln!(
                text,
                "{:>6.2}%  ±{:>4.2}%  {:>width$}  {}:{}{last}  {}",
                line.percent,
                line.error,
                line.count,
                plain(&line.file),
                line.line,
                plain(&line.function),
            );
        }
        more(&mut text, lines.len(), rows, "lines");
    }
    remarks(&mut text, profile);
    let shared = functions.iter().filter(|function| function.shared.is_some());
    let shared = shared.fold(0_u64, |sum, function| sum.saturating_add(function.count));
    if shared > 0 {
        let _ = writeln!(
            text,
            "{} in buckets that several functions share, shown as [START-END: functions]: a greater scale separates them",
            counted(shared, unit)
        );
    }
    text
}

fn more(text: &mut String, all: usize, rows: usize, what: &str) {
    if all > rows {
        let _ = writeln!(text, "        … and {} more {what}", all - rows);
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
        let _ = writeln!(text, "{count} samples {what}");
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

/// `3 samples are`, or `a weight of 3 is`.
fn counted(count: u64, unit: &str) -> String {
    match unit {
        "samples" => format!("{count} samples are"),
        _ => format!("a {unit} of {count} is"),
    }
}

/// Replaces characters that could move the cursor of a terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
