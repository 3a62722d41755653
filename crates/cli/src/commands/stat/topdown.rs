//! Top-down analysis: the metrics of its levels as a tree with bars, and where to look next.

use super::comment::look;
use super::place::place;
use crate::show::{self, printable, shell_word};
use crate::topdown::Groups;
use counterpoint::{EventSet, Report, Row, RowPlacement};
use std::ffi::OsString;
use std::io::{self, Write};

/// The metrics of a number of levels.
pub struct Topdown {
    /// The name of a level without its number, and the deepest one; `None` if there is a stack in place of levels.
    levels: Option<(&'static str, u8)>,
    groups: Vec<String>,
    /// The groups that the set has for more detail: that of the next level, and those of the parts of metrics.
    deeper: Vec<String>,
    /// The options of this run, without the level.
    options: String,
    command: String,
}

/// The width of a bar of 100 %.
const BAR: usize = 30;

impl Topdown {
    /// `words` are the options of this run, and after them `command` words of the command.
    pub fn new(level: u8, set: &EventSet, words: &[OsString], command: usize) -> Topdown {
        let groups = Groups::of(level, set);
        let levels = match groups {
            Groups::Levels(name, deepest) => Some((name, deepest)),
            Groups::Stack(_) => None,
        };
        let below = levels.map(|(name, deepest)| format!("{name}{}", deepest + 1));
        let (options, command) = words.split_at(words.len().saturating_sub(command));
        let is_option = |word: &&OsString| {
            let word = word.to_string_lossy();
            word != "--" && !word.starts_with("--topdown")
        };
        let options: Vec<&OsString> = options.iter().filter(is_option).collect();
        let metrics = set.metrics();
        let deeper = metrics.groups().into_keys().filter(|group| {
            let is_below = below.as_ref().is_some_and(|below| group.eq_ignore_ascii_case(below));
            group.ends_with("_group") || is_below
        });
        Topdown {
            levels,
            groups: groups.names(),
            deeper: deeper.collect(),
            options: written(&options),
            command: written(&command.iter().collect::<Vec<_>>()),
        }
    }

    /// The deepest level of the machine, if it is not the one that was requested.
    pub fn note(&self, requested: u8) -> Option<String> {
        let (_, level) = self.levels?;
        (level < requested).then(|| {
            format!("the deepest level of the top-down metrics of this machine is {level}")
        })
    }

    /// Returns true if there is a group of metrics.
    fn has_group(&self, name: &str) -> bool {
        self.deeper.iter().any(|group| group.eq_ignore_ascii_case(name))
    }

    /// Returns true if a row is one of the tree.
    pub fn has(&self, row: &Row) -> bool {
        let Some(metric) = row.metric.as_ref().and_then(|of| of.metric()) else { return false };
        let is_level =
            |name: &String| metric.groups.iter().any(|group| group.eq_ignore_ascii_case(name));
        self.groups.iter().any(is_level)
    }

    /// Writes the tree of each placement, largest shares first.
    pub fn write(&self, out: &mut dyn Write, report: &Report) -> io::Result<()> {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| self.has(row)).collect();
        let mut seen: Vec<(RowPlacement, String)> = Vec::new();
        for row in &rows {
            let tree = (row.placement, core(row));
            if seen.contains(&tree) {
                continue;
            }
            let of_tree = |other: &&&Row| other.placement == tree.0 && core(other) == tree.1;
            let of_tree: Vec<&Row> = rows.iter().filter(of_tree).copied().collect();
            if of_tree.iter().any(|row| row.value.as_f64().is_some()) {
                self.tree(out, &of_tree, &tree)?;
            }
            seen.push(tree);
        }
        Ok(())
    }

    fn tree(
        &self,
        out: &mut dyn Write,
        rows: &[&Row],
        (placement, core): &(RowPlacement, String),
    ) -> io::Result<()> {
        let mut of = place(*placement).trim().to_string();
        if !core.is_empty() {
            of = format!("{of} {core}").trim().to_string();
        }
        let of = if of.is_empty() { of } else { format!(" of {of}") };
        match self.levels {
            None => writeln!(out, " Cycles of an instruction{}:\n", printable(&of))?,
            Some((_, level)) => {
                writeln!(out, " Top-down{}, level {level}:\n", printable(&of))?;
            }
        }
        let most = rows.iter().filter_map(|row| row.value.as_f64()).fold(0.0, f64::max);
        let is_root = |row: &&&Row| !rows.iter().any(|other| is_part(row, other));
        let mut open: Vec<(&Row, usize)> = sorted(rows.iter().filter(is_root).copied().collect());
        while let Some((row, depth)) = open.pop() {
            writeln!(out, "{}", line(row, depth, most).trim_end())?;
            let parts = rows.iter().filter(|other| is_part(other, row)).copied().collect();
            open.extend(sorted(parts).into_iter().map(|(part, _)| (part, depth + 1)));
        }
        writeln!(out)?;
        let next = self.next(rows);
        for line in &next {
            writeln!(out, " {}", printable(line))?;
        }
        if next.is_empty() { Ok(()) } else { writeln!(out) }
    }

