//! The page: where data was found, the objects, their functions, the pages of memory, the lines that threads share, and a flame graph below the objects.

use super::lines_text::{self, Part, parts};
use super::measured::Measured;
use super::row::{By, function, node, object, objects, pages, source, sums};
use super::text::{amount, is_sampled, notes};
use super::tree::{roots, tree};
use crate::commands::samples::About;
use crate::commands::samples::html::cells::{self, ROWS, columns, hundredths, of_at_most};
use crate::commands::samples::html::groups::GroupGraph;
use crate::commands::samples::origin::Origin;
use crate::output::Sink;
use crate::page::{Cell, Column, Page, PageThread, Profile, Section, Table, sentence};
use crate::show::cut;
use counterpoint::memory::{LineSums, Sums};
use std::collections::BTreeMap;
use std::io;

pub fn write(
    mut out: Sink,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured,
) -> io::Result<()> {
    let of_lines = if measured.has_operations() {
        lines_text::notes(measured)
    } else {
        // The notes of the accesses say that they are none.
        Vec::new()
    };
    let all = format!("{}, of {}", amount(&measured.all), measured.events.join(", "));
    let mut all_notes = vec![sentence(&all)];
    for note in notes(measured).into_iter().chain(of_lines) {
        let note = sentence(&note);
        if !all_notes.contains(&note) {
            all_notes.push(note);
        }
    }
    let tables = Tables { measured, has_latency: measured.all.measured > 0 };
    let sections = [
        tables.sources(),
        tables.nodes(),
        Some(tables.objects()),
        Some(Section::Profile(Box::new(graph(about, measured)))),
        Some(tables.places(about)),
        tables.pages(),
        tables.lines(about),
    ];
    let page = Page {
        title: format!("Data of {}", about.title),
        facts: origin.facts(),
        notes: all_notes,
        sections: sections.into_iter().flatten().collect(),
    };
    page.write(&mut out)?;
    out.publish()
}

/// The letters of an object that are shown: a variable of C++ may have hundreds.
const LONGEST: usize = 60;

struct Tables<'m> {
    measured: &'m Measured,
    has_latency: bool,
}

