//! The files of tables: their folders, read and written.

use std::path::Path;
use std::{fs, io};

/// The cargo features of the crate, each with a folder of tables.
pub const VENDORS: [&str; 7] = ["intel", "amd", "arm", "power", "s390x", "sparc", "mips"];

pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| said(path, &error))
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| said(folder, &error))?;
    }
    fs::write(path, text).map_err(|error| said(path, &error))
}

fn said(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
