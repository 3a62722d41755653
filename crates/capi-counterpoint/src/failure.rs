//! The codes of errors, and the message of the last one of each thread.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

use counterpoint::Error;
use counterpoint_capi::{Refused, text};

/// Success.
pub const COUNTERPOINT_OK: c_int = 0;
/// A pointer is null, a size is too small, a number is unknown, or a text is not UTF-8.
pub const COUNTERPOINT_ERROR_ARGUMENT: c_int = -1;
/// The handle was closed, or is none.
pub const COUNTERPOINT_ERROR_HANDLE: c_int = -2;
/// Another call uses the handle.
pub const COUNTERPOINT_ERROR_BUSY: c_int = -3;
/// A name is not known on this machine; the message has similar ones.
pub const COUNTERPOINT_ERROR_NAME: c_int = -4;
/// This user may not do it.
pub const COUNTERPOINT_ERROR_PERMISSION: c_int = -5;
/// This machine cannot do it.
pub const COUNTERPOINT_ERROR_UNSUPPORTED: c_int = -6;
/// A limit is reached, such as that of open files.
pub const COUNTERPOINT_ERROR_LIMIT: c_int = -7;
/// The handle belongs to the process from which this one was forked.
pub const COUNTERPOINT_ERROR_FORKED: c_int = -8;
/// The thread is not in the region.
pub const COUNTERPOINT_ERROR_REGION: c_int = -9;
/// A file cannot be read or written.
pub const COUNTERPOINT_ERROR_FILE: c_int = -10;
/// The request is not one that can be answered, as the message says.
pub const COUNTERPOINT_ERROR_REQUEST: c_int = -11;
/// A fault of this library.
pub const COUNTERPOINT_ERROR_INTERNAL: c_int = -12;

/// A code, and what is wrong in words.
#[derive(Debug)]
pub(crate) struct Failure {
    code: c_int,
    message: String,
}

impl Failure {
    pub(crate) fn new(code: c_int, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Failure {
        Failure::new(COUNTERPOINT_ERROR_ARGUMENT, message)
    }

    pub(crate) fn forked() -> Failure {
        let message = "the handle belongs to the process from which this one was forked; open the events in each process";
        Failure::new(COUNTERPOINT_ERROR_FORKED, message)
    }

    /// Keeps the message for this thread, and returns the code.
    pub(crate) fn keep(self) -> c_int {
        let message = text::owned(&self.message);
        // A thread that ends has no message any more.
        drop(LAST.try_with(|last| last.replace(message)));
        self.code
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let code = if error.is_unknown_event() {
            COUNTERPOINT_ERROR_NAME
        } else if error.is_open_file_limit() {
            COUNTERPOINT_ERROR_LIMIT
        } else if error.is_permission() {
            COUNTERPOINT_ERROR_PERMISSION
        } else if error.is_unsupported() {
            COUNTERPOINT_ERROR_UNSUPPORTED
        } else {
            COUNTERPOINT_ERROR_REQUEST
        };
        let help = error.help().map_or(String::new(), |help| format!("; {help}"));
        Failure::new(code, format!("{error}{help}"))
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        match refused {
            Refused::Unknown => {
                Failure::new(COUNTERPOINT_ERROR_HANDLE, "the handle is not open; it may be closed")
            }
            Refused::Busy => Failure::new(COUNTERPOINT_ERROR_BUSY, "another call uses the handle"),
        }
    }
}

/// The message of the last error of this thread; empty if there was none.
pub(crate) fn message() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(CStr::as_ptr(c""))
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}
