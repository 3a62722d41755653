//! `descriptions.txt` of a vendor: which line describes which event or unit mask of which table.

use std::collections::{BTreeSet, HashMap};

/// The places where descriptions begin in the text, by table, event and unit mask.
pub(super) struct Descriptions<'a> {
    starts: HashMap<Key<'a>, u64>,
    lines: Vec<(usize, &'a str, Vec<Key<'a>>)>,
}

/// A table, an event, and a unit mask or `""`.
type Key<'a> = (&'a str, &'a str, &'a str);

impl<'a> Descriptions<'a> {
    /// A line in brackets names the tables that the next lines are about. An event has a line, and each of its
    /// unit masks one below it that begins with a tab: a name, ` | `, and a description. The line of an event
    /// may have its name alone.
    pub(super) fn read(text: &'a str) -> Result<Descriptions<'a>, String> {
        let mut read = Descriptions { starts: HashMap::new(), lines: Vec::new() };
        let (mut tables, mut event) = (Vec::new(), "");
        let mut end = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            end += line.len();
            let wrong = |what: &str| Err(format!("line {}: {what}: {}", number + 1, line.trim()));
            let line = line.trim_end_matches('\n');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(names) = line.strip_prefix('[') {
                tables = names.trim_end_matches(']').split(' ').collect();
                event = "";
                continue;
            }
            let (name, description) = match line.split_once(" | ") {
                Some((name, description)) => (name, Some(description)),
                None => (line, None),
            };
            let mask = name.strip_prefix('\t').unwrap_or_default();
            if mask.is_empty() {
                event = name;
            }
            let Some(description) = description else { continue };
            if tables.is_empty() || event.is_empty() {
                return wrong("the tables or the event are missing above");
            }
            if let Err(what) = is_in_form(description) {
                return wrong(what);
            }
            let start = (end - 1 - description.len()) as u64;
            let keys: Vec<Key<'a>> = tables.iter().map(|table| (*table, event, mask)).collect();
            for key in &keys {
                if read.starts.insert(*key, start).is_some() {
                    return wrong("is described twice for one table");
                }
            }
            read.lines.push((number + 1, line, keys));
        }
        Ok(read)
    }

    /// The place where the description begins; 0 if there is none.
    pub(super) fn start(&self, table: &str, event: &str, mask: &str) -> u64 {
        self.starts.get(&(table, event, mask)).copied().unwrap_or(0)
    }

    /// Fails at a line that describes nothing in the tables, which have these events and unit masks.
    pub(super) fn are_of(&self, known: &BTreeSet<Key<'_>>) -> Result<(), String> {
        match self.lines.iter().find(|(_, _, keys)| !keys.iter().any(|key| known.contains(key))) {
            Some((number, line, _)) => {
                Err(format!("line {number}: no table above has it: {}", line.trim()))
            }
            None => Ok(()),
        }
    }
}

/// A description is one short line without a full stop.
fn is_in_form(text: &str) -> Result<(), &'static str> {
    match text {
        _ if text.len() > 120 => Err("a description has at most 120 characters"),
        _ if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => Err("ASCII only"),
        _ if text.ends_with(['.', ' ']) => Err("a description has no full stop"),
        _ if text.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) => Ok(()),
        _ => Err("a description begins with a capital letter"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_table_event_and_mask() {
        let text = "# Words\n[skl icl]\nA | Cycles\n\tX | Half of them\nB\n\tY | More\n";
        let read = Descriptions::read(text).unwrap();
        let found = |table, event, mask| {
            let start = read.start(table, event, mask) as usize;
            text[start..].lines().next().filter(|_| start > 0)
        };
        assert_eq!(found("skl", "A", ""), Some("Cycles"));
        assert_eq!(found("icl", "A", "X"), Some("Half of them"));
        assert_eq!(found("icl", "B", "Y"), Some("More"));
        assert_eq!((found("icl", "B", ""), found("spr", "A", "")), (None, None));
        assert_eq!(
            read.are_of(&BTreeSet::from([("skl", "A", ""), ("icl", "A", "X")])),
            Err("line 6: no table above has it: Y | More".to_owned())
        );
    }

    #[test]
    fn what_is_not_in_form_is_named() {
        for (text, what) in [
            ("A | Cycles\n", "line 1: the tables or the event are missing above: A | Cycles"),
            ("[skl]\nA | Cycles.\n", "line 2: a description has no full stop: A | Cycles."),
            ("[skl]\nA | Cycles\nA | More\n", "line 3: is described twice for one table: A | More"),
            (
                "[skl]\nA | cycles\n",
                "line 2: a description begins with a capital letter: A | cycles",
            ),
        ] {
            assert_eq!(Descriptions::read(text).err().as_deref(), Some(what), "{text:?}");
        }
    }
}
