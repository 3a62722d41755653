//! `cargo xtask tables`: the index over the text tables of `crates/pmu/tables/`, written anew.
//! With a directory of facts (`cargo xtask tables DIR`) it writes the text tables first.

mod descriptions;
mod facts;
mod files;
mod hardware;
mod hash;
mod index;
mod line;
mod names;

use crate::project::root;
use files::write;
use std::fs;
use std::path::{Path, PathBuf};

pub fn run() -> Result<(), String> {
    if let Some(facts) = std::env::args().nth(2) {
        facts::write_tables(Path::new(&facts), &tables())?;
    }
    for (path, text) in index::index(&tables())? {
        let old = fs::read_to_string(&path).unwrap_or_default();
        if old != text {
            write(&path, &text)?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}

/// The folder of the text tables.
fn tables() -> PathBuf {
    root().join("crates/pmu/tables")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_that_of_the_text_tables() {
        for (path, text) in index::index(&tables()).unwrap() {
            let committed = fs::read_to_string(&path).unwrap_or_default();
            assert!(committed == text, "{} is old: cargo xtask tables", path.display());
        }
    }
}
