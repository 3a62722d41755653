//! A definition with the definitions of its terms put in.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use counterpoint_formula::{Formula, Limits, Source, Syntax};

use crate::ast::DerivedType;
use crate::definitions::{Definition, Definitions, Expansion, Unavailable};
use crate::parser::{CLOCK_RATE, term_index};

pub(crate) fn expand(all: &Definitions, root: &Definition) -> Result<Expansion, Unavailable> {
    if let Some(reason) = &root.unavailable {
        return Err(reason.clone());
    }
    let mut natives = Unique::default();
    // Definitions after all those they need, and where they stand among these, by index.
    let mut steps: Vec<&Definition> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut path = vec![(root, None, 0)];
    while let Some((definition, index, next)) = path.last_mut() {
        let Some(term) = definition.terms.get(*next) else {
            places.extend(index.map(|index| (index, steps.len())));
            steps.push(definition);
            path.pop();
            continue;
        };
        *next += 1;
        match all.index(term) {
            None => natives.push(term),
            Some(needed) if places.contains_key(&needed) => {}
            Some(needed) => {
                let definition = &all.definitions[needed];
                // This also keeps cycles out.
                if definition.unavailable.is_some() {
                    return Err(Unavailable::Term { term: term.clone() });
                }
                path.push((definition, Some(needed), 0));
            }
        }
    }
    if let ([_], DerivedType::NotDerived | DerivedType::Compound) = (steps.as_slice(), root.kind)
        && let Some(first) = natives.list.first()
    {
        // As most presets are.
        return Ok(Expansion { formula: Formula::input(first), terms: natives.list });
    }
    let formulas: Vec<Cow<'_, Formula>> = steps.iter().map(|step| own_formula(step)).collect();
    let before: Vec<&Formula> = formulas.iter().map(|formula| &**formula).collect();
    let Some((last, before)) = before.split_last() else { return Err(Unavailable::TooLarge) };
    let source = |step: usize, input: &str| match term_index(input)
        .and_then(|index| steps.get(step)?.terms.get(index))
    {
        None => Source::Input(CLOCK_RATE),
        Some(term) => match all.index(term).and_then(|needed| places.get(&needed)) {
            None => Source::Input(term),
            Some(step) => Source::Step(*step),
        },
    };
    let formula =
        last.compose(before, &Limits::default(), source).map_err(|_| Unavailable::TooLarge)?;
    Ok(Expansion { terms: natives.list, formula })
}

/// The formula of a line by itself: its inputs are `N0`, `N1`, … and `#`.
fn own_formula(definition: &Definition) -> Cow<'_, Formula> {
    if let Some(formula) = &definition.formula {
        return Cow::Borrowed(formula);
    }
    let joined = |operator: &str, from: usize| {
        let inputs: Vec<String> =
            (from..definition.terms.len()).map(|index| format!("N{index}")).collect();
        inputs.join(operator)
    };
    let text = match definition.kind {
        DerivedType::Add => joined("+", 0),
        DerivedType::Sub => joined("-", 0),
        DerivedType::PerSecond => "N1*#/N0".to_owned(),
        DerivedType::AddPerSecond => format!("({})*#/N0", joined("+", 1)),
        _ => "N0".to_owned(),
    };
    // The parser has seen to it that there are no more terms than a formula takes.
    Cow::Owned(Formula::parse(&text, Syntax::Infix).unwrap_or_else(|_| Formula::input("N0")))
}

/// A list that takes each string once.
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
