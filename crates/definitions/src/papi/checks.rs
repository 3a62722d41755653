//! Checks of a definition whose fields are all in their places.

use std::collections::HashMap;
use std::ops::Range;

use super::ast::{DerivedType, Field, Item, Key};
use super::builder::{Builder, MOST_TERMS};
use super::lexer::plain_prefix;
use crate::diagnostic::{Code, Diagnostic};

impl<'s> Builder<'s> {
    /// Returns true if the name and the terms can be read.
    pub(super) fn check_fields(&mut self, name: Field<'s>) -> bool {
        let before = self.diagnostics.len();
        if name.text.is_empty() {
            self.report(Diagnostic::new(
                Code::MissingName,
                name.span(),
                "the name of the event is empty",
            ));
        }
        self.check_terms();
        let is_open = |field: &Field<'_>| field.quote.is_some_and(|quote| !quote.closed);
        let readable =
            self.diagnostics.len() == before && !is_open(&name) && !self.terms.iter().any(is_open);
        if !is_plain(name) && name.text.contains([' ', '\t']) {
            self.report(
                Diagnostic::new(
                    Code::NameWithBlank,
                    name.span(),
                    "the name of the event contains a blank",
                )
                .help("use _ instead, so that the name can be written in a list of events"),
            );
        }
        readable
    }

    pub(super) fn check_terms(&mut self) {
        for index in 0..self.terms.len() {
            let term = self.terms[index];
            if is_plain(term) {
                continue;
            }
            if term.text.is_empty() {
                self.report(Diagnostic::new(
                    Code::MissingTerm,
                    term.span(),
                    "the name of the term is empty",
                ));
            }
            self.check_trailing_comment(term);
            self.check_joined(term);
        }
    }

    /// Returns true if the number of terms fits the type; unused terms are only reported.
    pub(super) fn check_count(&mut self, kind: DerivedType, span: Range<usize>) -> bool {
        let terms = self.terms.len();
        if terms < kind.least_terms() {
            let message = format!(
                "{} needs at least {} terms, cycles first, but has {terms}",
                kind.name(),
                kind.least_terms()
            );
            self.report(
                Diagnostic::new(Code::TooFewTerms, span, message)
                    .help("put PAPI_TOT_CYC before the events that are counted"),
            );
            return false;
        }
        if terms > MOST_TERMS {
            let message = format!(
                "a definition can have at most {MOST_TERMS} terms, but this one has {terms}"
            );
            self.report(Diagnostic::new(Code::TooLarge, self.terms[MOST_TERMS].span(), message));
            return false;
        }
        match kind {
            DerivedType::Add | DerivedType::Sub if terms == 1 => {
                let operation = if kind == DerivedType::Add { "sum" } else { "difference" };
                let message = format!("a {operation} of one term is the term itself");
                self.report(
                    Diagnostic::new(Code::OneTerm, span, message).help("write NOT_DERIVED"),
                );
            }
            DerivedType::NotDerived | DerivedType::Compound if terms > 1 => {
                let message =
                    "the value is that of the first term; the other terms are counted but not used";
                self.report(Diagnostic::new(Code::FirstTermOnly, span, message));
            }
            DerivedType::PerSecond if terms > 2 => {
                let message = "DERIVED_PS uses only its first two terms, not this one";
                self.report(
                    Diagnostic::new(Code::UnusedTerm, self.terms[2].span(), message)
                        .help("write DERIVED_ADD_PS to count the sum of the terms per second"),
                );
            }
            _ => {}
        }
        if matches!(kind, DerivedType::Add | DerivedType::Sub | DerivedType::AddPerSecond)
            && let Some(repeated) = first_repeated(&self.terms)
        {
            let message =
                format!("{} appears twice among the terms and is counted twice", repeated.text);
            self.report(Diagnostic::new(Code::RepeatedTerm, repeated.span(), message));
        }
        true
    }

