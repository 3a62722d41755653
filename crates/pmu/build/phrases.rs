//! The phrases of an image: texts in which words that repeat are numbers.

use std::collections::{BTreeMap, HashMap};

use super::super::layout::{Column, PHRASE_END, WORD};
use super::texts::Texts;

/// The phrases of an image, each once, and their words.
pub(super) struct Phrases<'a> {
    starts: HashMap<Vec<u8>, u64>,
    words: BTreeMap<&'a str, u16>,
}

impl<'a> Phrases<'a> {
    /// No phrases yet; their words will be those of these texts that are worth a number: `texts` has some anyway.
    pub(super) fn with_words_of<'t>(
        phrases: impl Iterator<Item = &'t &'a str>,
        texts: &Texts<'a>,
    ) -> Phrases<'a>
    where
        'a: 't,
    {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in phrases.flat_map(|text| pieces(text)).filter(|piece| is_word(piece)) {
            *counts.entry(word).or_default() += 1;
        }
        let is_worth = |(word, count): &(&str, usize)| {
            let own = if texts.has(word) { 0 } else { word.len() + 1 };
            3 + own + 2 * count < word.len() * count
        };
        let mut chosen: Vec<_> = counts.into_iter().filter(is_worth).collect();
        // The numbers end with the least used words.
        chosen.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let words = chosen.into_iter().map(|(word, _)| word).zip(0..=WORD_MOST).collect();
        Phrases { starts: HashMap::new(), words }
    }

    /// The position of a phrase, which is appended to the image if it is new.
    pub(super) fn add(&mut self, lines: &[&'a str], image: &mut Vec<u8>) -> u64 {
        let mut phrase = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                phrase.push(b'\n');
            }
            for piece in pieces(line) {
                match self.words.get(piece) {
                    Some(word) => phrase.extend([WORD | (word >> 8) as u8, *word as u8]),
                    None => phrase.extend(piece.bytes()),
                }
            }
        }
        phrase.push(PHRASE_END);
        *self.starts.entry(phrase).or_insert_with_key(|phrase| {
            image.extend(phrase);
            (image.len() - phrase.len()) as u64
        })
    }

    /// Appends the positions of the words to the image.
    pub(super) fn write(&self, texts: &mut Texts<'a>, image: &mut Vec<u8>) -> Column<3> {
        let mut positions = vec![0; self.words.len()];
        for (word, number) in &self.words {
            positions[usize::from(*number)] = texts.add(word, "");
        }
        Column::write(&positions, image)
    }
}

/// The largest number of a word: two bytes have 15 bits beside the mark.
const WORD_MOST: u16 = 0x7fff;

fn is_word(piece: &str) -> bool {
    piece.len() > 2 && piece.starts_with(is_of_word)
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

/// The words of a text and what is between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = rest.chars().next().map(is_of_word)?;
        let end = rest.find(|c| is_of_word(c) != is_word).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_repeat_are_numbers() {
        let lines = ["INST_RETIRED.ANY / cycles", "a INST_RETIRED.ANY", "100"];
        let mut texts = Texts::default();
        texts.add("cycles", "");
        let mut phrases = Phrases::with_words_of(lines.iter(), &texts);
        let words: Vec<&str> = phrases.words.keys().copied().collect();
        // A word that the texts have is worth three bytes, one of three letters that is used once is not.
        assert_eq!(words, ["INST_RETIRED.ANY", "cycles"]);
        let mut image = vec![7];
        let first = phrases.add(&lines[..1], &mut image);
        let two = phrases.add(&lines[1..], &mut image);
        assert_eq!((first, two, phrases.add(&lines[..1], &mut image)), (1, 9, 1));
        assert_eq!(image, *b"\x07\x80\x00 / \x80\x01\x00a \x80\x00\n100\x00");
        let column = phrases.write(&mut texts, &mut image);
        assert_eq!((column.start, image.len()), (18, 24));
    }
}
