//! The actions of the grammar: lines become items, and their faults become diagnostics.

use std::ops::Range;

use memchr::memchr_iter;

use super::ast::{
    Component, Cpu, DerivedType, Event, Field, Item, Key, Keyword, Terms, Text, Unreadable,
};
use super::builder::{Builder, Head};
use super::checks;
use super::formula;
use super::lexer::{self, ClearLine, End, Slice, Token};
use crate::diagnostic::{Code, Diagnostic};

impl<'s> Builder<'s> {
    /// Takes a line of clear fields that are all in their places, as the grammar would; returns false for any other line.
    pub(crate) fn clear_line(&mut self, fields: &[Slice], line: &ClearLine) -> bool {
        let token = |slice: &Slice| slice.token(self.source);
        let &[first, ref rest @ ..] = fields else { return false };
        let Some(keyword) = Keyword::named(self.word(first)) else {
            let Token::Cpu(keyword) = token(&first) else { return false };
            self.cpu(keyword, rest, line.end);
            return true;
        };
        let &[name, kind, ref rest @ ..] = rest else { return false };
        let Some(derived) = DerivedType::named(self.word(kind)) else { return false };
        let (formula, rest) = match (derived, rest) {
            (DerivedType::Postfix | DerivedType::Infix, [formula, rest @ ..]) => {
                (Some(*formula), rest)
            }
            _ => (None, rest),
        };
        let is_term = |field: &&Slice| matches!(token(field), Token::Word(_));
        let (terms, texts) = rest.split_at(rest.iter().take_while(is_term).count());
        let is_key = |field: &Slice| matches!(token(field), Token::Key(_));
        if terms.is_empty()
            || !texts.first().is_none_or(is_key)
            || formula.as_ref().is_some_and(is_key)
        {
            return false;
        }
        terms.iter().for_each(|term| self.term(*term));
        for text in texts {
            match text.token(self.source) {
                Token::Key(key) => self.key(key),
                _ => self.text(*text),
            }
        }
        let head = Head { keyword: first, name, kind, formula };
        let readable = line.is_bare || self.check_fields(self.field(name));
        self.define(&head, keyword, derived, line.end, readable);
        true
    }

    pub(crate) fn cpu(&mut self, keyword: Slice, fields: &[Slice], end: End) {
        let span = keyword.start()..end.offset();
        let nothing = Field { text: "", start: span.end, quote: None };
        let name = fields.first().map_or(nothing, |name| self.field(*name));
        if name.text.is_empty() {
            self.report(
                Diagnostic::new(
                    Code::MissingCpuName,
                    keyword.range(),
                    "the CPU line does not name a PMU, so its definitions apply to no machine",
                )
                .help("write the name of a PMU after it, such as CPU,skx"),
            );
        }
        let number = fields.get(1).map(|number| self.field(*number));
        if let Some(number) = number.filter(|number| number.text.parse::<u32>().is_err()) {
            self.report(
                Diagnostic::new(Code::BadCpuNumber, number.span(), "expected the number of a PMU")
                    .help("remove the field; the name is enough"),
            );
        }
        if let Some(field) = fields.get(2) {
            self.report(super::line_error::unexpected(self.field(*field)));
        }
        self.check_trailing_comment(name);
        self.begin_block();
        self.items.push(Item::Cpu(Cpu { span, name, number }));
    }

    pub(crate) fn component(&mut self, name: Slice, fields: &[Slice], end: End) {
        let (span, name) = (name.start()..end.offset(), self.field(name));
        let nothing = Field { text: "", start: span.end, quote: None };
        let arch = fields.first().map_or(nothing, |arch| self.field(*arch));
        if arch.text.is_empty() {
            let message = format!(
                "the {} line does not name an architecture, so its definitions apply to no device",
                name.text
            );
            self.report(
                Diagnostic::new(Code::MissingCpuName, name.span(), message)
                    .help("write the architecture after it, such as cuda,GH100"),
            );
        }
        if let Some(field) = fields.get(1) {
            self.report(super::line_error::unexpected(self.field(*field)));
        }
        self.begin_block();
        self.items.push(Item::Component(Component { span, name, arch }));
    }

    pub(crate) fn term(&mut self, term: Slice) {
        let term = self.field(term);
        self.terms.push(term);
    }

    pub(crate) fn key(&mut self, name: Slice) {
        let name = self.field(name);
        self.texts.push(Text { key: Key::named(name.text), name, value: None });
    }

