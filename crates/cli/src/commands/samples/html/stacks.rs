//! The stacks of a profile over time, for the page to add up.

use super::source::hottest;
use crate::commands::samples::named::Event;
use crate::commands::samples::shown::Shown;
use crate::commands::samples::source::Row;
use crate::commands::samples::threads::name;
use crate::page::{PageFunction, PageSource, PageThread, Profile, Section};
use crate::show::grouped;
use counterpoint::profil::write::CallTree;
use counterpoint::profile::{CallStacks, StackTimes};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The most calls that a browser draws fast enough.
const MOST: usize = 100_000;
/// The function in place of calls that are left out.
const NARROW: &str = "[calls with few samples]";

/// The section, and sentences about what is not shown.
pub fn section(
    title: String,
    args: &Shown<'_>,
    event: &Event<'_>,
    stacks: &CallStacks,
) -> (Section, Vec<String>) {
    let names = |address| event.symbols.frames(address);
    let (tree, of_frames) = CallTree::with_frames(&stacks.stacks, &names);
    let mut columns = Columns::new(event);
    let kept = columns.calls(&tree);
    let mut places = HashMap::new();
    let frames = stacks.stacks.frames();
    for (index, frame) in frames.iter().enumerate().filter(|(_, frame)| frame.count > 0) {
        if let Some(call) = of_frames[index] {
            places.insert(index, columns.place(kept[call], frame.address));
        }
    }
    let times = stacks.times.as_ref().filter(|times| times.intervals > 0);
    let (threads, counts) = match times {
        Some(times) => (threads(args, event, times), counts(times, &places)),
        None => {
            let count =
                |(frame, place): (&usize, &usize)| [0, 0, *place as u64, frames[*frame].count];
            (Vec::new(), places.iter().flat_map(count).collect())
        }
    };
    columns.sources(event);
    let without_stack = stacks.stacks.beyond().0;
    if let Some(beyond) =
        times.and_then(|of| of.beyond.checked_sub(without_stack)).filter(|of| *of > 0)
    {
        let (beyond, unit) = (grouped(beyond.into()), event.full.unit());
        columns.notes.push(format!(
            "{beyond} {unit} are not shown: there are too many different stacks of threads."
        ));
    }
    let snapshot = &event.profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    let interval = times.map_or(0.0, |times| times.interval.as_secs_f64());
    let profile = Profile {
        title,
        unit: event.full.unit(),
        total,
        independent: Some(if total > 0 {
            snapshot.effective_samples() / total as f64
        } else {
            1.0
        }),
        threads,
        start: 0.0,
        end: interval * times.map_or(0, |times| times.intervals) as f64,
        interval,
        counts,
        ..columns.profile
    };
    (Section::Profile(Box::new(profile)), columns.notes)
}

fn threads(args: &Shown<'_>, event: &Event<'_>, times: &StackTimes) -> Vec<PageThread> {
    let known = event.profiled.threads.iter().flat_map(|of| &of.threads);
    let known = known.map(|thread| ((thread.pid, thread.tid), name(thread, args.ranks)));
    let known: HashMap<(u32, u32), String> = known.collect();
    let thread = |(pid, tid): &(u32, u32)| {
        let name = known.get(&(*pid, *tid)).cloned().unwrap_or(format!("{pid}/{tid}"));
        let roots = args.ranks.map_or(Vec::new(), |ranks| ranks.roots(*pid));
        PageThread { name, pid: *pid, tid: *tid, roots }
    };
    times.threads.iter().map(thread).collect()
}

fn counts(times: &StackTimes, places: &HashMap<usize, usize>) -> Vec<u64> {
    let (mut counts, mut before) = (Vec::new(), 0);
    for of in &times.counts {
        if let Some(place) = places.get(&(of.frame as usize)) {
            let later = u64::from(of.interval - before);
            counts.extend([later, of.thread.into(), *place as u64, of.count]);
            before = of.interval;
        }
    }
    counts
}

/// The columns of the page while they are filled.
struct Columns<'e> {
    event: &'e Event<'e>,
    profile: Profile,
    notes: Vec<String>,
    modules: HashMap<String, usize>,
    functions: HashMap<(String, usize), usize>,
    files: HashMap<String, usize>,
    lines: HashMap<(usize, u32, usize), usize>,
    places: HashMap<(usize, i64), usize>,
}

