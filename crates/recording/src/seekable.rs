//! Recordings that come through a pipe.

use super::file::Problem;
use counterpoint::perf::output::temporary;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// The recording itself if it is a plain file; what comes through a pipe is written into a file without a name, because a recording is read several times.
///
/// # Errors
/// Returns an error if it cannot be read or written, and if what comes through the pipe is no recording: it may never end.
pub fn seekable(mut file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    let mut magic = [0; 8];
    let is_whole = file.read_exact(&mut magic).is_ok();
    if !is_whole || ![*b"PERFILE2", *b"2ELIFREP"].contains(&magic) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, Problem::NotPerfData.to_string()));
    }
    let mut copy = temporary()?;
    copy.write_all(&magic)?;
    io::copy(&mut file, &mut copy)?;
    copy.rewind()?;
    Ok(copy)
}
