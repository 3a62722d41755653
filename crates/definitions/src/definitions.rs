//! What names mean on one PMU.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use counterpoint_formula::Formula;

use crate::ast::{DerivedType, Keyword};
use crate::diagnostic::Diagnostic;
use crate::expand;

/// The definitions that hold for one PMU.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    pub(crate) definitions: Vec<Definition>,
    by_name: HashMap<String, usize>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Definitions {
    /// `definitions` have different names, also without case.
    pub(crate) fn new(definitions: Vec<Definition>, diagnostics: Vec<Diagnostic>) -> Self {
        let names = definitions.iter().map(|definition| definition.name.to_ascii_uppercase());
        let by_name = names.zip(0..).collect();
        Definitions { definitions, by_name, diagnostics }
    }

    /// The definition of a name, compared without case.
    pub fn get(&self, name: &str) -> Option<&Definition> {
        self.definitions.get(self.index(name)?)
    }

    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).or_else(|| self.by_name.get(&name.to_ascii_uppercase())).copied()
    }

    /// What to open and what to compute for a definition: those of its terms put in, and theirs.
    ///
    /// # Errors
    /// The definition has no value on any machine.
    pub fn expand(&self, definition: &Definition) -> Result<Expansion, Unavailable> {
        expand::expand(self, definition)
    }

    /// All of them, in the order in which their names first stand in the files.
    pub fn iter(&self) -> std::slice::Iter<'_, Definition> {
        self.definitions.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// What linking found: names defined again, definitions made of themselves.
    ///
    /// What is wrong in single lines is in the [`Parse`](crate::Parse) of their file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl<'d> IntoIterator for &'d Definitions {
    type Item = &'d Definition;
    type IntoIter = std::slice::Iter<'d, Definition>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// What a name means.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name, as written.
    pub name: String,
    /// How its value comes from the terms.
    pub kind: DerivedType,
    /// The word its line begins with.
    pub keyword: Keyword,
    /// What it is computed from, in the order of the line: names of definitions, or native events.
    pub terms: Vec<String>,
    /// The formula of its line, if that has one.
    pub(crate) formula: Option<Formula>,
    /// The long description.
    pub ldesc: Option<String>,
    /// The short description.
    pub sdesc: Option<String>,
    /// The note.
    pub note: Option<String>,
    /// The unit of the value, such as `ns`.
    pub units: Option<String>,
    /// The index of its file among those that were linked.
    pub file: usize,
    /// Its line in that file, without the blanks around it.
    pub span: Range<usize>,
    /// The number of that line, from 1.
    pub line: u32,
    /// Why it has no value.
    pub unavailable: Option<Unavailable>,
}

/// A definition with the definitions of its terms put in, down to native events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The native events to open, in the order of the lines, each once: `EVENT:UMASK:mod=1`, `pmu::EVENT`.
    ///
    /// Whether an event of that name exists is for the caller to find out.
    pub terms: Vec<String>,
    /// The value, from the counts of native events; its inputs are strings of `terms`, and `#` for the maximum clock
    /// rate in Hz.
    pub formula: Formula,
}

/// Why a definition has no value on any machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// It is made of itself.
    #[error("it is made of itself: {}", chain.join(", which needs "))]
    Cycle {
        /// The names on the way from one of them back to it; the middle of a long way is left out.
        chain: Arc<[String]>,
    },
    /// A term has no value.
    #[error("it needs {term}, which has no value")]
    Term {
        /// The term; [`Definitions::get`] has the reason.
        term: String,
    },
    /// With its terms put in it is larger than a formula may be.
    #[error("it grows larger than a formula may be when the definitions of its terms are put in")]
    TooLarge,
}
