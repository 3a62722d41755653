//! The functions, called as C programs call them.

#![allow(unsafe_code, reason = "the functions of a C library are called")]
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::print_stdout, reason = "a test says what it lacks")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "many calls are wrong for one reason")]

#[path = "../../../capi-pfm/tests/it/alone.rs"]
mod alone;
mod threads;
