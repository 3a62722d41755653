//! Tests of the crate's public behaviour.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod calibration;
mod groups;
mod laws;
mod noise;
mod shares;
mod textbook;
