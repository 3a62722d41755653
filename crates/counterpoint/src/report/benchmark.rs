//! What benchmarks tell the program that runs them.

use counterpoint_perf::output;
use counterpoint_report::Row;
use std::io::{self, Write};
use std::path::Path;

/// The environment variable with the file to which benchmarks append what they counted, which `cargo counterpoint bench` reads.
pub const BENCH_REPORT: &str = "COUNTERPOINT_BENCH_REPORT";

/// Appends rows to the file of [`BENCH_REPORT`], or does nothing without it: each with a benchmark as its region and the value of one call, or without a region for an event that the harness measures itself.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn report_benchmarks(rows: impl Iterator<Item = Row>) -> io::Result<()> {
    let Some(path) = std::env::var_os(BENCH_REPORT) else { return Ok(()) };
    let text: String = rows.map(|row| row.to_json() + "\n").collect();
    output::append(Path::new(&path), b"")?.write_all(text.as_bytes())
}
