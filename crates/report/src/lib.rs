#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

#[cfg(any(feature = "merge", feature = "table"))]
mod alike;
mod amount;
#[cfg(feature = "csv")]
pub mod csv;
mod environment;
mod field;
mod json;
mod keys;
#[cfg(feature = "merge")]
pub mod merge;
mod merged;
mod row;
mod status;
#[cfg(feature = "table")]
pub mod table;
mod timeline;
pub mod trace;
mod value;
pub mod words;

pub use amount::Amount;
pub use environment::{Environment, Explains};
pub use field::Field;
pub use keys::Key;
pub use merged::{
    Difference, FactValue, MemberValue, MergedKey, MergedRow, MergedSpread, MergedSummary, Missing,
    Source,
};
pub use row::{Location, Process, Row, Runs};
pub use status::Status;
pub use timeline::{Timeline, TimelineLine};
pub use value::{Comment, Metric};

/// The version of the format of reports.
pub const SCHEMA: u32 = 1;