impl Tables<'_> {
    /// A table of the rows with the greatest cost, whose numbers stand behind the names.
    fn section<K>(
        &self,
        title: &str,
        names: &[(&'static str, bool)],
        all: &[(K, Sums)],
        name: impl Fn(&K) -> Vec<Cell>,
    ) -> Section {
        let latency = self.has_latency.then_some(("mean latency", true));
        let numbers = [Some(("accesses", true)), Some(("%", true)), latency];
        let names = names.iter().copied().chain(numbers.into_iter().flatten());
        let row = |(key, sums): &(K, Sums)| {
            let mut cells = name(key);
            cells.extend(self.numbers(sums));
            cells
        };
        Section::Table(Table {
            title: of_at_most(title.to_string(), all.len()),
            columns: names.map(|(name, number)| Column { name: name.into(), number }).collect(),
            rows: all.iter().take(ROWS).map(row).collect(),
            folded: false,
        })
    }

    fn numbers(&self, sums: &Sums) -> impl Iterator<Item = Cell> {
        let percent = 100.0 * sums.cost as f64 / self.measured.all.cost.max(1) as f64;
        let latency = match sums.mean_latency() {
            Some(mean) => Cell::tenths(mean),
            None => Cell::missing("", Some("no latency was measured".to_string())),
        };
        let numbers = [Cell::number(sums.accesses as f64), hundredths(percent)];
        numbers.into_iter().chain(self.has_latency.then_some(latency))
    }

    fn sources(&self) -> Option<Section> {
        let all = sums(self.measured, |key| source(key.source));
        let is_known = |((operation, level), _): &((&str, String), Sums)| {
            !operation.is_empty() || !level.is_empty()
        };
        let names = [("operation", false), ("found in", false)];
        all.iter().any(is_known).then(|| {
            self.section("Where data was found", &names, &all, |(operation, level)| {
                let level = if level.is_empty() { "not known" } else { level };
                vec![Cell::text(*operation), Cell::text(level)]
            })
        })
    }

    fn nodes(&self) -> Option<Section> {
        let all = sums(self.measured, |key| key.nodes);
        let is_known = all.iter().any(|(of, _)| *of != (None, None));
        let names = [("CPU of node", true), ("data of node", true)];
        (self.measured.has_nodes && is_known).then(|| {
            self.section("Nodes of memory", &names, &all, |(cpu, data)| {
                vec![Cell::text(node(*cpu)), Cell::text(node(*data))]
            })
        })
    }

    fn objects(&self) -> Section {
        let all = objects(self.measured);
        let pages = pages(self.measured);
        let names = [("object", false), ("pages", true)];
        self.section("Objects", &names, &all, |By(of)| {
            let pages = pages.get(of).copied().unwrap_or(0);
            vec![named(&object(of, self.measured)), Cell::number(pages as f64)]
        })
    }

    /// The functions that access each object.
    fn places(&self, about: &About<'_>) -> Section {
        let objects = &self.measured.objects;
        let all = sums(self.measured, |key| {
            (function(self.measured.function(key.stack)), By(&objects[key.object]))
        });
        let short = about.table.names(all.iter().map(|(((name, _), _), _)| name.clone()));
        let names = [("function", false), ("file", false), ("object", false)];
        self.section("Functions and the objects they access", &names, &all, |((name, file), of)| {
            let of = named(&object(of.0, self.measured));
            vec![cells::function(&short, name), Cell::text(file), of]
        })
    }

    fn pages(&self) -> Option<Section> {
        let objects = &self.measured.objects;
        let pages = self.measured.pages.iter().filter(|page| page.sums.accesses > 1);
        let all: Vec<_> = pages.map(|page| ((page.address, page.object), page.sums)).collect();
        let names = [("page", false), ("object", false)];
        (self.measured.has_operations() && !all.is_empty()).then(|| {
            self.section("Pages of memory", &names, &all, |(address, of)| {
                let of = object(&objects[*of], self.measured);
                vec![Cell::text(format!("{address:#x}")), named(&of)]
            })
        })
    }

    /// The lines that threads share, each with its parts below it.
    fn lines(&self, about: &About<'_>) -> Option<Section> {
        let Measured { lines, of_lines, objects, .. } = self.measured;
        let row = |names: [String; 4], sums: &LineSums| {
            let number = |number: u64| Cell::number(number as f64);
            let latency = sums.mean_latency().map_or_else(Cell::default, Cell::tenths);
            let numbers = [sums.hitm(), sums.remote_hitm, sums.loads, sums.stores].map(number);
            names.map(Cell::text).into_iter().chain(numbers).chain([latency]).collect()
        };
        let mut rows = Vec::new();
        for (line, (of, _)) in lines.iter().zip(of_lines).take(ROWS) {
            let address = format!("{:#x}", line.address);
            let note = if line.is_false_sharing() { "false sharing" } else { "" };
            let of = object(&objects[*of], self.measured);
            rows.push(row([address.clone(), String::new(), of, note.to_string()], &line.sums));
            for Part { offset, function, sums, threads, .. } in parts(self.measured, line) {
                let name = about.table.names([function.clone()]).short(&function).to_string();
                let threads = lines_text::named(self.measured, &threads);
                rows.push(row([address.clone(), format!("{offset:#x}"), name, threads], &sums));
            }
        }
        let columns = columns([
            ("line", false),
            ("offset", false),
            ("object or function", false),
            ("threads", false),
            ("HITM", true),
            ("remote HITM", true),
            ("loads", true),
            ("stores", true),
            ("mean latency", true),
        ]);
        let title = of_at_most("Lines that threads share".to_string(), lines.len());
        (!rows.is_empty()).then_some(Section::Table(Table { title, columns, rows, folded: false }))
    }
}

/// The name of an object, of which the pointer shows the rest if it is long.
fn named(object: &str) -> Cell {
    let short = cut(object, LONGEST);
    let title = (short != object).then(|| object.to_string());
    Cell { title, ..Cell::text(short) }
}

/// The flame graph, whose outermost frames are the objects.
fn graph(about: &About<'_>, measured: &Measured) -> Profile {
    let (tree, roots) = (tree(measured), roots(measured));
    let mut threads: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (key, _) in &measured.sums {
        threads.insert((key.pid, key.tid), 0);
    }
    threads.values_mut().enumerate().for_each(|(number, of)| *of = number);
    let thread = |&(pid, tid): &(u32, u32)| {
        let name = measured.threads.get(&tid).cloned().unwrap_or_default();
        PageThread { name: format!("{name} {pid}/{tid}"), pid, tid, roots: Vec::new() }
    };
    let has_latency = measured.all.measured > 0;
    let profile = Profile {
        title: "Flame graph of the objects".to_string(),
        unit: if has_latency { "units of latency" } else { "accesses" },
        total: measured.all.cost,
        // Latencies differ, and where each access is sampled, nothing is left to chance.
        independent: (!has_latency && is_sampled(&measured.all))
            .then(|| measured.all.accesses as f64 / measured.all.cost.max(1) as f64),
        threads: threads.keys().map(thread).collect(),
        ..Profile::default()
    };
    let mut graph = GroupGraph::new(about.table, &tree, profile);
    for (key, sums) in &measured.sums {
        let stack = measured.frames(key.stack);
        graph.add((&roots[key.object], stack), threads[&(key.pid, key.tid)], sums.cost);
    }
    graph.finish()
}
