//! The files that are read: those that are named, and those in directories.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const ENDINGS: [&str; 6] = ["jsonl", "json", "csv", "arrow", "feather", "parquet"];

/// The greatest depth of directories within each other: Hive's partitions have one for each column.
const DEEPEST: usize = 16;

/// Replaces each directory by the reports and tables in it and in its directories, in the order of their names.
pub fn files(names: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        if !name.is_dir() {
            files.push(name.clone());
            continue;
        }
        let before = files.len();
        walk(name, DEEPEST, &mut files)?;
        if files.len() == before {
            let text = format!("{}: no report or table is in this directory", name.display());
            return Err(Failure::new(text)
                .help(format!("files in a directory end with .{}", ENDINGS.join(", ."))));
        }
    }
    Ok(files)
}

/// Refuses to add the rows of a table to the table itself.
pub fn check_apart(files: &[PathBuf], table: Option<&Path>) -> Result<(), Failure> {
    let Some(Ok(table)) = table.map(Path::canonicalize) else { return Ok(()) };
    let is_within =
        |file: &&PathBuf| file.canonicalize().is_ok_and(|file| file.starts_with(&table));
    match files.iter().find(is_within) {
        None => Ok(()),
        Some(file) => {
            let text = format!("{}: it is a part of the table that is written", file.display());
            Err(Failure::new(text).help("write to another directory with -o"))
        }
    }
}

fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |what: String| Failure::new(format!("{}: {what}", folder.display()));
    if depth == 0 {
        return Err(failed(format!("more than {DEEPEST} directories are within each other")));
    }
    let entries = folder.read_dir().and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = entries.map_err(|error| failed(error.to_string()))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        // Files that other programs have not finished, or keep for themselves, have such names.
        if name.as_encoded_bytes().starts_with(b".") || name.as_encoded_bytes().starts_with(b"_") {
            continue;
        }
        let ending = path.extension().and_then(OsStr::to_str);
        // A link to a directory may lead in a circle.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, depth - 1, files)?;
        } else if ending.is_some_and(|ending| ENDINGS.contains(&ending)) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
