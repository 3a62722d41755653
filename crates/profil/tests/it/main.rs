//! Tests of the crate's public behaviour.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod buffers;
mod calls;
mod flags;
mod laws;
mod regions;
mod shared_buckets;
mod vectors;
mod write;
