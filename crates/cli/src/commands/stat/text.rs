//! The report for people.

use super::comment::{Placed, comment, look};
use super::format::{Counted, Format, Style};
use super::place::place;
use super::summary::{COUNTING_TAKES_TIME, ESTIMATES_VARY, SHORT, Summary};
use crate::hints;
use crate::show::{self, printable};
use counterpoint::{Report, Row, Value};
use std::io::{self, Write};
use std::time::Duration;

/// Width of the value's column, right-aligned.
const VALUE: usize = 18;
/// Least width of the column for the value's unit.
const UNIT: usize = 4;
/// Width of the event's name, before the comment.
const NAME: usize = 28;

/// A standard error of more percent than this makes a mean hard to compare.
const HIGH: f64 = 10.0;

/// The layout of `perf stat`.
pub struct Text {
    has_thousands: bool,
    has_runs: bool,
    width: Option<usize>,
    /// True if a heading of intervals is written.
    begun: bool,
    /// What the last interval said below its rows.
    said: Vec<Said>,
    /// True if an event has a count.
    has_counts: bool,
    /// True if estimates have errors.
    has_errors: bool,
}

/// A reason or a note, and an event that it is about.
type Said = (String, String);

impl Text {
    pub fn new(style: &Style<'_>) -> Text {
        let Style { has_thousands, has_runs, width, .. } = *style;
        Text {
            has_thousands,
            has_runs,
            width,
            begun: false,
            said: Vec::new(),
            has_counts: false,
            has_errors: false,
        }
    }
}

impl Format for Text {
    fn is_for_people(&self) -> bool {
        true
    }

    fn write(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let mut text = Vec::new();
        let mut rows = counted.report.rows.iter();
        self.has_errors |= rows.any(|row| row.value.standard_error().is_some());
        self.has_counts |= counted.report.rows.iter().any(|row| row.value.as_f64().is_some());
        match counted.at {
            None => self.whole(&mut text, counted)?,
            Some(at) => {
                let first = !std::mem::replace(&mut self.begun, true);
                self.interval(&mut text, counted, at, first)?;
            }
        }
        self.fit(out, text)
    }

    fn end(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let mut text = Vec::new();
        if self.has_runs {
            runs(&mut text, summary)?;
        }
        times(&mut text, summary)?;
        if let Some(spread) = summary.elapsed_spread() {
            writeln!(text, " ± is the standard error of the mean of {} runs\n", spread.runs())?;
            let is_known = summary.own_cost.is_some();
            let is_short = !summary.times.is_empty() && summary.mean_elapsed() < SHORT;
            if self.has_counts && is_short && !is_known {
                writeln!(text, " {COUNTING_TAKES_TIME}\n")?;
            }
        }
        if self.has_errors {
            writeln!(text, " {ESTIMATES_VARY}\n")?;
        }
        summary.remarks().try_for_each(|remark| writeln!(text, " {remark}\n"))?;
        self.fit(out, text)
    }
}

impl Text {
    /// Writes lines that are no wider than the terminal.
    fn fit(&self, out: &mut dyn Write, text: Vec<u8>) -> io::Result<()> {
        match self.width {
            Some(width) => {
                let text = show::fitted(&String::from_utf8_lossy(&text), width);
                out.write_all(text.as_bytes())
            }
            None => out.write_all(&text),
        }
    }

