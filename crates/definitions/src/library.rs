//! The definitions of one source, read once and shared.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use counterpoint_formula::Formula;

use crate::diagnostic::Diagnostic;
use crate::model::{Entry, Metric, NamedPmu, Origin, PmuName, PmuNumber, Role, Term};

/// The definitions of one source, such as a file; cheap to clone.
///
/// ```
/// use counterpoint_definitions::{Entry, Library, Origin, Term, link};
///
/// let mut builder = Library::builder(Origin::Text);
/// let terms = [Term { name: "page-faults", span: 0..0 }];
/// builder.define(&Entry { name: "FAULTS", terms: &terms, ..Entry::default() });
/// let definitions = link(&[builder.finish(Vec::new())], "skx");
/// assert_eq!(definitions.get("faults").unwrap().term_names(), ["page-faults"]);
/// ```
#[derive(Clone)]
pub struct Library(Arc<Data>);

/// A definition of a library; cheap to clone.
#[derive(Clone)]
pub struct Definition {
    library: Library,
    index: usize,
}

/// A block of definitions that apply to the same PMUs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// The PMUs; `None` if the definitions apply to every PMU.
    pub pmus: Option<Vec<NamedPmu>>,
    /// The indexes of the definitions in the library.
    pub definitions: Range<usize>,
}

impl Block {
    /// Returns true if the definitions apply to this PMU.
    pub fn is_for(&self, pmu: PmuName<'_>) -> bool {
        self.pmus.as_ref().is_none_or(|pmus| pmus.iter().any(|named| named.matches(pmu)))
    }
}

#[derive(Clone)]
struct Data {
    origin: Origin,
    /// The texts of all definitions, concatenated.
    texts: String,
    terms: Vec<(Text, Range<usize>)>,
    records: Vec<Record>,
    blocks: Vec<Block>,
    /// The blocks that name each PMU, by its name in upper case.
    by_pmu: HashMap<String, Vec<usize>>,
    /// The names of definitions with an error, and their lines.
    unreadable: Vec<(String, u32)>,
    diagnostics: Vec<Diagnostic>,
}

/// A range of the texts.
#[derive(Clone, Copy)]
struct Text {
    start: usize,
    len: usize,
}

#[derive(Clone)]
struct Record {
    name: Text,
    name_span: Range<usize>,
    terms: Range<usize>,
    formula: Option<Arc<Formula>>,
    role: Role,
    notation: &'static str,
    long_description: Text,
    short_description: Text,
    note: Text,
    units: Text,
    metric: Option<Arc<Metric>>,
    span: Range<usize>,
    line: u32,
}

impl Library {
    /// A builder of a library, without definitions yet.
    pub fn builder(origin: Origin) -> Builder {
        Builder {
            data: Data {
                origin,
                texts: String::new(),
                terms: Vec::new(),
                records: Vec::new(),
                blocks: vec![Block { pmus: None, definitions: 0..0 }],
                by_pmu: HashMap::new(),
                unreadable: Vec::new(),
                diagnostics: Vec::new(),
            },
        }
    }

    /// The origin of the definitions.
    pub fn origin(&self) -> &Origin {
        &self.0.origin
    }

