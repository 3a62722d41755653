//! The facts of lines, as Rust literals: the lines of a vendor have few different ones.

use std::collections::HashMap;

use super::line::{Line, Words};

/// The different facts of a vendor's lines.
#[derive(Default)]
pub(super) struct Facts<'a> {
    /// With a comma and a line feed each.
    pub(super) literals: Vec<String>,
    numbers: HashMap<String, u64>,
    /// The numbers by the texts that say them, which are read once.
    known: HashMap<Words<'a>, u64>,
}

impl<'a> Facts<'a> {
    /// The number of the facts of a line.
    pub(super) fn number(&mut self, line: &Line<'a>) -> Result<u64, String> {
        if let Some(number) = self.known.get(&line.words) {
            return Ok(*number);
        }
        let literal = line.words.facts().map_err(|what| line.wrong(&what))? + ",\n";
        let number = *self.numbers.entry(literal).or_insert_with_key(|literal| {
            self.literals.push(literal.clone());
            self.literals.len() as u64 - 1
        });
        self.known.insert(line.words, number);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_facts_have_one_number_however_they_are_written() {
        let mut facts = Facts::default();
        let lines = ["A 1", "B 2 spec pebs", "C 3 pebs spec fixed", "D 3", "E 4 alias=A"];
        let numbers = lines.map(|line| facts.number(&Line::read(line, 1).unwrap()).unwrap());
        assert_eq!(numbers, [0, 1, 1, 0, 2]);
        assert_eq!(facts.literals.len(), 3);
        let wrong = Line::read("F 5 spce", 7).unwrap();
        let error = facts.number(&wrong).unwrap_err();
        assert!(error.starts_with("7: `spce` is no mark"), "{error}");
    }
}
