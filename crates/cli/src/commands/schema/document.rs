//! A format as a document of JSON Schema.

use super::formats::Format;
use schemars::generate::SchemaSettings;
use schemars::{Schema, json_schema};

/// The schema of a line.
pub fn of(format: &Format) -> Schema {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let lines = format.lines.iter().copied().flatten();
    let lines: Vec<Schema> = lines.map(|line| line(&mut generator)).collect();
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("A line of {}", format.of),
        "anyOf": lines,
        "$defs": generator.take_definitions(true),
    })
}
