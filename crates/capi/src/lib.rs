//! The boundary of the C libraries of this project: the code that all of them share.
//!
//! - [`guarded`]: a panic becomes an error code; [`at_exit()`]: a call when the program ends.
//! - [`places`]: values at the addresses that callers pass.
//! - [`text`]: strings of C and Fortran callers, and strings that they free.
//! - [`sized`]: structures that carry their size, so that callers of several releases can pass them.
//! - [`Handles`]: numbers that callers hold in the place of pointers, so that a wrong one is refused.
//! - [`openmp_thread`]: the number of a thread in its OpenMP team.
//! - [`order`]: the numbers that libpfm gives to events, and how it spells their names.
//! - [`Lasting`]: values that are made when they are first asked for, without a lock that a fork could leave held; [`Current`]:
//!   what is exchanged so.
//!
//! # How C programs call
//!
//! 1. Each C library is an ordinary crate, `capi-NAME`, so that the usual build makes no shared library; `cargo xtask capi` builds it in both forms, with its soname, beside the headers that the crate has in `include`.
//! 2. `exports.rs` has the functions: it checks pointers, and calls safe code. `layout.rs` has the structures. Both use `counterpoint_capi`: a panic becomes an error code, a structure is read and written as far as its caller's version reaches.
//! 3. The C crates lock nothing that the child of a `fork` would wait for: values are made when they are first asked for, the first one of several threads is kept (`Lasting`), and none is freed. What is under them has locks where something is made once, such as the index of the presets that are built in.
//! 4. `libpfm.so.4` looks at the machine when a call needs it (`surroundings`): the first strings of a process are encoded with what their PMU alone depends on. Answers are kept, so that the same string is not encoded twice (`answers`).
//! 5. `libcounterpoint.so.0` gives out handles (`counterpoint_capi::Handles`): numbers with a count of those that were at their place before, so that one that was closed is refused. A set is used by one call at a time and a second one is refused, not held up; regions are shared.
//! 6. cbindgen makes `counterpoint.h` of the functions and structures, in a workspace of its own (`xtask/header`); `cargo xtask ci` says when it is stale.

#![deny(unsafe_op_in_unsafe_fn)]

mod at_exit;
mod guard;
mod handles;
mod lasting;
mod openmp;
pub mod order;
pub mod places;
pub mod sized;
pub mod text;

pub use at_exit::at_exit;
pub use guard::guarded;
pub use handles::{Handles, Refused};
pub use lasting::{Current, Lasting};
pub use openmp::openmp_thread;
