//! The page: the states, the threads and the flame graph.

use super::measured::Measured;
use super::row::{Doing, Times, sums};
use super::text::{name, notes};
use super::tree::{UNIT, microseconds, root, tree};
use crate::commands::samples::About;
use crate::commands::samples::html::cells::columns;
use crate::commands::samples::html::groups::GroupGraph;
use crate::commands::samples::origin::Origin;
use crate::output::Sink;
use crate::page::{Cell, Page, PageThread, Profile, Section, Table, sentence};
use counterpoint::wall::WallThread;
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
            .chain(notes(measured).iter().map(|note| sentence(note)))
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
    let profile = Profile {
        title: "Flame graph of the wall time".to_string(),
        unit: UNIT,
        total: microseconds(wall.length() as f64),
        // Most of it is measured.
        independent: None,
        threads: wall.threads.iter().map(thread).collect(),
        ..Profile::default()
    };
    let mut graph = GroupGraph::new(about.table, &tree, profile);
    for of in &wall.amounts {
        let frames = of.stack.into_iter().flat_map(|stack| measured.frames(stack));
        let stack = frames.map(|(symbol, _)| symbol);
        graph.add((&root(measured, of), stack), of.thread, microseconds(of.wall));
    }
    graph.finish()
}
