//! `cargo xtask tables DIR`: the text tables of `crates/pmu/tables/`, written anew from a directory of facts.

mod facts;
mod files;
mod hardware;
mod names;

use crate::project::{arguments, root};
use std::path::Path;

pub fn run() -> Result<(), String> {
    let facts = arguments().next().ok_or("usage: cargo xtask tables DIR")?;
    facts::write_tables(Path::new(&facts), &root().join("crates/pmu/tables"))
}
