//! Counts as fields of a span, for other layers.

use counterpoint::formula::Number;
use counterpoint::{Report, Value};
use tracing_core::field::{Field, Value as FieldValue};
use tracing_core::span::{Id, Record};
use tracing_core::{Dispatch, Metadata};

/// The sums of a span over all its visits, for the fields that are named after events.
#[derive(Debug)]
pub(crate) struct Fields {
    sums: Vec<Sum>,
}

/// A sum: whole as long as all its parts are.
#[derive(Debug)]
struct Sum {
    field: Field,
    number: f64,
    is_whole: bool,
}

impl Fields {
    /// The fields of a span with these names: `None` if it has none.
    pub(crate) fn declared(
        metadata: &'static Metadata<'static>,
        names: &[String],
    ) -> Option<Fields> {
        let is_asked = |field: &Field| names.iter().any(|name| name == field.name());
        let fields = metadata.fields().iter().filter(is_asked);
        let sums: Vec<Sum> =
            fields.map(|field| Sum { field, number: 0.0, is_whole: true }).collect();
        (!sums.is_empty()).then_some(Fields { sums })
    }

    /// Adds what a visit counted.
    pub(crate) fn add(&mut self, report: &Report) {
        for row in &report.rows {
            let name = name(&row.event);
            let Some(number) = row.value.as_f64() else { continue };
            if let Some(sum) = self.sums.iter_mut().find(|sum| sum.field.name() == name) {
                // A ratio is that of the last visit.
                sum.number = if row.adds_up() { sum.number + number } else { number };
                sum.is_whole &= matches!(row.value, Value::Counted(Number::Int(_)));
            }
        }
    }

    /// Gives the sums to all layers.
    pub(crate) fn record(
        &self,
        metadata: &'static Metadata<'static>,
        id: &Id,
        dispatch: &Dispatch,
    ) {
        for Sum { field, number, is_whole } in &self.sums {
            let whole = *number as u64;
            let value: &dyn FieldValue = if *is_whole { &whole } else { number };
            dispatch
                .record(id, &Record::new(&metadata.fields().value_set(&[(field, Some(value))])));
        }
    }
}

/// The field of an event: signs are `_`.
pub(crate) fn name(event: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    event.chars().map(sign).collect()
}
