//! The files that are merged: those that are named, and the reports in directories.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Replaces each directory by the reports in it, in the order of their names.
pub fn files(names: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        if name.is_dir() { files.extend(reports_in(name)?) } else { files.push(name.clone()) }
    }
    Ok(files)
}

fn reports_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if is_report(&path) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let text = format!("{}: no report is in this directory", folder.display());
        return Err(Failure::new(text)
            .help("reports in a directory end with .jsonl or .json, or are rank_N of PAPI"));
    }
    Ok(files)
}

/// Returns true if a file has the name of a report; PAPI 6 writes `rank_N` without an ending.
fn is_report(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.ends_with(".jsonl")
        || name.ends_with(".json")
        || name
            .strip_prefix("rank_")
            .is_some_and(|rank| rank.bytes().all(|byte| byte.is_ascii_digit()))
}
