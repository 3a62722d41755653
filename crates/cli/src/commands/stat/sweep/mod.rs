//! `--sweep`: parameters of commands, and the values that they take.

mod args;
mod decimal;
mod parameters;

pub use args::SweepArgs;
pub use parameters::{MOST, Parameter, Sweep, choices, filled, has};
