//! Compiles the formula of a line, and checks it against the terms.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use counterpoint_formula::{Formula, Op, Syntax};

use super::ast::{DerivedType, Field, LineFormula};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{CLOCK_RATE, term_index};

/// Formulas by their type and text.
pub(super) type Formulas<'s> = HashMap<(DerivedType, &'s str), Arc<Formula>>;

/// Compiles a formula whose inputs must be `#` or the terms by number; `None` after an error.
pub(super) fn compile<'s>(
    field: Field<'s>,
    kind: DerivedType,
    terms: &[Field<'s>],
    formulas: &mut Formulas<'s>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<LineFormula<'s>> {
    let syntax = if kind == DerivedType::Postfix { Syntax::PapiPostfix } else { Syntax::Infix };
    let compiled = match formulas.get(&(kind, field.text)) {
        Some(known) => Ok(Arc::clone(known)),
        None => Formula::parse(field.text, syntax).map(Arc::new),
    };
    let formula = match compiled {
        Ok(formula) => formula,
        Err(_) if field.quote.is_none() && is_cut(field.text) => {
            diagnostics.push(
                Diagnostic::new(
                    Code::BadFormula,
                    field.span(),
                    "a parenthesis is not closed before the end of the formula",
                )
                .help("quote a formula that contains a comma"),
            );
            return None;
        }
        Err(error) => {
            let start = field.text_start();
            let span = start + error.span.start..start + error.span.end;
            diagnostics.push(Diagnostic::new(Code::BadFormula, span, error.kind.to_string()));
            return None;
        }
    };
    let mut used = vec![false; terms.len()];
    let before = diagnostics.len();
    let inputs: Vec<&str> = formula.inputs().collect();
    for (at, op) in formula.ops().iter().enumerate() {
        let Op::Input(input) = *op else { continue };
        let input = inputs[input as usize];
        match term_index(input).and_then(|index| used.get_mut(index)) {
            Some(used) => *used = true,
            None if input == CLOCK_RATE => {}
            None => {
                let (start, span) = (field.text_start(), formula.span(at));
                let span = start + span.start..start + span.end;
                diagnostics.push(unknown_input(input, span, terms.len()));
            }
        }
    }
    if diagnostics.len() > before {
        return None;
    }
    for (index, term) in terms.iter().enumerate().filter(|&(index, _)| !used[index]) {
        let message = format!("the formula does not use this term (N{index})");
        diagnostics.push(Diagnostic::new(Code::UnusedTerm, term.span(), message));
    }
    formulas.entry((kind, field.text)).or_insert_with(|| Arc::clone(&formula));
    Some(LineFormula { field, formula })
}

/// Returns true if the text ends inside parentheses, as it does if a comma in them ended the field.
fn is_cut(text: &str) -> bool {
    text.matches('(').count() > text.matches(')').count()
}

fn unknown_input(input: &str, span: Range<usize>, terms: usize) -> Diagnostic {
    let (message, help) = match term_index(input) {
        Some(_) if terms == 1 => (format!("{input} is not a term: the only term is N0"), None),
        Some(_) => (format!("{input} is not a term: the terms are N0 to N{}", terms - 1), None),
        None => (
            format!("{input} cannot be used in a formula"),
            Some(
                "write N0, N1, … for the events that follow the formula, and # for the maximum clock rate in Hz",
            ),
        ),
    };
    let diagnostic = Diagnostic::new(Code::UnknownInput, span, message);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
