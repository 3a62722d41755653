//! The paths of files of instances, and the columns of their numbers.

use super::form::Column;
use super::pattern::is_pattern;
use super::table::{Field, File, Form};

/// The path of a file, or of a folder of files, for an instance.
pub(super) fn path_of(file: &File, instance: Option<&str>) -> String {
    match (path_parts(file.path), instance) {
        (Some((before, _, after)), Some(word)) => format!("{before}/{word}{after}"),
        _ => file.path.to_string(),
    }
}

/// The parts of a path before, in and behind the first part with a wildcard.
pub(super) fn path_parts(path: &str) -> Option<(&str, &str, &str)> {
    let pattern = path.split('/').find(|part| is_pattern(part))?;
    let at = path.find(pattern)?;
    Some((path[..at].trim_end_matches('/'), pattern, &path[at + pattern.len()..]))
}

/// The place of the number in its row.
pub(super) fn column(field: &Field, instance: Option<&str>) -> Column {
    let behind = field.place.split_once(':').map_or("", |(_, behind)| behind);
    match field.file.form {
        Form::Pairs => Column::Name(behind.to_string()),
        Form::Matrix => Column::Cpu(instance.and_then(cpu_of).unwrap_or_default()),
        _ => Column::Number(behind.parse().unwrap_or(1)),
    }
}

/// The CPU of an instance, `cpu3`.
pub(super) fn cpu_of(word: &str) -> Option<u32> {
    word.strip_prefix("cpu")?.parse().ok()
}
