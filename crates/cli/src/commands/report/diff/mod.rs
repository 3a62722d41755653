//! `counterpoint report diff`: how the shares of functions changed between two files, and whether that is more than chance.

mod args;
pub mod json;
mod page;
mod sentences;
mod side;
mod table;
mod text;

pub use args::{DiffArgs, ReportAction};

use crate::failure::Failure;
use crate::output::Sink;
use crate::show;

/// The exit status is 0, and 2 if there is nothing to compare.
pub fn run(args: &DiffArgs) -> Result<u8, Failure> {
    let files = [args.base.as_path(), args.other.as_path()];
    args.debug.check()?;
    let [base, other] = [side::read(args, files[0])?, side::read(args, files[1])?];
    let mut tables = table::all(&base.events, &other.events);
    if tables.is_empty() {
        let names = |side: &[side::Event]| {
            let names = side.iter().filter(|event| event.samples > 0).map(|of| of.name.as_str());
            match names.collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => "no samples".to_string(),
                names => names,
            }
        };
        return Err(Failure::new("the files have no samples of a common event").help(format!(
            "A has {}, and B has {}",
            names(&base.events),
            names(&other.events)
        )));
    }
    if let (Some(base), Some(other)) = (&base.environment, &other.environment) {
        let differences = base.differences(other, ["A", "B"]);
        tables.iter_mut().for_each(|table| table.notes.clone_from(&differences));
    }
    if let Some(page) = &args.html {
        let sides = [base.events.as_slice(), other.events.as_slice()];
        page::write(Sink::file(page)?, &tables, sides, files)?;
    }
    let mut sink = args.output.text(false, None)?;
    if args.is_json() {
        json::write(&mut sink, &tables, files)?
    } else {
        let columns = sink.columns();
        text::write(&mut sink, &tables, files, (args.table, columns))?
    }
    sink.publish()?;
    if args.output.is_file() {
        let sentences = |table: &table::Table| {
            sentences::verdict_sentences(table, &args.table.names(table.functions()))
        };
        tables.iter().flat_map(sentences).for_each(|text| show::note(&text));
    }
    Ok(0)
}
