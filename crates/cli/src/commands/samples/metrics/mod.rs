//! Metrics of functions, lines and stacks, from the counts in the samples of a recording.
//!
//! # How metrics of functions are found
//!
//! 1. `asked` finds the metrics and the events that they need, and `Profile::counting` opens these in the group of the event that is sampled, so that each sample has the counts of all.
//! 2. `Samples::each_counted` of the recording says by how much the counts have grown since the last sample of the same stream: of the same group on one thread or CPU.
//! 3. `bound` finds which counts are the inputs of a formula, by the names and the codes of the events: recordings of perf have other names.
//! 4. `place` gives each sample the numbers of its function, line and stack, and `tally` adds its counts to each of them. It keeps apart the intervals that begin and end at the same place, which are those of the value, and sees whether the place also ran in between.
//! 5. `Needs::estimate` computes the formula over the sums, with the error by its slopes and the products of the counts of each interval.

mod annotated;
mod asked;
mod bound;
pub mod json;
mod measured;
mod output;
mod page;
mod place;
mod row;
mod tally;
mod text;

pub use asked::{Asked, asked, asked_of_file, counted};
pub use output::MetricsOutput;
