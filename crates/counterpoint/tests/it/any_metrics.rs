//! The properties of the formulas of any catalog; the fuzz target asks the same.

use counterpoint::catalog::{CatalogBuilder, Domain, Event, Formula, Source, WithMetrics};

/// Lines are formulas, `NAME=TEXT`. Nothing panics, each has a value or a reason, and what it needs is asked for.
pub(crate) fn check(text: &str) {
    let mut builder = CatalogBuilder::new(1)
        .event(Event::new("CYCLES", Domain::CHIP))
        .event(Event::new("BYTES", Domain::CHIP));
    for line in text.lines().take(64) {
        let (name, formula) = line.split_once('=').unwrap_or((line, ""));
        builder = builder.formula(Formula::new(name, formula));
    }
    let Ok(catalog) = builder.build() else { return };
    let metrics = catalog.metrics();
    assert!(metrics.diagnostics().iter().all(|finding| !finding.message.is_empty()));
    let mut asked = Vec::new();
    let values = metrics.evaluate(|operand| {
        asked.push(operand.name.clone());
        (!matches!(operand.source, Source::Formula(_))).then_some(3_i64.into())
    });
    assert_eq!(values.len(), catalog.formulas.len());
    for (index, value) in values.iter().enumerate() {
        match value {
            Ok(_) => assert!(metrics.needs(index).iter().all(|need| asked.contains(&need.name))),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("metrics") {
        check(&String::from_utf8_lossy(&seed));
    }
}
