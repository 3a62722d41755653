//! Findings about the formulas of a catalog.

use counterpoint_catalog24x7::{
    Catalog, Code, Diagnostic, Formula as Record, Links, Section, Text,
};
use counterpoint_formula::{Formula, ParseError, Syntax, Warning};
use std::collections::HashSet;
use std::ops::Range;

/// A list of findings that keeps a limited number of them.
pub(super) struct Findings {
    /// The offset of each formula in the file.
    offsets: Vec<usize>,
    list: Vec<Diagnostic>,
    more: usize,
}

impl Findings {
    const LIMIT: usize = 128;

    pub(super) fn new(catalog: &Catalog) -> Findings {
        Findings { offsets: catalog.offsets(Section::Formula), list: Vec::new(), more: 0 }
    }

    pub(super) fn duplicate_name(&mut self, index: usize, event: usize, name: &str) {
        let message = format!("event {event} is also called `{name}`, and formulas use the event");
        let at = self.offset(index) + 0x10;
        self.add(Code::DuplicateName, index, at, "name", message);
    }

    pub(super) fn syntax(&mut self, index: usize, record: &Record, error: &ParseError) {
        let at = self.text(index, record) + error.span.start;
        self.add(Code::FormulaSyntax, index, at, "formula", error.to_string());
    }

    pub(super) fn unknown_operand(
        &mut self,
        index: usize,
        record: &Record,
        name: &str,
        span: Range<usize>,
    ) {
        let message = format!("`{name}` is not an event, a formula or a known symbol");
        let at = self.text(index, record) + span.start;
        self.add(Code::UnknownOperand, index, at, "formula", message);
    }

    pub(super) fn left_over(&mut self, index: usize, record: &Record, warning: &Warning) {
        let at = self.text(index, record) + warning.span.start;
        self.add(Code::LeftOver, index, at, "formula", warning.to_string());
    }

    pub(super) fn cycle(&mut self, index: usize, record: &Record, chain: &[String]) {
        let message = format!("the formula uses itself: {}", chain.join(" -> "));
        let at = self.text(index, record) - LENGTH;
        self.add(Code::FormulaCycle, index, at, "formula", message);
    }

    /// Reports a formula whose flags differ from those of its worst event, and a group that lacks one of its events.
    pub(super) fn states(
        &mut self,
        index: usize,
        catalog: &Catalog,
        events: &[usize],
        links: &Links<'_>,
    ) {
        let record = &catalog.formulas[index];
        let at = self.offset(index);
        let states = events.iter().fold(0, |states, event| states | catalog.events[*event].flags);
        if states & !record.flags != 0 {
            let message = format!(
                "its events have the state flags {states:#x}, but the formula has {:#x}",
                record.flags
            );
            self.add(Code::States, index, at + 4, "flags", message);
        }
        if record.flags & Record::GROUPED == 0 {
            return;
        }
        let outside = events.iter().find(|event| {
            let group = links.group(catalog.events[**event].domain, record.group);
            let mut slots = group.iter().flat_map(|group| links.slots(&catalog.groups[*group]));
            !slots.any(|slot| slot.event == Some(**event))
        });
        if let Some(event) = outside {
            let name = catalog.events[*event].name().unwrap_or_default();
            let domain = catalog.events[*event].domain;
            let message = match links.group(domain, record.group) {
                Some(_) => format!("`{name}` is not in group {}", record.group),
                None => format!(
                    "`{name}` is of domain {}, which has no group {}",
                    domain.0, record.group
                ),
            };
            self.add(Code::NotInGroup, index, at + 8, "group", message);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let message = format!("{} more findings are not shown", self.more);
            self.list.push(Diagnostic::new(Code::More, Section::Formula, None, 0, "", message));
        }
        self.list
    }

    fn add(
        &mut self,
        code: Code,
        index: usize,
        offset: usize,
        field: &'static str,
        message: String,
    ) {
        if self.list.len() == Self::LIMIT {
            self.more += 1;
        } else {
            self.list.push(Diagnostic::new(code, Section::Formula, index, offset, field, message));
        }
    }

    /// The offset of a record in the file.
    fn offset(&self, index: usize) -> usize {
        self.offsets.get(index).copied().unwrap_or_default()
    }

    /// The offset of the text of a record's formula in the file.
    fn text(&self, index: usize, record: &Record) -> usize {
        let length =
            |text: &Option<Text>| text.as_ref().map_or(0, |text| text.raw().len()) + LENGTH;
        self.offset(index) + 0x10 + length(&record.name) + length(&record.description) + LENGTH
    }
}

/// The size in bytes of the length field before a text.
const LENGTH: usize = 2;

/// The names before the error in reverse Polish text, each with its first position.
pub(super) fn names_before(text: &str, end: usize, syntax: Syntax) -> Vec<(String, Range<usize>)> {
    let mut names: Vec<(String, Range<usize>)> = Vec::new();
    if text.contains(['(', ')']) {
        return names;
    }
    let mut seen = HashSet::new();
    for word in text.split_whitespace() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        // A word that is a valid formula on its own is a name; operators and numbers are excluded.
        let alone = Formula::parse(word, syntax).ok();
        let is_name = alone.is_some_and(|formula| formula.inputs().eq([word]));
        if start + word.len() <= end && is_name && seen.insert(word) {
            names.push((word.to_string(), start..start + word.len()));
        }
    }
    names
}
