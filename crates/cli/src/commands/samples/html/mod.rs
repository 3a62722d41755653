//! Profiles as a page of HTML.

mod flame;
mod percent;
mod source;
mod threads;

use super::named::Event;
use super::notes;
use super::shown::Shown;
use crate::output::Sink;
use crate::page::{Bar, Bars, Cell, Column, Page, Section, Table};
use crate::show::{grouped, printable};
use counterpoint::perf::Every;
use counterpoint::profil::write::{self, CallTree, FunctionCount};
use counterpoint::profile::Profiled;
use counterpoint::symbols::ShortNames;
use percent::percent;
use std::io;

/// The most intervals of the time line.
pub const INTERVALS: usize = 600;
/// The functions that have a bar.
const BARS: usize = 20;
/// The functions that are in a table.
const ROWS: usize = 1000;
/// The longest name beside a bar, with its module.
const LETTERS: usize = 60;

/// Collects the profiles of all events, and writes them at the end.
pub struct Html {
    writer: Sink,
    /// True if the page has several events, whose sections name them.
    is_of_several: bool,
    page: Page,
}

impl Html {
    pub fn new(writer: Sink, args: &Shown<'_>, events: usize) -> Html {
        let title = if args.title.is_empty() {
            "Profile".to_string()
        } else {
            format!("Profile of {}", args.title)
        };
        let notes = args.origin.sentence().into_iter().collect();
        let page = Page { title, notes, sections: Vec::new() };
        Html { writer, is_of_several: events > 1, page }
    }

    /// Adds the sections of an event.
    pub fn add(&mut self, args: &Shown<'_>, event: &Event<'_>) {
        let Event { profiled, symbols, tree, names, full, short: profile } = event;
        let event = printable(profile.event);
        let title = |what: &str| {
            if self.is_of_several { format!("{what} of {event}") } else { what.to_string() }
        };
        let mut sections = Vec::new();
        let mut notes = vec![sampled(profiled)];
        if let Some(tree) = tree {
            let (flame, narrow) = flame::section(title("Flame graph"), tree, names, profile.unit());
            sections.push(flame);
            notes.extend(narrow);
        }
        let functions = write::functions(profile);
        sections.push(bars(title("Functions"), &functions));
        sections.push(shares(title("All functions"), &write::functions(full), names));
        let children = |tree| children(title("Functions with what they called"), tree, names);
        sections.extend(tree.map(children));
        sections.extend(
            profiled
                .threads
                .as_ref()
                .filter(|of| of.intervals > 0)
                .map(|of| threads::section(title("Samples of each thread"), of)),
        );
        let (source, missing) = source::section(title("Source"), profile, symbols);
        sections.extend(source);
        notes.extend(missing);
        notes.extend(notes::sentences(args, profiled, symbols).iter().map(|note| sentence(note)));
        self.page.sections.extend(sections);
        self.page.notes.extend(notes);
    }

    pub fn write(mut self) -> io::Result<()> {
        self.page.write(&mut self.writer)?;
        self.writer.publish()
    }
}

/// A sentence with the numbers of samples of the event, taken and lost.
fn sampled(profiled: &Profiled) -> String {
    let every = match profiled.every {
        Every::Period(period) => format!("with a period of {}", grouped(period.into())),
        Every::Frequency(hertz) => format!("about {} per second", grouped(hertz.into())),
    };
    if profiled.off_cpu.is_some() {
        let (waits, total) =
            (profiled.samples, profiled.snapshot.total() + profiled.snapshot.outside);
        return format!(
            "Off the CPU for {} µs in {} waits.",
            grouped(total.into()),
            grouped(waits.into())
        );
    }
    let (samples, event) = (grouped(profiled.samples.into()), printable(&profiled.event));
    let lost = match profiled.lost {
        0 => "no sample was lost".to_string(),
        lost => {
            format!("{} more were lost, because there was no room for them", grouped(lost.into()))
        }
    };
    format!("{samples} samples of {event}, {every}; {lost}.")
}

/// A note of the terminal with a capital letter and a full stop, unless it begins with a name or a number.
fn sentence(note: &str) -> String {
    let is_word = note.starts_with("the ") || note.starts_with("sampled ");
    let (first, rest) = note.split_at(usize::from(is_word));
    format!("{}{rest}.", first.to_uppercase())
}

fn bars(title: String, functions: &[FunctionCount]) -> Section {
    let bar = |of: &FunctionCount| {
        let module = of.module.as_deref().map(|module| format!(" ({module})")).unwrap_or_default();
        let room = LETTERS.saturating_sub(module.chars().count()).max(LETTERS / 3);
        Bar {
            name: format!("{}{module}", shortened(&of.function, room)),
            value: Some(of.percent),
            error: Some(of.error),
            text: percent(of.percent, of.error),
            marked: false,
        }
    };
    Section::Bars(Bars { title, rows: functions.iter().take(BARS).map(bar).collect() })
}

/// The beginning of a name.
fn shortened(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        name.to_string()
    } else {
        name.chars().take(letters - 1).chain(['…']).collect()
    }
}

fn columns<const N: usize>(columns: [(&'static str, bool); N]) -> Vec<Column> {
    columns.into_iter().map(|(name, number)| Column { name, number }).collect()
}

/// The short name of a function, and its full name where the pointer rests on it.
fn function(names: &ShortNames, full: &str) -> Cell {
    let short = names.short(full);
    Cell { title: (short != full).then(|| full.to_string()), ..Cell::text(short) }
}

fn shares(title: String, functions: &[FunctionCount], names: &ShortNames) -> Section {
    let row = |of: &FunctionCount| {
        let module = Cell::text(of.module.as_deref().unwrap_or(""));
        let [share, error] = [of.percent, of.error].map(hundredths);
        vec![function(names, &of.function), module, Cell::number(of.count as f64), share, error]
    };
    Section::Table(Table {
        title: of_at_most(title, functions.len()),
        columns: columns([
            ("function", false),
            ("module", false),
            ("samples", true),
            ("%", true),
            ("± %", true),
        ]),
        rows: functions.iter().take(ROWS).map(row).collect(),
        folded: true,
    })
}

fn children(title: String, tree: &CallTree, names: &ShortNames) -> Section {
    let functions = tree.functions();
    let title = of_at_most(title, functions.len());
    let rows = functions.into_iter().take(ROWS).map(|of| {
        let mut named = function(names, &of.function);
        named.text += if of.inlined { " (inlined)" } else { "" };
        let mut cells = vec![named, Cell::text(of.module.unwrap_or_default())];
        for (count, (percent, error)) in [(of.own, of.own_percent), (of.whole, of.whole_percent)] {
            cells.push(Cell::number(count as f64));
            cells.extend([percent, error].map(hundredths));
        }
        cells
    });
    Section::Table(Table {
        title,
        columns: columns([
            ("function", false),
            ("module", false),
            ("self", true),
            ("%", true),
            ("± %", true),
            ("children", true),
            ("%", true),
            ("± %", true),
        ]),
        rows: rows.collect(),
        folded: true,
    })
}

/// The title of a table, which says so if it does not have all rows.
fn of_at_most(title: String, rows: usize) -> String {
    if rows > ROWS {
        format!("{title}: the first {} of {}", grouped(ROWS as i128), grouped(rows as i128))
    } else {
        title
    }
}

fn hundredths(value: f64) -> Cell {
    Cell { text: format!("{value:.2}"), value: Some(value), ..Cell::default() }
}
