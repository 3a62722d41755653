//! The source lines of a function, with the values of the metrics.

use super::measured::{Group, Measured};
use super::row::{cell, notes, percent, rates};
use super::tally::Tally;
use crate::commands::samples::asked::functions;
use crate::commands::samples::source::read;
use crate::failure::Failure;
use crate::output::Sink;
use crate::show::{cut, grouped, hanging, printable};
use counterpoint::symbols::ShortNames;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

/// The lines that are shown around one with samples.
const AROUND: u32 = 2;

/// The lines with samples, by the function and the file.
type Sources<'m> = BTreeMap<(u32, &'m str), BTreeMap<u32, &'m Tally>>;

pub fn write(out: &mut Sink, measured: &Measured<'_>, symbol: &str) -> Result<(), Failure> {
    for group in &measured.groups {
        let hottest = super::row::rows(&group.by_function);
        let all = hottest.iter().map(|(number, _)| measured.functions[*number].0.clone());
        let names = ShortNames::new(all);
        let wanted = functions(&names, symbol).map_err(|instead| {
            Failure::new(format!("no function `{}` has samples", printable(symbol))).help(instead)
        })?;
        let mut sources = Sources::new();
        for (number, tally) in group.by_line.iter().enumerate().filter(|(_, of)| of.samples > 0) {
            let (function, file, line) = &measured.lines[number];
            if wanted.contains(&*measured.functions[*function as usize].0) {
                sources.entry((*function, file)).or_default().insert(*line, tally);
            }
        }
        if sources.is_empty() {
            return Err(Failure::new(format!("no lines are known of `{}`", printable(symbol)))
                .help("its file has no debug information of lines; counterpoint report -M shows functions"));
        }
        let width = out.columns().unwrap_or(usize::MAX);
        for ((function, file), lines) in &sources {
            let (name, _) = &measured.functions[*function as usize];
            let heading = format!(" {} in {file}, samples of {}", names.short(name), group.sampled);
            writeln!(out, "\n{}", hanging(&printable(&heading), width, 2))?;
            source(out, measured, group, (file, lines), width)?;
        }
        writeln!(out)?;
        for note in notes(group, measured.lost) {
            writeln!(out, "{}", hanging(&note, width, 2))?;
        }
    }
    Ok(())
}

/// The lines of a file, with the code where it may be read.
fn source(
    out: &mut Sink,
    measured: &Measured<'_>,
    group: &Group<'_>,
    (file, lines): (&str, &BTreeMap<u32, &Tally>),
    width: usize,
) -> io::Result<()> {
    let text =
        if measured.sources.contains(file) { read(Path::new(file)) } else { Ok(String::new()) };
    let text = text.unwrap_or_default();
    let code: Vec<&str> = text.lines().collect();
    let around = lines.keys().flat_map(|line| line.saturating_sub(AROUND).max(1)..=line + AROUND);
    let shown: BTreeSet<u32> =
        around.filter(|line| lines.contains_key(line) || *line as usize <= code.len()).collect();
    let metrics = || group.metrics.iter().map(|of| &measured.metrics[of.metric].name);
    let cells = |line: u32| match lines.get(&line) {
        Some(tally) => rates(tally, group).into_iter().map(cell).collect(),
        None => vec![String::new(); group.metrics.len()],
    };
    let widths: Vec<usize> = metrics()
        .enumerate()
        .map(|(at, name)| {
            let cells = shown.iter().map(|line| cells(*line)[at].chars().count());
            cells.max().unwrap_or(0).max(name.chars().count())
        })
        .collect();
    let columns = |cells: &mut dyn Iterator<Item = String>| -> String {
        cells.zip(&widths).map(|(cell, width)| format!("  {cell:>width$}")).collect()
    };
    let head = columns(&mut metrics().map(|name| printable(name).into_owned()));
    writeln!(out, "{:>11}  {:>7}{head}    line", "samples", "%")?;
    for line in shown {
        let counts = lines.get(&line).map_or([String::new(), String::new()], |of| {
            [grouped(of.samples.into()), format!("{:.2}", percent(of, group))]
        });
        let [samples, percent] = counts;
        let row = format!(
            "{samples:>11}  {percent:>7}{}  {line:>6}  ",
            columns(&mut cells(line).into_iter())
        );
        let code =
            code.get(line as usize - 1).map_or(String::new(), |code| code.replace('\t', "    "));
        let room = width.saturating_sub(row.chars().count()).max(12);
        writeln!(out, "{}", format!("{row}{}", cut(&printable(&code), room)).trim_end())?;
    }
    Ok(())
}
