//! `--sweep`: commands with each of the values of their parameters.

mod args;
mod choices;
mod decimal;

pub use args::SweepArgs;
pub use choices::{MOST, Parameter, Sweep, choices, filled, has};
