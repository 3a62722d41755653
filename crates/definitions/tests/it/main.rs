//! The tests of the crate, one module for each thing it does.

mod grammar;
