//! Where wall time goes: what the threads of a program do at each instant, and what the program waits for while none of them runs.
//!
//! ```
//! use counterpoint::perf::records::{Record, Switch};
//! use counterpoint::wall::{State, Switches};
//!
//! let mut switches = Switches::default();
//! for (time, is_out) in [(0, false), (4_000, true), (10_000, false), (12_000, true)] {
//!     switches.take(&Record::Switch(Switch { pid: 7, tid: 7, time, is_out, is_preempted: false }));
//! }
//! let wall = switches.finish()?;
//! let time = |state| wall.amounts.iter().filter(|of| of.state == state).map(|of| of.wall).sum::<f64>();
//! assert_eq!((time(State::Running), time(State::Waiting)), (6_000.0, 6_000.0));
//! # Ok::<(), counterpoint::wall::TooMany>(())
//! ```
//!
//! # How wall time is divided
//!
//! 1. [`Switches`] takes what a recording says: when each thread stops and runs again, the stack at which it stopped, samples of what it did while it ran, and who woke it.
//! 2. `tracks` makes the states of each thread of this, one after the other without a gap: it runs; it waits; it was woken, or is new, and waits for a CPU; it was preempted and waits for a CPU; or it is not known what it does, because a record is missing.
//! 3. `shares` divides each instant. While k threads run, each has 1/k of it. While none runs, the thread that runs next has the instant, in the state that it has then: that is what the program waits for, and the others wait even longer. The shares of all threads add up to the wall time.
//! 4. `path` goes from the end of the first thread backwards. Where a thread ran, the path is with it; where it waited and another one woke it, the path goes on with that one at the time of the wake-up. Its parts add up to the time of the first thread.
//! 5. The time that a thread ran is measured from switch to switch; its samples say in which functions. Each of its samples stands for an equal part of the time, weighted by the share that the thread had at the time of the sample.

mod path;
mod shares;
mod switches;
mod tracks;
mod wait;
mod walled;

pub use switches::{Switches, TooMany};
pub use tracks::State;
pub use wait::Wait;
pub use walled::{Amount, Wall, WallThread};
