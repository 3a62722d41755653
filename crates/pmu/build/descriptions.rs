//! `descriptions.txt` of a vendor: which line describes which event or unit mask of which table.

use std::collections::{BTreeMap, HashMap};

/// The descriptions, by table, then by event and unit mask.
pub(super) struct Descriptions<'a> {
    of_table: HashMap<&'a str, HashMap<Key<'a>, usize>>,
    /// By the numbers of their lines, with true if a table has what they describe.
    lines: BTreeMap<usize, (&'a str, bool)>,
}

/// An event, and a unit mask or `""`.
type Key<'a> = (&'a str, &'a str);

impl<'a> Descriptions<'a> {
    /// A line in brackets names the tables that the next lines are about. An event has a line, and each of its
    /// unit masks one below it that begins with a tab: a name, ` | `, and a description. The line of an event
    /// may have its name alone.
    pub(super) fn read(text: &'a str) -> Result<Descriptions<'a>, String> {
        let mut read = Descriptions { of_table: HashMap::new(), lines: BTreeMap::new() };
        let (mut tables, mut event) = (Vec::new(), "");
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |what: &str| Err(format!("{number}: {what}: {}", line.trim()));
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
            for table in &tables {
                let described = read.of_table.entry(table).or_default();
                if let Some(other) = described.insert((event, mask), number) {
                    return wrong(&format!("line {other} describes it for {table}: remove one"));
                }
            }
            read.lines.insert(number, (description, false));
        }
        Ok(read)
    }

    /// The description of an event or of a unit mask in the first of these tables that has one, `""` if none has.
    pub(super) fn get(&mut self, tables: &str, event: &str, mask: &str) -> &'a str {
        let of = |table| self.of_table.get(table).and_then(|lines| lines.get(&(event, mask)));
        let line = tables.split(',').find_map(of);
        match line.and_then(|line| self.lines.get_mut(line)) {
            Some((description, is_used)) => {
                *is_used = true;
                description
            }
            None => "",
        }
    }

    /// Fails at a line that described nothing in the tables.
    pub(super) fn all_are_used(&self) -> Result<(), String> {
        match self.lines.iter().find(|(_, (_, is_used))| !is_used) {
            Some((number, (description, _))) => Err(format!(
                "{number}: no table above has it: correct the name, or remove the line: {description}"
            )),
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
        let mut read = Descriptions::read(text).unwrap();
        assert_eq!(read.get("skl", "A", ""), "Cycles");
        assert_eq!(read.get("icl", "A", "X"), "Half of them");
        assert_eq!((read.get("icl", "B", ""), read.get("spr", "A", "")), ("", ""));
        let unused = "6: no table above has it: correct the name, or remove the line: More";
        assert_eq!(read.all_are_used(), Err(unused.to_owned()));
        assert_eq!(read.get("icl", "B", "Y"), "More");
        assert_eq!(read.all_are_used(), Ok(()));
    }

    #[test]
    fn what_is_not_in_form_is_named() {
        for (text, what) in [
            ("A | Cycles\n", "1: the tables or the event are missing above: A | Cycles"),
            ("[skl]\nA | Cycles.\n", "2: a description has no full stop: A | Cycles."),
            (
                "[icl skl]\nA | Cycles\n[skl]\nA | More\n",
                "4: line 2 describes it for skl: remove one: A | More",
            ),
            ("[skl]\nA | cycles\n", "2: a description begins with a capital letter: A | cycles"),
        ] {
            assert_eq!(Descriptions::read(text).err().as_deref(), Some(what), "{text:?}");
        }
    }
}
