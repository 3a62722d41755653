//! The syntax tree of one file: the parts of each line with their spans, borrowed from the text.

use std::ops::{Deref, Range};
use std::sync::Arc;

use counterpoint_formula::Formula;

use crate::model::{PmuName, PmuNumber};

/// One event-definition file, line by line.
///
/// Only comments and blank lines lie between two items, and blocks that [`parse_for`](super::parse_for) passes over.
#[derive(Clone, Debug)]
pub struct File<'s> {
    /// The text the tree was read from.
    pub source: &'s str,
    /// The lines that are neither blank nor comments, in order.
    pub items: Vec<Item<'s>>,
}

impl<'s> File<'s> {
    /// The definitions of the file for all PMUs, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event<'s>> {
        self.items.iter().filter_map(|item| match item {
            Item::Event(event) => Some(event),
            _ => None,
        })
    }

    /// The names in `CPU` lines, in order, including repetitions.
    pub fn cpus(&self) -> impl Iterator<Item = &Cpu<'s>> {
        self.items.iter().filter_map(|item| match item {
            Item::Cpu(cpu) => Some(cpu),
            _ => None,
        })
    }
}

/// One line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Item<'s> {
    /// `CPU,name[,number]`
    Cpu(Cpu<'s>),
    /// `cuda,arch`: the lines that follow apply to a component of that name, not to a CPU.
    Component(Component<'s>),
    /// `PRESET,…` or `EVENT,…`
    Event(Event<'s>),
    /// A line that could not be read; a diagnostic has the reason.
    Unreadable(Unreadable<'s>),
}

impl Item<'_> {
    /// The span of the line, without the blanks around it.
    pub fn span(&self) -> Range<usize> {
        match self {
            Item::Cpu(cpu) => cpu.span.clone(),
            Item::Component(component) => component.span.clone(),
            Item::Event(event) => event.span.clone(),
            Item::Unreadable(line) => line.span.clone(),
        }
    }
}

/// A `CPU` line.
#[derive(Clone, Debug)]
pub struct Cpu<'s> {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The name of a PMU; empty if the line has none, and then it matches nothing.
    pub name: Field<'s>,
    /// libpfm4's number of that PMU, as written.
    pub number: Option<Field<'s>>,
}

impl Cpu<'_> {
    /// Returns true if the block applies to this PMU.
    pub(crate) fn matches(&self, pmu: PmuName<'_>) -> bool {
        pmu.matches(self.name.text, self.pmu_number())
    }

    /// The number, if it can be read.
    pub(crate) fn pmu_number(&self) -> PmuNumber {
        self.number.map_or(PmuNumber::Any, |field| {
            field.text.parse().map_or(PmuNumber::Unreadable, PmuNumber::Is)
        })
    }
}

/// A line that opens a block for a component, such as `cuda,GH100`.
#[derive(Clone, Debug)]
pub struct Component<'s> {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The component.
    pub name: Field<'s>,
    /// The architecture; empty if the line does not name one.
    pub arch: Field<'s>,
}

/// A line that could not be read.
#[derive(Clone, Debug)]
pub struct Unreadable<'s> {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The line number, counted from 1.
    pub line: u32,
    /// The second field, where a definition has its name; empty if there is none.
    pub name: &'s str,
    /// The keyword that the line begins with, if it is that of a definition.
    pub keyword: Option<Keyword>,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Event<'s> {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The line number, counted from 1.
    pub line: u32,
    /// The keyword at the start of the line; both have the same meaning.
    pub keyword: Keyword,
    /// The computation of the value from the terms.
    pub kind: DerivedType,
    /// The span of the derived type.
    pub kind_start: usize,
    /// The name, as written.
    pub name: Field<'s>,
    /// The formula, if the type is one of the two formula types.
    pub formula: Option<Box<LineFormula<'s>>>,
    /// The events that it is computed from: presets, user events or strings of native events.
    pub terms: Terms<'s>,
    /// The texts, in order, including repetitions and unknown keys.
    pub texts: Vec<Text<'s>>,
}

impl<'s> Event<'s> {
    /// The effective text of a key: the last one that is not empty.
    pub fn text(&self, key: Key) -> Option<&'s str> {
        let mut found =
            self.texts.iter().rev().filter(|text| text.key == key).filter_map(|text| text.value);
        found.find(|value| !value.text.is_empty()).map(|value| value.text)
    }

    /// The span of the derived type.
    pub fn kind_span(&self) -> Range<usize> {
        self.kind_start..self.kind_start + self.kind.name().len()
    }
}

/// The terms of a definition: a slice of fields; most definitions have one.
#[derive(Clone, Debug)]
pub struct Terms<'s>(Few<'s>);

