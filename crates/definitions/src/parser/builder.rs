//! What the grammar does: lines become items, and what is wrong with them diagnostics.

use super::formula;
use super::lexer::{EndOfLine, Token};
use crate::ast::{
    Component, Cpu, DerivedType, Event, Field, Item, Key, Keyword, Terms, Text, Unreadable,
};
use crate::diagnostic::{Code, Diagnostic};

/// As many as a formula has inputs.
pub(super) const MOST_TERMS: usize = 65_535;

/// The items and diagnostics so far, and the definition being read.
pub(crate) struct Builder<'s> {
    pub(crate) items: Vec<Item<'s>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    source: &'s str,
    pub(super) terms: Vec<Field<'s>>,
    pub(super) texts: Vec<Text<'s>>,
    /// Where the current block begins in `items`.
    pub(super) block: usize,
    /// Whether no definition has followed the last `CPU` line yet.
    in_list: bool,
    any_cpu: bool,
}

/// What stands before the terms of a definition.
pub(crate) struct Head<'s> {
    keyword: Keyword,
    pub(super) name: Field<'s>,
    pub(super) kind: DerivedType,
    pub(super) kind_field: Field<'s>,
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

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
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
        self.check_trailing_comment(name);
        self.begin_block();
        self.items.push(Item::Cpu(Cpu { span: end.start..end.end, name, number }));
    }

    pub(crate) fn component(&mut self, name: Field<'s>, fields: &[Field<'s>], end: EndOfLine) {
        let arch =
            fields.first().copied().unwrap_or(Field { text: "", start: end.end, quote: None });
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
        if let Some(field) = fields.get(1) {
            self.report(super::refusal::unexpected(*field));
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
    pub(crate) fn unreadable_line(&mut self, end: EndOfLine) {
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
}
