//! The schema of a row of the table.

use crate::schema::Lines;
use counterpoint_report::table::{COLUMNS, Column, ColumnType};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

pub const LINES: Lines = &[row];

fn row(_: &mut SchemaGenerator) -> Schema {
    let properties: Map<String, Value> = COLUMNS
        .iter()
        .map(|column| {
            let holds = match column.holds() {
                _ if *column == Column::Rest => "object",
                ColumnType::Text => "string",
                ColumnType::Integer => "integer",
                ColumnType::Real => "number",
                ColumnType::Boolean => "boolean",
            };
            let property = json!({ "description": column.description(), "type": holds });
            (column.name().to_string(), property)
        })
        .collect();
    json_schema!({
        "title": "Row",
        "description": "A row of the table; a column that is null is left out.",
        "type": "object",
        "properties": properties,
        "required": ["table", "kind"],
        "additionalProperties": false,
    })
}
