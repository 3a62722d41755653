//! The source lines of the hottest functions.

use super::percent::percent;
use crate::commands::samples::source::{self, Row, Source};
use crate::page::{self, Section, SourceFunction, SourceRow};
use crate::show::{grouped, printable};
use counterpoint::profil::write::Profile;
use counterpoint::profile::Symbols;
use std::collections::BTreeSet;
use std::io;

/// The functions whose source is shown.
const FUNCTIONS: usize = 10;
/// The share in percent below which a function is not shown.
const LEAST: f64 = 0.5;
/// The lines with samples of a function that are shown.
const LINES: usize = 200;

/// The source of the hottest functions, and sentences about files that are not shown.
pub fn section(
    title: String,
    profile: &Profile<'_>,
    symbols: &Symbols<'_>,
) -> (Option<Section>, Vec<String>) {
    let (mut functions, mut gone, mut notes) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for function in hottest(profile) {
        match function.rows(LINES, symbols) {
            Ok(rows) => functions.push(shown(&function, rows, profile.unit())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                gone.insert(function.file);
            }
            Err(error) => {
                let file = printable(&function.file);
                notes.insert(format!("The source file {file} is not shown: {error}."));
            }
        }
    }
    if let Some(first) = gone.first() {
        let first = printable(first);
        notes.insert(match gone.len() - 1 {
            0 => format!("The source file {first} is not on this machine."),
            1 => format!("The source file {first} and another are not on this machine."),
            more => format!("The source file {first} and {more} others are not on this machine."),
        });
    }
    let section =
        (!functions.is_empty()).then_some(Section::Source(page::Source { title, functions }));
    (section, notes.into_iter().collect())
}

/// The functions with the most samples in known lines.
fn hottest(profile: &Profile<'_>) -> Vec<Source> {
    let mut functions = source::sources(profile);
    functions.retain(|function| function.percent >= LEAST);
    functions.truncate(FUNCTIONS);
    functions
}

fn shown(function: &Source, rows: Vec<Row>, unit: &str) -> SourceFunction {
    let row = |of: Row| SourceRow {
        first: of.first,
        last: of.last,
        code: of.code,
        samples: of.share.map(|share| share.count),
        share: of.share.map(|share| share.percent),
        text: of.share.map(|share| percent(share.percent, share.error)),
    };
    SourceFunction {
        function: function.function.clone(),
        file: function.file.clone(),
        samples: format!("{} {unit}", grouped(function.samples.into())),
        rows: rows.into_iter().map(row).collect(),
    }
}
