//! Unwinds copies of stacks by the files of the modules.

use super::code_files::{self, CodeFile};
use counterpoint::profile::{Contents, Unwind, unwind_files};
use std::fs::File;

/// An unwinder that opens the file of each module when the first frame is there.
pub fn new() -> Box<dyn Unwind> {
    unwind_files(|module| match code_files::of(module)? {
        CodeFile::Path(path) => File::open(path).ok().map(Contents::File),
        CodeFile::Vdso => code_files::vdso().map(Contents::Bytes),
    })
}