    /// The advice about the next measurement: the parts of the largest value that is worth a look, if they were not counted.
    fn next(&self, rows: &[&Row]) -> Vec<String> {
        let is_leaf = |row: &&&Row| !rows.iter().any(|other| is_part(other, row));
        let worth = rows.iter().filter(is_leaf).filter(|row| row.crossed == Some(true));
        let is_wanted = |row: &&&Row| !row.event.to_ascii_lowercase().ends_with("retiring");
        let value = |row: &&&Row| row.value.as_f64().unwrap_or(0.0);
        let Some(row) = worth.filter(is_wanted).max_by(|a, b| value(a).total_cmp(&value(b))) else {
            return Vec::new();
        };
        let command =
            if self.command.is_empty() { String::new() } else { format!(" --{}", self.command) };
        let name = &row.event;
        let metric = row.metric.as_ref().and_then(|of| of.metric());
        let profile = metric
            .and_then(|metric| metric.samples.first())
            .map(|first| format!("Places in the code: counterpoint profile -e {first}{command}"));
        let options = &self.options;
        let group = format!("{name}_group");
        let next = self.levels.map(|(name, level)| (format!("{name}{}", level + 1), level + 1));
        let next = next.filter(|(group, _)| self.has_group(group)).map(|(_, level)| level);
        let deeper = match next {
            Some(2) => Some(" --topdown=2".to_string()),
            _ if self.has_group(&group) => Some(format!(" -M {group}")),
            next => next.map(|next| format!(" --topdown={next}")),
        };
        let deeper = deeper.map(|deeper| {
            format!("Look next at the parts of {name}: counterpoint stat{options}{deeper}{command}")
        });
        deeper.into_iter().chain(profile).collect()
    }
}

/// Words as a shell reads them, each after a space.
fn written(words: &[&OsString]) -> String {
    words.iter().map(|word| format!(" {}", shell_word(&word.to_string_lossy()))).collect()
}

/// The largest last, so that it is taken first.
fn sorted(mut rows: Vec<&Row>) -> Vec<(&Row, usize)> {
    let value = |row: &Row| row.value.as_f64().unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| value(a).total_cmp(&value(b)));
    rows.into_iter().map(|row| (row, 0)).collect()
}

/// Returns true if a row is a part of another.
fn is_part(row: &Row, of: &Row) -> bool {
    let parent = row.metric.as_ref().and_then(|m| m.metric()).and_then(|m| m.parent.as_deref());
    parent.is_some_and(|parent| parent.eq_ignore_ascii_case(&of.event))
}

/// The core PMU of a row, on a hybrid machine.
fn core(row: &Row) -> String {
    row.id.pmu.clone().unwrap_or_default()
}

/// A row with its bar: of shares the whole is 100 %, and of other values the largest.
fn line(row: &Row, depth: usize, most: f64) -> String {
    let indent = "  ".repeat(depth);
    let Some(value) = row.value.as_f64() else {
        return format!("{:>9} {:<BAR$} {indent}{}", "-", "", printable(&row.event));
    };
    let unit = row.unit.as_deref().unwrap_or("");
    let is_share = unit.starts_with('%');
    let share = value / if is_share { 100.0 } else { most.max(f64::MIN_POSITIVE) };
    let decimals = if is_share { 1 } else { 3 };
    let bar = "#".repeat((share.clamp(0.0, 1.0) * BAR as f64).round() as usize);
    let mark = match look(row) {
        Some(look) => format!("  {}", show::warning(&format!("<- {look}"))),
        None => String::new(),
    };
    let error = match row.standard_error() {
        Some(error) => format!("  ( ± {error:.decimals$} )"),
        None => String::new(),
    };
    let unit = if is_share { unit } else { " " };
    format!(
        "{value:>8.decimals$}{} {bar:<BAR$} {indent}{}{error}{mark}",
        printable(unit),
        printable(&row.event)
    )
}
