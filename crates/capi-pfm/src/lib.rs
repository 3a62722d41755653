//! The C functions of libpfm4, by `counterpoint-pmu`.
//!
//! `exports` has the functions, and `layout` the structures that they fill. Everything else is safe code: `library` is
//! what `pfm_initialize` starts, `surroundings` is what it finds on the machine and in the environment, `listing`
//! gives events their numbers and C strings, `answers` keeps what was encoded.
//!
//! `DIFFERENCES.md` beside this crate lists where answers differ from libpfm's; those of the tables and of event
//! strings are in the list of `counterpoint-pmu`.

#![deny(unsafe_op_in_unsafe_fn)]

mod answers;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod exports;
mod layout;
mod library;
mod listing;
mod result;
mod surroundings;

pub use exports::*;
pub use layout::{AttrInfo, EventInfo, PerfArguments, PmuInfo, RawArguments};
