//! A line of a text table: a name, a code, `key=value` and marks, between single blanks.

use std::collections::BTreeMap;

/// Marks that say nothing about an encoding.
const IDLE: [&str; 5] = ["fixed", "fallback-gen", "code-dup", "no-autoencode", "filt-umask"];

/// Each is a constant of `Marks`, in capitals and with `_` for `-`.
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

/// Words with a number: the field of `Facts` that it is, and the largest that fits in.
const NUMBERS: [(&str, &str, u64); 11] = [
    ("groups", "group", u8::MAX as u64),
    ("group", "group", u8::MAX as u64),
    ("with-group", "with_group", u8::MAX as u64),
    ("mods", "modifiers", u32::MAX as u64),
    ("needs", "needs", u32::MAX as u64),
    ("wired", "wired", u32::MAX as u64),
    ("filter0", "filter0", u64::MAX),
    ("filter1", "filter1", u64::MAX),
    ("counters", "counters", u64::MAX),
    ("perf", "perf_code", u8::MAX as u64),
    ("keep", "keep", u16::MAX as u64),
];

/// The contents of a line.
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    pub(super) code: u64,
    pub(super) words: Words<'a>,
    /// The text that the name is an alias of, or `""`.
    pub(super) alias: &'a str,
    text: &'a str,
    number: usize,
}

impl<'a> Line<'a> {
    /// Reads the line of this number, without a tab before it.
    pub(super) fn read(text: &'a str, number: usize) -> Result<Line<'a>, String> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (rest, alias) = match rest.split_once(" alias=") {
            Some((rest, alias)) => (rest, Some(alias)),
            None => (rest, None),
        };
        let (code, words) = rest.split_once(' ').unwrap_or((rest, ""));
        let words = Words { text: words, is_alias: alias.is_some(), has_precise_masks: false };
        let mut line =
            Line { name, code: 0, words, alias: alias.unwrap_or_default(), text, number };
        if alias.is_some_and(|text| text.is_empty() || text.contains(' ')) {
            return Err(line.wrong("`alias=` and a text without blanks come last"));
        }
        match value(code) {
            Some(code) => line.code = code,
            None => return Err(line.wrong("a code follows the name")),
        }
        Ok(line)
    }

    /// An error: the number of the line, and what is wrong with it.
    pub(super) fn wrong(&self, what: &str) -> String {
        format!("{}: {what}: {}", self.number, self.text)
    }
}

/// The words of a line from which its facts are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Words<'a> {
    text: &'a str,
    is_alias: bool,
    /// A unit mask of the event is `pebs`.
    pub(super) has_precise_masks: bool,
}

impl Words<'_> {
    pub(super) fn has(&self, mark: &str) -> bool {
        self.text.split(' ').any(|word| word == mark)
    }

    /// The facts as a Rust literal.
    pub(super) fn facts(&self) -> Result<String, String> {
        let mut marks = Vec::new();
        let mut fields = BTreeMap::new();
        for word in self.text.split(' ').filter(|_| !self.text.is_empty()) {
            match word.split_once('=') {
                Some((key, value)) => {
                    let (field, literal) = field(key, value)?;
                    if fields.insert(field, literal).is_some() {
                        return Err(format!("`{key}=` is there twice: leave one out"));
                    }
                }
                None if MARKS.contains(&word) => marks.push(word.to_uppercase().replace('-', "_")),
                None if IDLE.contains(&word) => {}
                None => return Err(format!("`{word}` is no mark; tables/README.md lists them")),
            }
        }
        marks.extend(self.is_alias.then(|| "ALIAS".to_owned()));
        marks.extend(self.has_precise_masks.then(|| "PEBS_MASKS".to_owned()));
        marks.sort();
        let marks: Vec<String> = marks.iter().map(|mark| format!("Marks::{mark}.0")).collect();
        if !marks.is_empty() {
            fields.insert("marks", format!("Marks({})", marks.join(" | ")));
        }
        let filters = ["filter0", "filter1"].map(|field| fields.remove(field));
        if filters.iter().any(Option::is_some) {
            let [first, second] = filters.map(|word| word.unwrap_or("0".to_owned()));
            fields.insert("filters", format!("[{first}, {second}]"));
        }
        let fields = fields.iter().map(|(field, literal)| format!("{field}: {literal}, "));
        Ok(format!("Facts {{ {}..Facts::NONE }}", fields.collect::<String>()))
    }
}

/// The field that a word with a value is, as a literal.
fn field(key: &str, text: &str) -> Result<(&'static str, String), String> {
    match key {
        "models" => return Ok(("models", format!("{text:?}"))),
        "only" => return Ok(("only", format!("{text:?}"))),
        "rev" => {
            let range = text.split_once('-').and_then(|(from, till)| {
                let till = if till.is_empty() { Ok(u8::MAX) } else { till.parse() };
                from.parse::<u8>().ok().zip(till.ok())
            });
            let (from, till) = range.ok_or("`rev=` takes revisions: `rev=1-4` or `rev=4-`")?;
            return Ok(("revisions", format!("({from}, {till})")));
        }
        _ => {}
    }
    let known = NUMBERS.iter().find(|(known, ..)| *known == key);
    let (_, field, most) =
        known.ok_or_else(|| format!("`{key}=` is not known; tables/README.md lists the words"))?;
    match value(text) {
        Some(number) if number <= *most => Ok((field, format!("{number:#x}"))),
        _ => Err(format!("`{key}=` takes a number of at most {most:#x}")),
    }
}

/// A number, in hexadecimal digits after `0x`.
pub(super) fn value(text: &str) -> Option<u64> {
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
        let text = "ANY 0x100 wired=0x19c default group=1 fixed filter1=2 alias=B:x=1";
        let line = Line::read(text, 7).unwrap();
        assert_eq!((line.name, line.code, line.alias), ("ANY", 0x100, "B:x=1"));
        let marks = "marks: Marks(Marks::ALIAS.0 | Marks::DEFAULT.0)";
        assert_eq!(
            line.words.facts().unwrap(),
            format!(
                "Facts {{ filters: [0, 0x2], group: 0x1, {marks}, wired: 0x19c, ..Facts::NONE }}"
            )
        );
        let plain = Line::read("A 0x1", 1).unwrap();
        assert_eq!(plain.words.facts().unwrap(), "Facts { ..Facts::NONE }");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, what) in [
            ("A", "a code follows the name"),
            ("A x", "a code follows the name"),
            ("A 1 defualt", "`defualt` is no mark; tables/README.md lists them"),
            ("A 1 gruop=1", "`gruop=` is not known; tables/README.md lists the words"),
            ("A 1 group=x", "`group=` takes a number of at most 0xff"),
            ("A 1 group=0x100", "`group=` takes a number of at most 0xff"),
            ("A 1 groups=2 group=1", "`group=` is there twice: leave one out"),
            ("A 1 rev=x-", "`rev=` takes revisions: `rev=1-4` or `rev=4-`"),
            ("A 1 rev=4", "`rev=` takes revisions: `rev=1-4` or `rev=4-`"),
            ("A 1 alias=B default", "`alias=` and a text without blanks come last"),
            ("A 1 alias=", "`alias=` and a text without blanks come last"),
            ("A 1  default", "`` is no mark; tables/README.md lists them"),
        ] {
            let read = Line::read(text, 7);
            let error = read.and_then(|line| line.words.facts().map_err(|what| line.wrong(&what)));
            assert_eq!(error, Err(format!("7: {what}: {text}")));
        }
    }
}
