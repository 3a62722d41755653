//! The tree of one file: what each line says, borrowed from the text and with its place.

use std::ops::{Deref, Range};
use std::sync::Arc;

use counterpoint_formula::Formula;

/// One event-definition file, line by line.
///
/// What lies between two items are comments, blank lines and nothing else.
#[derive(Clone, Debug)]
pub struct File<'s> {
    /// The text the tree was read from.
    pub source: &'s str,
    /// The lines that are neither blank nor comment, in order.
    pub items: Vec<Item<'s>>,
}

impl<'s> File<'s> {
    /// The definitions of the file, in order, whatever processor they are for.
    pub fn events(&self) -> impl Iterator<Item = &Event<'s>> {
        self.items.iter().filter_map(|item| match item {
            Item::Event(event) => Some(event),
            _ => None,
        })
    }

    /// The names that stand in `CPU` lines, in order, repetitions included.
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
    /// `cuda,arch`: what follows is for a component of that name, not for a CPU.
    Component(Component<'s>),
    /// `PRESET,…` or `EVENT,…`
    Event(Event<'s>),
    /// A line that could not be read; a diagnostic says why.
    Unreadable(Unreadable),
}

impl Item<'_> {
    /// Where the line stands, without the blanks around it.
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
    /// The name of a PMU; empty when the line has none, and then it matches nothing.
    pub name: Field<'s>,
    /// libpfm4's number of that PMU, as written.
    pub number: Option<Field<'s>>,
}

/// A line that opens a block for a component, such as `cuda,GH100`.
#[derive(Clone, Debug)]
pub struct Component<'s> {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The component.
    pub name: Field<'s>,
    /// What it is for; empty when the line does not say.
    pub arch: Field<'s>,
}

/// A line that could not be read.
#[derive(Clone, Debug)]
pub struct Unreadable {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The word it begins with, if that is one of a definition.
    pub keyword: Option<Keyword>,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Event<'s> {
    /// The line, without the blanks around it.
    pub span: Range<usize>,
    /// The number of the line, from 1.
    pub line: u32,
    /// The word the line begins with; both mean the same.
    pub keyword: Keyword,
    /// How the value comes from the terms.
    pub kind: DerivedType,
    /// Where the derived type stands.
    pub kind_start: usize,
    /// The name, as written.
    pub name: Field<'s>,
    /// The formula of the two formula types.
    pub formula: Option<Box<LineFormula<'s>>>,
    /// The events it is computed from: presets, user events or native event strings.
    pub terms: Terms<'s>,
    /// The texts, in order, repetitions and unknown keys included.
    pub texts: Vec<Text<'s>>,
}

impl<'s> Event<'s> {
    /// The text under a key that counts: the last one that is not empty.
    pub fn text(&self, key: Key) -> Option<&'s str> {
        let mut found =
            self.texts.iter().rev().filter(|text| text.key == key).filter_map(|text| text.value);
        found.find(|value| !value.text.is_empty()).map(|value| value.text)
    }

    /// Where the derived type stands.
    pub fn kind_span(&self) -> Range<usize> {
        self.kind_start..self.kind_start + self.kind.name().len()
    }
}

/// The terms of a definition: a slice of fields, of which most definitions have one.
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
    /// What it computes.
    pub formula: Arc<Formula>,
}

/// A text of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Text<'s> {
    /// Which text it is.
    pub key: Key,
    /// The key, as written.
    pub name: Field<'s>,
    /// The text; `None` when the line ends or another key follows.
    pub value: Option<Field<'s>>,
}

/// What stands between two commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'s> {
    /// The text, without blanks and quotes around it.
    pub text: &'s str,
    /// Where the field begins, its quote included.
    pub start: usize,
    /// The quote around it.
    pub quote: Option<Quote>,
}

impl Field<'_> {
    /// Where the field stands, its quotes included.
    pub fn span(&self) -> Range<usize> {
        let quotes = match self.quote {
            None => 0,
            Some(Quote { closed: false, .. }) => 1,
            Some(Quote { closed: true, .. }) => 2,
        };
        self.start..self.start + self.text.len() + quotes
    }

    /// Where the text begins, after the quote.
    pub fn text_start(&self) -> usize {
        self.start + usize::from(self.quote.is_some())
    }
}

/// How a field is quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// `'` or `"`
    pub mark: char,
    /// Whether there is a second one.
    pub closed: bool,
}

/// The word that begins a definition; which one it is makes no difference to its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `PRESET`
    Preset,
    /// `EVENT`
    Event,
}

impl Keyword {
    /// The keyword of a name, compared without case.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Keyword::Preset, Keyword::Event].into_iter();
        // Mostly they are in upper case.
        all.clone()
            .find(|keyword| keyword.name() == name)
            .or_else(|| all.clone().find(|keyword| keyword.name().eq_ignore_ascii_case(name)))
    }

    /// As the files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Keyword::Preset => "PRESET",
            Keyword::Event => "EVENT",
        }
    }
}

/// What a text says.
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
    /// A key nobody knows.
    Unknown,
}

impl Key {
    /// The key of a name, compared without case.
    pub fn named(name: &str) -> Self {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        match () {
            () if is("LDESC") => Key::LongDescription,
            () if is("SDESC") => Key::ShortDescription,
            () if is("NOTE") => Key::Note,
            () if is("UNITS") => Key::Units,
            () => Key::Unknown,
        }
    }
}

/// How the value of a definition comes from its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DerivedType {
    /// The first term itself.
    #[doc(alias = "NOT_DERIVED")]
    NotDerived,
    /// The sum of all terms.
    #[doc(alias = "DERIVED_ADD")]
    Add,
    /// The second term per second, the first being cycles.
    #[doc(alias = "DERIVED_PS")]
    PerSecond,
    /// The sum of all terms but the first per second, the first being cycles.
    #[doc(alias = "DERIVED_ADD_PS")]
    AddPerSecond,
    /// The first term; the others are opened with it.
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
    /// All eight.
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

    /// The type of a name, compared without case.
    pub fn named(name: &str) -> Option<Self> {
        let find =
            |is: fn(&str, &str) -> bool| Self::ALL.into_iter().find(|kind| is(kind.name(), name));
        // Most words that are asked about begin otherwise, and most types are in upper case.
        matches!(name.as_bytes().first(), Some(b'N' | b'n' | b'D' | b'd'))
            .then(|| find(str::eq).or_else(|| find(str::eq_ignore_ascii_case)))
            .flatten()
    }

    /// As the files spell it.
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

    /// How many terms it needs at least.
    pub fn least_terms(self) -> usize {
        match self {
            DerivedType::PerSecond => 2,
            DerivedType::AddPerSecond => 3,
            _ => 1,
        }
    }
}
