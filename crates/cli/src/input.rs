//! Files and lines, of which no more is read than fits.

use std::fs::File;
use std::io::{BufRead, Error, ErrorKind, Read, Result};
use std::path::Path;

/// The largest file that is read.
const MOST: u64 = 256 << 20;
/// The longest line of a batch.
const LONGEST_LINE: u64 = 16 << 20;

/// The bytes of a file; it may be a pipe or a device, and is refused where it does not end.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    all(File::open(path)?)
}

/// The text of a file.
pub fn text(path: &Path) -> Result<String> {
    let no_text = |_| Error::new(ErrorKind::InvalidData, "it is no UTF-8 text");
    String::from_utf8(bytes(path)?).map_err(no_text)
}

/// What is there to be read, up to its end.
pub fn all(reader: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        let text = format!("it is larger than {} MiB, which is the most that is read", MOST >> 20);
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    Ok(bytes)
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
        let text = format!("a line is longer than {} MiB, which is the most", LONGEST_LINE >> 20);
        return Err(Error::new(ErrorKind::InvalidData, text));
    }
    Ok(true)
}
