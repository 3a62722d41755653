//! Checks definitions of values per second, which divide by cycles.

use super::ast::DerivedType;
use crate::diagnostic::{Code, Diagnostic};
use crate::library::Definition;
use crate::link::Definitions;

/// The preset by which the types that compute values per second divide.
const CYCLES: &str = "PAPI_TOT_CYC";

/// Reports the definitions of values per second whose first term is not the value of `PAPI_TOT_CYC` in the same definitions.
///
/// Nothing is reported if `PAPI_TOT_CYC` is not defined.
///
/// ```
/// use counterpoint_definitions::{Library, link, papi};
///
/// let library = Library::from("CPU,skx\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,CYCLES\nEVENT,X,DERIVED_PS,INSTRUCTIONS,MISSES\n");
/// let findings = papi::check_cycles(&link(&[library], "skx"));
/// assert_eq!(findings[0].message, "DERIVED_PS divides by its first term, which is not PAPI_TOT_CYC");
/// ```
pub fn check_cycles(definitions: &Definitions) -> Vec<Diagnostic> {
    let Some(cycles) = definitions.get(CYCLES) else { return Vec::new() };
    let Ok(value) = definitions.expand(&cycles) else { return Vec::new() };
    let is_cycles = |first: &str| match definitions.get(first) {
        // Only a file that defines PAPI_TOT_CYC itself shows which native events are cycles.
        None if cycles.origin().is_included() => true,
        None => value.terms.first().is_some_and(|term| term.eq_ignore_ascii_case(first)),
        Some(first) => {
            first.name().eq_ignore_ascii_case(CYCLES)
                || definitions.expand(&first).is_ok_and(|first| first.formula == value.formula)
        }
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
