//! Descriptions in words, put together from the names of events and unit masks.

/// What a name says, in words.
pub(crate) fn describe(name: &str) -> String {
    name.to_owned()
}
