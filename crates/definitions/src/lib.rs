//! Definitions of derived events: reading them from files, and linking them for the PMUs of a machine.
//!
//! ```
//! use counterpoint_definitions::{Library, link};
//!
//! let library = Library::from(
//!     "CPU,skx\n\
//!      PRESET,PAPI_TOT_CYC,NOT_DERIVED,CPU_CLK_UNHALTED:THREAD_P\n\
//!      EVENT,IPC,DERIVED_INFIX,N0/N1,INSTRUCTION_RETIRED,PAPI_TOT_CYC,LDESC,\"Instructions per cycle\"\n",
//! );
//! assert!(library.diagnostics().is_empty());
//! let definitions = link(&[library], "skx");
//! let ipc = definitions.expand(&definitions.get("IPC").unwrap())?;
//! assert_eq!(ipc.terms, ["INSTRUCTION_RETIRED", "CPU_CLK_UNHALTED:THREAD_P"]);
//! let count = |event: &str| if event == "INSTRUCTION_RETIRED" { 3000.0 } else { 1500.0 };
//! // The formula may need them in another order, and not all.
//! let counts: Vec<f64> = ipc.formula.inputs().map(count).collect();
//! assert_eq!(ipc.formula.eval(&counts), 2.0);
//! # Ok::<(), counterpoint_definitions::Unavailable>(())
//! ```
//!
//! - [`Library`]: the definitions of one source in any language, read once and shared
//! - [`link`]: combines the libraries that apply to a machine into its [`Definitions`]; [`expand`](Definitions::expand) reduces one of them to native events and a formula
//! - [`papi`]: the language of PAPI's event-definition files (`CPU`, `PRESET`, `EVENT`; feature `papi`)
//! - [`metrics`]: the languages of metrics: perf's and intel/perfmon's JSON, likwid's groups, and this project's own (feature `metrics`)
//! - [`graph`]: the order in which values that depend on each other are computed
//!
//! A language is a module that builds a [`Library`], and a [`Syntax`] that recognizes its files.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]
#![cfg_attr(
    not(all(feature = "papi", feature = "metrics", feature = "json")),
    allow(dead_code, reason = "what a language needs is not needed without it")
)]

mod diagnostic;
mod expand;
pub mod graph;
mod library;
mod link;
#[cfg(feature = "metrics")]
pub mod metrics;
mod model;
#[cfg(feature = "papi")]
pub mod papi;
mod syntax;

pub use diagnostic::{Code, Diagnostic, Severity, explain, line_column};
pub use library::{Block, Builder, Definition, Library};
pub use link::{Definitions, Pmus, link};
pub use model::{
    CLOCK_RATE, Constraint, Each, Entry, Expansion, Metric, NamedPmu, Origin, PmuName, PmuNumber,
    Role, Term, Threshold, Unavailable,
};
pub use syntax::Syntax;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
