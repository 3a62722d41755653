//! The signals of overflows that a thread is handling just now.

use std::cell::Cell;

thread_local! {
    static RUNNING: Cell<u32> = const { Cell::new(0) };
}

/// Returns true if this thread is in a handler.
pub(crate) fn is_running() -> bool {
    RUNNING.with(|running| running.get() > 0)
}

/// Notes that this thread enters a handler.
pub(crate) fn enter() {
    RUNNING.with(|running| running.set(running.get() + 1));
}

/// Notes that it leaves it.
pub(crate) fn leave() {
    RUNNING.with(|running| running.set(running.get() - 1));
}