    /// One line for each reason why events have no number, and for each way in which they are counted otherwise than asked for, with the events that it is about; without those that the last interval had already.
    fn reasons(&mut self, out: &mut dyn Write, report: &Report) -> io::Result<()> {
        let mut said: Vec<(String, Option<String>, Vec<&str>)> = Vec::new();
        let before = std::mem::take(&mut self.said);
        for row in &report.rows {
            let texts = match row.value.reason() {
                Some(reason) => vec![(reason.to_string(), reason.help().as_ref().map(hints::help))],
                None => row.notes.iter().map(|note| (note.text().to_string(), None)).collect(),
            };
            for (text, help) in texts {
                let own = (text.clone(), row.event.clone());
                let is_known = before.contains(&own);
                self.said.push(own);
                match said.iter_mut().find(|(known, ..)| *known == text) {
                    _ if is_known => {}
                    Some((.., events)) if events.contains(&row.event.as_str()) => {}
                    Some((.., events)) => events.push(&row.event),
                    None => said.push((text, help, vec![&row.event])),
                }
            }
        }
        for (index, (text, help, events)) in said.iter().enumerate() {
            let events = self.few(events);
            writeln!(out, " {}: {}", printable(&events), printable(text))?;
            let is_last = !said[index + 1..].iter().any(|(_, other, _)| other == help);
            if let Some(help) = help.as_ref().filter(|_| is_last) {
                writeln!(out, "   {}", printable(help))?;
            }
        }
        if !said.is_empty() {
            writeln!(out)?;
        }
        Ok(())
    }

    /// The names of events; on a terminal the first of many, because each has its row above.
    fn few(&self, events: &[&str]) -> String {
        const FEW: usize = 6;
        match self.width {
            Some(_) if events.len() > FEW => {
                let named = events[..FEW - 2].join(", ");
                format!("{named} and {} more", events.len() - (FEW - 2))
            }
            _ => events.join(", "),
        }
    }

    fn whole(&mut self, out: &mut dyn Write, counted: &Counted<'_>) -> io::Result<()> {
        let Counted { report, summary, .. } = counted;
        let runs = summary.elapsed.len();
        let repeated = match summary.requested as usize {
            ..=1 => String::new(),
            requested if requested == runs => format!(" ({runs} runs)"),
            requested => format!(" ({runs} of {requested} runs)"),
        };
        let rank = summary.process.rank.map_or(String::new(), |rank| {
            format!(" (rank {rank} on {})", summary.process.host.as_deref().unwrap_or_default())
        });
        let title = printable(&summary.title);
        writeln!(out, "\n Performance counter stats for {title}{}{repeated}:\n", printable(&rank))?;
        let in_tree = |row: &&Row| counted.topdown.is_some_and(|topdown| topdown.has(row));
        let mut rows = report.rows.iter().filter(|row| !in_tree(row)).peekable();
        let has_rows = rows.peek().is_some();
        let columns = Columns::new(counted);
        for row in rows {
            self.write_row(out, "", row, counted, &columns)?;
        }
        if has_rows {
            writeln!(out)?;
        }
        if let Some(topdown) = counted.topdown {
            topdown.write(out, report)?;
        }
        self.reasons(out, report)
    }

    fn interval(
        &mut self,
        out: &mut dyn Write,
        counted: &Counted<'_>,
        at: Duration,
        first: bool,
    ) -> io::Result<()> {
        if first {
            writeln!(out, "#{:>11} {:>VALUE$} {:<UNIT$} events", "time (s)", "counts", "unit")?;
        }
        let time = format!("{:12.6}", at.as_secs_f64());
        let columns = Columns::new(counted);
        for row in &counted.report.rows {
            self.write_row(out, &time, row, counted, &columns)?;
        }
        self.reasons(out, counted.report)
    }

