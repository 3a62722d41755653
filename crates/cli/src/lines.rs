//! The commands that read untrusted input, as functions from text to text.

#[cfg(feature = "libpfm3")]
use crate::commands::dispatch;
use crate::commands::eval::{RpnReadings, Syntax};
use crate::commands::{encode, eval, merge};
use counterpoint::Machine;
use counterpoint_report::merge::{By, Merging, read, regroup};

/// A line of `dispatch --batch`.
#[cfg(feature = "libpfm3")]
pub fn dispatch(line: &[u8]) -> String {
    serde_json::to_string(&dispatch::batch::answer(line, None)).unwrap_or_default()
}

/// A line of `encode --batch --perf-syntax`.
pub fn encode(line: &str, machine: &Machine) -> String {
    serde_json::to_string(&encode::perf_syntax::answer(machine, line)).unwrap_or_default()
}

/// A line of `eval --batch`.
pub fn eval(line: &[u8]) -> String {
    let answer = eval::batch::answer(line, Syntax::Infix, RpnReadings::default());
    serde_json::to_string(&answer).unwrap_or_default()
}

/// `merge --json` of these reports, and the table by node.
pub fn merge(reports: &[&str]) -> Result<[String; 2], String> {
    let mut merging = Merging::default();
    for report in reports {
        merging.add("report", read("report", report)?.entries);
    }
    let mut merged = merging.finish();
    let [mut json, mut table] = [Vec::new(), Vec::new()];
    regroup(&mut merged, By::Rank).map_err(|_| "no row is of a rank".to_string())?;
    merge::json::write(&mut json, &merged, By::Rank).map_err(|error| error.to_string())?;
    regroup(&mut merged, By::Node).map_err(|_| "no row is of a socket".to_string())?;
    merge::text::write(&mut table, &merged, (By::Node, true), None)
        .map_err(|error| error.to_string())?;
    Ok([json, table].map(|text| String::from_utf8_lossy(&text).into_owned()))
}
