//! The language of perf's `-e`: lists, groups, PMU terms, raw codes, breakpoints and modifiers; probes of functions are written as for bpftrace.
//!
//! [`parse`] finds where each event begins and ends, and its form. It does not look up names.
//! The rules are those of perf-list(1) and perf-record(1).

mod error;
mod event;
mod modifiers;
mod parser;
mod places;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use event::{Breakpoint, EventSpec, Group, Probe, Source, Term, Value};
pub use modifiers::{Modifiers, split_modifiers};
pub use parser::parse;
pub(crate) use parser::terms;
pub use places::probe_length;
