//! Compares the runs of two programs: the ratio of their means with its interval, and whether they differ.
//!
//! ```
//! use counterpoint_compare::{Comparison, Verdict, verdicts};
//!
//! // The instructions of five runs of each program, which took turns.
//! let base = [1000.0, 1004.0, 998.0, 1001.0, 1002.0];
//! let other = [1031.0, 1033.0, 1028.0, 1032.0, 1031.0];
//! let comparison = Comparison::of_rounds(&base, &other).unwrap();
//! let ratio = comparison.ratio.unwrap();
//! assert!(1.02 < ratio.low && ratio.high < 1.04);
//! assert_eq!(verdicts(&[comparison]), [Verdict::More]);
//! ```
//!
//! The mean is compared, because it is what a program costs in the long run: a run that is slow now and then counts as often as it occurs.
//! The interval of the ratio is that of Fieller ("Some problems in interval estimation", 1954), which needs no logarithms, so that counts may be 0.
//! Its variance is one of two:
//!
//! - [`Comparison::of_rounds`]: the programs took turns, and the runs of one round are compared with each other.
//!   The noise of a machine lasts longer than one run, so that most of it is common to a round and is left out.
//! - [`Comparison::of_samples`]: each program was run on its own. The variances are those of Welch, which may be unequal.
//!
//! [`Comparison::of_shares`] compares counts of samples in two profiles, and [`Comparison::of_sampled_rounds`] and [`Comparison::of_sampled_runs`] those of several profiles of each program.
//!
//! Runs that follow each other resemble each other, and so have less to say than as many independent runs.
//! The rate at which the noise changes cannot be known from a few runs: if each program has a noise of its own in which neighbours have a correlation of 0.8, [`verdicts`] finds equal programs different in 15 of 100 tries with 10 runs and in 7 with 100, instead of 5. Programs that take turns have one noise.
//! Both count the *effective* number of runs: that of independent runs with the same information, from the autocorrelation of the values (Geyer, "Practical Markov chain Monte Carlo", 1992).
//!
//! A bootstrap is not used: it covers too little with the five to twenty runs that are usual for long programs.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod comparison;
mod effective;
mod groups;
mod moments;
mod outliers;
mod shares;
mod verdict;

pub use comparison::{Comparison, Interval};
pub use groups::{Group, groups};
pub use moments::{mean, median, stddev};
pub use outliers::outliers;
pub use verdict::{Verdict, verdicts};
