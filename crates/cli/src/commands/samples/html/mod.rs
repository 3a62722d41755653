//! Profiles as a page of HTML.

pub mod cells;
pub mod groups;
mod source;
mod stacks;
mod threads;

use super::named::Event;
use super::notes;
use super::ranks;
use super::shown::Shown;
use crate::output::Sink;
use crate::page::{self, Cell, Page, Section, Table};
use crate::show::{grouped, printable};
use cells::{ROWS, columns, function, hundredths, of_at_most};
use counterpoint::perf::Every;
use counterpoint::profil::write::{self, FunctionCount};
use counterpoint::profile::Profiled;
use counterpoint::symbols::ShortNames;
use std::io;

/// The most intervals of the time line.
pub const INTERVALS: usize = 600;

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
        let page =
            Page { title, facts: args.origin.facts(), notes: Vec::new(), sections: Vec::new() };
        Html { writer, is_of_several: events > 1, page }
    }

    /// Adds the sections of an event.
    pub fn add(&mut self, args: &Shown<'_>, event: &Event<'_>) {
        let Event { profiled, symbols, names, full, .. } = event;
        let name = printable(full.event);
        let title = |what: &str| {
            if self.is_of_several { format!("{what} of {name}") } else { what.to_string() }
        };
        let mut notes = vec![sampled(profiled)];
        match &profiled.stacks {
            Some(stacks) => {
                let (section, missing) = stacks::section(title("Profile"), args, event, stacks);
                self.page.sections.push(section);
                notes.extend(missing);
            }
            // Regions of addresses have no stacks.
            None => {
                let functions = shares(title("Functions"), &write::functions(full), names);
                self.page.sections.push(functions);
                let threads = profiled.threads.as_ref().filter(|of| of.intervals > 0);
                let section = |of| threads::section(title("Samples of each thread"), args, of);
                self.page.sections.extend(threads.map(section));
            }
        }
        let (sections, of_ranks) = ranks::page::sections(event, args.ranks, &title);
        notes.extend(of_ranks.iter().map(|note| sentence(note)));
        self.page.sections.extend(sections);
        notes.extend(notes::sentences(args, profiled, symbols).iter().map(|note| sentence(note)));
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
    let is_word =
        ["the ", "no ", "several ", "sampled "].iter().any(|begin| note.starts_with(begin));
    if is_word { page::sentence(note) } else { format!("{note}.") }
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
        folded: false,
    })
}
