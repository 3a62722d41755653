//! Files of the machine that are kept open and read again and again.

use crate::Host;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// An open file of the machine, such as `/proc/net/dev`; each reading is from its begin.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    /// `None` if the machine is not running, so that it is read by its path.
    file: Option<File>,
}

/// More text than this is not what a file of the kernel has.
const MOST: usize = 32 << 20;
/// The size of the first piece, which holds the whole of most files.
const PIECE: usize = 8 << 10;

impl OpenFile {
    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces `text` by the contents, or by the first piece if the file holds a single number.
    ///
    /// # Errors
    /// Returns an error of reading, such as `ENODEV` if the device is gone, and `FileTooLarge` for more than 32 MiB.
    pub fn read(&self, host: &Host, is_number: bool, text: &mut Vec<u8>) -> io::Result<()> {
        let Some(file) = &self.file else {
            *text = host.bytes(&self.path)?;
            return Ok(());
        };
        let mut length = 0;
        loop {
            if text.len() < length + PIECE / 2 {
                text.resize((length * 2).max(PIECE), 0);
            }
            match file.read_at(&mut text[length..], length as u64) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    text.clear();
                    return Err(error);
                }
            }
            if is_number {
                break;
            }
            if length > MOST {
                text.clear();
                return Err(io::ErrorKind::FileTooLarge.into());
            }
        }
        text.truncate(length);
        Ok(())
    }
}

impl Host {
    /// Opens a file of the machine to be read again and again; a pipe or a device without data does not block.
    pub fn open_file(&self, path: impl AsRef<Path>) -> io::Result<OpenFile> {
        let path = path.as_ref();
        let file = self.files().open_file(path)?;
        if file.is_none() {
            self.bytes(path)?;
        }
        Ok(OpenFile { path: path.to_path_buf(), file })
    }
}
