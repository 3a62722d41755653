//! Converts trees to libraries.

use std::collections::HashMap;
use std::sync::Arc;

use counterpoint_formula::{Formula, Syntax as FormulaSyntax};

use super::ast::{Cpu, DerivedType, Event, File, Item, Key, Keyword};
use super::parse::{Parse, parse, parse_for};
use crate::library::{Builder, Library};
use crate::model::{Entry, NamedPmu, Origin, PmuName, Role, Term};
use crate::syntax::Syntax;

/// The language of PAPI's event-definition files.
pub const SYNTAX: Syntax = Syntax { name: "PAPI event definitions", accepts: |_, _| true, read };

/// Reads the text of an event-definition file.
///
/// Any text is read to its end: a line that cannot be read is skipped, and a diagnostic of the library reports it.
///
/// ```
/// use counterpoint_definitions::{Origin, papi};
///
/// let library = papi::read("CPU,skx\nEVENT,IPC,DERIVED_INFIX,N0/N1,INSTRUCTIONS,CYCLES\nEVENT,X\n", Origin::Text);
/// assert_eq!(library.len(), 1);
/// assert_eq!(library.diagnostics()[0].message, "the derived type is missing");
/// ```
pub fn read(text: &str, origin: Origin) -> Library {
    library(parse(text), origin)
}

/// Reads the part of an event-definition file that is for one of these PMUs, as [`parse_for`] does.
///
/// ```
/// use counterpoint_definitions::{Origin, papi};
///
/// let text = "CPU,skx\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,CYCLES\nCPU,zen4\nPRESET,PAPI_TOT_INS,NOT_DERIVED,INSTRUCTIONS\n";
/// let library = papi::read_for(text, Origin::Text, &["skx".into()]);
/// assert_eq!(library.len(), 1);
/// assert_eq!(library.definition(0).name(), "PAPI_TOT_CYC");
/// ```
pub fn read_for(text: &str, origin: Origin, pmus: &[PmuName<'_>]) -> Library {
    library(parse_for(text, pmus), origin)
}

impl From<&str> for Library {
    /// Reads text in the language of PAPI's event-definition files.
    fn from(text: &str) -> Library {
        read(text, Origin::Text)
    }
}

impl From<String> for Library {
    /// Reads text in the language of PAPI's event-definition files.
    fn from(text: String) -> Library {
        read(&text, Origin::Text)
    }
}

/// The library of the definitions of a tree.
pub fn library(parse: Parse<'_>, origin: Origin) -> Library {
    let file = &parse.file;
    let mut builder = Library::builder(origin);
    builder.reserve(file.items.len(), file.items.iter().map(|item| item.span().len()).sum());
    let mut reader = Reader { builder, pmus: None, terms: Vec::new(), formulas: HashMap::new() };
    reader.file(file);
    reader.builder.finish(parse.diagnostics)
}

struct Reader<'s> {
    builder: Builder,
    /// The PMUs of the block that begins with the next definition.
    pmus: Option<Vec<NamedPmu>>,
    /// The terms of the definition being read.
    terms: Vec<Term<'s>>,
    /// The formulas of the derived types that have no formula of their own, by type and number of terms.
    formulas: HashMap<(DerivedType, usize), Option<Arc<Formula>>>,
}

impl<'s> Reader<'s> {
    fn file(&mut self, file: &File<'s>) {
        for item in &file.items {
            match item {
                Item::Cpu(cpu) => self.pmus.get_or_insert_default().push(named(cpu)),
                Item::Component(_) => _ = self.pmus.get_or_insert_default(),
                Item::Unreadable(line) if line.keyword.is_some() => {
                    self.begin_block();
                    self.builder.unreadable(line.name, line.line);
                }
                Item::Unreadable(_) => {}
                Item::Event(event) => {
                    self.begin_block();
                    self.event(event);
                }
            }
        }
        self.begin_block();
    }

    /// Begins a block, if `CPU` lines come before this point.
    fn begin_block(&mut self) {
        if let Some(pmus) = self.pmus.take() {
            self.builder.block(pmus);
        }
    }

    fn event(&mut self, event: &Event<'s>) {
        self.terms.clear();
        self.terms
            .extend(event.terms.iter().map(|term| Term { name: term.text, span: term.span() }));
        let text = |key| event.text(key).unwrap_or_default();
        let formula = match &event.formula {
            Some(line) => Some(line.formula.clone()),
            None => self.formula(event.kind, event.terms.len()),
        };
        self.builder.define(&Entry {
            name: event.name.text,
            name_span: event.name.span(),
            formula,
            terms: &self.terms,
            role: match event.keyword {
                Keyword::Preset => Role::Preset,
                Keyword::Event => Role::Event,
            },
            notation: event.kind.name(),
            long_description: text(Key::LongDescription),
            short_description: text(Key::ShortDescription),
            note: text(Key::Note),
            units: text(Key::Units),
            metric: None,
            span: event.span.clone(),
            line: event.line,
        });
    }

    /// The formula of a derived type that has none of its own; `None` if the value is that of the first term.
    fn formula(&mut self, kind: DerivedType, terms: usize) -> Option<Arc<Formula>> {
        if matches!(kind, DerivedType::NotDerived | DerivedType::Compound) {
            return None;
        }
        self.formulas.entry((kind, terms)).or_insert_with(|| compile(kind, terms)).clone()
    }
}

fn named(cpu: &Cpu<'_>) -> NamedPmu {
    let end = cpu.name.span().end;
    NamedPmu {
        name: cpu.name.text.to_owned(),
        number: cpu.pmu_number(),
        span: cpu.name.span(),
        number_span: cpu.number.map_or(end..end, |field| field.span()),
    }
}

fn compile(kind: DerivedType, terms: usize) -> Option<Arc<Formula>> {
    let joined = |operator: &str, from: usize| {
        let inputs: Vec<String> = (from..terms).map(|index| format!("N{index}")).collect();
        inputs.join(operator)
    };
    let text = match kind {
        DerivedType::Add => joined("+", 0),
        DerivedType::Sub => joined("-", 0),
        DerivedType::PerSecond => "N1*#/N0".to_owned(),
        DerivedType::AddPerSecond => format!("({})*#/N0", joined("+", 1)),
        _ => return None,
    };
    // The parser has checked that there are no more terms than a formula can have.
    Formula::parse(&text, FormulaSyntax::Infix).ok().map(Arc::new)
}
