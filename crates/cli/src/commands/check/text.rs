//! Lines for people beside the findings.

use counterpoint::pmu::Pmu;
use std::io::{self, Write};

/// How many definitions the PMU sees.
pub fn write_linked(out: &mut impl Write, pmu: &Pmu, count: usize) -> io::Result<()> {
    let definitions = if count == 1 { "definition holds" } else { "definitions hold" };
    writeln!(out, "{count} {definitions} for {}", pmu.name)
}