#[derive(Clone, Debug)]
enum Few<'s> {
    One([Field<'s>; 1]),
    Many(Vec<Field<'s>>),
}

impl<'s> Terms<'s> {
    pub(crate) fn new(terms: &[Field<'s>]) -> Self {
        Terms(match terms {
            [term] => Few::One([*term]),
            _ => Few::Many(terms.to_vec()),
        })
    }
}

impl<'s> Deref for Terms<'s> {
    type Target = [Field<'s>];

    fn deref(&self) -> &[Field<'s>] {
        match &self.0 {
            Few::One(term) => term,
            Few::Many(terms) => terms,
        }
    }
}

/// The formula of a line, as written and compiled; its inputs are `N0`, `N1`, … for the terms, and `#`.
#[derive(Clone, Debug)]
pub struct LineFormula<'s> {
    /// The field.
    pub field: Field<'s>,
    /// The compiled formula.
    pub formula: Arc<Formula>,
}

/// A text of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Text<'s> {
    /// The meaning of the key.
    pub key: Key,
    /// The key, as written.
    pub name: Field<'s>,
    /// The text; `None` if the line ends or another key follows.
    pub value: Option<Field<'s>>,
}

/// A field: the text between two commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'s> {
    /// The text, without surrounding blanks and quotes.
    pub text: &'s str,
    /// The place where the field begins, including its quote.
    pub start: usize,
    /// The quote around it.
    pub quote: Option<Quote>,
}

impl Field<'_> {
    /// The span of the field, including its quotes.
    pub fn span(&self) -> Range<usize> {
        let quotes = match self.quote {
            None => 0,
            Some(Quote { closed: false, .. }) => 1,
            Some(Quote { closed: true, .. }) => 2,
        };
        self.start..self.start + self.text.len() + quotes
    }

    /// The place where the text begins, after the quote.
    pub fn text_start(&self) -> usize {
        self.start + usize::from(self.quote.is_some())
    }
}

/// The quotes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// `'` or `"`
    pub mark: char,
    /// True if the quote is closed.
    pub closed: bool,
}

/// The keyword that begins a definition; both have the same meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `PRESET`
    Preset,
    /// `EVENT`
    Event,
}

impl Keyword {
    /// The keyword with a name, ignoring case.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Keyword::Preset, Keyword::Event].into_iter();
        // Most keywords are in upper case.
        all.clone()
            .find(|keyword| keyword.name() == name)
            .or_else(|| all.clone().find(|keyword| keyword.name().eq_ignore_ascii_case(name)))
    }

    /// The name, as it is written in files.
    pub fn name(self) -> &'static str {
        match self {
            Keyword::Preset => "PRESET",
            Keyword::Event => "EVENT",
        }
    }
}

/// The key of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// `LDESC`: the long description.
    LongDescription,
    /// `SDESC`: the short description.
    ShortDescription,
    /// `NOTE`
    Note,
    /// `UNITS`: the unit of the value, such as `ns`.
    Units,
    /// An unknown key.
    Unknown,
}

impl Key {
    /// The key with a name, ignoring case.
    pub fn named(name: &str) -> Self {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        if is("LDESC") {
            Key::LongDescription
        } else if is("SDESC") {
            Key::ShortDescription
        } else if is("NOTE") {
            Key::Note
        } else if is("UNITS") {
            Key::Units
        } else {
            Key::Unknown
        }
    }
}

/// The computation of the value of a definition from its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DerivedType {
    /// The first term.
    #[doc(alias = "NOT_DERIVED")]
    NotDerived,
    /// The sum of all terms.
    #[doc(alias = "DERIVED_ADD")]
    Add,
    /// The second term per second; the first term is the cycles.
    #[doc(alias = "DERIVED_PS")]
    PerSecond,
    /// The sum of all terms but the first, per second; the first term is the cycles.
    #[doc(alias = "DERIVED_ADD_PS")]
    AddPerSecond,
    /// The first term; the others are counted but not used.
    #[doc(alias = "DERIVED_CMPD")]
    Compound,
    /// The first term minus all the others.
    #[doc(alias = "DERIVED_SUB")]
    Sub,
    /// A formula in reverse Polish notation.
    #[doc(alias = "DERIVED_POSTFIX")]
    Postfix,
    /// A formula in algebraic notation.
    #[doc(alias = "DERIVED_INFIX")]
    Infix,
}

impl DerivedType {
    /// Every derived type.
    pub const ALL: [DerivedType; 8] = [
        DerivedType::NotDerived,
        DerivedType::Add,
        DerivedType::PerSecond,
        DerivedType::AddPerSecond,
        DerivedType::Compound,
        DerivedType::Sub,
        DerivedType::Postfix,
        DerivedType::Infix,
    ];

    /// The type with a name, ignoring case.
    pub fn named(name: &str) -> Option<Self> {
        let find =
            |is: fn(&str, &str) -> bool| Self::ALL.into_iter().find(|kind| is(kind.name(), name));
        // Most words that are looked up begin with something else, and most types are in upper case.
        matches!(name.as_bytes().first(), Some(b'N' | b'n' | b'D' | b'd'))
            .then(|| find(str::eq).or_else(|| find(str::eq_ignore_ascii_case)))
            .flatten()
    }

    /// The name, as it is written in files.
    pub fn name(self) -> &'static str {
        match self {
            DerivedType::NotDerived => "NOT_DERIVED",
            DerivedType::Add => "DERIVED_ADD",
            DerivedType::PerSecond => "DERIVED_PS",
            DerivedType::AddPerSecond => "DERIVED_ADD_PS",
            DerivedType::Compound => "DERIVED_CMPD",
            DerivedType::Sub => "DERIVED_SUB",
            DerivedType::Postfix => "DERIVED_POSTFIX",
            DerivedType::Infix => "DERIVED_INFIX",
        }
    }

    /// The smallest number of terms that the type allows.
    pub fn least_terms(self) -> usize {
        match self {
            DerivedType::PerSecond => 2,
            DerivedType::AddPerSecond => 3,
            _ => 1,
        }
    }
}
