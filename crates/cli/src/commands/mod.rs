#[cfg(feature = "catalog")]
pub mod catalog;
pub mod check;
pub mod dispatch;
pub mod doctor;
pub mod encode;
pub mod eval;
pub mod list;
pub mod manual;
pub mod merge;
pub mod plan;
pub mod profile;
pub mod show;
mod words;

use crate::show::stdout;
use crate::{Failure, did_you_mean, input};
use counterpoint::pmu;
use serde_json::Value;
use std::io::{BufReader, Write, stdin};

/// One answer of JSON for each line, whatever is wrong with it; nothing but the newline is taken off a line.
fn batch(answer: impl Fn(&[u8]) -> Value) -> Result<u8, Failure> {
    let mut out = stdout();
    let mut input = BufReader::with_capacity(1 << 16, stdin().lock());
    let mut line = Vec::new();
    while input::next_line(&mut input, &mut line)? {
        writeln!(out, "{}", answer(&line))?;
        // Whoever waits for an answer before the next question gets it.
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(0)
}

/// The PMU of the tables that an option names.
fn pmu(name: &str) -> Result<&'static pmu::Pmu, Failure> {
    pmu::find(name).ok_or_else(|| {
        let near = pmu::similar(name, pmu::all().map(|pmu| pmu.name));
        Failure::new(format!("there is no PMU `{name}`"))
            .help(did_you_mean(&near, "`counterpoint list --pmus --all` shows them"))
    })
}
