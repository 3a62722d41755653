//! A set that a thread counts for the library itself: for rates, and for the regions of the high-level interface.

use counterpoint::perf::process::Owner;
use std::ffi::c_int;

use crate::codes::{ENOEVST, Failed};
use crate::library::{self, Library};
use crate::opened::Options;
use crate::sets;

/// A running set, which ends with its value.
///
/// It is not alive after the library was ended or the process was forked: its number may be that of a set of the program then.
#[derive(Debug)]
pub(crate) struct Owned {
    number: c_int,
    owner: Owner,
    start: u32,
}

impl Owned {
    /// Starts counting the events of these codes; nothing is left of a set that cannot be started.
    pub(crate) fn start(
        library: &Library,
        options: Options,
        mut codes: impl Iterator<Item = Result<c_int, Failed>>,
    ) -> Result<Owned, Failed> {
        let number = sets::create(options)?;
        let owned = Owned { number, owner: Owner::here(), start: library::starts() };
        let mut used = sets::get(number)?;
        codes.try_for_each(|code| used.set()?.add(library, code?))?;
        used.start(library)?;
        Ok(owned)
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.owner.is_here() && self.start == library::starts()
    }

    /// Like [`Owned::read`]; the counts begin at zero again.
    pub(crate) fn take(&self, each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        if !self.is_alive() {
            return Err(ENOEVST);
        }
        sets::get(self.number)?.set()?.take(each)
    }

    /// Calls `each` with the counts, in the order of the events.
    pub(crate) fn read(&self, each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        if !self.is_alive() {
            return Err(ENOEVST);
        }
        sets::get(self.number)?.set()?.read(each)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.is_alive() {
            // A set that cannot be ended is in use by a handler of this thread, which ends first.
            let _ = sets::remove(self.number);
        }
    }
}
