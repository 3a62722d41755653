//! Columns in the names of directories, as Hive writes them: `job=42/host=node1/part-0.parquet`.
//!
//! A file in such a directory does not have the column itself: pandas, pyarrow and others refuse a column that is in both.

use super::{COLUMNS, Cell, Column, ColumnType, Row};
use std::fmt::Write;
use std::path::{Component, Path};

/// Hive's name of a value that is not there.
const NOTHING: &str = "__HIVE_DEFAULT_PARTITION__";

/// Returns the name of the directory for the rows with this value of a column, such as `job=42`.
///
/// ```
/// use counterpoint_report::table::{Cell, Column, partition};
///
/// assert_eq!(partition::directory(Column::Rank, &Cell::Integer(3)), "rank=3");
/// assert_eq!(partition::directory(Column::Event, &Cell::Text("a/b".into())), "event=a%2Fb");
/// ```
pub fn directory(column: Column, value: &Cell<'_>) -> String {
    let value = match value {
        Cell::Text(text) => escaped(text),
        Cell::Integer(number) => number.to_string(),
        _ => NOTHING.to_string(),
    };
    format!("{}={value}", column.name())
}

/// Returns the columns that the directories of a file have, with their values; a value that is not there is left out.
///
/// ```
/// use counterpoint_report::table::{Cell, Column, partition};
/// use std::path::Path;
///
/// let columns = partition::of_path(Path::new("table/job=42/event=a%2Fb/part-0.csv"));
/// let expected = [(Column::Job, Cell::Text("42".into())), (Column::Event, Cell::Text("a/b".into()))];
/// assert_eq!(columns, expected);
/// ```
pub fn of_path(path: &Path) -> Vec<(Column, Cell<'static>)> {
    let directories = path.parent().into_iter().flat_map(Path::components);
    let names = directories.filter_map(|directory| match directory {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    names.filter_map(of_name).collect()
}

fn of_name(name: &str) -> Option<(Column, Cell<'static>)> {
    let (name, value) = name.split_once('=')?;
    let column = COLUMNS.iter().copied().find(|column| column.name() == name)?;
    let value = unescaped(value).filter(|value| !value.is_empty() && value != NOTHING)?;
    let cell = match column.holds() {
        ColumnType::Text => Cell::Text(value.into()),
        ColumnType::Integer => Cell::Integer(value.parse().ok()?),
        ColumnType::Real | ColumnType::Boolean => return None,
    };
    Some((column, cell))
}

/// Puts columns of [`of_path`] into a row that does not have them itself.
pub fn fill(row: &mut Row<'_>, columns: &[(Column, Cell<'static>)]) {
    for (column, value) in columns {
        if row[*column].is_null() {
            row[*column] = value.clone();
        }
    }
}

/// A text without what means something in a path or in Hive's names, each as `%` and two hexadecimal digits.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || "\"#%'*/:=?\\{}[]^".contains(letter) {
            let mut bytes = [0; 4];
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "%{byte:02X}");
            }
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// The text of [`escaped`]; `None` if it is not one.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut pieces = text.split('%');
    bytes.extend(pieces.next()?.bytes());
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend(piece[2..].bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_value_comes_back_from_the_name_of_its_directory(text in "\\PC{1,20}|[%/=.\\x00-\\x1f]{1,8}") {
            let value = Cell::Text(text.clone().into());
            let name = directory(Column::Event, &value);
            let found = of_path(&Path::new(&name).join("part-0.csv"));
            // Such names of directories mean others.
            prop_assume!(text != NOTHING);
            prop_assert_eq!(found, [(Column::Event, value)]);
        }
    }

    #[test]
    fn a_value_that_is_not_there_or_does_not_fit_is_left_out() {
        for name in ["job=__HIVE_DEFAULT_PARTITION__", "rank=x", "no=1", "job", "value=1", "job=%4"]
        {
            assert_eq!(of_path(&Path::new(name).join("a.csv")), [], "{name}");
        }
        // The file itself is no directory.
        assert_eq!(of_path(Path::new("job=1")), []);
    }

    #[test]
    fn a_row_keeps_what_it_has() {
        let mut row = Row::default();
        row[Column::Job] = Cell::Text("own".into());
        let columns = of_path(Path::new("job=1/rank=2/a.csv"));
        fill(&mut row, &columns);
        assert_eq!((row[Column::Job].text(), row[Column::Rank].integer()), (Some("own"), Some(2)));
    }
}
