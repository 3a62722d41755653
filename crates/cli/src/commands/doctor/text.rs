//! A finding for people.

use crate::hints::fix;
use counterpoint::doctor::{Finding, Status};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let mark = match finding.status {
        Status::Good => "ok",
        Status::Limited => "limited",
        Status::Blocked => "BLOCKED",
    };
    writeln!(out, "{mark:>8}  {:<20} {}", finding.subject, finding.text)?;
    if let Some(hint) = &finding.hint {
        writeln!(out, "{:>31} {}", "fix:", fix(hint))?;
    }
    Ok(())
}
