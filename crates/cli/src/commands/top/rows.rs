//! The samples of an interval as rows: by function, thread, line and process.

use super::names::{Names, Question};
use super::processes::Measured;
use super::state::{Sort, View};
use crate::commands::samples::share;
use crate::show::{grouped, printable};
use counterpoint::Note;
use counterpoint::perf::Host;
use counterpoint::profil::write::{self, CallTree, Profile};
use counterpoint::profile::{Profiled, ThreadSamples, ThreadTimes};
use counterpoint::symbols::ShortNames;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Duration;

/// The samples of an event in an interval.
#[derive(Default)]
pub struct Interval {
    pub event: String,
    pub samples: u64,
    /// The unit of the counts of rows.
    pub unit: &'static str,
    pub lost: u64,
    /// Those that were lost since the start.
    pub lost_before: u64,
    /// The length of the interval.
    pub length: Duration,
    pub notes: Vec<String>,
    pub functions: Vec<Row>,
    pub threads: Vec<Row>,
    pub lines: Vec<Row>,
    pub processes: Vec<Row>,
    /// The names of the metrics of processes.
    pub metrics: Vec<String>,
}

/// A line of a view.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The share in percent, with what it called, and its standard error.
    pub whole: Option<(f64, f64)>,
    /// The share in percent, and its standard error.
    pub own: (f64, f64),
    pub samples: u64,
    /// The function, the thread, the line, or the process.
    pub name: String,
    /// The module, the name of the process of a thread, the function of a line, or the command line of a process.
    pub module: String,
    /// The full name of the function, if a short one is shown.
    pub full: Option<String>,
    /// The thread and its process.
    pub ids: Option<(u32, u32)>,
    /// The measured values of a process.
    pub measured: Measured,
}

impl Interval {
    /// The samples of an event, with the names that are known.
    pub fn new(profiled: &Profiled, names: &Names, measured: &HashMap<u32, Measured>) -> Interval {
        let of = |address| names.of(Question::Symbol(address), profiled).pop();
        let profile = Profile { symbols: &of, ..Profile::new(&profiled.event, &profiled.snapshot) };
        let mut functions = match &profiled.stacks {
            Some(stacks) => {
                let frames = |address| names.of(Question::Frames(address), profiled);
                by_calls(&CallTree::new(&stacks.stacks, &frames))
            }
            None => by_function(&profile),
        };
        let mut lines = by_line(&profile);
        shorten(&mut functions, &mut lines);
        Interval {
            event: printable(&profiled.event).into_owned(),
            samples: profiled.samples,
            unit: if profiled.by_events { "events" } else { "samples" },
            lost: profiled.lost,
            notes: notes(profiled),
            functions,
            threads: by_thread(profiled),
            lines,
            processes: by_process(profiled, measured),
            ..Interval::default()
        }
    }

    pub fn rows(&self, view: View) -> &[Row] {
        match view {
            View::Functions => &self.functions,
            View::Threads => &self.threads,
            View::Lines => &self.lines,
            View::Processes => &self.processes,
        }
    }

    /// The rows with this text, in any case of letters, in order.
    pub fn chosen(&self, view: View, sort: Sort, filter: &str) -> Vec<&Row> {
        let filter = filter.to_lowercase();
        let mut rows: Vec<&Row> =
            self.rows(view).iter().filter(|row| row.contains(&filter)).collect();
        rows.sort_by(|a, b| match sort {
            Sort::Share => a.by_share(b),
            Sort::Name => a.name.cmp(&b.name).then_with(|| a.by_share(b)),
            Sort::Module => {
                let process = |row: &Row| row.ids.map(|(pid, _)| pid);
                let by_module = (&a.module, process(a)).cmp(&(&b.module, process(b)));
                by_module.then_with(|| a.by_share(b))
            }
        });
        rows
    }
}

impl Row {
    fn contains(&self, filter: &str) -> bool {
        let has_id = |id: u32| id.to_string() == filter;
        filter.is_empty()
            || self.name.to_lowercase().contains(filter)
            || self.module.to_lowercase().contains(filter)
            || self.full.as_ref().is_some_and(|full| full.to_lowercase().contains(filter))
            || self.ids.is_some_and(|(pid, tid)| has_id(pid) || has_id(tid))
    }

    /// The greater share first.
    fn by_share(&self, other: &Row) -> Ordering {
        let names = || (&self.name, self.ids).cmp(&(&other.name, other.ids));
        let own = || other.own.0.total_cmp(&self.own.0);
        other.samples.cmp(&self.samples).then_with(own).then_with(names)
    }
}

fn by_function(profile: &Profile<'_>) -> Vec<Row> {
    let row = |of: write::FunctionCount| Row {
        own: (of.percent, of.error),
        samples: of.count,
        name: printable(&of.function).into_owned(),
        module: printable(&of.module.unwrap_or_default()).into_owned(),
        ..Row::default()
    };
    write::functions(profile).into_iter().map(row).collect()
}

fn by_calls(tree: &CallTree) -> Vec<Row> {
    let row = |of: write::FunctionCalls| Row {
        whole: Some(of.whole_percent),
        own: of.own_percent,
        samples: of.whole,
        name: printable(&of.function).into_owned(),
        module: printable(&of.module.unwrap_or_default()).into_owned(),
        ..Row::default()
    };
    tree.functions().into_iter().map(row).collect()
}

