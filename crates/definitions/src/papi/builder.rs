//! The part that is read so far: items, diagnostics, and the definition that is being read.

use super::ast::{Field, Item, Text};
use super::formula::Formulas;
use super::lexer::Slice;
use crate::diagnostic::Diagnostic;

/// The number of inputs of a formula, less one for the clock rate.
pub(super) const MOST_TERMS: usize = 65_534;

/// The items and diagnostics so far, and the definition being read.
pub(crate) struct Builder<'s> {
    pub(crate) items: Vec<Item<'s>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(super) source: &'s str,
    pub(super) terms: Vec<Field<'s>>,
    pub(super) texts: Vec<Text<'s>>,
    /// The hash of each name of the current block, and the place of its definition in `items`.
    pub(super) names: Vec<(u64, usize)>,
    /// A bit for each hash of a name of the current block, while they are compared.
    pub(super) seen: Box<[u64; 1024]>,
    /// The formulas so far; most are written more than once.
    pub(super) formulas: Formulas<'s>,
    /// The place where the list of `CPU` lines begins in `items`, if no definition has followed the last one yet.
    pub(super) list: Option<usize>,
    /// True if a `CPU` line has been read, or its absence has been reported.
    pub(super) applies_somewhere: bool,
    /// The place where the last line that could not be read begins, and its number.
    pub(super) unreadable: (usize, u32),
}

/// The fields before the terms of a definition.
pub(crate) struct Head {
    pub(crate) keyword: Slice,
    pub(crate) name: Slice,
    pub(crate) kind: Slice,
    pub(crate) formula: Option<Slice>,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Builder {
            // A line has about sixty bytes.
            items: Vec::with_capacity(source.len() / 64),
            diagnostics: Vec::new(),
            source,
            unreadable: (0, 1),
            terms: Vec::new(),
            texts: Vec::new(),
            names: Vec::new(),
            seen: Box::new([0; 1024]),
            formulas: Formulas::new(),
            list: None,
            applies_somewhere: false,
        }
    }

    /// A field that is known to have no quotes.
    pub(super) fn word(&self, slice: Slice) -> &'s str {
        &self.source[slice.range()]
    }

    pub(super) fn field(&self, slice: Slice) -> Field<'s> {
        slice.field(self.source)
    }

    /// The `CPU` and component lines that no definition has followed yet, with lines between them that could not be read.
    pub(crate) fn list(&self) -> Option<&[Item<'s>]> {
        self.items.get(self.list?..)
    }

    /// Forgets that list.
    pub(crate) fn forget_list(&mut self) {
        if let Some(start) = self.list.take() {
            self.items.truncate(start);
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}
