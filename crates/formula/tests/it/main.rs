//! What formulas promise, one module per promise.

mod vectors;
