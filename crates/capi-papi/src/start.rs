//! Starts the library, in a process that was forked too.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::codes::{EINVAL, Failed};
use crate::files::{self, Files};
use crate::library::{CURRENT, LEVEL, LOW_LEVEL, Library, STARTS};
use crate::{release, sets, threads};

/// The process that has started it; 0 before the first start.
static PROCESS: AtomicU32 = AtomicU32::new(0);

impl Library {
    /// Starts it for a caller that was compiled for a version, unless it is started.
    pub(crate) fn start(version: c_int) -> Result<c_int, Failed> {
        let release = release::known(version)?;
        let process = std::process::id();
        let forked = ![0, process].contains(&PROCESS.load(Ordering::Acquire));
        if CURRENT.get().is_some() && !forked {
            let same = release::version() >> 16 == release >> 16;
            return if same { Ok(version) } else { Err(EINVAL) };
        }
        if forked {
            // Threads that start the library of a new process at the same time each do so before they go on.
            sets::forget_all(process);
            threads::forget_all(process);
        }
        release::set_version(release);
        files::disable_unwanted();
        let library = Library::with(Files::of_process());
        let is_first = CURRENT.exchange(None, library).is_ok();
        let is_new = PROCESS.swap(process, Ordering::AcqRel) != process && forked;
        if is_new {
            CURRENT.set(Some(library));
        }
        if is_first || is_new {
            STARTS.fetch_add(1, Ordering::Relaxed);
        }
        LEVEL.fetch_or(LOW_LEVEL, Ordering::Relaxed);
        Ok(version)
    }
}
