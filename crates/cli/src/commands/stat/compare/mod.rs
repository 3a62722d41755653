//! `stat --compare` and `stat diff`: how much the values of commands or reports differ, and whether that is more than noise.
//!
//! Runs or files become [`Side`](side::Side)s, which hold the value of every run; those become a [`Table`], which the formats write.

mod args;
mod by_event;
mod candidate;
mod cells;
mod csv;
mod gate;
mod grid;
mod html;
pub mod json;
mod markdown;
mod ranking;
mod rounds;
mod sentences;
mod side;
mod table;
mod text;
pub mod why;

#[cfg(feature = "cargo")]
pub use super::formats::COMPARISON;
pub use args::{CompareArgs, DiffArgs, StatAction};
#[cfg(feature = "cargo")]
pub use gate::GateArgs;
#[cfg(feature = "cargo")]
pub use side::Side;

use super::args::StatArgs;
use super::job::Job;
use super::sweep;
use crate::failure::Failure;
use crate::output::{OutputArgs, Sink};
use crate::show;
use crate::supervisor;
use counterpoint::events::Resolved;
#[cfg(not(feature = "cargo"))]
use side::Side;
use std::io::{self, Write};
use table::{Design, Table};

/// Runs the commands and compares them, with each other or with an earlier report.
pub fn run(args: &StatArgs, job: &Job, resolved: &Resolved) -> Result<u8, Failure> {
    let format = format(args.format())?;
    let earlier = args.compare.compare_with.as_deref().map(Side::read).transpose()?;
    let candidates = candidate::all(args)?;
    if candidates.len() + usize::from(earlier.is_some()) < 2 {
        let text = if candidates.is_empty() {
            "there is no command to compare the report with"
        } else {
            "there is nothing to compare the command with"
        };
        return Err(Failure::new(text).help(
            "counterpoint stat --compare 'COMMAND' 'COMMAND', or --compare-with FILE -- COMMAND",
        ));
    }
    check_count(candidates.len() + usize::from(earlier.is_some()))?;
    if args.compare.why && candidates.len() != 2 {
        return Err(Failure::new("--why is for two commands")
            .help("counterpoint stat --compare 'COMMAND' 'COMMAND' --why"));
    }
    args.compare.gate.check(&resolved.names())?;
    for candidate in &candidates {
        supervisor::check(&candidate.words, job.set.machine().host())?;
    }
    let design = match earlier {
        Some(_) => Design::Samples,
        None if args.hooks.is_once() => Design::InOrder,
        None => Design::Rounds,
    };
    let sink = args.output.text(false, None)?.kept();
    let page = args.html.as_deref().map(Sink::file).transpose()?;
    let table =
        |sides: &[Side]| Table::new(&earlier.iter().chain(sides).collect::<Vec<_>>(), design);
    let ran = rounds::run(args, job, resolved, &candidates, &table)?;
    let mut table = Table { notes: ran.notes, ..table(&ran.sides) };
    if args.compare.why && ran.exit_code == 0 {
        table.why = Some(why::explain(args, &table));
    }
    let written = write(&table, format, sink, &args.output)
        .and_then(|()| page.map_or(Ok(()), |page| html::write(page, &table)));
    let profiled = table.why.as_ref().map_or(0, |why| why.exit_code);
    let exit_code = match ran.exit_code.max(profiled) {
        0 => args.compare.gate.exit_code(&table)?,
        failed => failed,
    };
    supervisor::exit_code(exit_code, written.err().as_ref())
}

/// Compares reports that were saved.
pub fn diff(args: &DiffArgs) -> Result<u8, Failure> {
    check_count(args.files.len())?;
    let format = format(args.format())?;
    let sides = args.files.iter().map(|file| Side::read(file)).collect::<Result<Vec<_>, _>>()?;
    let table = Table::new(&sides.iter().collect::<Vec<_>>(), Design::Samples);
    let names = table.rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
    args.gate.check(&names)?;
    write(&table, format, args.output.text(false, None)?, &args.output)?;
    args.gate.exit_code(&table)
}

/// Compares sides that took turns.
#[cfg(feature = "cargo")]
pub fn in_turn(
    sides: &[Side],
    format: &str,
    output: &OutputArgs,
    gate: &GateArgs,
) -> Result<u8, Failure> {
    let format = self::format(format)?;
    let table = Table::new(&sides.iter().collect::<Vec<_>>(), Design::Rounds);
    let names = table.rows.iter().map(|row| row.canonical.clone().unwrap_or(row.name.clone()));
    gate.check(&names.collect::<Vec<_>>())?;
    write(&table, format, output.text(false, None)?, output)?;
    gate.exit_code(&table)
}

fn check_count(count: usize) -> Result<(), Failure> {
    if count <= sweep::MOST {
        Ok(())
    } else {
        Err(Failure::new(format!("{count} sides: at most {} can be compared", sweep::MOST)))
    }
}

/// A form of a comparison.
struct Format {
    /// Writes it, for a terminal of so many columns if it is for people and goes to one.
    write: fn(&mut dyn Write, &Table, Option<usize>) -> io::Result<()>,
    /// False if programs read it, so that its lines are never broken.
    is_for_people: bool,
}

fn format(name: &str) -> Result<Format, Failure> {
    let of_programs = |write| Format { write, is_for_people: false };
    Ok(match name {
        "text" => Format { write: text::write, is_for_people: true },
        "json" => of_programs(|out, table, _| json::write(out, table)),
        "csv" => of_programs(|out, table, _| csv::write(out, table)),
        "markdown" => of_programs(|out, table, _| markdown::write(out, table)),
        other => {
            return Err(Failure::new(format!("a comparison has no format `{other}`"))
                .help("use --json, --csv, --format markdown, or none of them for text"));
        }
    })
}

fn write(table: &Table, format: Format, mut sink: Sink, output: &OutputArgs) -> io::Result<()> {
    let mut text = Vec::new();
    let width = show::width_of(&show::bytes_out());
    let width = width.filter(|_| !output.is_file() && format.is_for_people);
    (format.write)(&mut text, table, width)?;
    match width {
        Some(width) => write!(sink, "{}", show::fitted(&String::from_utf8_lossy(&text), width))?,
        None => sink.write_all(&text)?,
    }
    sink.publish()?;
    // Whoever writes a file wants to know the answer, too.
    if output.is_file() {
        sentences::all(table).for_each(|text| show::note(&text));
    }
    Ok(())
}
