//! What is read of a recording here.

use super::read::{KINDS, Read, Sample, without_guests};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The fields of a sample that perf prints too.
const FIELDS: [&str; 18] = [
    "cpu",
    "time",
    "pid",
    "tid",
    "ip",
    "period",
    "addr",
    "weight",
    "latency",
    "latency2",
    "transaction",
    "phys_addr",
    "data_page_size",
    "code_page_size",
    "stack",
    "sp",
    "chain",
    "branches",
];
/// The parts of the source of data, in the order of perf.
const PARTS: [&str; 6] = ["operation", "level", "snoop", "tlb", "locked", "blocked"];

pub(super) fn read(dump: &Path, counterpoint: &Path, file: &Path) -> Result<Read, String> {
    let output = Command::new(dump).arg(file).output().map_err(|e| format!("dump: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut read = Read::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        read_line(&mut read, line);
    }
    read_totals(&mut read, counterpoint, file)?;
    Ok(read)
}

fn read_line(read: &mut Read, line: &str) {
    let (word, rest) = line.split_once('\t').unwrap_or((line, ""));
    match word {
        "kind" => {
            let (kind, count) = rest.split_once('\t').unwrap_or_default();
            let named = KINDS.iter().find(|(number, _)| kind.parse() == Ok(*number));
            let name = named.map_or_else(|| format!("type {kind}"), |(_, name)| (*name).to_owned());
            read.kinds.insert(name, count.parse().unwrap_or(0));
        }
        "build id" => {
            read.build_ids.insert(rest.replace('\t', " "));
        }
        "mmap" | "comm" | "fork" | "exit" | "switch" => {
            *read.records.entry(line.replace('\t', " ")).or_default() += 1;
        }
        "sample" => read_sample(read, rest),
        "remark" => read.remarks.push(rest.to_owned()),
        "event" | "lost" => {}
        fact if !rest.is_empty() => {
            read.facts.insert(fact.to_owned(), rest.trim().to_owned());
        }
        _ => {}
    }
}

fn read_sample(read: &mut Read, line: &str) {
    let mut sample = Sample::new();
    let mut parts = vec![String::new(); PARTS.len()];
    let (mut event, mut bits, mut is_counted) = ("", None, false);
    for (name, value) in line.split('\t').filter_map(|field| field.split_once('=')) {
        if let Some(field) = FIELDS.iter().find(|field| **field == name) {
            sample.insert(field, value.to_owned());
        } else if let Some(part) = PARTS.iter().position(|part| *part == name) {
            parts[part] = value.to_owned();
        } else if name == "event" {
            event = without_guests(value);
        } else if name == "values" {
            is_counted = true;
        } else if name == "data_src" {
            sample.insert("data_src", value.to_owned());
            bits = Some(value.to_owned());
        }
    }
    let of = |field: &str| sample.get(field).map_or("", String::as_str);
    *read.events.entry(format!("{} {} {event}", of("tid"), of("time"))).or_default() += 1;
    read.sources.extend(bits.map(|bits| (bits, parts)));
    // Such a sample stands for one of each event of its group, which perf prints as one.
    if !is_counted {
        read.samples.push(sample);
    }
}

/// The samples and the events that the program's report adds up to.
fn read_totals(read: &mut Read, counterpoint: &Path, file: &Path) -> Result<(), String> {
    let mut report = Command::new(counterpoint);
    let report = report.args(["report", "--format", "json"]).arg(file).output();
    let report = report.map_err(|e| format!("counterpoint: {e}"))?;
    for line in String::from_utf8_lossy(&report.stdout).lines() {
        let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
        let functions = event["functions"].as_array().into_iter().flatten();
        let counted: u64 = functions.filter_map(|of| of["count"].as_u64()).sum();
        let (name, samples) = (event["event"].as_str(), event["samples"].as_u64().unwrap_or(0));
        let Some(name) = name.filter(|_| samples > 0).map(without_guests) else { continue };
        read.sampled.insert(name.to_owned(), samples);
        // Others count samples.
        if event["unit"] == "events" {
            read.totals.insert(name.to_owned(), counted);
        }
    }
    Ok(())
}
