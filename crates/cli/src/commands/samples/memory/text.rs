//! The tables: where data was found, the objects, the places of the code, and the pages.

use super::measured::Measured;
use super::row::{By, function, node, object, objects, pages, source, sums};
use crate::commands::samples::About;
use crate::output::Sink;
use crate::show::{cut, grouped, hanging, printable};
use counterpoint::memory::Sums;
use counterpoint::symbols::ShortNames;
use std::io::{self, Write};

/// The widths of the columns of numbers.
const WIDTH: usize = 11;

pub fn write(out: &mut Sink, about: &About<'_>, measured: &Measured) -> io::Result<()> {
    let width = out.columns().unwrap_or(usize::MAX);
    let title = printable(&about.title).into_owned();
    let events = measured.events.join(", ");
    let heading = format!(" data of {title}: {}, of {}", amount(&measured.all), printable(&events));
    writeln!(out, "\n{}", hanging(&heading, width, 2))?;
    let size = about.table.size(out.columns());
    let table = Table {
        measured,
        rows: size.rows,
        percent: size.percent,
        width,
        has_latency: measured.all.measured > 0,
        word: if is_sampled(&measured.all) { "samples" } else { "accesses" },
    };
    if measured.all.accesses > 0 {
        table.sources(out)?;
        table.nodes(out)?;
        table.objects(out)?;
        table.places(out, about)?;
        table.pages(out)?;
    }
    for note in notes(measured) {
        writeln!(out, "{}", hanging(&note, width, 2))?;
    }
    Ok(())
}

struct Table<'m> {
    measured: &'m Measured,
    rows: usize,
    /// The least share of a row.
    percent: f64,
    width: usize,
    /// Latencies were measured, of which the share is then.
    has_latency: bool,
    /// What the first column counts.
    word: &'static str,
}

/// Returns true if accesses stand for others.
pub fn is_sampled(all: &Sums) -> bool {
    all.events > all.accesses
}

/// The number of accesses, and of those for which they stand.
pub fn amount(all: &Sums) -> String {
    let samples = grouped(all.accesses.into());
    if is_sampled(all) {
        format!("{samples} samples of about {} accesses", grouped(all.events.into()))
    } else {
        format!("{samples} accesses")
    }
}

impl Table<'_> {
    fn heading(&self, out: &mut Sink, more: &str) -> io::Result<()> {
        let latency =
            if self.has_latency { format!("{:>WIDTH$}", "latency") } else { String::new() };
        writeln!(out, "\n{:>WIDTH$}        %{latency}  {more}", self.word)
    }

    fn row(&self, out: &mut Sink, sums: &Sums, more: &str) -> io::Result<()> {
        let percent = self.percent_of(sums);
        let latency = match sums.mean_latency() {
            Some(mean) => format!("{mean:>WIDTH$.1}"),
            None if self.has_latency => format!("{:>WIDTH$}", ""),
            None => String::new(),
        };
        let row = format!("{:>WIDTH$}  {percent:>7.2}{latency}  ", grouped(sums.accesses.into()));
        let room = self.width.saturating_sub(row.chars().count()).max(12);
        let more = printable(more).into_owned();
        writeln!(out, "{}", format!("{row}{}", cut(&more, room)).trim_end())
    }

    fn percent_of(&self, sums: &Sums) -> f64 {
        100.0 * sums.cost as f64 / self.measured.all.cost.max(1) as f64
    }

    /// The rows that are shown, of which the first have the greatest shares.
    fn shown<'s, K>(&self, all: &'s [(K, Sums)]) -> &'s [(K, Sums)] {
        let enough = all.partition_point(|(_, sums)| self.percent_of(sums) >= self.percent);
        &all[..enough.min(self.rows)]
    }

    fn more(&self, out: &mut Sink, (all, shown): (usize, usize), word: &str) -> io::Result<()> {
        match all - shown {
            0 => Ok(()),
            1 => writeln!(out, "        … and 1 more {word}"),
            more => writeln!(out, "        … and {} more {word}s", grouped(more as i128)),
        }
    }

    /// Where the data was found.
    fn sources(&self, out: &mut Sink) -> io::Result<()> {
        let sources = sums(self.measured, |key| source(key.source));
        let is_known = |((operation, level), _): &((&str, String), Sums)| {
            !operation.is_empty() || !level.is_empty()
        };
        if !sources.iter().any(is_known) {
            return Ok(());
        }
        self.heading(out, "operation      found in")?;
        for ((operation, level), sums) in self.shown(&sources) {
            let level = if level.is_empty() { "not known" } else { level };
            self.row(out, sums, &format!("{operation:<13}  {level}"))?;
        }
        self.more(out, (sources.len(), self.shown(&sources).len()), "source")
    }

    /// On which nodes the CPUs and the data are, of machines with several.
    fn nodes(&self, out: &mut Sink) -> io::Result<()> {
        let nodes = sums(self.measured, |key| key.nodes);
        if !self.measured.has_nodes || nodes.iter().all(|(of, _)| *of == (None, None)) {
            return Ok(());
        }
        self.heading(out, "CPU of node  data of node")?;
        for ((cpu, data), sums) in self.shown(&nodes) {
            self.row(out, sums, &format!("{:<11}  {}", node(*cpu), node(*data)))?;
        }
        self.more(out, (nodes.len(), self.shown(&nodes).len()), "node pair")
    }

    fn objects(&self, out: &mut Sink) -> io::Result<()> {
        let pages = pages(self.measured);
        let sums = objects(self.measured);
        self.heading(out, "    pages  object")?;
        for (By(of), sums) in self.shown(&sums) {
            let pages = pages.get(of).copied().unwrap_or(0);
            self.row(
                out,
                sums,
                &format!("{:>9}  {}", grouped(pages.into()), object(of, self.measured)),
            )?;
        }
        self.more(out, (sums.len(), self.shown(&sums).len()), "object")
    }

    /// The functions that access each object.
    fn places(&self, out: &mut Sink, about: &About<'_>) -> io::Result<()> {
        let Measured { objects, .. } = self.measured;
        let sums = sums(self.measured, |key| {
            (function(self.measured.function(key.stack)), By(&objects[key.object]))
        });
        let names: ShortNames =
            about.table.names(sums.iter().map(|(((name, _), _), _)| name.clone()));
        let shown = || self.shown(&sums).iter();
        let letters = |(((name, _), _), _): &(((String, String), By<'_>), Sums)| {
            names.short(name).chars().count()
        };
        let wide =
            shown().map(letters).max().unwrap_or(0).clamp(8, self.width.saturating_sub(64).max(20));
        self.heading(out, &format!("{:<wide$}  accesses", "function"))?;
        for (((name, _), By(of)), sums) in shown() {
            let name = cut(names.short(name), wide).into_owned();
            self.row(out, sums, &format!("{name:<wide$}  {}", object(of, self.measured)))?;
        }
        self.more(out, (sums.len(), self.shown(&sums).len()), "place")
    }

    /// The pages that were accessed several times; that a page has several faults says nothing of its accesses.
    fn pages(&self, out: &mut Sink) -> io::Result<()> {
        if !self.measured.has_operations() {
            return Ok(());
        }
        let pages = self.measured.pages.iter().filter(|page| page.sums.accesses > 1);
        let pages: Vec<_> = pages.map(|page| (page, page.sums)).collect();
        if pages.is_empty() {
            return Ok(());
        }
        self.heading(out, "page                object")?;
        for (page, _) in self.shown(&pages) {
            let object = object(&self.measured.objects[page.object], self.measured);
            self.row(out, &page.sums, &format!("{:<#18x}  {object}", page.address))?;
        }
        self.more(out, (pages.len(), self.shown(&pages).len()), "page")
    }
}

