//! Performance events by name: what the kernel, perf, libpfm and sysfs call them, and how each is programmed.
//!
//! ```
//! use counterpoint_pmu::{kernel, syntax};
//!
//! let groups = syntax::parse("{instructions,cycles}:u").unwrap();
//! let syntax::Source::Name(name) = &groups[0].events[0].source else { panic!() };
//! assert_eq!(kernel::find(name).unwrap().constant, "PERF_COUNT_HW_INSTRUCTIONS");
//! ```
//!
//! - [`syntax`]: perf's `-e` language, from a text to groups of events.
//! - [`kernel`]: the events that Linux itself names.
//! - [`sysfs`]: PMUs as the kernel describes them, from the texts of their files.
//! - [`similar`]: near misses of a name.
//!
//! Everything is a function of its arguments: no file is read and nothing is kept.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

pub mod kernel;
mod similar;
pub mod syntax;
pub mod sysfs;

pub use similar::similar;
