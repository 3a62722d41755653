//! What formulas promise, one module per promise.

mod any_text;
mod laws;
mod sizes;
mod tree;
mod vectors;
