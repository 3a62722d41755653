//! Files and lines, of which no more is read than fits.

use crate::guard;
use std::fs::File;
use std::io::{BufRead, Error, ErrorKind, Read, Result};
use std::os::fd::AsFd;
use std::path::Path;

/// The largest file that is read, and the most that files which are read together may hold.
const MOST: u64 = 256 << 20;
/// The longest line of a batch.
const LONGEST_LINE: u64 = 16 << 20;

/// Opens a file that is not the one of the result; `-` is standard input.
pub fn open(path: &Path) -> Result<File> {
    let file = if path.as_os_str() == "-" {
        File::from(std::io::stdin().as_fd().try_clone_to_owned()?)
    } else {
        File::open(path)?
    };
    guard::reads(&file.metadata()?)?;
    Ok(file)
}

/// Reads the bytes of a file, which may be a pipe or a device; returns an error if it is too large.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    Together::default().bytes(path)
}

/// Reads the text of a file.
pub fn text(path: &Path) -> Result<String> {
    Together::default().text(path)
}

/// Files that are kept together.
#[derive(Default)]
pub struct Together {
    read: u64,
}

impl Together {
    /// The text of the next file.
    pub fn text(&mut self, path: &Path) -> Result<String> {
        let no_text = |_| Error::new(ErrorKind::InvalidData, "it is not UTF-8 text");
        String::from_utf8(self.bytes(path)?).map_err(no_text)
    }

    fn bytes(&mut self, path: &Path) -> Result<Vec<u8>> {
        let file = open(path)?;
        // A file that reports its size is not read in vain.
        if file.metadata()?.len() > MOST - self.read {
            return Err(self.too_large());
        }
        self.all(file)
    }

    fn all(&mut self, reader: impl Read) -> Result<Vec<u8>> {
        let left = MOST - self.read;
        let mut bytes = Vec::new();
        reader.take(left + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > left {
            return Err(self.too_large());
        }
        self.read += bytes.len() as u64;
        Ok(bytes)
    }

    fn too_large(&self) -> Error {
        let what = if self.read == 0 { "it is" } else { "it and the files before it are" };
        let text = format!("{what} larger than the limit of {} MiB", MOST >> 20);
        Error::new(ErrorKind::InvalidData, text)
    }
}

/// The next line into `line`, without its newline; false at the end.
pub fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    if reader.take(LONGEST_LINE + 1).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 > LONGEST_LINE {
        let text = format!("a line is longer than the limit of {} MiB", LONGEST_LINE >> 20);
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    Ok(true)
}