    /// The findings about the source.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// The line of the last definition of a name that has an error, so that the library lacks it.
    pub fn unreadable(&self, name: &str) -> Option<u32> {
        let mut all = self.0.unreadable.iter().rev();
        all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, line)| *line)
    }

    /// Returns true if both are the same library, not just libraries with the same content.
    pub fn is_same(&self, other: &Library) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The number of definitions, for all PMUs together.
    pub fn len(&self) -> usize {
        self.0.records.len()
    }

    /// Returns true if there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.0.records.is_empty()
    }

    /// The definition at an index, which must be less than [`Library::len`].
    pub fn definition(&self, index: usize) -> Definition {
        assert!(index < self.len(), "the library has no definition {index}");
        Definition { library: self.clone(), index }
    }

    /// The same definitions for one PMU: those that apply to every PMU apply to this one only.
    ///
    /// This is for files that do not say themselves which kind of core they are about.
    pub fn only_for(&self, pmu: &str) -> Library {
        let named = |block: &Block| match &block.pmus {
            None => vec![NamedPmu {
                name: pmu.to_owned(),
                number: PmuNumber::Any,
                span: 0..0,
                number_span: 0..0,
            }],
            Some(pmus) => pmus.clone(),
        };
        let mut data = (*self.0).clone();
        let blocks: Vec<Block> = data
            .blocks
            .iter()
            .map(|block| Block { pmus: Some(named(block)), ..block.clone() })
            .collect();
        data.by_pmu.clear();
        data.blocks.truncate(1);
        data.blocks[0].definitions = 0..0;
        for block in blocks {
            for named in block.pmus.iter().flatten() {
                let of_pmu = data.by_pmu.entry(named.name.to_ascii_uppercase()).or_default();
                of_pmu.push(data.blocks.len());
            }
            data.blocks.push(block);
        }
        Library(Arc::new(data))
    }

    /// The blocks, in the order of the source; the first one applies to every PMU.
    pub fn blocks(&self) -> &[Block] {
        &self.0.blocks
    }

    /// The indexes of the blocks that apply to at least one of the given PMUs, in the order of the source.
    pub(crate) fn blocks_for(&self, pmus: &[PmuName<'_>]) -> Vec<usize> {
        let mut found = vec![0];
        for pmu in pmus {
            let named = self.0.by_pmu.get(&pmu.name.to_ascii_uppercase());
            let named = named.into_iter().flatten().copied();
            found.extend(named.filter(|block| self.0.blocks[*block].is_for(*pmu)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn text(&self, text: Text) -> &str {
        &self.0.texts[text.start..text.start + text.len]
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        self.text(self.0.records[index].name)
    }

    /// Returns true if the definition is a metric, in which its own name is that of an event.
    pub(crate) fn is_metric(&self, index: usize) -> bool {
        self.0.records[index].metric.is_some()
    }

    pub(crate) fn formula(&self, index: usize) -> Option<&Formula> {
        self.0.records[index].formula.as_deref()
    }

    pub(crate) fn term(&self, index: usize, nth: usize) -> Option<Term<'_>> {
        let (name, span) = self.0.terms[self.0.records[index].terms.clone()].get(nth)?;
        Some(Term { name: self.text(*name), span: span.clone() })
    }

    pub(crate) fn terms(&self, index: usize) -> impl ExactSizeIterator<Item = Term<'_>> {
        let terms = &self.0.terms[self.0.records[index].terms.clone()];
        terms.iter().map(|(name, span)| Term { name: self.text(*name), span: span.clone() })
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("origin", self.origin()).field("len", &self.len()).finish()
    }
}

/// Builds a [`Library`].
pub struct Builder {
    data: Data,
}

impl Builder {
    /// Makes room for a number of definitions, whose texts have so many bytes together.
    pub(crate) fn reserve(&mut self, definitions: usize, bytes: usize) {
        self.data.records.reserve(definitions);
        self.data.terms.reserve(definitions);
        self.data.texts.reserve(bytes);
    }

    /// Begins a block: the definitions that follow apply to these PMUs; if none are given, they apply to no PMU.
    pub fn block(&mut self, pmus: Vec<NamedPmu>) {
        let (block, start) = (self.data.blocks.len(), self.data.records.len());
        for named in &pmus {
            let blocks = self.data.by_pmu.entry(named.name.to_ascii_uppercase()).or_default();
            if blocks.last() != Some(&block) {
                blocks.push(block);
            }
        }
        self.data.blocks.push(Block { pmus: Some(pmus), definitions: start..start });
    }

    /// Adds a definition to the current block; before the first block, it applies to every PMU.
    pub fn define(&mut self, entry: &Entry<'_>) {
        let data = &mut self.data;
        let texts = &mut data.texts;
        let mut keep = |text: &str| {
            let start = texts.len();
            texts.push_str(text);
            Text { start, len: text.len() }
        };
        let first = data.terms.len();
        data.terms.extend(entry.terms.iter().map(|term| (keep(term.name), term.span.clone())));
        data.records.push(Record {
            name: keep(entry.name),
            name_span: entry.name_span.clone(),
            terms: first..data.terms.len(),
            formula: entry.formula.clone(),
            role: entry.role,
            notation: entry.notation,
            long_description: keep(entry.long_description),
            short_description: keep(entry.short_description),
            note: keep(entry.note),
            units: keep(entry.units),
            metric: entry.metric.clone(),
            span: entry.span.clone(),
            line: entry.line,
        });
        if let Some(block) = data.blocks.last_mut() {
            block.definitions.end = data.records.len();
        }
    }

    /// Notes a definition that has an error: its name, and its line.
    pub(crate) fn unreadable(&mut self, name: &str, line: u32) {
        self.data.unreadable.push((name.to_owned(), line));
    }

    /// Finishes the library, with the findings about its source.
    pub fn finish(mut self, diagnostics: Vec<Diagnostic>) -> Library {
        self.data.diagnostics = diagnostics;
        Library(Arc::new(self.data))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("len", &self.data.records.len()).finish_non_exhaustive()
    }
}

impl Definition {
    fn record(&self) -> &Record {
        &self.library.0.records[self.index]
    }

    /// The name, as written.
    pub fn name(&self) -> &str {
        self.library.name(self.index)
    }

    /// The span of the name in the source.
    pub fn name_span(&self) -> Range<usize> {
        self.record().name_span.clone()
    }

    /// The terms that the value is computed from, in the order of the source: names of definitions, or native events.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = Term<'_>> {
        self.library.terms(self.index)
    }

    /// The term at an index, counted from 0.
    pub fn term(&self, nth: usize) -> Option<Term<'_>> {
        self.library.term(self.index, nth)
    }

    /// The names of the terms.
    pub fn term_names(&self) -> Vec<&str> {
        self.terms().map(|term| term.name).collect()
    }

    /// The formula of the value, in which `N0`, `N1`, … stand for the terms; `None` if the value is that of the first term.
    pub fn formula(&self) -> Option<&Formula> {
        self.library.formula(self.index)
    }

    /// The role: a preset or a user-defined event.
    pub fn role(&self) -> Role {
        self.record().role
    }

    /// The name of the kind of the definition in its language, such as `DERIVED_ADD`.
    pub fn notation(&self) -> &'static str {
        self.record().notation
    }

    /// The long description.
    pub fn long_description(&self) -> Option<&str> {
        self.optional(self.record().long_description)
    }

    /// The short description.
    pub fn short_description(&self) -> Option<&str> {
        self.optional(self.record().short_description)
    }

    /// The note.
    pub fn note(&self) -> Option<&str> {
        self.optional(self.record().note)
    }

    /// The unit of the value, such as `ns`; `None` for plain counts.
    pub fn units(&self) -> Option<&str> {
        self.optional(self.record().units)
    }

    /// The properties besides its value if it is a metric; `None` if it is an event.
    pub fn metric(&self) -> Option<&Metric> {
        self.record().metric.as_deref()
    }

    /// The origin of the definition.
    pub fn origin(&self) -> &Origin {
        self.library.origin()
    }

    /// Its line number in the source, counted from 1.
    pub fn line(&self) -> u32 {
        self.record().line
    }

    /// The names of the PMUs to which it applies; `None` if it applies to every PMU.
    pub fn pmus(&self) -> Option<impl Iterator<Item = &str>> {
        let has = |block: &&Block| block.definitions.contains(&self.index);
        let pmus = self.library.blocks().iter().find(has)?.pmus.as_ref()?;
        Some(pmus.iter().map(|named| named.name.as_str()))
    }

    /// Returns true if both are the same definition, not just definitions with the same name.
    pub fn is_same(&self, other: &Definition) -> bool {
        self.index == other.index && self.library.is_same(&other.library)
    }

    /// The span of the definition in the source.
    pub fn span(&self) -> Range<usize> {
        self.record().span.clone()
    }

    fn optional(&self, text: Text) -> Option<&str> {
        Some(self.library.text(text)).filter(|text| !text.is_empty())
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Definition");
        fields.field("name", &self.name()).field("terms", &self.term_names());
        fields.field("origin", self.origin()).field("line", &self.line()).finish_non_exhaustive()
    }
}
