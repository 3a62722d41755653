//! Groups of events, and an event as it was written.

use std::fmt;
use std::ops::Range;

use super::modifiers::Modifiers;

/// Events that are counted together.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// At least one; the first leads.
    pub events: Vec<EventSpec>,
    /// Written in braces, so that its events must be scheduled together.
    pub braces: bool,
}

/// One event as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSpec {
    /// The event's own text, without its group's modifiers.
    pub text: String,
    /// The position of `text` in the list.
    pub span: Range<usize>,
    /// The form of the text.
    pub source: Source,
    /// The modifiers found so far, those of the group included (`D`, `e` and `W` of a group go to its
    /// first event). A [`Source::Name`] may hold more: see [`split_modifiers`](super::split_modifiers).
    pub modifiers: Modifiers,
}

/// The form of an event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// A name, kept whole: the meaning of the part after a `:` depends on the event that has the name.
    /// `component/instance/field/`, such as `net/eth0/rx_bytes/`, is a name too.
    Name(String),
    /// `pmu/term=value,…/`: fields of one PMU, or of several that the name stands for. perf also takes
    /// a kernel event's name here, with `name=`, `period=` or `freq=` between the slashes.
    Pmu {
        /// The PMU's name or pattern, or the kernel event's name.
        pmu: String,
        /// The position of the name in the list.
        pmu_span: Range<usize>,
        /// The terms between the slashes.
        terms: Vec<Term>,
    },
    /// `rHEX`: the raw `config` of a core event.
    Raw(u64),
    /// `mem:ADDRESS[/LENGTH][:access]`: accesses to an address.
    Breakpoint(Breakpoint),
    /// `uprobe:FILE:FUNCTION[+OFFSET][:modifiers]` or `uretprobe:FILE:FUNCTION[:modifiers]`: calls of a function of a program or library, or returns from it.
    #[doc(alias = "uprobe")]
    Probe(Probe),
}

/// One `name`, `name=number` or `name=text` of a PMU event.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The name before `=`.
    pub name: String,
    /// The value after `=`.
    pub value: Value,
    /// The whole term.
    pub span: Range<usize>,
    /// The span of the value; the whole term if there is no `=`.
    pub value_span: Range<usize>,
}

/// The value of a [`Term`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// No `=` was written.
    Flag,
    /// A decimal number, or a hexadecimal one after `0x`.
    Number(u64),
    /// Anything else, without its quotes.
    Text(String),
}

impl Term {
    /// The value as text; `None` if there is no `=`.
    pub fn text(&self) -> Option<String> {
        match &self.value {
            Value::Flag => None,
            Value::Number(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.clone()),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Flag => f.write_str(&self.name),
            Value::Number(number) => write!(f, "{}={number:#x}", self.name),
            Value::Text(text) if text.contains([',', '/']) => write!(f, "{}='{text}'", self.name),
            Value::Text(text) => write!(f, "{}={text}", self.name),
        }
    }
}

/// An address that is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breakpoint {
    /// The address.
    pub address: u64,
    /// The number of bytes from there, 1 to 8; not written: the kernel's default for the access.
    pub length: Option<u64>,
    /// Count reads; reads and writes when no access was written.
    pub read: bool,
    /// Count writes.
    pub write: bool,
    /// Count executions.
    pub execute: bool,
}

/// A place in the code of a program or library; it is shown as it is written in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The path of the file, or the name of a library without its directory.
    pub file: String,
    /// The name of the function, as its symbol or its source has it.
    pub function: String,
    /// The number of bytes from its begin.
    pub offset: u64,
    /// Count returns from the function in place of calls.
    pub at_return: bool,
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Probe { file, function, offset, at_return } = self;
        let word = if *at_return { "uretprobe" } else { "uprobe" };
        let quote = match (file.contains([':', ',', '{', '}', '\'', '"']), file.contains('\'')) {
            (false, _) => "",
            (true, false) => "'",
            (true, true) => "\"",
        };
        write!(f, "{word}:{quote}{file}{quote}:{function}")?;
        if *offset > 0 { write!(f, "+{offset:#x}") } else { Ok(()) }
    }
}