    pub(super) fn check_texts(&mut self) {
        let mut given: Vec<Key> = Vec::new();
        for index in 0..self.texts.len() {
            let text = self.texts[index];
            let name = text.name.text;
            if text.key == Key::Unknown {
                let message = format!("{name} is not a key and is ignored together with its text");
                self.report(Diagnostic::new(Code::UnknownKey, text.name.span(), message).help(
                    "use LDESC, SDESC, NOTE or UNITS, and quote a text that contains commas",
                ));
                continue;
            }
            if !given.contains(&text.key) {
                given.push(text.key);
            } else {
                let message = format!("{name} is given more than once; the last text is used");
                self.report(Diagnostic::new(Code::RepeatedText, text.name.span(), message));
            }
            match text.value {
                None => {
                    let message = format!("{name} has no text");
                    self.report(Diagnostic::new(Code::MissingText, text.name.span(), message));
                }
                Some(value)
                    if value.text.is_empty() && value.quote.is_some_and(|quote| quote.closed) =>
                {
                    let message = format!("the text of {name} is empty");
                    self.report(Diagnostic::new(Code::MissingText, value.span(), message));
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn check_trailing_comment(&mut self, field: Field<'s>) {
        // A field that is only `#` is an error even between quotes: in formulas it names the clock rate.
        let begins = |at: &usize| {
            *at == 0 || field.quote.is_none() && field.text[..*at].ends_with([' ', '\t'])
        };
        if let Some(at) = field.text.match_indices('#').map(|(at, _)| at).find(begins) {
            self.report(
                Diagnostic::new(
                    Code::TrailingComment,
                    field.text_start() + at..field.span().end,
                    "comments are not allowed at the end of a line",
                )
                .help("move the comment to a line of its own"),
            );
        }
    }

    /// Reports a term that ends in the first word of a definition: the line break before that word is missing.
    pub(super) fn check_joined(&mut self, term: Field<'s>) {
        if let Some((before, word)) = term.text.rsplit_once([' ', '\t'])
            && term.quote.is_none()
            && ["PRESET", "EVENT", "CPU"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
        {
            let start = term.start + before.len() + 1;
            self.report(super::line_error::joined_lines(start..start + word.len(), word));
        }
    }

    /// Reports names that are defined twice in the block that ends here.
    pub(super) fn check_names(&mut self) {
        // Most blocks define each name once, which a bit for each hash tells without sorting them.
        let mut is_doubtful = false;
        for (hash, _) in &self.names {
            let (word, bit) = (&mut self.seen[(hash >> 54) as usize], 1_u64 << (hash >> 48 & 63));
            is_doubtful |= *word & bit != 0;
            *word |= bit;
        }
        self.names.iter().for_each(|(hash, _)| self.seen[(hash >> 54) as usize] = 0);
        if !is_doubtful {
            return self.names.clear();
        }
        self.names.sort_unstable();
        for pair in self.names.windows(2) {
            if pair[0].0 == pair[1].0
                && let (Item::Event(first), Item::Event(second)) =
                    (&self.items[pair[0].1], &self.items[pair[1].1])
                && first.name.text.eq_ignore_ascii_case(second.name.text)
            {
                let message = format!(
                    "{} is defined on line {} and again on line {}; the later definition is used",
                    second.name.text, first.line, second.line
                );
                self.diagnostics.push(
                    Diagnostic::new(Code::DefinedTwice, second.name.span(), message)
                        .help("remove one of the two lines"),
                );
            }
        }
        self.names.clear();
    }
}

/// Returns true if a field has neither quotes nor characters that need a closer check.
fn is_plain(field: Field<'_>) -> bool {
    field.quote.is_none() && plain_prefix(field.text.as_bytes()) == field.text.len()
}

/// The first term that repeats an earlier one.
fn first_repeated<'s>(terms: &[Field<'s>]) -> Option<Field<'s>> {
    const FEW: usize = 8;
    if terms.len() <= FEW {
        let mut later = terms.iter().enumerate();
        let occurs_before = |at: usize, text: &str| {
            terms[..at].iter().any(|term| term.text.eq_ignore_ascii_case(text))
        };
        return later.find(|(at, term)| occurs_before(*at, term.text)).map(|(_, term)| *term);
    }
    let mut seen: HashMap<u64, Field<'s>> = HashMap::with_capacity(terms.len());
    terms.iter().copied().find(|term| {
        let before = seen.insert(folded_hash(term.text), *term);
        before.is_some_and(|before| before.text.eq_ignore_ascii_case(term.text))
    })
}

/// A hash that is equal for names that differ only in case, and rarely for others.
pub(super) fn folded_hash(name: &str) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    // Upper and lower case letters differ in this bit.
    let fold = |word: [u8; 8]| u64::from_le_bytes(word) | 0x2020_2020_2020_2020;
    mix(words.iter().fold(name.len() as u64, |hash, word| mix(hash, fold(*word))), fold(last))
}
