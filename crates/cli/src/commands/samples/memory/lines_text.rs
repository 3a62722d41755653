//! The table of the lines that threads share.

use super::measured::Measured;
use super::row::{function, object};
use crate::commands::samples::About;
use crate::output::Sink;
use crate::show::{cut, grouped, hanging, printable};
use counterpoint::memory::{Line, LineSums};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// The width of a column of numbers, and of the narrower ones of shares.
const WIDTH: usize = 8;
const NARROW: usize = 7;

/// The accesses of a function to an offset of a line.
pub struct Part {
    pub offset: u64,
    pub function: String,
    pub module: String,
    pub sums: LineSums,
    pub threads: BTreeSet<u32>,
}

/// The parts of a line: those with most loads that found it changed first.
pub fn parts(measured: &Measured, line: &Line) -> Vec<Part> {
    let mut parts: BTreeMap<(u64, String, String), Part> = BTreeMap::new();
    for ((offset, code), place) in &line.places {
        let (function, module) = function(measured.code(*code));
        let key = (*offset, function.clone(), module.clone());
        let part = parts.entry(key).or_insert_with(|| Part {
            offset: *offset,
            function,
            module,
            sums: LineSums::default(),
            threads: BTreeSet::new(),
        });
        part.sums.merge(&place.sums);
        part.threads.extend(&place.threads);
    }
    let mut parts: Vec<Part> = parts.into_values().collect();
    parts.sort_by_key(|part| {
        let LineSums { peer, latency, accesses, .. } = part.sums;
        std::cmp::Reverse((part.sums.hitm(), peer, latency, accesses))
    });
    parts
}

pub fn write(out: &mut Sink, about: &About<'_>, measured: &Measured) -> io::Result<()> {
    let width = out.columns().unwrap_or(usize::MAX);
    let title = printable(&about.title).into_owned();
    let lines = &measured.lines;
    let all: u64 = lines.iter().map(|line| line.sums.accesses).sum();
    let heading = format!(
        " shared lines of {title}: {} line{} of {} bytes, with {} of {} accesses",
        grouped(lines.len() as i128),
        if lines.len() == 1 { "" } else { "s" },
        measured.line_bytes,
        grouped(all.into()),
        grouped(measured.all.accesses.into()),
    );
    writeln!(out, "\n{}", hanging(&heading, width, 2))?;
    let rows = about.table.size(out.columns()).rows;
    if !lines.is_empty() {
        writeln!(
            out,
            "\n{:>WIDTH$}{:>NARROW$}{:>NARROW$}{:>WIDTH$}{:>WIDTH$}{:>WIDTH$}  line, offset",
            "HITM", "%", "remote", "loads", "stores", "latency"
        )?;
    }
    let hitm: u64 = lines.iter().map(|line| line.sums.hitm()).sum();
    let pids: BTreeSet<_> = lines.iter().map(|line| line.pid).collect();
    for (index, line) in lines.iter().take(rows).enumerate() {
        let of = object(&measured.objects[measured.of_lines[index].0], measured);
        let pid = line.pid.filter(|_| pids.len() > 1);
        let pid = pid.map_or(String::new(), |pid| format!(" of {pid}"));
        row(out, &line.sums, hitm, width, &format!("{:#x}{pid}  {of}", line.address))?;
        for part in parts(measured, line) {
            let Part { offset, function, sums, threads, .. } = &part;
            let name = about.table.names([function.clone()]).short(function).to_string();
            let text = format!("  {offset:>#4x}  {name}  {}", named(measured, threads));
            row(out, sums, hitm, width, &text)?;
        }
        if line.is_false_sharing() {
            row(out, &LineSums::default(), hitm, width, "  false sharing")?;
        }
    }
    match lines.len().saturating_sub(rows) {
        0 => {}
        more => writeln!(out, "        … and {} more", grouped(more as i128))?,
    }
    for note in notes(measured) {
        writeln!(out, "{}", hanging(&note, width, 2))?;
    }
    Ok(())
}

fn row(out: &mut Sink, sums: &LineSums, all: u64, width: usize, text: &str) -> io::Result<()> {
    let percent = 100.0 * sums.hitm() as f64 / all.max(1) as f64;
    let latency = sums.mean_latency().map_or(String::new(), |mean| format!("{mean:.0}"));
    let number = |number: u64| if number == 0 { String::new() } else { grouped(number.into()) };
    let percent = if sums.hitm() == 0 { String::new() } else { format!("{percent:.2}") };
    let row = format!(
        "{:>WIDTH$}{percent:>NARROW$}{:>NARROW$}{:>WIDTH$}{:>WIDTH$}{latency:>WIDTH$}  ",
        number(sums.hitm()),
        number(sums.remote_hitm),
        number(sums.loads),
        number(sums.stores),
    );
    let room = width.saturating_sub(row.chars().count()).max(12);
    let text = printable(text).into_owned();
    writeln!(out, "{}", format!("{row}{}", cut(&text, room)).trim_end())
}

/// The threads, two by their names.
pub fn named(measured: &Measured, threads: &BTreeSet<u32>) -> String {
    let name = |tid: &u32| match measured.threads.get(tid) {
        Some(name) => format!("{name} {tid}"),
        None => tid.to_string(),
    };
    let first: Vec<String> = threads.iter().take(2).map(name).collect();
    match threads.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Sentences about what is not known.
pub fn notes(measured: &Measured) -> Vec<String> {
    let mut notes = Vec::new();
    if measured.all.accesses == 0 {
        notes.push("there are no accesses".to_string());
    } else if !measured.has_operations() {
        notes.push(
            "its samples do not say whether they are loads or stores: no line is known to be shared"
                .to_string(),
        );
    } else if measured.lines.is_empty() {
        notes.push("no line is changed by one thread and accessed by another".to_string());
    }
    if measured.beyond.lines > 0 {
        let count = grouped(measured.beyond.lines.into());
        notes.push(format!("{count} accesses were not kept, because there are too many lines"));
    }
    if measured.lost > 0 {
        let lost = grouped(measured.lost.into());
        notes.push(format!("{lost} samples were lost, because there was no room for them"));
    }
    notes
}