/// Shows the short names of functions; the full ones are still found.
fn shorten(functions: &mut [Row], lines: &mut [Row]) {
    let of_functions = functions.iter().map(|row| row.name.as_str());
    let names = ShortNames::new(of_functions.chain(lines.iter().map(|row| row.module.as_str())));
    let shown = functions.iter_mut().map(|row| (&mut row.name, &mut row.full));
    let shown = shown.chain(lines.iter_mut().map(|row| (&mut row.module, &mut row.full)));
    for (name, full) in shown {
        let short = names.short(name).to_string();
        if short != *name {
            *full = Some(std::mem::replace(name, short));
        }
    }
}

fn by_line(profile: &Profile<'_>) -> Vec<Row> {
    let row = |of: write::LineCount| Row {
        own: (of.percent, of.error),
        samples: of.count,
        name: printable(&of.lines.to_string()).into_owned(),
        module: printable(&of.function).into_owned(),
        ..Row::default()
    };
    write::lines(profile).into_iter().map(row).collect()
}

fn by_thread(profiled: &Profiled) -> Vec<Row> {
    let Some(times) = &profiled.threads else { return Vec::new() };
    let row = |of: &ThreadSamples| Row {
        own: share(profiled, of.samples()),
        samples: of.samples(),
        name: printable(of.name.as_deref().unwrap_or(UNKNOWN).trim_end()).into_owned(),
        module: printable(&process_name(times, of.pid).unwrap_or_default()).into_owned(),
        ids: Some((of.pid, of.tid)),
        ..Row::default()
    };
    times.threads.iter().map(row).chain(other_threads(profiled, times)).collect()
}

fn by_process(profiled: &Profiled, measured: &HashMap<u32, Measured>) -> Vec<Row> {
    let Some(times) = &profiled.threads else { return Vec::new() };
    let mut samples: HashMap<u32, u64> = HashMap::new();
    for of in &times.threads {
        *samples.entry(of.pid).or_default() += of.samples();
    }
    let row = |(pid, samples): (u32, u64)| {
        let measured = measured.get(&pid).cloned().unwrap_or_default();
        let name = process_name(times, pid);
        Row {
            own: share(profiled, samples),
            samples,
            name: printable(name.as_deref().unwrap_or(UNKNOWN)).into_owned(),
            module: printable(&measured.command).into_owned(),
            ids: Some((pid, pid)),
            measured,
            ..Row::default()
        }
    };
    samples.into_iter().map(row).chain(other_threads(profiled, times)).collect()
}

/// The name of a process or thread that has none any more.
const UNKNOWN: &str = "[unknown]";

/// The name of a process: that of its first thread.
fn process_name(times: &ThreadTimes, pid: u32) -> Option<String> {
    let first = times.threads.iter().find(|of| of.tid == pid).and_then(|of| of.name.clone());
    let name = first.or_else(|| Host::local().text(format!("/proc/{pid}/comm")).ok());
    name.map(|name| name.trim_end().to_string())
}

/// The row of the threads that are not kept apart, if there are any.
fn other_threads(profiled: &Profiled, times: &ThreadTimes) -> Option<Row> {
    let samples = times.others.iter().sum();
    let name = "[other threads]".to_string();
    (samples > 0).then(|| Row { own: share(profiled, samples), samples, name, ..Row::default() })
}

/// The notes about deviations in how the event was sampled.
fn notes(profiled: &Profiled) -> Vec<String> {
    let mut notes = Vec::new();
    if !profiled.terms.is_empty() {
        notes.push(format!("sampled by {}", printable(&profiled.terms.join(", "))));
    }
    if profiled.software {
        notes.push("sampled in software".to_string());
    }
    if profiled.throttled > 0 {
        notes.push(format!("paused {} times by the kernel", profiled.throttled));
    }
    if let Some(stacks) = &profiled.stacks {
        let without: u64 = stacks.without_information.values().sum();
        let cut = [
            stacks.truncated,
            stacks.without_caller,
            stacks.unmapped,
            stacks.not_unwound(),
            without,
        ];
        match cut.iter().sum() {
            0_u64 => {}
            cut => notes.push(format!("{} stacks cut off", grouped(cut.into()))),
        }
    }
    notes.extend(Note::sentence(&profiled.notes));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval() -> Interval {
        let row = |samples, name: &str, module: &str| Row {
            samples,
            name: name.to_string(),
            module: module.to_string(),
            ..Row::default()
        };
        let functions =
            vec![row(5, "solve", "b.so"), row(9, "main", "a.out"), row(1, "Solver", "a.out")];
        Interval { functions, ..Interval::default() }
    }

    fn names(sort: Sort, filter: &str) -> Vec<String> {
        let interval = interval();
        let rows = interval.chosen(View::Functions, sort, filter);
        rows.into_iter().map(|row| row.name.clone()).collect()
    }

    #[test]
    fn rows_are_sorted_and_filtered() {
        assert_eq!(names(Sort::Share, ""), ["main", "solve", "Solver"]);
        assert_eq!(names(Sort::Name, ""), ["Solver", "main", "solve"]);
        assert_eq!(names(Sort::Module, ""), ["main", "Solver", "solve"]);
        assert_eq!(names(Sort::Share, "SOLV"), ["solve", "Solver"]);
        assert_eq!(names(Sort::Share, "a.out"), ["main", "Solver"]);
        let mut rows = [Row { name: "void grid::step<int>(int)".to_string(), ..Row::default() }];
        shorten(&mut rows, &mut []);
        assert_eq!(rows[0].name, "grid::step<…>");
        assert!(rows[0].contains("step<int>(") && rows[0].contains("grid::step<…"));
        assert!(names(Sort::Share, "nothing").is_empty());
    }
}
