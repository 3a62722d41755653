//! The Python package `counterpoint`: formulas over columns, event sets, names of events, and reports.
//!
//! - `formula`: what Python calls; `input` reads what it gives, and `result` is the column that it gets
//! - `evaluate`: blocks of rows on several threads; `column` is what it reads, and knows nothing of Python
//! - `source`: what owns the memory of a column; `buffer` and `capsules` reach it
//! - `counters`: open events; `definitions`: files that define names; `names`: what names stand for
//! - `tables`: reports as tables of Arrow; `samples`: those of recordings as streams
//! - `errors`: the exceptions, which are written in Python
//!
//! # How Python calls
//!
//! 1. `python` is a workspace of its own, so that the usual build compiles neither pyo3 nor arrow, and needs no Python. maturin builds it into a wheel for the stable ABI of Python 3.11, the first that has buffers.
//! 2. `input` reads what is given for an input of a formula: a number, or the `Source` of a column, which owns its memory: a buffer of Python (`buffer`) or arrays of Arrow (`capsules`). Only these two and `result`, which is a buffer itself, have unsafe code.
//! 3. A `Column` gives the formula a block of 4096 rows at a time: in place where they are doubles one after the other, otherwise converted into a scratch of that size. Whether rows have a value is copied as words of bits. So no column is copied as a whole, whatever its type, stride, order of bytes or chunks, and there is one path through all of them.
//! 4. `evaluate` shares the blocks among threads of the call, without the interpreter's lock; a pool of threads would not survive a fork. Each takes the next blocks when it is done with its own, so that none waits for one that the system holds up. A row whose result is not finite has no value. NaN in a column without a bitmap means missing, so that operations that hide it (comparisons, `min`, powers, choices) do not turn it into a number.
//! 5. `counters` has open events. It keeps the interpreter's lock, so that a fork never finds its own lock held. Reports, exceptions and everything else that is plain data are Python (`python/package/counterpoint`): Rust hands out numbers and dictionaries.

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
mod samples;
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
    use crate::result::{Column, column_of_bytes};
    #[pymodule_export]
    use crate::samples::{Samples, read_samples};
    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "it is Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::tables::{Table, read_reports};
}
