//! The results of opening events that a recorded machine keeps.

use crate::{Attr, Errno, Exclude, OpenFailure};
use std::collections::HashMap;
use std::fmt::Write;

const HEADER: &str = "type\tconfig\tconfig1\tconfig2\texclude\tresult";

/// The results of opening events on a machine, as its recording keeps them; by default there are none.
#[derive(Default)]
pub(crate) struct Answers(HashMap<Key, Option<Errno>>);

/// `type`, `config`, `config1`, `config2`, and the letters of the excluded levels.
type Key = (u32, u64, u64, u64, String);

fn key(attr: &Attr) -> Key {
    (attr.kind, attr.config, attr.config1, attr.config2, attr.exclude.letters())
}

impl Answers {
    /// The result of opening an event; `ENODATA` if it was not recorded.
    pub(crate) fn result(&self, attr: &Attr) -> Result<(), OpenFailure> {
        match self.0.get(&key(attr)) {
            Some(None) => Ok(()),
            Some(Some(errno)) => Err((*errno).into()),
            None => Err(Errno::ENODATA.into()),
        }
    }

    /// Parses the contents of `opens.tsv`; of two lines for the same event, the last applies.
    ///
    /// The error is the number of the first invalid line and what is wrong with it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Answers, (usize, String)> {
        let mut answers = HashMap::new();
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                continue;
            }
            match std::str::from_utf8(line).ok().and_then(parse_line) {
                Some((key, answer)) => drop(answers.insert(key, answer)),
                // The header, which may be missing.
                None if number == 0 => {}
                None => {
                    let expected = HEADER.replace('\t', " ");
                    return Err((number + 1, format!("not of the form `{expected}`")));
                }
            }
        }
        Ok(Answers(answers))
    }
}

fn parse_line(line: &str) -> Option<(Key, Option<Errno>)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[kind, config, config1, config2, exclude, result] = fields.as_slice() else { return None };
    let hex = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let exclude = Exclude::from_letters(exclude)?;
    let attr = Attr {
        kind: kind.parse().ok()?,
        config: hex(config)?,
        config1: hex(config1)?,
        config2: hex(config2)?,
        exclude,
        ..Attr::default()
    };
    let answer = if result == "ok" { None } else { Some(result.parse().ok()?) };
    Some((key(&attr), answer))
}

/// The contents of `opens.tsv` for these results.
pub(crate) fn print(results: impl IntoIterator<Item = (Attr, Option<Errno>)>) -> String {
    let mut text = format!("{HEADER}\n");
    for (attr, result) in results {
        let (kind, config, config1, config2, exclude) = key(&attr);
        let result = result.map_or("ok".to_string(), |errno| errno.to_string());
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "{kind}\t{config:#x}\t{config1:#x}\t{config2:#x}\t{exclude}\t{result}");
    }
    text
}