    pub(crate) fn text(&mut self, text: Slice) {
        let field = self.field(text);
        match self.texts.last_mut() {
            Some(text) if text.value.is_none() => text.value = Some(field),
            _ => self.texts.push(Text { key: Key::Unknown, name: field, value: None }),
        }
    }

    /// Ends a definition whose fields are all in their places.
    pub(crate) fn event(&mut self, head: Head, end: End) {
        let readable = self.check_fields(self.field(head.name));
        match (Keyword::named(self.word(head.keyword)), DerivedType::named(self.word(head.kind))) {
            (Some(keyword), Some(kind)) => self.define(&head, keyword, kind, end, readable),
            _ => self.unreadable_line(head.keyword.start()..end.offset()),
        }
    }

    /// Takes a definition whose name and terms have been checked.
    fn define(
        &mut self,
        head: &Head,
        keyword: Keyword,
        kind: DerivedType,
        end: End,
        readable: bool,
    ) {
        let (name, span) = (self.field(head.name), head.keyword.start()..end.offset());
        let formula = head.formula.map(|slice| {
            let (field, formulas) = (self.field(slice), &mut self.formulas);
            formula::compile(field, kind, &self.terms, formulas, &mut self.diagnostics)
                .map(Box::new)
        });
        let enough = self.check_count(kind, head.kind.range());
        if !readable || !enough || matches!(formula, Some(None)) {
            return self.unreadable_line(span);
        }
        self.check_texts();
        if !std::mem::replace(&mut self.applies_somewhere, true) {
            self.report(
                Diagnostic::new(
                    Code::BeforeCpu,
                    name.span(),
                    "no CPU line comes before this definition, so it applies to every machine, and PAPI skips it",
                )
                .help("add a line such as CPU,skx before it if it is for one PMU"),
            );
        }
        self.list = None;
        self.names.push((checks::folded_hash(name.text), self.items.len()));
        self.items.push(Item::Event(Event {
            span,
            line: end.line(),
            keyword,
            kind,
            kind_start: head.kind.start(),
            name,
            formula: formula.flatten(),
            terms: Terms::new(&self.terms),
            texts: self.texts.as_slice().to_vec(),
        }));
        self.terms.clear();
        self.texts.clear();
    }

    /// Ends a line whose first field is not a keyword.
    pub(crate) fn unknown(&mut self, first: Slice, end: End) {
        self.report(super::line_error::unknown_keyword(self.field(first)));
        self.unreadable_line(first.start()..end.offset());
    }

    /// Reports a line that the grammar rejected at a token, where it expected others.
    pub(crate) fn rejected(&mut self, token: Token, expected: &[String], span: Range<usize>) {
        let known = self.diagnostics.len();
        self.check_terms();
        if self.diagnostics.len() == known {
            let diagnostic = match token.slice() {
                Ok(slice) => super::line_error::explain(token, self.field(slice), expected),
                Err(end) => super::line_error::missing(expected, end.offset()),
            };
            self.report(diagnostic);
        }
        self.unreadable_line(span);
    }

    /// Ends a line that cannot be read; a `CPU` line still begins a block and a definition still ends the list of `CPU`
    /// lines, so that the lines that follow do not join the wrong block.
    pub(crate) fn unreadable_line(&mut self, span: Range<usize>) {
        self.terms.clear();
        self.texts.clear();
        let first = lexer::first_word(&self.source[span.clone()]);
        if first.eq_ignore_ascii_case("CPU") {
            self.begin_block();
            let name = Field { text: "", start: span.end, quote: None };
            self.items.push(Item::Cpu(Cpu { span, name, number: None }));
            return;
        }
        let keyword = Keyword::named(first);
        self.list = self.list.filter(|_| keyword.is_none());
        let name = self.source[span.clone()].split(',').nth(1).unwrap_or_default().trim();
        let (start, number) = self.unreadable;
        let between = self.source.as_bytes().get(start..span.start).unwrap_or_default();
        let line = number + memchr_iter(b'\n', between).count() as u32;
        self.unreadable = (span.start, line);
        self.items.push(Item::Unreadable(Unreadable { span, line, name, keyword }));
    }

    /// A `CPU` line after a definition begins a new block.
    fn begin_block(&mut self) {
        self.applies_somewhere = true;
        if self.list.is_none() {
            self.check_names();
            self.list = Some(self.items.len());
        }
    }
}
