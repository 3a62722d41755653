//! The language of PAPI's event-definition files: `CPU`, `PRESET` and `EVENT` lines.
//!
//! - [`ast`]: the tree of a file
//! - [`parse`]: text to tree; it never fails and never loses a line
//! - [`read`]: text to a [`Library`](crate::Library)
//! - [`parse_for`], [`read_for`]: the same of the blocks for the PMUs of one machine
//! - [`print()`]: tree to text
//! - [`differences()`]: where PAPI reads a file differently

mod actions;
pub mod ast;
mod builder;
mod checks;
mod cycles;
mod decode;
mod differences;
mod formula;
#[allow(clippy::all, clippy::unwrap_used, missing_docs, unused, unreachable_pub, rust_2018_idioms, elided_lifetimes_in_paths)]
#[rustfmt::skip]
mod grammar;
mod lexer;
mod line_error;
mod parse;
mod print;
mod quote;
mod read;

pub use ast::{DerivedType, Keyword};
pub use cycles::check_cycles;
pub use decode::decode;
pub use differences::differences;
pub use parse::{Parse, parse, parse_for};
pub use print::print;
pub use read::{SYNTAX, library, read, read_for};
