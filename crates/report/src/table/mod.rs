//! Reports of counts and profiles as one table: a row for each value, with its status.
//!
//! The reports of the program `counterpoint` and of instrumented programs are JSON lines, one format for each command.
//! Here they become rows of the same [`COLUMNS`], which databases, data frames and distributed engines work on, and rows become lines again without loss.
//!
//! - A [`Report`] turns lines into rows, and [`report_line`] a row into the line that it was made from.
//! - [`text`] has the table as CSV and as JSON lines.
//! - `arrow` has it as record batches, and `parquet` as files of Parquet, each behind the feature of its name.
//!
//! The status of a value is a column, and what was not measured has no value: nobody can take it for a number.
//!
//! ```
//! use counterpoint_report::table::{Column, Report};
//!
//! let report = r#"{"schema":1,"host":"a","pid":7,"event":"page-faults","value":48,"status":"counted","unit":null}
//! {"schema":1,"host":"a","pid":7,"event":"cycles","value":null,"status":"not-supported","unit":null}"#;
//! let (mut report, lines) = (Report::new("a.jsonl"), report.lines());
//! let mut statuses = Vec::new();
//! for line in lines {
//!     report.line(line, |row| statuses.extend(row[Column::Status].text().map(str::to_string))).unwrap();
//! }
//! assert_eq!(statuses, ["counted", "not-supported"]);
//! ```
//!
//! # How a report becomes a table
//!
//! 1. `table::Report` reads a line as keys with the texts of their values, and puts each into the column of its name; what is not a column is kept as it is written, in `rest`. So `report_line` gives the line back, also one of a later version with more keys.
//! 2. Lists within a line (runs, members, functions, lines, threads) are rows of their own kinds after it, which are not needed for the way back.
//! 3. `export` writes rows as they are read. `counterpoint query` becomes the program `counterpoint-query`, which turns reports into Parquet first, because that is what the executors of a cluster can read in parts.
//! 4. The functions of `datafusion` give columns of Arrow to `formula::eval_columns` without copies, some rows at a time, so that the results are checked while they are in the cache. Sums are kept exact (`ExactSum`), so that a cluster has the same result as one process.

#[cfg(feature = "arrow")]
pub mod arrow;
mod back;
mod column;
mod json;
mod line;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod partition;
mod report;
mod row;
pub mod text;

pub use back::report_line;
pub use column::{COLUMNS, Column, ColumnType, VERSION};
pub use report::{LineError, Report};
pub use row::{Cell, Row};
