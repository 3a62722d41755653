//! The tests of the crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod damaged;
#[cfg(feature = "profile")]
mod examples;
#[cfg(feature = "profile")]
mod joined;
mod round_trip;
#[cfg(feature = "profile")]
mod samples;
mod spe;
mod streams;
mod walk;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;

#[path = "../../../../fixtures/spe.rs"]
mod written;
