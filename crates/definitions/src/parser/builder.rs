//! What the grammar does: lines become items, and what is wrong with them diagnostics.

use std::collections::HashMap;

use super::formula;
use super::lexer::{EndOfLine, Token};
use crate::ast::{
    Component, Cpu, DerivedType, Event, Field, Item, Key, Keyword, Terms, Text, Unreadable,
};
use crate::diagnostic::{Code, Diagnostic};

/// As many as a formula has inputs.
const MOST_TERMS: usize = 65_535;

/// The items and diagnostics so far, and the definition being read.
pub(crate) struct Builder<'s> {
    pub(crate) items: Vec<Item<'s>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    source: &'s str,
    terms: Vec<Field<'s>>,
    texts: Vec<Text<'s>>,
    /// Where the current block begins in `items`.
    block: usize,
    /// Whether no definition has followed the last `CPU` line yet.
    in_list: bool,
    any_cpu: bool,
}

/// What stands before the terms of a definition.
pub(crate) struct Head<'s> {
    keyword: Keyword,
    name: Field<'s>,
    kind: DerivedType,
    kind_field: Field<'s>,
    formula: Option<Field<'s>>,
}

impl<'s> Head<'s> {
    pub(crate) fn new(
        keyword: (Keyword, Field<'s>),
        name: Field<'s>,
        kind: (DerivedType, Field<'s>),
        formula: Option<Field<'s>>,
    ) -> Self {
        Head { keyword: keyword.0, name, kind: kind.0, kind_field: kind.1, formula }
    }
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Builder {
            // A line has some sixty bytes.
            items: Vec::with_capacity(source.len() / 64),
            diagnostics: Vec::new(),
            source,
            terms: Vec::new(),
            texts: Vec::new(),
            block: 0,
            in_list: false,
            any_cpu: false,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn cpu(&mut self, fields: &[Field<'s>], end: EndOfLine) {
        let keyword = end.start..end.start + "CPU".len();
        let name =
            fields.first().copied().unwrap_or(Field { text: "", start: end.end, quote: None });
        if name.text.is_empty() {
            self.report(
                Diagnostic::new(
                    Code::MissingCpuName,
                    keyword,
                    "the CPU line names no PMU, so its events are for none",
                )
                .help("write the name of a PMU after it, such as CPU,skx"),
            );
        }
        let number = fields.get(1).copied();
        if let Some(number) = number.filter(|number| number.text.parse::<u32>().is_err()) {
            self.report(
                Diagnostic::new(
                    Code::BadCpuNumber,
                    number.span(),
                    "the number of a PMU is expected here",
                )
                .help("take the field away; the name alone is enough"),
            );
        }
        if let Some(field) = fields.get(2) {
            self.report(super::refusal::unexpected(*field));
        }
        self.check_open_quote(name);
        self.check_trailing_comment(name);
        self.begin_block();
        self.items.push(Item::Cpu(Cpu { span: end.start..end.end, name, number }));
    }

    pub(crate) fn component(&mut self, name: Field<'s>, arch: Option<Field<'s>>, end: EndOfLine) {
        let arch = arch.unwrap_or(Field { text: "", start: end.end, quote: None });
        if arch.text.is_empty() {
            let message = format!(
                "the {} line does not say for which device, so its events are for none",
                name.text
            );
            self.report(
                Diagnostic::new(Code::MissingCpuName, name.span(), message)
                    .help("write the architecture after it, such as cuda,GH100"),
            );
        }
        self.begin_block();
        self.items.push(Item::Component(Component { span: end.start..end.end, name, arch }));
    }

    pub(crate) fn term(&mut self, term: Field<'s>) {
        self.terms.push(term);
    }

    pub(crate) fn key(&mut self, key: Key, name: Field<'s>) {
        self.texts.push(Text { key, name, value: None });
    }

    pub(crate) fn text(&mut self, field: Field<'s>) {
        match self.texts.last_mut() {
            Some(text) if text.value.is_none() => text.value = Some(field),
            _ => self.texts.push(Text { key: Key::Unknown, name: field, value: None }),
        }
    }

    /// The end of a definition whose parts all stand where they should.
    pub(crate) fn event(&mut self, head: Head<'s>, end: EndOfLine) {
        let readable = self.check_fields(&head);
        let formula = match head.formula {
            Some(field) => {
                formula::compile(field, head.kind, &self.terms, &mut self.diagnostics).map(Box::new)
            }
            None => None,
        };
        let enough = self.check_count(&head);
        if !readable || !enough || formula.is_some() != head.formula.is_some() {
            self.unreadable_line(end);
            return;
        }
        self.check_texts();
        if !self.any_cpu && !self.items.iter().any(|item| matches!(item, Item::Event(_))) {
            self.report(
                Diagnostic::new(
                    Code::BeforeCpu,
                    head.name.span(),
                    "no CPU line stands before this definition, so it holds on every machine, and PAPI skips it",
                )
                .help("write a line such as CPU,skx before it if it is for one PMU"),
            );
        }
        self.in_list = false;
        self.items.push(Item::Event(Event {
            span: end.start..end.end,
            line: end.line,
            keyword: head.keyword,
            kind: head.kind,
            kind_start: head.kind_field.start,
            name: head.name,
            formula,
            terms: Terms::new(&self.terms),
            texts: self.texts.as_slice().to_vec(),
        }));
        self.terms.clear();
        self.texts.clear();
    }

    /// A line whose first field is no keyword.
    pub(crate) fn unknown(&mut self, first: Field<'s>, end: EndOfLine) {
        self.report(super::refusal::unknown_keyword(first));
        self.unreadable_line(end);
    }

    /// A line that the grammar refused at a token, where it would have taken others.
    pub(crate) fn refused(&mut self, token: &Token<'s>, expected: &[String], end: EndOfLine) {
        let known = self.diagnostics.len();
        self.check_terms();
        if self.diagnostics.len() == known {
            self.report(super::refusal::explain(token, expected));
        }
        self.unreadable_line(end);
    }

    /// A line that opens a block or defines something does so also when it cannot be read: what follows is not for the
    /// block before it.
    fn unreadable_line(&mut self, end: EndOfLine) {
        self.terms.clear();
        self.texts.clear();
        let span = end.start..end.end;
        let first = self.source[span.clone()].split([',', ' ', '\t']).next().unwrap_or_default();
        if first.eq_ignore_ascii_case("CPU") {
            self.begin_block();
            let name = Field { text: "", start: end.end, quote: None };
            self.items.push(Item::Cpu(Cpu { span, name, number: None }));
            return;
        }
        let keyword = [Keyword::Preset, Keyword::Event]
            .into_iter()
            .find(|keyword| keyword.name().eq_ignore_ascii_case(first));
        self.in_list &= keyword.is_none();
        self.items.push(Item::Unreadable(Unreadable { span, keyword }));
    }

    /// A `CPU` line after a definition begins a new block.
    fn begin_block(&mut self) {
        self.any_cpu = true;
        if !self.in_list {
            self.check_names();
            self.block = self.items.len();
            self.in_list = true;
        }
    }

    /// Whether name and terms can be read.
    fn check_fields(&mut self, head: &Head<'s>) -> bool {
        let before = self.diagnostics.len();
        self.check_open_quote(head.name);
        if head.name.text.is_empty() {
            self.report(Diagnostic::new(
                Code::MissingName,
                head.name.span(),
                "the name of the event is empty",
            ));
        }
        self.check_terms();
        let readable = self.diagnostics.len() == before;
        if head.name.text.contains([' ', '\t']) {
            self.report(
                Diagnostic::new(
                    Code::NameWithBlank,
                    head.name.span(),
                    "the name of the event holds a blank",
                )
                .help("write _ instead, so that the name can be typed in a list of events"),
            );
        }
        readable
    }

    fn check_terms(&mut self) {
        for index in 0..self.terms.len() {
            let term = self.terms[index];
            // The usual term is seen in one pass over its bytes to be in order.
            let odd = |byte: u8| byte == b' ' || byte == b'\t' || byte == b'#';
            if term.quote.is_none()
                && !term.text.bytes().fold(false, |found, byte| found | odd(byte))
            {
                continue;
            }
            self.check_open_quote(term);
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
    fn check_count(&mut self, head: &Head<'s>) -> bool {
        let (kind, terms, span) = (head.kind, self.terms.len(), head.kind_field.span());
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

    fn check_texts(&mut self) {
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
            if self.texts[..index].iter().any(|before| before.key == text.key) {
                let message = format!("{name} is given twice, and the last one counts");
                self.report(Diagnostic::new(Code::RepeatedText, text.name.span(), message));
            }
            match text.value {
                None => {
                    let message = format!("no text follows {name}");
                    self.report(Diagnostic::new(Code::MissingText, text.name.span(), message));
                }
                Some(value) => {
                    self.check_open_quote(value);
                    if value.text.is_empty() && value.quote.is_some_and(|quote| quote.closed) {
                        let message = format!("the text of {name} is empty");
                        self.report(Diagnostic::new(Code::MissingText, value.span(), message));
                    }
                }
            }
        }
    }

    fn check_open_quote(&mut self, field: Field<'s>) {
        if let Some(quote) = field.quote.filter(|quote| !quote.closed) {
            let message = format!(
                "this {} is never closed, so the text goes on to the end of the line",
                quote.mark
            );
            self.report(
                Diagnostic::new(Code::UnclosedQuote, field.start..field.start + 1, message).help(
                    format!(
                        "write {} where the text ends, before a comma or the end of the line",
                        quote.mark
                    ),
                ),
            );
        }
    }

    fn check_trailing_comment(&mut self, field: Field<'s>) {
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
    fn check_joined(&mut self, term: Field<'s>) {
        if let Some((before, word)) = term.text.rsplit_once([' ', '\t'])
            && term.quote.is_none()
            && ["PRESET", "EVENT", "CPU"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
        {
            let start = term.start + before.len() + 1;
            self.report(super::refusal::joined_lines(start..start + word.len(), word));
        }
    }

    /// Names that stand twice in the block that ends here.
    pub(crate) fn check_names(&mut self) {
        let mut names: Vec<(u64, usize)> = Vec::new();
        for (index, item) in self.items.iter().enumerate().skip(self.block) {
            if let Item::Event(event) = item {
                names.push((folded_hash(event.name.text), index));
            }
        }
        names.sort_unstable();
        for pair in names.windows(2) {
            if pair[0].0 != pair[1].0 {
                continue;
            }
            if let (Item::Event(first), Item::Event(second)) =
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
