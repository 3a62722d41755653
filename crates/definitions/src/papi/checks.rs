//! What is odd or wrong with a definition whose parts all stand where they should.

use std::collections::HashMap;
use std::ops::Range;

use super::ast::{DerivedType, Field, Item, Key};
use super::builder::{Builder, MOST_TERMS};
use super::lexer::plain_prefix;
use crate::diagnostic::{Code, Diagnostic};

impl<'s> Builder<'s> {
    /// Whether name and terms can be read.
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
                    "the name of the event holds a blank",
                )
                .help("write _ instead, so that the name can be typed in a list of events"),
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

    /// Whether there are enough terms; too many of them are only odd.
    pub(super) fn check_count(&mut self, kind: DerivedType, span: Range<usize>) -> bool {
        let terms = self.terms.len();
        if terms < kind.least_terms() {
            let message = format!(
                "{} needs {} terms, cycles first, and has {terms}",
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
            let message =
                format!("a definition has at most {MOST_TERMS} terms, and this one {terms}");
            self.report(Diagnostic::new(Code::TooLarge, self.terms[MOST_TERMS].span(), message));
            return false;
        }
        match kind {
            DerivedType::Add | DerivedType::Sub if terms == 1 => {
                let what = if kind == DerivedType::Add { "sum" } else { "difference" };
                let message = format!("a {what} of one term is that term");
                self.report(
                    Diagnostic::new(Code::OneTerm, span, message).help("write NOT_DERIVED"),
                );
            }
            DerivedType::NotDerived | DerivedType::Compound if terms > 1 => {
                let message =
                    "the value is that of the first term; the others are only counted with it";
                self.report(Diagnostic::new(Code::FirstTermOnly, span, message));
            }
            DerivedType::PerSecond if terms > 2 => {
                let message = "DERIVED_PS uses two terms, and not this one";
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
                format!("{} stands twice among the terms, and counts twice", repeated.text);
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
                let message = format!("{name} is no key, and is ignored with its text");
                self.report(
                    Diagnostic::new(Code::UnknownKey, text.name.span(), message)
                        .help("the keys are LDESC, SDESC, NOTE and UNITS; put a text that holds commas between quotes"),
                );
                continue;
            }
            if !given.contains(&text.key) {
                given.push(text.key);
            } else {
                let message = format!("{name} is given twice, and the last one counts");
                self.report(Diagnostic::new(Code::RepeatedText, text.name.span(), message));
            }
            match text.value {
                None => {
                    let message = format!("no text follows {name}");
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
        // A whole field of `#` is refused also between quotes: in formulas it names the clock rate.
        let begins = |at: &usize| {
            *at == 0 || field.quote.is_none() && field.text[..*at].ends_with([' ', '\t'])
        };
        if let Some(at) = field.text.match_indices('#').map(|(at, _)| at).find(begins) {
            self.report(
                Diagnostic::new(
                    Code::TrailingComment,
                    field.text_start() + at..field.span().end,
                    "a comment cannot stand at the end of a line",
                )
                .help("put it on a line of its own"),
            );
        }
    }

    /// A term that ends in the first word of a definition: the end of its line is missing.
    pub(super) fn check_joined(&mut self, term: Field<'s>) {
        if let Some((before, word)) = term.text.rsplit_once([' ', '\t'])
            && term.quote.is_none()
            && ["PRESET", "EVENT", "CPU"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
        {
            let start = term.start + before.len() + 1;
            self.report(super::refusal::joined_lines(start..start + word.len(), word));
        }
    }

    /// Names that stand twice in the block that ends here.
    pub(super) fn check_names(&mut self) {
        self.names.clear();
        for (index, item) in self.items.iter().enumerate().skip(self.block) {
            if let Item::Event(event) = item {
                self.names.push((folded_hash(event.name.text), index));
            }
        }
        self.names.sort_unstable();
        for pair in self.names.windows(2) {
            if pair[0].0 == pair[1].0
                && let (Item::Event(first), Item::Event(second)) =
                    (&self.items[pair[0].1], &self.items[pair[1].1])
                && first.name.text.eq_ignore_ascii_case(second.name.text)
            {
                let message = format!(
                    "{} is defined on line {} and again on line {}, which counts",
                    second.name.text, first.line, second.line
                );
                self.diagnostics.push(
                    Diagnostic::new(Code::DefinedTwice, second.name.span(), message)
                        .help("take one of the two lines away"),
                );
            }
        }
    }
}

/// Whether a field has neither quotes nor any character that needs a closer look.
fn is_plain(field: Field<'_>) -> bool {
    field.quote.is_none() && plain_prefix(field.text.as_bytes()) == field.text.len()
}

/// The first term that stands before it already.
fn first_repeated<'s>(terms: &[Field<'s>]) -> Option<Field<'s>> {
    const FEW: usize = 8;
    if terms.len() <= FEW {
        let mut later = terms.iter().enumerate();
        let stands_before = |at: usize, text: &str| {
            terms[..at].iter().any(|term| term.text.eq_ignore_ascii_case(text))
        };
        return later.find(|(at, term)| stands_before(*at, term.text)).map(|(_, term)| *term);
    }
    let mut seen: HashMap<u64, Field<'s>> = HashMap::with_capacity(terms.len());
    terms.iter().copied().find(|term| {
        let before = seen.insert(folded_hash(term.text), *term);
        before.is_some_and(|before| before.text.eq_ignore_ascii_case(term.text))
    })
}

/// A hash that is the same for names that differ in case only, and for few others.
fn folded_hash(name: &str) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    // This bit is what upper and lower case letters differ in.
    let fold = |word: [u8; 8]| u64::from_le_bytes(word) | 0x2020_2020_2020_2020;
    mix(words.iter().fold(name.len() as u64, |hash, word| mix(hash, fold(*word))), fold(last))
}
