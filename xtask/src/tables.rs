//! `cargo xtask tables`: the index over the text tables of `crates/pmu/tables/`, written anew.
//! With a directory of facts (`cargo xtask tables DIR`) it writes the text tables first.

mod descriptions;
mod facts;
mod hardware;
mod hash;
mod index;
mod line;
mod names;

use crate::root;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The cargo features of the crate, each with a folder of tables.
const VENDORS: [&str; 7] = ["intel", "amd", "arm", "power", "s390x", "sparc", "mips"];

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

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| said(path, &error))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| said(folder, &error))?;
    }
    fs::write(path, text).map_err(|error| said(path, &error))
}

fn said(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
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
