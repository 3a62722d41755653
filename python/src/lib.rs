//! The Python package `counterpoint`: formulas over columns, event sets, names of events, and reports.
//!
//! - `formula`: what Python calls; `input` reads what it gives, and `result` is the column that it gets
//! - `evaluate`: blocks of rows on several threads; `column` is what it reads, and knows nothing of Python
//! - `source`: what owns the memory of a column; `buffer` and `capsules` reach it
//! - `counters`: open events; `definitions`: files that define names; `names`: what names stand for
//! - `tables`: reports as tables of Arrow
//! - `errors`: the exceptions, which are written in Python

mod buffer;
mod capsules;
mod column;
mod counters;
mod definitions;
mod errors;
mod evaluate;
mod formula;
mod input;
mod names;
mod result;
mod source;
mod tables;

/// The base of the Python files of the package.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::counters::Counters;
    #[pymodule_export]
    use crate::definitions::DefinitionFile;
    #[pymodule_export]
    use crate::formula::Formula;
    #[pymodule_export]
    use crate::names::{encode, list_events, list_metrics, plan, show};
    #[pymodule_export]
    use crate::result::Column;
    #[pymodule_export]
    use crate::tables::{Table, read_reports};
}
