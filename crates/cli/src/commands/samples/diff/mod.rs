//! Profiles of two programs beside each other: how much their functions differ, and whether that is more than noise.
//!
//! Runs or files become [`Run`]s of a [`Side`]; those become a [`Table`] for each event, which the formats write.

pub mod json;
mod judge;
mod page;
mod run;
mod sentences;
mod side;
mod table;
mod text;

pub use page::sections;
pub use run::{Event, Run, time_of_each};
pub use side::{Design, Side};
pub use table::{Table, all as tables};
pub use text::write as text;

use super::TableArgs;
use crate::failure::Failure;
use crate::output::{OutputArgs, Sink};
use crate::show;
use clap::builder::PossibleValuesParser;
use std::path::Path;

#[derive(clap::Args)]
pub struct FormatArgs {
    /// Write the result in this format: `table` for people, or `json` with a line for each event
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = PossibleValuesParser::new(["table", "json"]))]
    pub format: String,
}

/// How a difference is shown, and where.
pub struct Shown<'a> {
    pub is_json: bool,
    pub html: Option<&'a Path>,
    pub table: TableArgs,
    pub output: &'a OutputArgs,
    /// Sentences about the comparison.
    pub notes: Vec<String>,
}

/// Writes the comparison of two sides.
pub fn write(sides: &[Side; 2], design: Design, shown: &Shown<'_>) -> Result<(), Failure> {
    let mut tables = table::all(sides, design)?;
    if tables.is_empty() {
        return Err(nothing_in_common(sides));
    }
    let environment = |side: &Side| side.runs.iter().find_map(|run| run.environment.clone());
    let mut notes = shown.notes.clone();
    if let [Some(base), Some(other)] = sides.each_ref().map(environment) {
        notes.extend(base.differences(&other, ["A", "B"]));
    }
    tables.iter_mut().for_each(|table| table.notes.clone_from(&notes));
    if let Some(page) = shown.html {
        page::write(Sink::file(page)?, &tables, sides)?;
    }
    let mut sink = shown.output.text(false, None)?;
    if shown.is_json {
        json::write(&mut sink, &tables, sides)?;
    } else {
        let columns = sink.columns();
        text::write(&mut sink, &tables, sides, (shown.table, columns))?;
    }
    sink.publish()?;
    // Whoever writes a file wants to know the answer, too.
    if shown.output.is_file() {
        let sentences = |table: &Table| {
            sentences::verdict_sentences(table, &shown.table.names(table.functions()))
        };
        tables.iter().flat_map(sentences).for_each(|text| show::note(&text));
    }
    Ok(())
}

fn nothing_in_common(sides: &[Side; 2]) -> Failure {
    let names = |side: &Side| {
        let events = side.runs.iter().flat_map(|run| &run.events);
        let mut names: Vec<&str> =
            events.filter(|event| event.count > 0).map(|of| of.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        match names.join(", ") {
            none if none.is_empty() => "no samples".to_string(),
            names => names,
        }
    };
    let [base, other] = sides.each_ref().map(names);
    let what = if sides.iter().all(|side| side.runs.len() == 1) { "files" } else { "runs" };
    Failure::new(format!("the {what} have no samples of a common event"))
        .help(format!("A has {base}, and B has {other}"))
}
