//! The parts of the schema of a machine format: the types that are written.

use schemars::{JsonSchema, Schema, SchemaGenerator};

/// The types of the lines of a format. Nothing is made before `schema` asks for it.
pub type Lines = &'static [fn(&mut SchemaGenerator) -> Schema];

/// The schema of a type.
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}