    fn write_row(
        &self,
        out: &mut dyn Write,
        time: &str,
        row: &Row,
        counted: &Counted<'_>,
        columns: &Columns<'_>,
    ) -> io::Result<()> {
        let (mut value, unit) = row.amount();
        if !self.has_thousands {
            value.retain(|c| c != ',');
        }
        let value = match row.value.as_f64() {
            Some(_) => format!("{value:>VALUE$}"),
            None => show::warning(&format!("{value:>VALUE$}")),
        };
        let place = place(row.placement);
        // The same event on several kinds of cores is distinguished by its canonical name.
        let id = columns.placed.has_several(row).then(|| row.id.to_string());
        let name = printable(id.as_deref().unwrap_or(&row.event));
        // The units of metrics are words, and each metric has its own.
        let mut line = if row.metric.is_some() {
            metric(row, columns.metric, &format!("{time}{place} {value}"), &name)
        } else {
            let width = columns.unit;
            format!("{time}{place} {value} {unit:<width$} {name:<NAME$}")
        };
        if let Some(name) = counted.summary.name_of(row.placement) {
            let width = columns.name;
            line.push_str(&format!(" {:<width$}", printable(name)));
        }
        if let Some(comment) = comment(row, &columns.placed, counted.length) {
            let text = if comment.unit.starts_with('%') {
                format!("{:.2}{}", comment.value, comment.unit)
            } else {
                format!("{:.3} {}", comment.value, comment.unit)
            };
            line.push_str(&format!(" # {text:>26}"));
        }
        if let Some(extremes) = row.extremes_text() {
            line.push_str(&format!(" # {extremes}"));
        }
        if let Some(value) = row.value.as_f64() {
            line.push_str(&relative_error(row.standard_error(), value));
        }
        if let Value::Estimated { coverage, .. } = row.value {
            line.push_str(&format!("  (measured {:.2}% of the time)", 100.0 * coverage));
        }
        writeln!(out, "{}", line.trim_end())
    }
}

/// The columns that all rows of a report have in common.
struct Columns<'r> {
    placed: Placed<'r>,
    /// The characters of the longest unit, and of the longest name of a metric, and of a thread or cgroup.
    unit: usize,
    metric: usize,
    name: usize,
}

