//! The C interface of Counterpoint: events by name, their values with what they are worth, and regions.
//!
//! `exports` has the functions and `layout` the structures; the header `counterpoint.h` is generated from both. Everything
//! else is safe code: `set` has open events, `regions` the regions of a program, `definitions` the files that define names,
//! `failure` the codes of errors and their messages.

#![deny(unsafe_op_in_unsafe_fn)]

mod definitions;
mod exports;
mod failure;
mod layout;
mod regions;
mod set;

pub use exports::*;
pub use failure::*;
pub use layout::*;
