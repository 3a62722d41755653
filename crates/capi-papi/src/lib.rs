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
//!
//! # How PAPI's functions count
//!
//! 1. `library` is what `PAPI_library_init` starts: the PMUs of the facade's `Machine`, and the definitions of presets and of users, which are linked when a preset is first asked for. It is kept, and one with the same files is started again. The version of the caller decides which structures are written (`layout`), so that one library serves 7.0 to 7.3.
//! 2. `natives` gives an event the next code when it is named or listed. The list grows only, without a lock, so that a code keeps its meaning. `presets` expands a preset or a user's event to native events and a formula.
//! 3. A `set` has the events as they were added, the native events that they need, each once, and its options. It does not use `EventSet`: PAPI opens the events of a set as one group with a pinned leader, refuses an event when it is added, and has no fallbacks. So it opens `perf::Group`s itself (`opened`); events that take turns, name a CPU or count for packages have groups of their own.
//! 4. A value goes from `Group::read_into` to the caller's memory: if each event of the set is a native one, the count less that at the start, and otherwise through sums, scaling and the formula. What was not counted is an error for the whole call.
//! 5. The states are three: `Set::is_running`, whether there are `Opened` events, and which `options` there are. `PAPI_state` is computed from them. A change of options closes the events and opens them again.
//! 6. A handle is a place of a table (`sets`). One call at a time uses a set (`claim`); a handler of a signal that interrupts such a call is refused, and never waits. A set counts the thread that adds the last event. Two sets of a component do not count the same thread at the same time, by a number in their places.
//! 7. An event that overflows is opened a second time, with a signal at each overflow (`overflow`). The handler finds the descriptor that the signal names in a table of atomics (`handlers`), and calls the program's function, or counts the address in the program's buckets (`profile`).

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
mod numbers;
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
