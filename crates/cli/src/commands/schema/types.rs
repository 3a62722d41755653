//! The types of the lines of each machine format, of which its document is made.
//!
//! The documents are in `schemas/`, so that the program does not need to make them; `COUNTERPOINT_UPDATE=1 cargo test -p counterpoint-cli --lib --features full schema` writes them.

use super::formats::FORMATS;
use crate::commands::{
    catalog, check, dispatch, doctor, encode, eval, export, list, merge, plan, samples, show, stat,
};
use crate::output::Sink;
use crate::records;
use crate::schema::Lines;
use schemars::generate::SchemaSettings;
use schemars::{Schema, json_schema};
use std::io::Write;
use std::path::Path;

/// The types of the lines of each format.
const TYPES: &[(&str, &[Lines])] = &[
    ("stat", &[records::LINES, stat::json::LINES]),
    ("regions", &[records::LINES, records::TIMELINE]),
    ("compare", &[stat::compare::json::LINES]),
    ("merge", &[merge::json::LINES]),
    ("table", &[export::json::LINES]),
    ("profile", &[samples::json::LINES]),
    ("wall", &[samples::wall::json::LINES]),
    ("memory", &[samples::memory::json::LINES]),
    ("function-metrics", &[samples::metrics::json::LINES]),
    ("shared-lines", &[samples::memory::SHARED_LINES]),
    ("annotate", &[samples::annotate::json::LINES]),
    ("profile-diff", &[samples::diff::json::LINES]),
    ("list", &[list::json::LINES]),
    ("show", &[show::json::LINES, encode::json::LINES]),
    ("encode", &[encode::json::LINES]),
    ("plan", &[plan::json::LINES]),
    ("check", &[check::json::LINES]),
    ("eval", &[eval::json::LINES]),
    ("dispatch", &[dispatch::json::LINES]),
    ("doctor", &[doctor::json::LINES, doctor::verify::json::LINES]),
    ("catalog-dump", &[catalog::dump::records::LINES]),
    ("catalog-check", &[catalog::check::json::LINES]),
    ("catalog-data", &[catalog::data::json::LINES]),
    ("catalog-events", &[catalog::events::LINES]),
    ("catalog-formula", &[catalog::formula::json::LINES]),
];

/// The schema of a line.
fn document(of: &str, lines: &[Lines]) -> Schema {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let lines = lines.iter().copied().flatten();
    let lines: Vec<Schema> = lines.map(|line| line(&mut generator)).collect();
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("A line of {of}"),
        "anyOf": lines,
        "$defs": generator.take_definitions(true),
    })
}

#[test]
fn documents_are_those_of_the_types() {
    assert_eq!(TYPES.len(), FORMATS.len());
    for (format, (name, lines)) in FORMATS.iter().zip(TYPES) {
        assert_eq!(format.name, *name);
        let document = document(format.of, lines).to_value();
        let written: Result<serde_json::Value, _> = serde_json::from_str(format.document);
        if written.is_ok_and(|written| written == document) {
            continue;
        }
        assert!(
            std::env::var_os("COUNTERPOINT_UPDATE").is_some(),
            "COUNTERPOINT_UPDATE=1 writes schemas/{name}.json anew"
        );
        let path = format!("{}/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let mut file = Sink::file(Path::new(&path)).ok().unwrap();
        writeln!(file, "{document:#}").and_then(|()| file.publish()).unwrap();
    }
}
