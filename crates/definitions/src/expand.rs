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
    let mut natives = Unique::default();
    // Definitions, each after all that it needs, and the position of each in this list, by index.
    let mut steps: Vec<usize> = Vec::new();
    let mut positions: HashMap<usize, usize> = HashMap::new();
    let mut path = vec![(root, 0)];
    while let Some((index, next)) = path.last_mut() {
        let index = *index;
        let (library, entry) = all.entry(index);
        let Some(term) = library.term(entry, *next) else {
            positions.insert(index, steps.len());
            steps.push(index);
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
    let formula = |step: &usize| {
        let (library, entry) = all.entry(*step);
        library.formula(entry)
    };
    if let ([only], Some(first)) = (steps.as_slice(), natives.list.first())
        && formula(only).is_none()
    {
        // Most presets are like this.
        return Ok(Expansion { formula: Formula::input(first), terms: natives.list });
    }
    if let ([only], Some(alone)) = (steps.as_slice(), steps.first().and_then(formula)) {
        let (library, entry) = all.entry(*only);
        let name = |input: &str| {
            let term = term_index(input).and_then(|operand| library.term(entry, operand));
            term.map_or(CLOCK_RATE, |term| term.name).to_owned()
        };
        return Ok(Expansion { formula: alone.rename_inputs(name), terms: natives.list });
    }
    let first_term = |step| match formula(step) {
        Some(formula) => Cow::Borrowed(formula),
        None => Cow::Owned(Formula::input("N0")),
    };
    let formulas: Vec<Cow<'_, Formula>> = steps.iter().map(first_term).collect();
    let before: Vec<&Formula> = formulas.iter().map(|formula| &**formula).collect();
    let Some((last, before)) = before.split_last() else { return Err(Unavailable::TooLarge) };
    let source = |step: usize, input: &str| {
        let Some(operand) = term_index(input) else { return Source::Input(CLOCK_RATE) };
        let (library, entry) = all.entry(steps[step]);
        match needed(all, steps[step], operand).and_then(|needed| positions.get(&needed)) {
            Some(step) => Source::Step(*step),
            None => library
                .term(entry, operand)
                .map_or(Source::Input(CLOCK_RATE), |term| Source::Input(term.name)),
        }
    };
    let formula =
        last.compose(before, &Limits::default(), source).map_err(|_| Unavailable::TooLarge)?;
    Ok(Expansion { terms: natives.list, formula })
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
