//! The crate against a kernel that answers from a script, and against the kernel that this runs on.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod access;
mod any_opens;
mod any_text;
mod cpus;
mod errors;
mod group;
mod hardware;
mod live;
mod load;
mod maps;
mod open_file;
mod output;
mod process;
mod record;
mod records;
mod sampler;
mod sampling;
mod stacks;
mod support;
mod unprivileged;
mod user_read;
mod walk;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