impl<'e> Columns<'e> {
    fn new(event: &'e Event<'e>) -> Columns<'e> {
        let (modules, functions, files) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (lines, places, notes) = (HashMap::new(), HashMap::new(), Vec::new());
        let profile = Profile::default();
        Columns { event, profile, notes, modules, functions, files, lines, places }
    }

    /// The function of this full name.
    fn function(&mut self, full: &str, module: &str, is_inlined: bool) -> usize {
        let module = place(&mut self.modules, &mut self.profile.modules, module.to_string());
        let functions = &mut self.profile.functions;
        let known = *self.functions.entry((full.to_string(), module)).or_insert_with(|| {
            functions.push(PageFunction::new(self.event.names, full, module, is_inlined));
            functions.len() - 1
        });
        // Of a function that was also called, no call stands out.
        functions[known].inlined &= is_inlined;
        known
    }

    /// Adds the calls, and returns the index of each on the page; calls with few samples become one of their caller if there are too many.
    fn calls(&mut self, tree: &CallTree) -> Vec<usize> {
        let narrowest = narrowest(tree);
        let mut kept: Vec<usize> = Vec::new();
        let (mut narrow, mut are_narrow) = (HashMap::new(), HashSet::new());
        let mut hidden = 0;
        for call in tree.calls() {
            let caller = call.caller.map(|caller| kept[caller]);
            if let Some(caller) = caller.filter(|caller| are_narrow.contains(caller)) {
                hidden += 1;
                kept.push(caller);
            } else if call.whole() < narrowest {
                hidden += 1;
                let added = match narrow.get(&caller) {
                    Some(known) => *known,
                    None => {
                        let function = self.function(NARROW, "", false);
                        self.call(function, caller)
                    }
                };
                narrow.insert(caller, added);
                are_narrow.insert(added);
                kept.push(added);
            } else {
                let module = call.module.as_deref().unwrap_or("");
                let function = self.function(&call.function, module, call.inlined);
                kept.push(self.call(function, caller));
            }
        }
        if hidden > 0 {
            let (hidden, unit) = (grouped(hidden), self.event.full.unit());
            let note =
                format!("{hidden} calls with fewer than {narrowest} {unit} are in {NARROW}.");
            self.notes.push(note);
        }
        kept
    }

    fn call(&mut self, function: usize, caller: Option<usize>) -> usize {
        self.profile.calls.push(function);
        self.profile.callers.push(caller.map_or(-1, |caller| caller as i64));
        self.profile.calls.len() - 1
    }

    /// The place of an address that was sampled in a call.
    fn place(&mut self, call: usize, address: u64) -> usize {
        let symbol = (self.event.full.symbols)(address);
        let known = symbol.and_then(|of| Some((of.file?, of.line?, of.function, of.module)));
        let line = known.map_or(-1, |(file, line, function, module)| {
            let function = self.function(&function, module.as_deref().unwrap_or(""), false);
            let file = place(&mut self.files, &mut self.profile.files, file);
            place(&mut self.lines, &mut self.profile.lines, (file, line, function)) as i64
        });
        let Profile { place_calls, place_lines, .. } = &mut self.profile;
        *self.places.entry((call, line)).or_insert_with(|| {
            place_calls.push(call);
            place_lines.push(line);
            place_calls.len() - 1
        })
    }

    /// Adds the source of the hottest functions.
    fn sources(&mut self, event: &Event<'_>) {
        let (functions, notes) = hottest(&event.full, event.symbols);
        self.notes.extend(notes);
        for (of, rows) in functions {
            let Some(file) = self.files.get(&of.file).copied() else { continue };
            let full_name = |function: usize| {
                let PageFunction { name, full, .. } = &self.profile.functions[function];
                full.as_ref().unwrap_or(name)
            };
            let is_of =
                |line: &&(usize, u32, usize)| line.0 == file && *full_name(line.2) == of.function;
            let Some(line) = self.profile.lines.iter().find(is_of) else { continue };
            let numbered = |row: Row| {
                let code: Vec<String> = row.code.split('\n').map(str::to_string).collect();
                (row.first..).zip(code)
            };
            let (function, rows) = (line.2, rows.into_iter().flat_map(numbered).collect());
            self.profile.sources.push(PageSource { function, file, rows });
        }
    }
}

/// The place of a value in a column, to which it is added if it is new.
fn place<T: Clone + Eq + Hash>(known: &mut HashMap<T, usize>, column: &mut Vec<T>, of: T) -> usize {
    if let Some(place) = known.get(&of) {
        return *place;
    }
    column.push(of.clone());
    known.insert(of, column.len() - 1);
    column.len() - 1
}

/// The samples that a call must have, so that there are not too many.
fn narrowest(tree: &CallTree) -> u64 {
    let mut widths: Vec<u64> = tree.calls().iter().map(|call| call.whole()).collect();
    match widths.len().checked_sub(MOST) {
        None | Some(0) => 0,
        Some(rest) => {
            let (_, widest, _) = widths.select_nth_unstable(rest - 1);
            *widest + 1
        }
    }
}
