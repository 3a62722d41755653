//! Annotated functions, for people.

use super::{Annotation, Instruction, Lines};
use crate::show::printable;
use counterpoint::profil::write::{Profile, Share};
use std::io::{self, Write};

/// The instructions that are shown around one with samples.
const AROUND: usize = 5;

pub fn write(out: &mut dyn Write, profile: &Profile<'_>, of: &Annotation) -> io::Result<()> {
    let (event, unit) = (printable(profile.event), profile.unit());
    let Share { count, percent, error } = of.share;
    let module = of.function.module.to_string_lossy();
    let (name, module) = (printable(&of.function.name), printable(&module));
    let about = profile.about();
    writeln!(out, "\n {event}: {about}{count} {unit} are in {name}  {module}")?;
    writeln!(
        out,
        " {percent:.2}% ±{error:.2}% of all {unit}; the shares below are of those of this function, and > marks the hottest lines"
    )?;
    let rows = of.lines.iter().flat_map(|lines| &lines.rows);
    let hottest = rows.filter_map(|row| row.share).map(|share| share.count).max();
    let numbers = Numbers { hottest: hottest.unwrap_or(0), unit };
    for lines in &of.lines {
        self::lines(out, lines, &numbers)?;
    }
    if !of.instructions.is_empty() {
        instructions(out, &of.instructions, unit)?;
    }
    for note in &of.notes {
        writeln!(out, "{}", printable(note))?;
    }
    Ok(())
}

fn lines(
    out: &mut dyn Write,
    Lines { file, rows }: &Lines,
    numbers: &Numbers<'_>,
) -> io::Result<()> {
    let digits = rows.iter().map(|row| row.last.to_string().len()).max().unwrap_or(1);
    writeln!(out, "\n{}  {}", numbers.heading(), printable(file))?;
    let mut next = rows.first().map(|row| row.first);
    for row in rows {
        if next.is_some_and(|next| next < row.first) {
            writeln!(out, "{}  {:>digits$}", numbers.of(None), "…")?;
        }
        next = Some(row.last.saturating_add(1));
        let mut code = row.code.lines();
        let first = expanded(code.next().unwrap_or_default());
        let first = printable(&first);
        let line = format!("{}  {:>digits$}  {first}", numbers.of(row.share), row.first);
        writeln!(out, "{}", line.trim_end())?;
        for (line, code) in (row.first + 1..).zip(code) {
            writeln!(out, "{}  {line:>digits$}  {}", numbers.of(None), printable(&expanded(code)))?;
        }
    }
    Ok(())
}

/// The line with spaces in place of tabs, which end at every eighth letter.
fn expanded(line: &str) -> String {
    let mut text = String::new();
    let mut letters = 0;
    for letter in line.chars() {
        let width = if letter == '\t' { 8 - letters % 8 } else { 1 };
        match letter {
            '\t' => text.extend(std::iter::repeat_n(' ', width)),
            other => text.push(other),
        }
        letters += width;
    }
    text
}

fn instructions(out: &mut dyn Write, all: &[Instruction], unit: &str) -> io::Result<()> {
    let hottest = all.iter().filter_map(|of| of.share).map(|share| share.count).max();
    let numbers = Numbers { hottest: hottest.unwrap_or(0), unit };
    let width = all.last().map_or(0, |of| format!("{:x}", of.address).len()).max("address".len());
    writeln!(out, "\n{}  {:>width$}  instruction", numbers.heading(), "address")?;
    let counted: Vec<usize> = (0..all.len()).filter(|index| all[*index].share.is_some()).collect();
    let is_shown = |index: usize| {
        let after = counted.partition_point(|at| at + AROUND < index);
        counted.get(after).is_some_and(|at| *at <= index + AROUND)
    };
    let (mut hidden, mut line) = (0, None);
    for (index, of) in all.iter().enumerate() {
        if !is_shown(index) {
            hidden += 1;
            continue;
        }
        gap(out, &mut hidden, width, &numbers)?;
        if line != of.line.as_ref() {
            line = of.line.as_ref();
            let place = line.map(|(file, line)| format!("{file}:{line}"));
            let place = place.as_deref().unwrap_or("no line is known of these:");
            writeln!(out, "{}  {:>width$}  {}", numbers.of(None), "", printable(place))?;
        }
        let text = printable(&of.text);
        writeln!(out, "{}  {:>width$x}    {text}", numbers.of(of.share), of.address)?;
    }
    gap(out, &mut hidden, width, &numbers)
}

/// Says how many instructions are left out.
fn gap(
    out: &mut dyn Write,
    hidden: &mut usize,
    width: usize,
    numbers: &Numbers<'_>,
) -> io::Result<()> {
    match std::mem::take(hidden) {
        0 => Ok(()),
        count => {
            let s = if count == 1 { "" } else { "s" };
            let left = numbers.of(None);
            writeln!(
                out,
                "{left}  {:>width$}  … {count} instruction{s} without {}",
                "", numbers.unit
            )
        }
    }
}

/// The columns on the left.
struct Numbers<'a> {
    hottest: u64,
    unit: &'a str,
}

impl Numbers<'_> {
    fn heading(&self) -> String {
        format!("     part   error  {:>7}", self.unit)
    }

    /// `>` marks the hottest line, and others with at least half of its samples.
    fn of(&self, share: Option<Share>) -> String {
        match share {
            Some(Share { count, percent, error }) => {
                let mark = if count >= self.hottest.div_ceil(2) { ">" } else { " " };
                format!("{mark} {percent:>6.2}%  ±{error:>4.2}%  {count:>7}")
            }
            None => " ".repeat(2 + 7 + 2 + 6 + 2 + 7),
        }
    }
}
