//! Texts and numbers of a catalog, in words.

use counterpoint::catalog::{Catalog, Domain, Page0, Text};

/// The digits of the date; a text that is not a date is escaped up to its first NUL.
pub fn build_date(page0: &Page0) -> String {
    let end = page0.build_date.iter().position(|byte| *byte == 0);
    page0.build_date[..end.unwrap_or(page0.build_date.len())].escape_ascii().to_string()
}

pub fn name(text: Option<&Text>) -> Option<String> {
    text.map(Text::to_printable)
}

/// `core`, `chip`, `thread`, or the number.
pub fn domain_name(domain: Domain) -> String {
    domain.name().map_or_else(|| format!("domain {}", domain.0), str::to_string)
}

/// The text of a formula.
pub fn formula_text(catalog: &Catalog, index: usize) -> String {
    let text = catalog.formulas.get(index).and_then(|record| record.formula.as_ref());
    text.map(|text| text.to_printable()).unwrap_or_default()
}
