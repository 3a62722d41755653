//! The functions, called as C programs call them.

#![allow(unsafe_code, reason = "the functions of a C library are called")]
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::print_stdout, reason = "a test says what it lacks")]

#[path = "../../../capi-pfm/tests/it/alone.rs"]
mod alone;
mod threads;
