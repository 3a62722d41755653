//! Unwinds copies of stacks by the files of the modules.

use super::symbols::{contents, reachable};
use counterpoint::profile::{Unwind, unwind_files};

/// An unwinder that reads the file of each module when the first frame is there.
pub fn new() -> Box<dyn Unwind> {
    unwind_files(|module| contents(&reachable(module)))
}
