//! Checks definitions of values per second, which divide by cycles.

use counterpoint_formula::Formula;

use super::ast::DerivedType;
use crate::diagnostic::{Code, Diagnostic};
use crate::library::Definition;
use crate::link::Definitions;

/// The preset by which the types that compute values per second divide.
const CYCLES: &str = "PAPI_TOT_CYC";

/// Reports the definitions of values per second whose first term is not the value of `PAPI_TOT_CYC` in the same definitions.
///
/// `is_same` returns whether two native events are one, such as a name and its alias, or `None` if that is not known;
/// then two names that differ are reported only if `PAPI_TOT_CYC` is defined by a file of the user.
/// Nothing is reported if `PAPI_TOT_CYC` is not defined.
///
/// ```
/// use counterpoint_definitions::{Library, link, papi};
///
/// let library = Library::from("CPU,skx\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,CYCLES\nEVENT,X,DERIVED_PS,INSTRUCTIONS,MISSES\n");
/// let findings = papi::check_cycles(&link(&[library], "skx"), |_, _| None);
/// assert_eq!(findings[0].message, "DERIVED_PS divides by its first term, which is not PAPI_TOT_CYC");
/// ```
pub fn check_cycles(
    definitions: &Definitions,
    is_same: impl Fn(&str, &str) -> Option<bool>,
) -> Vec<Diagnostic> {
    let Some(cycles) = definitions.get(CYCLES) else { return Vec::new() };
    let Ok(value) = definitions.expand(&cycles) else { return Vec::new() };
    let is_native = |native: &str| match value.terms.as_slice() {
        [cycles_event] if value.formula == Formula::input(cycles_event) => {
            let is_same = is_same(native, cycles_event);
            native.eq_ignore_ascii_case(cycles_event)
                || is_same.unwrap_or_else(|| cycles.origin().is_included())
        }
        _ => false,
    };
    let is_cycles = |first: &str| match definitions.get(first) {
        None => is_native(first),
        Some(definition) => match definitions.expand(&definition) {
            Ok(first) if first.formula == value.formula => true,
            Ok(first) => {
                let is_cycles =
                    |only: &String| first.formula == Formula::input(only) && is_native(only);
                first.terms.first().is_some_and(is_cycles)
            }
            // A definition without a value is reported elsewhere.
            Err(_) => true,
        },
    };
    let per_second = [DerivedType::PerSecond.name(), DerivedType::AddPerSecond.name()];
    let finding = |(library, definition): (usize, Definition)| {
        let first = definition.term(0)?;
        if !per_second.contains(&definition.notation()) || is_cycles(first.name) {
            return None;
        }
        let message =
            format!("{} divides by its first term, which is not {CYCLES}", definition.notation());
        let diagnostic = Diagnostic::new(Code::NotCycles, first.span, message)
            .help(format!("write {CYCLES} as the first term"));
        Some(Diagnostic { file: library, ..diagnostic })
    };
    definitions.with_libraries().filter_map(finding).collect()
}
