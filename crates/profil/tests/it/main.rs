//! The public behaviour of the crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod buffers;
mod flags;
mod laws;
mod regions;
mod vectors;
mod write;
