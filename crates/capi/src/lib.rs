//! The boundary of the C libraries of this project: the code that all of them share.
//!
//! - [`guarded`]: a panic becomes an error code; [`at_exit()`]: a call when the program ends.
//! - [`places`]: values at the addresses that callers pass.
//! - [`text`]: strings of C and Fortran callers, and strings that they free.
//! - [`sized`]: structures that carry their size, so that callers of several releases can pass them.
//! - [`Handles`]: numbers that callers hold in the place of pointers, so that a wrong one is refused.
//! - [`order`]: the numbers that libpfm gives to events, and how it spells their names.
//! - [`Lasting`]: values that are made when they are first asked for, without a lock that a fork could leave held; [`Current`]:
//!   what is exchanged so.

#![deny(unsafe_op_in_unsafe_fn)]

mod at_exit;
mod guard;
mod handles;
mod lasting;
pub mod order;
pub mod places;
pub mod sized;
pub mod text;

pub use at_exit::at_exit;
pub use guard::guarded;
pub use handles::{Handles, Refused};
pub use lasting::{Current, Lasting};
