//! The C functions of PAPI 7, by the facade's machine, presets and definitions and by `counterpoint-perf`'s groups.
//!
//! `exports` has the functions, and `layout` the structures that they fill. Everything else is safe code but for what a C
//! library cannot be without: `claim` (an event set is used by one call at a time), `handlers` (the signal of overflows),
//! `profile` (buckets in the caller's memory) and `timers` (instructions).
//!
//! `library` is what `PAPI_library_init` starts, `natives` and `presets` give events their codes, `set` is an event set,
//! and `opened` its open events.
//!
//! `DIFFERENCES.md` beside this crate lists where answers differ from PAPI's.

#![deny(unsafe_op_in_unsafe_fn)]
#![allow(non_snake_case, reason = "the functions have the names of C")]

mod claim;
mod codes;
mod components;
mod debug;
mod describe;
mod devices;
mod energies;
mod enumeration;
mod event_codes;
mod expansion;
mod exports;
mod files;
mod handlers;
mod hardware;
mod interruption;
mod layout;
mod library;
mod lookup;
mod memory;
mod natives;
mod opened;
mod options;
mod overflow;
mod owned;
mod presets;
mod profile;
mod rates;
mod regions;
mod release;
mod returned;
mod set;
mod sets;
mod start;
mod threads;
mod timers;
mod tlb;

pub use debug::DebugHandler;
pub use exports::*;
pub use handlers::Handler;
pub use layout::*;
pub use threads::NumberThread;