impl<'r> Columns<'r> {
    fn new(counted: &Counted<'r>) -> Columns<'r> {
        let metrics = counted.report.rows.iter().filter(|row| row.metric.is_some());
        let metric = metrics.map(|row| row.event.chars().count()).max().unwrap_or(0).min(48);
        let others = counted.report.rows.iter().filter(|row| row.metric.is_none());
        let unit = others.map(|row| row.amount().1.chars().count()).max().unwrap_or(0).max(UNIT);
        let (placed, name) = (Placed::new(counted.report), counted.summary.name_width());
        Columns { placed, unit, metric, name }
    }
}

/// The value of a metric with its name, unit, and whether it is worth a look.
fn metric(row: &Row, width: usize, before: &str, name: &str) -> String {
    let title = row.metric.as_ref().and_then(|of| of.metric()).and_then(|m| m.title.as_deref());
    let name = title.map_or(name.into(), printable);
    let unit =
        printable(row.unit.as_deref().filter(|_| row.value.as_f64().is_some()).unwrap_or(""));
    let mut line = format!("{before} {name:<width$}  {unit}");
    let threshold = row.metric.as_ref().and_then(|of| of.metric()?.threshold.as_ref());
    if let (Some(look), Some(threshold)) = (look(row), threshold) {
        let text = format!("{look}: {}", printable(&threshold.text));
        line.push_str(&format!("  {}", show::warning(&text)));
    }
    line
}

/// The standard error in percent of the value; nothing if there is none.
fn relative_error(error: Option<f64>, mean: f64) -> String {
    match error.filter(|_| mean != 0.0) {
        Some(error) => {
            let percent = 100.0 * error / mean.abs();
            let text = format!("( ± {percent:.2}% )");
            format!("  {}", if percent > HIGH { show::warning(&text) } else { text })
        }
        None => String::new(),
    }
}

/// The elapsed time of each run, its difference from the mean, and a # for every five percent of it.
fn runs(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    let mean = summary.mean_elapsed().as_secs_f64();
    writeln!(out, " Elapsed time of each run, and its difference from the mean:\n")?;
    for elapsed in &summary.elapsed {
        let seconds = elapsed.as_secs_f64();
        let difference = seconds - mean;
        let bar = "#".repeat((20.0 * difference.abs() / mean).min(40.0) as usize);
        let line = format!("{seconds:>VALUE$.9} ({difference:+.9}) {bar}");
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)
}

fn times(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    if summary.elapsed.is_empty() {
        return Ok(());
    }
    let mean = summary.mean_elapsed().as_secs_f64();
    let spread = summary
        .elapsed_spread()
        .map_or(String::new(), |s| relative_error(s.standard_error(), mean));
    writeln!(out, "{mean:>VALUE$.9} seconds time elapsed{spread}\n")?;
    let runs = summary.times.len() as f64;
    if !summary.times.is_empty() {
        let user: f64 =
            summary.times.iter().map(|(user, _)| user.as_secs_f64()).sum::<f64>() / runs;
        let system: f64 =
            summary.times.iter().map(|(_, system)| system.as_secs_f64()).sum::<f64>() / runs;
        writeln!(out, "{user:>VALUE$.9} seconds user")?;
        writeln!(out, "{system:>VALUE$.9} seconds sys\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Attached;
    use counterpoint::perf::Host;
    use counterpoint::{EventSet, Slices, Split, Target, read_definitions};
    use counterpoint_fixtures::{FakeKernel, Holds};

    /// The text about cycles that were counted for half of 20 slices, each with 100 or 120 of them, and instructions twice as many.
    fn text_of_estimates(threshold: &str) -> String {
        let kernel = FakeKernel::new().file("/sys/devices/system/cpu/online", "0\n");
        let mine =
            format!("metric my_ipc\n formula instructions / cycles\n threshold {threshold}\n");
        let set = EventSet::on(Host::with_kernel(kernel.clone()), Target::ThisThread);
        let set = set.define(read_definitions("mine.metrics", &mine));
        let mut counters = set.event("instructions,cycles").metric("my_ipc").open().unwrap();
        let mut slices = Slices::since(counters.zero());
        let mut held = [Holds::default(); 2];
        for slice in 1..=20 {
            for (event, held) in held.iter_mut().enumerate() {
                held.value += [220, 100 + 20 * (slice / 2 % 2)][event];
                held.enabled += Duration::from_millis(8);
                held.running += Duration::from_millis(4);
                kernel.set(event, *held);
            }
            slices.read(&mut counters).unwrap();
        }
        let total = slices.total(&counters.snapshot().unwrap());
        let report = counters.report(&total, &Split::Total);
        let summary = Summary::new(&Attached::Command, &[], 1, Vec::new());
        let style = Style { separator: ",", has_thousands: true, has_runs: false, width: None };
        let (mut text, mut out) = (Text::new(&style), Vec::new());
        text.write(&mut out, &Counted::whole(&report, Duration::ZERO, &summary, None)).unwrap();
        text.end(&mut out, &summary).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn estimates_have_their_errors_and_thresholds_within_may_be_crossed() {
        let text = text_of_estimates("my_ipc > 2");
        let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap().to_string();
        assert!(
            line("instructions").contains("( ± 0.00% )  (measured 50.00% of the time)"),
            "{text}"
        );
        // By hand: ten of the 19 steps are 20, each is doubled by the coverage, and half of the time is uncertain.
        let steps = 10.0_f64 * (20.0 * 2.0 * 0.5_f64.sqrt()).powi(2);
        let percent = 100.0 * (steps * 20.0 / (2.0 * 19.0)).sqrt() / (2.0 * 20.0 * 110.0);
        assert!(line("cycles").contains(&format!("( ± {percent:.2}% )")), "{percent}: {text}");
        assert!(line("my_ipc").contains("may be worth a look: my_ipc > 2"), "{text}");
        assert!(text.contains(ESTIMATES_VARY), "{text}");
        assert!(!text_of_estimates("my_ipc > 3").contains("worth a look"));
        let text = text_of_estimates("my_ipc > 1");
        assert!(text.contains("worth a look: my_ipc > 1"), "{text}");
        assert!(!text.contains("may be"), "{text}");
    }
}
