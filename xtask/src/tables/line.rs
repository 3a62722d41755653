//! A line of a text table: a name, a code, `key=value` and marks, between single blanks.

use std::collections::BTreeSet;

/// Marks that say nothing about an encoding.
const IDLE: [&str; 5] = ["fixed", "fallback-gen", "code-dup", "no-autoencode", "filt-umask"];

const MARKS: [&str; 21] = [
    "ncombo",
    "pebs",
    "default",
    "grp-excl",
    "offcore",
    "excl-grp-gt",
    "code-override",
    "ldlat",
    "grp-dfl-none",
    "frontend",
    "fethr",
    "excl-grp-but-0",
    "grp-req",
    "force-filt0",
    "spec",
    "deprecated",
    "no-mods",
    "ibs-fetch",
    "ibs-op",
    "omit",
    "optional",
];

/// The fields of facts that an item fills as it is.
const FIELDS: [&str; 11] = [
    "group",
    "with_group",
    "modifiers",
    "needs",
    "wired",
    "counters",
    "perf_code",
    "keep",
    "only",
    "models",
    "revisions",
];

/// The contents of a line.
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    /// The place where the name begins in the text.
    pub(super) start: usize,
    pub(super) code: u64,
    /// The names of the constants.
    pub(super) marks: BTreeSet<String>,
    /// Fields and their literals.
    items: Vec<(&'static str, String)>,
}

impl<'a> Line<'a> {
    pub(super) fn read(text: &'a str, start: usize) -> Result<Line<'a>, String> {
        let mut words = text.split(' ');
        let name = words.next().unwrap_or_default();
        let code = words.next().and_then(number).ok_or("a code follows the name")?;
        let mut line = Line { name, start, code, marks: BTreeSet::new(), items: Vec::new() };
        for word in words {
            if line.marks.contains("ALIAS") {
                return Err("`alias=` is the last word".to_owned());
            }
            match word.split_once('=') {
                Some((key, value)) => line.add(key, value)?,
                None if MARKS.contains(&word) => {
                    line.marks.insert(word.to_uppercase().replace('-', "_"));
                }
                None if IDLE.contains(&word) => {}
                None => return Err(format!("`{word}` is no mark")),
            }
        }
        Ok(line)
    }

    fn add(&mut self, key: &str, value: &str) -> Result<(), String> {
        let field = match key {
            "groups" | "group" => "group",
            "mods" => "modifiers",
            "counters" => "counters",
            "with-group" => "with_group",
            "needs" => "needs",
            "wired" => "wired",
            "filter0" => "filter0",
            "filter1" => "filter1",
            "perf" => "perf_code",
            "keep" => "keep",
            // Its text stays where it is.
            "alias" => {
                self.marks.insert("ALIAS".to_owned());
                return Ok(());
            }
            "models" | "only" => {
                let field = if key == "only" { "only" } else { "models" };
                self.items.push((field, format!("{value:?}")));
                return Ok(());
            }
            "rev" => {
                let (from, till) = value.split_once('-').unwrap_or((value, ""));
                let till = if till.is_empty() { "255" } else { till };
                let revisions = from.parse::<u8>().ok().zip(till.parse::<u8>().ok());
                let (from, till) = revisions.ok_or("`rev=` takes two revisions")?;
                self.items.push(("revisions", format!("({from}, {till})")));
                return Ok(());
            }
            _ => return Err(format!("`{key}=` is not known")),
        };
        let value = number(value).ok_or_else(|| format!("`{key}=` takes a number"))?;
        self.items.push((field, format!("{value:#x}")));
        Ok(())
    }

    /// The rest besides its name and its code, as a literal.
    pub(super) fn facts(&self) -> String {
        let value =
            |field| self.items.iter().find(|item| item.0 == field).map(|item| item.1.as_str());
        let mut fields = Vec::new();
        if !self.marks.is_empty() {
            let marks: Vec<String> =
                self.marks.iter().map(|mark| format!("Marks::{mark}.0")).collect();
            fields.push(format!("marks: Marks({})", marks.join(" | ")));
        }
        for field in FIELDS {
            fields.extend(value(field).map(|value| format!("{field}: {value}")));
        }
        if let (Some(_), _) | (_, Some(_)) = (value("filter0"), value("filter1")) {
            let word = |field| value(field).unwrap_or("0");
            fields.push(format!("filters: [{}, {}]", word("filter0"), word("filter1")));
        }
        fields.push("..Facts::NONE".to_owned());
        format!("Facts {{ {} }}", fields.join(", "))
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_its_name_its_code_and_its_facts() {
        let line = Line::read("ANY 0x100 group=1 default wired=0x19c fixed alias=B", 7).unwrap();
        assert_eq!((line.name, line.start, line.code), ("ANY", 7, 0x100));
        let marks = "marks: Marks(Marks::ALIAS.0 | Marks::DEFAULT.0)";
        assert_eq!(
            line.facts(),
            format!("Facts {{ {marks}, group: 0x1, wired: 0x19c, ..Facts::NONE }}")
        );
        assert_eq!(Line::read("A 0x1", 0).unwrap().facts(), "Facts { ..Facts::NONE }");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for line in [
            "A",
            "A x",
            "A 1 defualt",
            "A 1 gruop=1",
            "A 1 group=x",
            "A 1 rev=x-",
            "A 1 alias=B default",
            "A 1  default",
        ] {
            assert!(Line::read(line, 0).is_err(), "{line}");
        }
    }
}
