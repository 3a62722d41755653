//! Errors that a program is told of while they happen.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};

use counterpoint_capi::Current;

use crate::codes::{EINVAL, Failed};

/// `PAPI_debug_handler_t`
pub type DebugHandler = extern "C" fn(c_int) -> c_int;

/// `PAPI_VERB_ESTOP`, the most that can be asked for. This library never ends the program.
const MOST: c_int = 2;

static LEVEL: AtomicI32 = AtomicI32::new(0);
static HANDLER: Current<DebugHandler> = Current::none();

pub(crate) fn level() -> c_int {
    LEVEL.load(Ordering::Relaxed)
}

pub(crate) fn set_level(level: c_int) -> Result<(), Failed> {
    if !(0..=MOST).contains(&level) {
        return Err(EINVAL);
    }
    LEVEL.store(level, Ordering::Relaxed);
    Ok(())
}

pub(crate) fn handler() -> Option<DebugHandler> {
    HANDLER.get().copied()
}

pub(crate) fn set_handler(handler: Option<DebugHandler>) {
    if handler.as_ref() != HANDLER.get() {
        // It is kept, because another thread may be about to call the one before.
        HANDLER.set(handler.map(|handler| &*Box::leak(Box::new(handler))));
    }
}

/// Calls the program's function with a code, if the program has set one and asked for errors.
pub(crate) fn tell(code: c_int) {
    if level() > 0
        && let Some(handler) = handler()
    {
        handler(code);
    }
}
