//! Formulas over performance counters: compiled once, evaluated anywhere.
//!
//! ```
//! use counterpoint_formula::{Formula, Number, Syntax};
//!
//! let ipc = Formula::parse("PAPI_TOT_INS / PAPI_TOT_CYC", Syntax::Infix)?;
//! assert!(ipc.inputs().eq(["PAPI_TOT_INS", "PAPI_TOT_CYC"]));
//! assert_eq!(ipc.eval(&[3e9, 2e9]), 1.5);
//! assert_eq!(ipc.eval_exact(&[3, 2]), Ok(Number::Real(1.5)));
//! # Ok::<(), counterpoint_formula::ParseError>(())
//! ```

#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod formula;
mod syntax;

mod compose;
mod evaluate;
mod parse;

mod op;

mod infix;
mod postfix;
mod rpn;

mod lex;
mod token;

mod builder;
mod index;
mod limits;
mod names;
mod span;

mod bound;
mod code;
mod column;
mod columns;
mod compile;
mod doubles;
mod exact;
mod form;
mod forms;
#[cfg(feature = "fast")]
mod fused;
mod number;
#[cfg(feature = "fast")]
mod passes;
mod power;
mod run;
mod shape;
mod slopes;
mod small;
mod step;
#[cfg(feature = "fast")]
mod sums;

mod listing;
mod print;

mod error;

pub use column::{Column, ColumnMut};
pub use compose::Source;
pub use error::{
    ColumnsError, EvalError, EvalErrorKind, LimitError, ParseError, ParseErrorKind, Warning,
    WarningKind,
};
pub use formula::Formula;
pub use limits::Limits;
pub use number::Number;
pub use op::{Binary, Op, Unary};
pub use syntax::{PowReading, RemReading, Syntax};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
