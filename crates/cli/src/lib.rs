//! The program `counterpoint`: count, profile, list, check, evaluate, diagnose.
//!
//! It is a library only so that tests and fuzz targets can call the readers of lines and files; the interface is not stable.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this crate is the one that prints")]
#![allow(unreachable_pub, reason = "a program has no public interface")]

mod args;
mod availability;
mod batch;
mod begin;
#[cfg(feature = "cargo")]
mod cargo;
mod commands;
mod conflicts;
mod control;
mod csv;
mod definition_files;
mod definitions;
mod descriptions;
mod event_list;
mod failure;
mod file_name;
mod finding;
mod foreign;
mod guard;
mod help;
mod hints;
mod in_order;
mod input;
#[doc(hidden)]
pub mod lines;
mod metric_files;
mod metrics;
mod names;
mod options;
mod output;
mod own_cost;
mod page;
mod program;
mod progress;
mod rank_files;
mod records;
#[cfg(test)]
mod schema;
mod shell;
mod show;
mod supervisor;
mod topdown;
mod vendor;

#[cfg(feature = "cargo")]
pub use cargo::main as cargo;
pub use program::main;
