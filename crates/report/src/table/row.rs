//! A row of the table, with its cells.

use super::{COLUMNS, Column};
use std::borrow::Cow;
use std::ops::{Index, IndexMut};

/// The contents of one column of one row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell<'a> {
    /// Nothing: it is not known, or does not apply.
    #[default]
    Null,
    /// The text of a [`ColumnType::Text`](super::ColumnType::Text), which is not empty.
    Text(Cow<'a, str>),
    /// The number of a [`ColumnType::Integer`](super::ColumnType::Integer).
    Integer(i64),
    /// The number of a [`ColumnType::Real`](super::ColumnType::Real), which is finite.
    Real(f64),
    /// The answer of a [`ColumnType::Boolean`](super::ColumnType::Boolean).
    Boolean(bool),
}

impl Cell<'_> {
    /// Returns whether there is nothing.
    pub fn is_null(&self) -> bool {
        matches!(self, Cell::Null)
    }

    /// Returns the text, or `None` if it is not a text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the whole number, or `None` if it is not one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Cell::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the number, or `None` if it is not a [`Cell::Real`].
    pub fn real(&self) -> Option<f64> {
        match self {
            Cell::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the answer, or `None` if it is not a [`Cell::Boolean`].
    pub fn boolean(&self) -> Option<bool> {
        match self {
            Cell::Boolean(answer) => Some(*answer),
            _ => None,
        }
    }
}

/// A row of the table: a cell for each of [`COLUMNS`].
///
/// ```
/// use counterpoint_report::table::{Cell, Column, Row};
///
/// let mut row = Row::default();
/// row[Column::Event] = Cell::Text("cycles".into());
/// assert_eq!(row[Column::Event].text(), Some("cycles"));
/// assert!(row[Column::Value].is_null());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    cells: [Cell<'a>; COLUMNS.len()],
}

impl Default for Row<'_> {
    fn default() -> Self {
        Row { cells: [const { Cell::Null }; COLUMNS.len()] }
    }
}

impl<'a> Index<Column> for Row<'a> {
    type Output = Cell<'a>;

    fn index(&self, column: Column) -> &Cell<'a> {
        &self.cells[column as usize]
    }
}

impl<'a> IndexMut<Column> for Row<'a> {
    fn index_mut(&mut self, column: Column) -> &mut Cell<'a> {
        &mut self.cells[column as usize]
    }
}

impl<'a> Row<'a> {
    /// Returns the cells that are not null, with their columns, in the order of the columns.
    pub fn cells(&self) -> impl Iterator<Item = (Column, &Cell<'a>)> {
        COLUMNS.iter().copied().zip(&self.cells).filter(|(_, cell)| !cell.is_null())
    }
}
