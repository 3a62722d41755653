//! The C functions of libpfm 3.10, by `counterpoint_pmu::libpfm3`.
//!
//! `exports` has the functions over models, `events` those over events, `dispatch` has `pfm_dispatch_events`, with the structures of
//! `layout` and those of the models in `input`, `ia64` and `output`. `current` is the model that calls are answered for.
//!
//! `DIFFERENCES.md` beside this crate lists where the functions differ from libpfm's; what is assigned is in the list of
//! `counterpoint-pmu`.

#![deny(unsafe_op_in_unsafe_fn)]

mod caller;
mod current;
mod dispatch;
mod events;
mod exports;
mod ia64;
mod input;
mod layout;
mod output;
mod result;

pub use dispatch::pfm_dispatch_events;
pub use events::*;
pub use exports::*;
pub use ia64::*;
pub use input::*;
pub use layout::*;
pub use output::*;
