//! `counterpoint dispatch`: which registers count events together, as libpfm-3 says it.

pub mod answer;
mod args;
pub mod batch;
mod json;
mod names;
pub mod request;
mod run;
mod text;
mod typed;

pub use args::DispatchArgs;
pub use run::run;

// The tests of `pmu` use two of these files, with a `pmu` of their own.
use counterpoint::pmu;
