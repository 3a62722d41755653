//! Expands a definition: the definitions of its terms are substituted, down to native events and one formula.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use counterpoint_formula::{Formula, Limits, Source};

use crate::library::Definition;
use crate::link::Definitions;
use crate::model::{CLOCK_RATE, Expansion, Unavailable, term_index};

impl Definitions {
    /// Expands a definition to the native events to open and the formula to compute: the definitions of its terms are substituted, recursively.
    ///
    /// # Errors
    /// Returns the reason if the definition has no value on any machine.
    pub fn expand(&self, definition: &Definition) -> Result<Expansion, Unavailable> {
        let current = self.get(definition.name()).filter(|current| current.is_same(definition));
        match current.and_then(|current| self.index(current.name())) {
            Some(index) => expand(self, index),
            None => Err(Unavailable::Hidden),
        }
    }
}

fn expand(all: &Definitions, root: usize) -> Result<Expansion, Unavailable> {
    if let Some(reason) = all.unavailable_at(root) {
        return Err(reason.clone());
    }
    let steps = Steps::new(all, root);
    let formula = steps.whole_formula()?;
    Ok(Expansion { formula, terms: steps.natives })
}

/// The definitions of which the value of one is computed.
struct Steps<'d> {
    all: &'d Definitions,
    /// The indexes of the definitions, each after all that it needs; the last is the definition itself.
    indexes: Vec<usize>,
    /// The position in `indexes` of each definition, by its index.
    positions: HashMap<usize, usize>,
    /// The native events of all definitions, each once.
    natives: Vec<String>,
}

impl<'d> Steps<'d> {
    fn new(all: &'d Definitions, root: usize) -> Steps<'d> {
        let mut natives = Unique::default();
        let mut indexes: Vec<usize> = Vec::new();
        let mut positions: HashMap<usize, usize> = HashMap::new();
        let mut path = vec![(root, 0)];
        while let Some((index, next)) = path.last_mut() {
            let index = *index;
            let (library, entry) = all.entry(index);
            let Some(term) = library.term(entry, *next) else {
                positions.insert(index, indexes.len());
                indexes.push(index);
                path.pop();
                continue;
            };
            let operand = *next;
            *next += 1;
            // There is no cycle here, because the root has a value.
            match needed(all, index, operand) {
                None => natives.push(term.name),
                Some(needed) if positions.contains_key(&needed) => {}
                Some(needed) => path.push((needed, 0)),
            }
        }
        Steps { all, indexes, positions, natives: natives.list }
    }

    fn formula(&self, index: usize) -> Option<&'d Formula> {
        let (library, entry) = self.all.entry(index);
        library.formula(entry)
    }

    /// The formula of the definition over native events.
    fn whole_formula(&self) -> Result<Formula, Unavailable> {
        if let [only] = *self.indexes {
            match (self.formula(only), self.natives.first()) {
                (Some(alone), _) => return Ok(self.over_natives(only, alone)),
                // Most presets are like this.
                (None, Some(first)) => return Ok(Formula::input(first)),
                (None, None) => {}
            }
        }
        let first_term = |index: &usize| match self.formula(*index) {
            Some(formula) => Cow::Borrowed(formula),
            None => Cow::Owned(Formula::input("N0")),
        };
        let formulas: Vec<Cow<'_, Formula>> = self.indexes.iter().map(first_term).collect();
        let before: Vec<&Formula> = formulas.iter().map(|formula| &**formula).collect();
        let Some((last, before)) = before.split_last() else { return Err(Unavailable::TooLarge) };
        let source = |step: usize, input: &str| self.source(self.indexes[step], input);
        last.compose(before, &Limits::default(), source).map_err(|_| Unavailable::TooLarge)
    }

    /// The formula of a definition that needs no other.
    fn over_natives(&self, index: usize, formula: &Formula) -> Formula {
        let (library, entry) = self.all.entry(index);
        let name = |input: &str| {
            let term = term_index(input).and_then(|operand| library.term(entry, operand));
            term.map_or(CLOCK_RATE, |term| term.name).to_owned()
        };
        formula.rename_inputs(name)
    }

    /// The source of an input of the formula of a definition: another definition or a native event.
    fn source(&self, index: usize, input: &str) -> Source<'d> {
        let Some(operand) = term_index(input) else { return Source::Input(CLOCK_RATE) };
        let needed = needed(self.all, index, operand);
        if let Some(step) = needed.and_then(|needed| self.positions.get(&needed)) {
            return Source::Step(*step);
        }
        let (library, entry) = self.all.entry(index);
        let term = library.term(entry, operand);
        Source::Input(term.map_or(CLOCK_RATE, |term| term.name))
    }
}

/// The definition that an operand of another definition stands for.
fn needed(all: &Definitions, index: usize, operand: usize) -> Option<usize> {
    let edges = all.graph().needs(index);
    let at = edges.binary_search_by_key(&operand, |edge| edge.operand).ok()?;
    Some(edges[at].needed)
}

/// A list that keeps each string once.
#[derive(Default)]
struct Unique<'t> {
    list: Vec<String>,
    seen: HashSet<&'t str>,
}

impl<'t> Unique<'t> {
    fn push(&mut self, text: &'t str) {
        if self.seen.insert(text) {
            self.list.push(text.to_owned());
        }
    }
}
