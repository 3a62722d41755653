//! A finding as a JSON line.

use crate::hints::fix;
use counterpoint::doctor::Finding;
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    writeln!(out, "{}", object(finding))
}

fn object(finding: &Finding) -> Value {
    json!({
        "schema": 1,
        "subject": finding.subject,
        "status": finding.status.name(),
        "text": finding.text,
        "command": finding.hint.as_ref().map(fix),
    })
}
