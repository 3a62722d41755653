//! The source lines of functions, with their samples and the lines around them.

use crate::input;
use counterpoint::profil::write::{self, LineCount, Profile, Share};
use counterpoint::profile::Symbols;
use counterpoint::symbols::is_plain;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The lines around one with samples.
const AROUND: u32 = 2;
/// The lines of a row: a bucket may have more.
const TOGETHER: u32 = 4;
/// The longest line in letters.
const LONGEST: usize = 300;

/// The lines with samples that a function has in a file.
pub struct Source {
    pub function: String,
    pub file: String,
    /// The line with the most samples first; there is one at least.
    pub lines: Vec<LineCount>,
    pub samples: u64,
    /// Their share of all samples.
    pub percent: f64,
}

/// A line of a file, or lines that share their samples.
pub struct Row {
    pub first: u32,
    pub last: u32,
    pub code: String,
    /// `None` for a line around those with samples.
    pub share: Option<Share>,
}

/// The functions with samples in known lines, by their files; the one with the most samples first.
pub fn sources(profile: &Profile<'_>) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for line in write::lines(profile) {
        let is_same = |of: &&mut Source| of.function == line.function && of.file == line.lines.file;
        let (samples, percent) = (line.count, line.percent);
        match sources.iter_mut().find(is_same) {
            Some(source) => {
                source.samples += samples;
                source.percent += percent;
                source.lines.push(line);
            }
            None => sources.push(Source {
                function: line.function.clone(),
                file: line.lines.file.clone(),
                lines: vec![line],
                samples,
                percent,
            }),
        }
    }
    sources.sort_by_key(|source| std::cmp::Reverse(source.samples));
    sources
}

impl Source {
    /// The lines with the most samples, at most so many, and those around them, in the order of the file.
    ///
    /// # Errors
    /// Also for a file that the owner or the user of the program may not read.
    pub fn rows(&self, most: usize, symbols: &Symbols<'_>) -> io::Result<Vec<Row>> {
        if !symbols.may_show(&self.file) {
            let text = "the user of the program, whose debug information names it, may not read it";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
        }
        let text = read(Path::new(&self.file))?;
        shown(&self.lines[..self.lines.len().min(most)], &text).ok_or_else(|| {
            let text = "it has fewer lines than the file that was compiled";
            io::Error::new(io::ErrorKind::InvalidData, text)
        })
    }
}

/// The text of a plain file: debug information may name anything, such as a device or a pipe.
pub fn read(path: &Path) -> io::Result<String> {
    path.metadata()?;
    if !is_plain(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"));
    }
    Ok(String::from_utf8_lossy(&input::bytes(path)?).into_owned())
}

/// `None` if the file does not have all of the lines.
fn shown(lines: &[LineCount], text: &str) -> Option<Vec<Row>> {
    let code: Vec<&str> = text.lines().collect();
    let mut around = BTreeSet::new();
    let mut rows = Vec::new();
    for LineCount { lines, count, percent, error, .. } in lines {
        let last = lines.last.min(lines.first.saturating_add(TOGETHER - 1));
        let part = code.get(lines.first.checked_sub(1)? as usize..last as usize)?;
        let part: Vec<String> = part.iter().map(|line| shortened(line)).collect();
        around.extend(lines.first.saturating_sub(AROUND).max(1)..=last.saturating_add(AROUND));
        rows.push(Row {
            first: lines.first,
            last: lines.last,
            code: part.join("\n"),
            share: Some(Share { count: *count, percent: *percent, error: *error }),
        });
    }
    let is_in_row =
        |line: u32| lines.iter().any(|of| (of.lines.first..=of.lines.last).contains(&line));
    for line in around.into_iter().filter(|line| !is_in_row(*line)) {
        let Some(code) = code.get(line as usize - 1) else { continue };
        rows.push(Row { first: line, last: line, code: shortened(code), share: None });
    }
    rows.sort_by_key(|row| (row.first, row.last));
    Some(rows)
}

fn shortened(line: &str) -> String {
    line.chars().take(LONGEST).collect()
}
