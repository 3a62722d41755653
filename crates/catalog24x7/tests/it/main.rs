//! Tests of the crate's public behaviour.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

mod corpus;
mod data;
mod defects;
mod laws;
#[allow(dead_code)]
mod mutants;
mod packer;
mod readings;
mod sizes;
mod statements;
mod sysfs;
mod tables;
mod whole;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;

use std::path::{Path, PathBuf};

/// The path of a file of the catalog fixtures.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/catalog24x7").join(name)
}

fn base() -> Vec<u8> {
    std::fs::read(fixture("base.bin")).unwrap()
}
