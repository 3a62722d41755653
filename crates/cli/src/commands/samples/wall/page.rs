//! The page: the states, the threads and the flame graph.

use super::measured::Measured;
use super::row::{Doing, Times, sums};
use super::text::{name, notes};
use super::tree::{UNIT, microseconds, root, tree};
use crate::commands::samples::About;
use crate::commands::samples::html::cells::columns;
use crate::commands::samples::origin::Origin;
use crate::output::Sink;
use crate::page::{Cell, Page, PageFunction, PageThread, Profile, Section, Table};
use counterpoint::profil::write::{Call, CallTree, Symbol};
use counterpoint::wall::{Amount, WallThread};
use std::collections::{BTreeMap, HashMap};
use std::io;

pub fn write(
    mut out: Sink,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured,
) -> io::Result<()> {
    let about_states = "While several threads run, each has an equal part of the time; while none runs, the thread that runs next has it.";
    let page = Page {
        title: format!("Wall time of {}", about.title),
        facts: origin.facts(),
        notes: std::iter::once(about_states.to_string())
            .chain(notes(measured).iter().map(|note| capital(note)))
            .collect(),
        sections: vec![
            states(measured),
            Section::Profile(Box::new(graph(about, measured))),
            threads(measured),
        ],
    };
    page.write(&mut out)?;
    out.publish()
}

/// A sentence of a note.
fn capital(note: &str) -> String {
    let (first, rest) = note.split_at(1);
    format!("{}{rest}.", first.to_uppercase())
}

fn cells(times: &Times, measured: &Measured) -> Vec<Cell> {
    let ms = |time: f64| Cell {
        text: format!("{:.3}", time / 1e6),
        value: Some(time / 1e6),
        ..Cell::default()
    };
    let path = if measured.wall.has_wakes { ms(times.path) } else { Cell::missing("", None) };
    vec![ms(times.wall), path, ms(times.time)]
}

const TIMES: [(&str, bool); 3] =
    [("wall ms", true), ("critical path ms", true), ("thread ms", true)];

fn states(measured: &Measured) -> Section {
    let row = |(doing, times): &(Doing, Times)| {
        let name = std::iter::once(Cell::text(doing.name()));
        name.chain(cells(times, measured)).collect()
    };
    Section::Table(Table {
        title: "States".to_string(),
        columns: columns([("state", false), TIMES[0], TIMES[1], TIMES[2]]),
        rows: sums(measured, |of| Doing::of(measured, of)).iter().map(row).collect(),
        folded: false,
    })
}

fn threads(measured: &Measured) -> Section {
    let row = |((thread, doing), times): &((usize, Doing), Times)| {
        let name = name(&measured.wall.threads[*thread]);
        let names = [Cell::text(name), Cell::text(doing.name())];
        names.into_iter().chain(cells(times, measured)).collect()
    };
    let sums = sums(measured, |of| (of.thread, Doing::of(measured, of)));
    Section::Table(Table {
        title: "States of each thread".to_string(),
        columns: columns([("thread", false), ("state", false), TIMES[0], TIMES[1], TIMES[2]]),
        rows: sums.iter().map(row).collect(),
        folded: false,
    })
}

/// The flame graph, whose outermost frames are the states.
fn graph(about: &About<'_>, measured: &Measured) -> Profile {
    let wall = &measured.wall;
    let tree = tree(measured);
    let thread = |of: &WallThread| PageThread {
        name: name(of),
        pid: of.pid,
        tid: of.tid,
        roots: Vec::new(),
    };
    let mut profile = Profile {
        title: "Flame graph of the wall time".to_string(),
        unit: UNIT,
        total: microseconds(wall.length() as f64),
        // Most of it is measured.
        independent: None,
        threads: wall.threads.iter().map(thread).collect(),
        ..Profile::default()
    };
    functions(&mut profile, about, &tree);
    let calls = Calls::new(&tree);
    let mut places: BTreeMap<usize, u64> = BTreeMap::new();
    for of in &wall.amounts {
        let (call, count) = (calls.of(measured, of), microseconds(of.wall));
        let Some(call) = call.filter(|_| count > 0) else { continue };
        let place = *places.entry(call).or_insert_with(|| {
            profile.place_calls.push(call);
            profile.place_lines.push(-1);
            profile.place_calls.len() as u64 - 1
        });
        profile.counts.extend([0, of.thread as u64, place, count]);
    }
    profile
}

/// The calls of a tree by their callers and functions.
struct Calls<'t>(HashMap<Key<'t>, usize>);

/// The caller, the function, its module, and whether it was inlined.
type Key<'t> = (Option<usize>, &'t str, Option<&'t str>, bool);

impl<'t> Calls<'t> {
    fn new(tree: &'t CallTree) -> Calls<'t> {
        let call = |(index, of): (usize, &'t Call)| {
            ((of.caller, of.function.as_str(), of.module.as_deref(), of.inlined), index)
        };
        Calls(tree.calls().iter().enumerate().map(call).collect())
    }

    /// The innermost call of an amount.
    fn of(&self, measured: &Measured, amount: &Amount) -> Option<usize> {
        let mut call = None;
        for name in &root(measured, amount) {
            call = Some(*self.0.get(&(call, name.as_str(), None, false))?);
        }
        let frames = amount.stack.into_iter().flat_map(|stack| measured.frames(stack));
        let frames: Vec<&Symbol> = frames.map(|(symbol, _)| symbol).collect();
        for of in frames.into_iter().rev() {
            let key = (call, of.function.as_str(), of.module.as_deref(), of.inlined);
            call = Some(*self.0.get(&key)?);
        }
        call
    }
}

/// Adds the calls with their functions and modules.
fn functions(profile: &mut Profile, about: &About<'_>, tree: &CallTree) {
    let names = about.table.names(tree.calls().iter().map(|call| call.function.clone()));
    let (mut modules, mut known) = (HashMap::new(), HashMap::new());
    for call in tree.calls() {
        // The states have a colour of their own.
        let module = match call.caller {
            None => call.function.clone(),
            Some(_) => call.module.clone().unwrap_or_default(),
        };
        let module = *modules.entry(module).or_insert_with_key(|module| {
            profile.modules.push(module.clone());
            profile.modules.len() - 1
        });
        let key = (call.function.clone(), module, call.inlined);
        let function = *known.entry(key).or_insert_with(|| {
            let name = names.short(&call.function).to_string();
            let full = (name != call.function).then(|| call.function.clone());
            profile.functions.push(PageFunction {
                name,
                full,
                module,
                inlined: call.inlined,
                ..PageFunction::default()
            });
            profile.functions.len() - 1
        });
        profile.calls.push(function);
        profile.callers.push(call.caller.map_or(-1, |caller| caller as i64));
    }
}
