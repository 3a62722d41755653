//! The texts of an image.

use std::collections::{HashMap, HashSet};

use super::line::Line;

/// The texts, and the position of each that others may share.
pub(super) struct Texts<'a> {
    pub(super) text: String,
    starts: HashMap<(&'a str, &'a str), u64>,
}

impl Default for Texts<'_> {
    fn default() -> Self {
        // The first text is empty.
        Texts { text: "\n".to_owned(), starts: HashMap::from([(("", ""), 0)]) }
    }
}

impl<'a> Texts<'a> {
    /// The position of a text, before the other one if that is not empty.
    pub(super) fn add(&mut self, text: &'a str, other: &'a str) -> u64 {
        if let Some(start) = self.starts.get(&(text, other)) {
            return *start;
        }
        let start = self.push(text, other);
        self.starts.insert((text, other), start);
        start
    }

    /// Returns true if it has a text that others may share.
    pub(super) fn has(&self, text: &str) -> bool {
        self.starts.contains_key(&(text, ""))
    }

    /// The positions of the names of a table's events, each with what it is an alias of.
    pub(super) fn add_events(&mut self, events: &[Line<'a>]) -> Vec<u64> {
        let mut known = HashSet::new();
        let mut own = |event: &Line<'a>| {
            let start = self.add(event.name, event.alias);
            if known.insert(start) { start } else { self.push(event.name, event.alias) }
        };
        events.iter().map(&mut own).collect()
    }

    /// The positions of the names of unit masks, each with what it is an alias of.
    pub(super) fn add_masks(&mut self, masks: &[Line<'a>]) -> Vec<u64> {
        masks.iter().map(|mask| self.add(mask.name, mask.alias)).collect()
    }

    fn push(&mut self, text: &str, other: &str) -> u64 {
        let start = self.text.len() as u64;
        for text in [text, other] {
            if !text.is_empty() {
                self.text.push_str(text);
                self.text.push('\n');
            }
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_but_for_names_of_a_table() {
        let mut texts = Texts::default();
        let lines = ["A 1", "A 2", "B 1 alias=A"].map(|line| Line::read(line, 1).unwrap());
        assert_eq!(texts.add_events(&lines), [1, 3, 5]);
        assert_eq!(texts.add_events(&lines[..1]), [1]);
        assert_eq!(texts.add_masks(&lines), [1, 1, 5]);
        assert_eq!((texts.add("", ""), texts.add("Words", ""), texts.add("Words", "")), (0, 9, 9));
        assert_eq!(texts.text, "\nA\nA\nB\nA\nWords\n");
    }
}
