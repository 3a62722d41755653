//! The events of a processor by its vendor's files: `NAME TERMS UNIT word…` between single blanks.

use super::super::names::short_hash;

/// The table of a processor.
pub(super) struct Processor<'a> {
    /// The files that it is from.
    pub(super) source: &'a str,
    pub(super) machines: &'a str,
    /// In the order of the hashes of their names.
    pub(super) events: Vec<Event<'a>>,
}

/// A line of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Event<'a> {
    pub(super) name: &'a str,
    pub(super) terms: &'a str,
    /// The unit, and the other words.
    pub(super) words: &'a str,
}

impl<'a> Processor<'a> {
    pub(super) fn read(text: &'a str) -> Result<Processor<'a>, String> {
        let (mut source, mut machines, mut events) = ("", "", Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(text) = line.strip_prefix("from ") {
                source = text;
            } else if let Some(words) = line.strip_prefix("on ") {
                machines = words;
            } else if !line.starts_with('#') {
                events.push(event(line).map_err(|what| format!("{number}: {what}: {line}"))?);
            }
        }
        if source.is_empty() || machines.is_empty() {
            return Err("1: lines with `from` and `on` come first".to_owned());
        }
        // Several units may have an event of one name, which stay in the order of the file.
        events.sort_by_key(|event: &Event<'_>| short_hash(event.name));
        Ok(Processor { source, machines, events })
    }
}

fn event(line: &str) -> Result<Event<'_>, &'static str> {
    let mut parts = line.splitn(3, ' ');
    let mut next = || parts.next().filter(|part| !part.is_empty());
    let (name, terms) = next().zip(next()).ok_or("a name and its terms come first")?;
    let words = next().ok_or("the unit follows the terms, `-` for any core")?;
    for word in words.split(' ').skip(1) {
        let key = word.split('=').next().unwrap_or(word);
        if !["counters", "pebs", "errata", "scale", "latency", "now", "deprecated"].contains(&key) {
            return Err("the last words are not those that tables/README.md lists");
        }
    }
    Ok(Event { name, terms, words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_in_the_order_of_the_hashes_of_its_names() {
        let text = "# A\nfrom Linux\non arm:1:2\nB.A event=0x1 - pebs\nC event=0x2 cpu_atom\nb_a event=0x3 cpu_atom\n";
        let Ok(Processor { source, machines, events }) = Processor::read(text) else { panic!() };
        let names: Vec<_> = events.iter().map(|event| (event.name, event.words)).collect();
        assert_eq!((source, machines), ("Linux", "arm:1:2"));
        let alike = names.iter().position(|(name, _)| *name == "B.A").unwrap();
        assert_eq!(names[alike..alike + 2], [("B.A", "- pebs"), ("b_a", "cpu_atom")]);
        assert!(names.is_sorted_by_key(|(name, _)| short_hash(name)) && names.len() == 3);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, error) in [
            ("A event=0x1 -", "1: lines with `from` and `on` come first"),
            ("from L\non x\nA", "3: a name and its terms come first: A"),
            ("from L\non x\nA t", "3: the unit follows the terms, `-` for any core: A t"),
            ("from L\non x\nA t - pebbs", "3: the last words are not those"),
        ] {
            let found = Processor::read(text).err().unwrap_or_default();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
