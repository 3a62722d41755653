//! The source lines of the hottest functions.

use crate::commands::samples::source::{self, Row, Source};
use crate::show::printable;
use counterpoint::profil::write::Profile;
use counterpoint::profile::Symbols;
use std::collections::BTreeSet;
use std::io;

/// The functions whose source is shown.
const FUNCTIONS: usize = 20;
/// The share in percent below which a function is not shown.
const LEAST: f64 = 0.5;
/// The lines with samples of a function that are shown.
const LINES: usize = 1000;

/// The functions with the most samples in known lines and their rows, and sentences about files that are not shown.
pub fn hottest(
    profile: &Profile<'_>,
    symbols: &Symbols<'_>,
) -> (Vec<(Source, Vec<Row>)>, Vec<String>) {
    // Those that are gone are in the order of their functions: the one with the most samples is named.
    let (mut shown, mut gone, mut notes) = (Vec::new(), Vec::new(), BTreeSet::new());
    let functions = source::sources(profile).into_iter().filter(|of| of.percent >= LEAST);
    for function in functions.take(FUNCTIONS) {
        match function.rows(LINES, symbols) {
            Ok(rows) => shown.push((function, rows)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !gone.contains(&function.file) {
                    gone.push(function.file);
                }
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
    (shown, notes.into_iter().collect())
}
