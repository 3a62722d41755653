//! Libraries of definitions: the languages in which they are written, and those that are built in.

#[cfg(feature = "definitions")]
pub(crate) mod languages;
pub mod presets;
