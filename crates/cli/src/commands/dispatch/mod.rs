//! `counterpoint dispatch`: the registers that count events together, as in libpfm-3.

pub mod answer;
mod args;
pub mod batch;
mod event;
mod input;
pub mod json;
mod names;
mod notes;
mod reader;
pub mod request;
mod run;
mod text;
mod typed;

pub use args::DispatchArgs;
pub use run::run;

// The tests of `pmu` use some of these files, with a `pmu` of their own.
use counterpoint::pmu;