/// Returns true if the event is one of page faults, whatever its modifiers are.
fn is_of_faults(event: &str) -> bool {
    let name = event.split(':').next().unwrap_or_default();
    name.ends_with("faults")
}

/// Sentences about what is not known, and what is in no table.
pub fn notes(measured: &Measured) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |count: u64, text: &str| {
        if count > 0 {
            notes.push(format!("{text}: {}", grouped(count.into())));
        }
    };
    let count = |is_it: &dyn Fn(&counterpoint::memory::Key) -> bool| {
        let sums = measured.sums.iter().filter(|(key, _)| is_it(key));
        sums.map(|(_, sums)| sums.accesses).sum::<u64>()
    };
    let locked = count(&|key| key.source.is_locked() == Some(true));
    note(locked, "accesses that locked their line");
    let missed = count(&|key| key.source.tlb().is_some_and(|tlb| tlb.ends_with("miss")));
    note(missed, "accesses that missed the TLB");
    let nowhere = measured.pages.iter().filter(|page| page.address == 0);
    let nowhere = nowhere.map(|page| page.sums.accesses).sum();
    note(nowhere, "accesses whose address is not known");
    if measured.has_nodes {
        let unplaced = count(&|key| key.nodes.1.is_none());
        note(unplaced, "accesses to data whose node is not known");
    }
    let kept = measured.all.accesses;
    let hint = if measured.lost * 100 > kept {
        "; the shares are those of the others (take fewer samples with -c, or less of the stack with --call-graph dwarf,1024)"
    } else {
        ""
    };
    note(
        measured.lost,
        &format!("samples that were lost, because there was no room for them{hint}"),
    );
    note(measured.beyond.mappings, "mappings that were not kept, because there are too many");
    note(
        measured.beyond.allocations,
        "calls of allocators that were not kept, so that later blocks are not known",
    );
    note(measured.beyond.accesses, "accesses in no row, because there are too many different ones");
    note(measured.beyond.pages, "accesses to pages that were not kept");
    if measured.all.accesses == 0 {
        notes.push("there are no accesses".to_string());
    } else if measured.events.iter().all(|event| is_of_faults(event)) {
        notes.push(
            "these are the first accesses to pages (page faults), and not all loads and stores"
                .to_string(),
        );
    }
    notes
}
