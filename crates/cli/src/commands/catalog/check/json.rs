//! A finding as JSON.

use counterpoint::catalog::Diagnostic;
use serde_json::{Value, json};

pub fn object(found: &Diagnostic, file: &str) -> Value {
    json!({
        "schema": 1,
        "severity": found.severity.name(),
        "code": found.code.name(),
        "file": file,
        "section": found.section.name(),
        "index": found.index,
        "offset": found.offset,
        "field": found.field,
        "message": found.message,
        "help": found.help(),
    })
}
