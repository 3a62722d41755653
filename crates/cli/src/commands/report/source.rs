//! Where the bytes of a recording come from.

use crate::failure::Failure;
use crate::input;
use crate::show;
use counterpoint_perfdata::Problem;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a recording; `-` is standard input.
pub fn open(path: &Path) -> Result<File, Failure> {
    if path.is_dir() {
        let text = format!(
            "{}: this is a directory, as perf record --threads makes it",
            show::printable(&path.to_string_lossy())
        );
        return Err(Failure::new(text).help("record without --threads"));
    }
    seekable(path).map_err(|error| {
        Failure::new(format!("{}: {error}", show::printable(&path.to_string_lossy())))
    })
}

/// A recording is read several times: what comes through a pipe is written into a file without a name first.
fn seekable(path: &Path) -> io::Result<File> {
    let mut file = input::open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    // What is no recording may never end.
    let mut magic = [0; 8];
    let is_whole = file.read_exact(&mut magic).is_ok();
    if !is_whole || ![*b"PERFILE2", *b"2ELIFREP"].contains(&magic) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, Problem::NotPerfData.to_string()));
    }
    let name = std::env::temp_dir().join(format!("counterpoint-{}.perf", std::process::id()));
    let mut copy =
        OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&name)?;
    std::fs::remove_file(&name)?;
    copy.write_all(&magic)?;
    io::copy(&mut file, &mut copy)?;
    copy.rewind()?;
    Ok(copy)
}
