//! Lines for people beside the findings.

use counterpoint::pmu::Pmu;
use std::io::{self, Write};

/// Writes the number of definitions that apply to a machine with the PMU.
pub fn write_linked(out: &mut impl Write, pmu: &Pmu, count: usize) -> io::Result<()> {
    let definitions = if count == 1 { "definition applies" } else { "definitions apply" };
    writeln!(out, "{count} {definitions} to a machine with {}", pmu.name)
}
