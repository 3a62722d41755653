//! The kernels, executed instruction by instruction.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod numbers;
mod stepped;
