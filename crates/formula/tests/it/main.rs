//! Tests of the crate's guarantees, one module per guarantee.
#![allow(clippy::unwrap_used, reason = "test helpers may panic")]

mod any_text;
mod exact;
mod laws;
mod sizes;
mod slopes;
mod texts;
mod tree;
mod vectors;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
