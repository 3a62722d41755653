//! The samples of an interval as rows: by function, by thread and by line.

use super::state::{Sort, View};
use crate::commands::samples::share;
use crate::failure::Failure;
use crate::show::{grouped, printable};
use counterpoint::Note;
use counterpoint::perf::Host;
use counterpoint::profil::write::{self, CallTree, Profile, Symbol};
use counterpoint::profile::{Profiled, Profiling, Symbols, ThreadSamples, code_files};
use counterpoint::symbols::{Binaries, DebugFiles, ShortNames};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

/// The profiles, and the thread that finds the names of their addresses: files of symbols may take long to read.
pub struct Sampled {
    pub profiling: Profiling,
    to_names: Sender<Taken>,
    named: Receiver<Vec<Interval>>,
    /// True if there are samples without names yet.
    is_busy: bool,
    /// For each event, the samples that were lost in intervals that are not shown.
    lost: Vec<u64>,
}

/// The samples of an interval of this length.
struct Taken {
    profiles: Vec<Profiled>,
    lost: Vec<u64>,
    length: Duration,
}

/// The names and losses of an event.
#[derive(Default)]
struct Event {
    names: Names,
    lost: u64,
}

/// The names of addresses, which are looked up once.
#[derive(Default)]
struct Names {
    symbols: RefCell<HashMap<u64, Option<Symbol>>>,
    frames: RefCell<HashMap<u64, Vec<Symbol>>>,
}

/// The addresses whose names are kept.
const MOST_NAMES: usize = 1 << 17;

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
}

/// A line of a view.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The share in percent, with what it called, and its standard error.
    pub whole: Option<(f64, f64)>,
    /// The share in percent, and its standard error.
    pub own: (f64, f64),
    pub samples: u64,
    /// The function, the thread, or the line.
    pub name: String,
    /// The module, the name of the process, or the function of a line.
    pub module: String,
    /// The full name of the function, if a short one is shown.
    pub full: Option<String>,
    /// The thread and its process.
    pub ids: Option<(u32, u32)>,
}

impl Sampled {
    pub fn new(profiling: Profiling, debug_directory: PathBuf) -> io::Result<Sampled> {
        let (to_names, taken) = channel::<Taken>();
        let (named, intervals) = channel();
        let find_names = move || {
            let binaries = Binaries::new(code_files(), DebugFiles::below(&debug_directory));
            let mut events: Vec<Event> = Vec::new();
            for Taken { profiles, lost, length } in taken {
                events.resize_with(profiles.len(), Event::default);
                let each = profiles.into_iter().zip(lost).zip(&mut events);
                let intervals =
                    each.map(|((of, lost), event)| event.interval(of, lost, &binaries, length));
                // Nobody waits for them any more.
                if named.send(intervals.collect()).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("symbols".into()).spawn(find_names)?;
        Ok(Sampled { profiling, to_names, named: intervals, is_busy: false, lost: Vec::new() })
    }

    /// Returns true if an interval is on its way, before which none can be taken.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Takes the samples since the last call, whose names are then looked up; `length` is the time since then.
    pub fn take(&mut self, length: Duration) {
        let profiles = self.profiling.take();
        let lost = std::mem::take(&mut self.lost);
        let lost = lost.into_iter().chain(std::iter::repeat(0)).take(profiles.len()).collect();
        // If the thread is gone, that is found when the names are asked for.
        self.is_busy = self.to_names.send(Taken { profiles, lost, length }).is_ok();
    }

    /// The interval that was taken, once its names are found: the samples of each event.
    pub fn named(&mut self) -> Result<Option<Vec<Interval>>, Failure> {
        match self.named.try_recv() {
            Ok(intervals) => {
                self.is_busy = false;
                Ok(Some(intervals))
            }
            Err(TryRecvError::Empty) => Ok(None),
            // It has said why.
            Err(TryRecvError::Disconnected) => Err(Failure::new("symbols cannot be looked up")),
        }
    }

    /// Does away with the samples since the last call.
    pub fn skip(&mut self) {
        let taken = self.profiling.take();
        self.lost.resize(taken.len(), 0);
        for (lost, profiled) in self.lost.iter_mut().zip(taken) {
            *lost += profiled.lost;
        }
    }
}

impl Event {
    /// The samples with their names; `lost` have been lost before, unseen.
    fn interval(
        &mut self,
        profiled: Profiled,
        lost: u64,
        binaries: &Binaries,
        length: Duration,
    ) -> Interval {
        let symbols = Symbols::new(binaries, &profiled);
        let names = &self.names;
        names.make_room();
        let of = |address| names.symbol(address, &symbols);
        let profile = Profile { symbols: &of, ..Profile::new(&profiled.event, &profiled.snapshot) };
        let mut functions = match &profiled.stacks {
            Some(stacks) => {
                let frames = |address| names.frames(address, &symbols);
                by_calls(&CallTree::new(&stacks.stacks, &frames))
            }
            None => by_function(&profile),
        };
        let mut lines = by_line(&profile);
        shorten(&mut functions, &mut lines);
        let lost_before = self.lost + lost;
        self.lost = lost_before + profiled.lost;
        Interval {
            event: printable(&profiled.event).into_owned(),
            samples: profiled.samples,
            unit: if profiled.by_events { "events" } else { "samples" },
            lost: profiled.lost,
            lost_before,
            length,
            notes: notes(&profiled),
            functions,
            threads: by_thread(&profiled),
            lines,
        }
    }
}

impl Names {
    fn make_room(&self) {
        if self.symbols.borrow().len() > MOST_NAMES {
            self.symbols.borrow_mut().clear();
        }
        if self.frames.borrow().len() > MOST_NAMES {
            self.frames.borrow_mut().clear();
        }
    }

    fn symbol(&self, address: u64, symbols: &Symbols<'_>) -> Option<Symbol> {
        let mut known = self.symbols.borrow_mut();
        known.entry(address).or_insert_with(|| symbols.symbol(address)).clone()
    }

    fn frames(&self, address: u64, symbols: &Symbols<'_>) -> Vec<Symbol> {
        let mut known = self.frames.borrow_mut();
        known.entry(address).or_insert_with(|| symbols.frames(address)).clone()
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
    let others: u64 = times.others.iter().sum();
    let host = Host::local();
    // That of its first thread.
    let process = |pid: u32| {
        let first = times.threads.iter().find(|of| of.tid == pid).and_then(|of| of.name.clone());
        first.or_else(|| host.text(format!("/proc/{pid}/comm")).ok()).unwrap_or_default()
    };
    let row = |samples: u64, name: &str, ids: Option<(u32, u32)>| Row {
        own: share(profiled, samples),
        samples,
        name: printable(name.trim_end()).into_owned(),
        module: ids
            .map_or(String::new(), |(pid, _)| printable(process(pid).trim_end()).into_owned()),
        ids,
        ..Row::default()
    };
    let of_thread = |of: &ThreadSamples| {
        let name = of.name.as_deref().unwrap_or("[unknown]");
        row(of.samples(), name, Some((of.pid, of.tid)))
    };
    let mut rows: Vec<Row> = times.threads.iter().map(of_thread).collect();
    if others > 0 {
        rows.push(row(others, "[other threads]", None));
    }
    rows
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

impl Interval {
    pub fn rows(&self, view: View) -> &[Row] {
        match view {
            View::Functions => &self.functions,
            View::Threads => &self.threads,
            View::Lines => &self.lines,
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
