//! Event-definition files: what `CPU`, `PRESET` and `EVENT` lines say, and what they mean for one PMU.
//!
//! ```
//! use counterpoint_definitions::{link, parse};
//!
//! let text = "CPU,skx\n\
//!             PRESET,PAPI_TOT_CYC,NOT_DERIVED,CPU_CLK_UNHALTED:THREAD_P\n\
//!             EVENT,IPC,DERIVED_INFIX,N0/N1,INSTRUCTION_RETIRED,PAPI_TOT_CYC,LDESC,\"Instructions per cycle\"\n";
//! let parse = parse(text);
//! assert!(parse.diagnostics.is_empty());
//! let definitions = link(&[&parse.file], "skx");
//! let ipc = definitions.expand(definitions.get("IPC").unwrap())?;
//! assert_eq!(ipc.terms, ["INSTRUCTION_RETIRED", "CPU_CLK_UNHALTED:THREAD_P"]);
//! assert_eq!(ipc.formula.eval(&[3000.0, 1500.0]), 2.0);
//! # Ok::<(), counterpoint_definitions::Unavailable>(())
//! ```
//!
//! - [`ast`]: the tree of a file
//! - [`parse`]: text to tree; never fails, and never loses a line
//! - [`link`]: one PMU's [`Definitions`], which [`expand`](Definitions::expand) puts into each other
//! - [`print()`]: tree to text
//! - [`papi`]: where PAPI reads a file otherwise

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

pub mod ast;
mod definitions;
mod diagnostic;
mod expand;
mod link;
pub mod papi;
mod parser;
mod print;

pub use ast::{DerivedType, Keyword, Pmu};
pub use definitions::{Definition, Definitions, Expansion, Unavailable};
pub use diagnostic::{Code, Diagnostic, Severity, explain, line_column};
pub use link::link;
pub use parser::{Parse, decode, parse};
pub use print::print;
