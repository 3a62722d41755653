//! The unwinder over stacks of this program, and over files that lie.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod depth;
mod hostile;
mod recursion;
mod walk;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
