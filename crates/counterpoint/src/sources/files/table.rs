//! The table of the numbers that the kernel shows in files.

use crate::sources::source::Factor;
use std::sync::LazyLock;

/// A file of the table, or a folder of files.
#[derive(Debug)]
pub(super) struct File {
    pub component: &'static str,
    pub scope: Scope,
    pub form: Form,
    pub needs_root: bool,
    pub path: &'static str,
    /// The file that names an instance.
    pub name: Option<&'static str>,
}

/// A field of a file.
#[derive(Debug)]
pub(super) struct Field {
    pub file: &'static File,
    pub name: &'static str,
    pub kind: FieldKind,
    pub unit: Option<&'static str>,
    pub factor: Factor,
    pub place: &'static str,
    /// The file with a name of the field.
    pub label: Option<&'static str>,
    pub others: Vec<&'static str>,
    pub description: &'static str,
}

/// Whose numbers a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Machine,
    Cpu,
    Process,
    Cgroup,
}

/// The form of the text of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Number,
    Keys,
    /// Rows of columns with the number of the column that is the key; 0 if there is none.
    Rows(usize),
    Pairs,
    Matrix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A counter; if it wraps, with the file that has its greatest value, and the most that it can grow in a second.
    Counter(Option<(&'static str, u32)>),
    Level,
    /// The greatest number so far; true if that of a command is `max_rss` of its usage when the command has ended.
    Peak(bool),
}

/// The fields, in the order of the table.
pub(super) static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| fields().collect());

const TEXT: &str = include_str!("../../../tables/sources.txt");

/// The table is part of the program, and a test reads every line: a line that it cannot read is left out here.
fn fields() -> impl Iterator<Item = Field> {
    let mut file: Option<&'static File> = None;
    lines().filter_map(move |line| {
        if line.starts_with(' ') {
            return field(file?, line);
        }
        file = parsed_file(line).map(|file| &*Box::leak(Box::new(file)));
        None
    })
}

fn lines() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

fn parsed_file(line: &'static str) -> Option<File> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[component, scope, form, needs, path, name] = words.as_slice() else { return None };
    Some(File {
        component,
        scope: match scope {
            "machine" => Scope::Machine,
            "cpu" => Scope::Cpu,
            "process" => Scope::Process,
            "cgroup" => Scope::Cgroup,
            _ => return None,
        },
        form: match form {
            "number" => Form::Number,
            "keys" => Form::Keys,
            "pairs" => Form::Pairs,
            "matrix" => Form::Matrix,
            rows => Form::Rows(rows.strip_prefix("rows:")?.parse().ok()?),
        },
        needs_root: needs == "root",
        path,
        name: some(name),
    })
}

fn field(file: &'static File, line: &'static str) -> Option<Field> {
    let (columns, description) = line.split_once('|')?;
    let words: Vec<&str> = columns.split_whitespace().collect();
    let &[name, kind, unit, factor, place, label, others] = words.as_slice() else { return None };
    Some(Field {
        file,
        name,
        kind: match kind.split_once('<') {
            Some(("counter", wrap)) => {
                let (most, rate) = wrap.split_once('/')?;
                FieldKind::Counter(Some((most, rate.parse().ok()?)))
            }
            _ if kind == "counter" => FieldKind::Counter(None),
            _ if kind == "level" => FieldKind::Level,
            Some(("peak", "max_rss")) => FieldKind::Peak(true),
            _ if kind == "peak" => FieldKind::Peak(false),
            _ => return None,
        },
        unit: some(unit),
        factor: match factor.strip_prefix('/') {
            Some(divisor) => Factor::Over(divisor.parse().ok()?),
            None => Factor::Times(factor.parse().ok()?),
        },
        place,
        label: some(label),
        others: some(others).into_iter().flat_map(|others| others.split(',')).collect(),
        description: description.trim(),
    })
}

fn some(word: &'static str) -> Option<&'static str> {
    (word != "-").then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_line_is_read_and_every_source_is_described_and_has_a_name_of_its_own() {
        let fields = &*FIELDS;
        let expected = lines().filter(|line| line.starts_with(' ')).count();
        assert_eq!(fields.len(), expected, "lines that are not read");
        let files: Vec<&str> = lines().filter(|line| !line.starts_with(' ')).collect();
        files.iter().for_each(|line| assert!(parsed_file(line).is_some(), "{line}"));
        let names: BTreeSet<_> = fields.iter().map(|of| (of.file.component, of.name)).collect();
        assert_eq!(names.len(), expected, "names that occur twice");
        for of in fields {
            assert!(of.description.len() > 5 && !of.description.ends_with('.'), "{of:?}");
            assert!(of.description.starts_with(|c: char| c.is_ascii_uppercase()), "{of:?}");
        }
    }

    /// The chapter of the book names each component with what it is, and how its instances are written.
    #[test]
    fn every_component_is_a_row_of_the_chapter_on_counting() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sources.md");
        let page = std::fs::read_to_string(page).unwrap();
        for of in &*FIELDS {
            let row = format!("| `{}/", of.file.component);
            assert!(page.contains(&row), "{} is not in docs/sources.md", of.file.component);
        }
    }
}
