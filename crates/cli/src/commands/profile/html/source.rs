//! The source lines of the hottest functions.

use super::percent;
use crate::input;
use crate::page::{Section, Source, SourceFunction, SourceRow};
use crate::show::{grouped, printable};
use counterpoint::profil::write::{self, LineCount, Profile};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The functions whose source is shown.
const FUNCTIONS: usize = 10;
/// The share in percent below which a function is not shown.
const LEAST: f64 = 0.5;
/// The lines with samples of a function that are shown.
const LINES: usize = 200;
/// The lines around one with samples.
const AROUND: u32 = 2;
/// The lines of a row: a bucket may have more.
const TOGETHER: u32 = 4;
/// The longest line in letters.
const LONGEST: usize = 300;

/// The lines of a function in a file.
struct Function {
    lines: Vec<LineCount>,
    samples: u64,
    percent: f64,
}

/// The source of the hottest functions, and sentences about files that are not shown.
pub fn section(title: String, profile: &Profile<'_>) -> (Option<Section>, Vec<String>) {
    let (mut functions, mut gone, mut notes) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for function in hottest(profile) {
        let file = function.lines[0].lines.file.clone();
        let problem = match read(Path::new(&file)) {
            Ok(text) => match shown(&function, &text, profile.unit()) {
                Some(shown) => {
                    functions.push(shown);
                    continue;
                }
                None => "it has fewer lines than the file that was compiled".to_string(),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                gone.insert(file);
                continue;
            }
            Err(error) => error.to_string(),
        };
        notes.insert(format!("The source file {} is not shown: {problem}.", printable(&file)));
    }
    if let Some(first) = gone.first() {
        let first = printable(first);
        notes.insert(match gone.len() - 1 {
            0 => format!("The source file {first} is not on this machine."),
            1 => format!("The source file {first} and another are not on this machine."),
            more => format!("The source file {first} and {more} others are not on this machine."),
        });
    }
    let section = (!functions.is_empty()).then_some(Section::Source(Source { title, functions }));
    (section, notes.into_iter().collect())
}

/// The functions with the most samples in known lines; each has a line at least.
fn hottest(profile: &Profile<'_>) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for line in write::lines(profile) {
        let is_same = |of: &&mut Function| {
            of.lines[0].function == line.function && of.lines[0].lines.file == line.lines.file
        };
        let (samples, percent) = (line.count, line.percent);
        match functions.iter_mut().find(is_same) {
            Some(function) => {
                function.samples += samples;
                function.percent += percent;
                function.lines.push(line);
            }
            None => functions.push(Function { lines: vec![line], samples, percent }),
        }
    }
    functions.retain(|function| function.percent >= LEAST);
    functions.sort_by_key(|function| std::cmp::Reverse(function.samples));
    functions.truncate(FUNCTIONS);
    functions
}

/// The text of a plain file: debug information may name anything, such as a device or a pipe.
fn read(path: &Path) -> io::Result<String> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"));
    }
    Ok(String::from_utf8_lossy(&input::bytes(path)?).into_owned())
}

/// `None` if the file does not have all of the lines.
fn shown(function: &Function, text: &str, unit: &str) -> Option<SourceFunction> {
    let code: Vec<&str> = text.lines().collect();
    let lines = &function.lines[..function.lines.len().min(LINES)];
    let mut around = BTreeSet::new();
    let mut rows = Vec::new();
    for LineCount { lines, count, percent: share, error, .. } in lines {
        let last = lines.last.min(lines.first.saturating_add(TOGETHER - 1));
        let part = code.get(lines.first.checked_sub(1)? as usize..last as usize)?;
        let part: Vec<String> = part.iter().map(|line| shortened(line)).collect();
        around.extend(lines.first.saturating_sub(AROUND).max(1)..=last.saturating_add(AROUND));
        rows.push(SourceRow {
            first: lines.first,
            last: lines.last,
            code: part.join("\n"),
            samples: Some(*count),
            share: Some(*share),
            text: Some(percent(*share, *error)),
        });
    }
    let is_in_row =
        |line: u32| lines.iter().any(|of| (of.lines.first..=of.lines.last).contains(&line));
    for line in around.into_iter().filter(|line| !is_in_row(*line)) {
        let Some(code) = code.get(line as usize - 1) else { continue };
        let code = shortened(code);
        rows.push(SourceRow {
            first: line,
            last: line,
            code,
            samples: None,
            share: None,
            text: None,
        });
    }
    rows.sort_by_key(|row| (row.first, row.last));
    Some(SourceFunction {
        function: function.lines[0].function.clone(),
        file: function.lines[0].lines.file.clone(),
        samples: format!("{} {unit}", grouped(function.samples.into())),
        rows,
    })
}

fn shortened(line: &str) -> String {
    line.chars().take(LONGEST).collect()
}
