//! What formulas promise, one module per promise.
#![allow(clippy::unwrap_used, reason = "a test's helpers fail as the test does")]

mod any_text;
mod laws;
mod sizes;
mod texts;
mod tree;
mod vectors;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
