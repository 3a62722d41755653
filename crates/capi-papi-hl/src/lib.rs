//! PAPI's high-level functions, which a program that is linked with libpapi calls, over this project's regions.
//!
//! Preloaded before libpapi, the library takes the calls: `exports` has the functions and `state` the regions of the
//! process, whose report is written when it ends. All other functions stay libpapi's.

#![deny(unsafe_op_in_unsafe_fn)]

mod exports;
mod state;

pub use exports::*;
