//! Panics end at the boundary.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the result of the call, or the other value if it panics: a C program cannot unwind.
#[inline(always)]
pub fn guarded<T>(on_panic: T, call: impl FnOnce() -> T) -> T {
    // A value that is made once is whole: `Lasting` keeps it when it is made. A set whose change panicked keeps what was changed until
    // then, and is as safe to use as any other: its places are looked up, not trusted.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(on_panic)
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_becomes_the_error() {
        assert_eq!(guarded(-1, || 7), 7);
        assert_eq!(guarded(-1, || std::panic::resume_unwind(Box::new("a fault"))), -1);
    }
}
