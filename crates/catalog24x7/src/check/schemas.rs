//! Checks schemas: the fields of group records.

use super::{Checker, placed};
use crate::diagnostic::Code;
use crate::page0::Section;
use crate::schema::{Field, Schema};

impl Checker<'_> {
    pub(super) fn schemas(&mut self) {
        for (index, at, schema) in placed(self.catalog, Section::Schema, &self.catalog.schemas) {
            if self.findings.is_full() {
                break;
            }
            let place = (Section::Schema, Some(index));
            if schema.reserved != 0 {
                self.reserved(place, at + 2);
            }
            if schema.reserved_end != [0; 6] {
                self.reserved(place, at + 8);
            }
            if schema.field_count == 0 {
                self.add(
                    Code::NoFields,
                    place,
                    at + 14,
                    "field_count",
                    || "the schema has no fields",
                );
            }
            for (number, field) in schema.fields.iter().enumerate() {
                let earlier = schema.fields[..number].iter().position(|f| f.kind == field.kind);
                if let Some(other) = earlier {
                    self.add(Code::RepeatedField, place, at + 16 + 8 * number, "enum", || {
                        format!("field {number} is {}, like field {other}", field.kind.0)
                    });
                }
                let at = at + 16 + 8 * number;
                if !field.kind.is_documented() {
                    self.add(Code::UnknownField, place, at, "enum", || match field.kind.name() {
                        Some(name) => format!("field {number} is {}, {name}", field.kind.0),
                        None => {
                            format!("field {number} is {}, which is not documented", field.kind.0)
                        }
                    });
                }
                if field.length == 0 {
                    self.add(Code::EmptyField, place, at + 4, "field", || {
                        format!("the length of field {number} is 0")
                    });
                }
            }
            for (number, other) in overlaps(schema) {
                let (at, field) = (at + 16 + 8 * number + 2, schema.fields[number]);
                self.add(Code::OverlappingFields, place, at, "field", || {
                    let (start, end) = (field.offset, field.end());
                    format!(
                        "field {number} has the bytes {start}..{end}, which overlap field {other}"
                    )
                });
            }
        }
    }
}

/// Pairs of a field and an earlier field with which it shares bytes.
fn overlaps(schema: &Schema) -> Vec<(usize, usize)> {
    let fields = schema.fields.iter().enumerate();
    let mut sorted: Vec<(usize, &Field)> = fields.filter(|(_, field)| field.length > 0).collect();
    sorted.sort_by_key(|(number, field)| (field.offset, *number));
    let mut overlaps = Vec::new();
    // The earlier field that extends farthest.
    let mut last: Option<(usize, &Field)> = None;
    for (number, field) in sorted {
        match last {
            Some((other, before)) if usize::from(field.offset) < before.end() => {
                overlaps.push((number.max(other), number.min(other)));
                if field.end() > before.end() {
                    last = Some((number, field));
                }
            }
            _ => last = Some((number, field)),
        }
    }
    overlaps.sort_unstable();
    overlaps.dedup_by_key(|(number, _)| *number);
    overlaps
}
