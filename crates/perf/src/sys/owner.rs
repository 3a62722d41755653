//! The process and the thread that have made something.

use nix::libc;
use std::cell::Cell;
use std::num::NonZeroU64;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Identifies the process that created something, as distinct from processes forked from it.
///
/// The process id alone is not enough: a child in its own PID namespace may have the same id, and ids are reused.
/// A child that shares the memory of its parent, as after `vfork`, is not distinguished from it.
///
/// ```
/// assert!(counterpoint_perf::process::Owner::here().is_here());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Owner(Identity);

#[derive(Clone, Copy, Debug)]
enum Identity {
    Mark(NonZeroU64),
    /// If the kernel offers nothing better.
    Number(u32),
}

impl Owner {
    /// This process.
    pub fn here() -> Owner {
        Owner(mark().map_or_else(|| Identity::Number(std::process::id()), Identity::Mark))
    }

    /// Returns true if the caller is still in that process: without a system call since Linux 4.14.
    #[inline]
    pub fn is_here(self) -> bool {
        match self.0 {
            Identity::Mark(made_in) => mark() == Some(made_in),
            Identity::Number(made_in) => made_in == std::process::id(),
        }
    }
}

/// Identifies a thread uniquely, even among those of a forked child, which has a copy of its parent's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    process: NonZeroU64,
    number: u64,
}

impl Thread {
    /// The calling thread, without a system call; `None` if the kernel cannot wipe memory in forked children (before Linux 4.14).
    #[inline]
    pub(crate) fn current() -> Option<Thread> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        thread_local! {
            static NUMBER: Cell<u64> = const { Cell::new(0) };
        }
        let number = NUMBER.with(|number| {
            if number.get() == 0 {
                number.set(NEXT.fetch_add(1, Ordering::Relaxed));
            }
            number.get()
        });
        Some(Thread { process: mark()?, number })
    }
}

/// A page that the kernel clears in a forked child.
static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());
/// The last mark given out, in this process or in those that it was forked from.
static LAST: AtomicU64 = AtomicU64::new(0);

/// A number that distinguishes this process from those that it was forked from, obtained without a system call.
///
/// `None` if the kernel cannot wipe memory in forked children (before Linux 4.14).
#[inline]
fn mark() -> Option<NonZeroU64> {
    let page = page()?;
    NonZeroU64::new(page.load(Ordering::Acquire)).or_else(|| NonZeroU64::new(new_mark(page)))
}

#[cold]
fn new_mark(page: &AtomicU64) -> u64 {
    let new = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    match page.compare_exchange(0, new, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => new,
        // Another thread was first.
        Err(mark) => mark,
    }
}

/// Created on first use, and kept until the process ends.
#[inline]
fn page() -> Option<&'static AtomicU64> {
    let known = PAGE.load(Ordering::Acquire);
    let page = if known.is_null() { new_page()? } else { known };
    // SAFETY: `PAGE` contains the start of a readable and writable page that stays mapped until the process ends and is only accessed atomically; in a forked child it is cleared before the child runs.
    Some(unsafe { &*page })
}

#[cold]
fn new_page() -> Option<*mut AtomicU64> {
    const LENGTH: usize = size_of::<AtomicU64>();
    let (access, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address chosen by the kernel overlaps nothing.
    let new = unsafe { libc::mmap(ptr::null_mut(), LENGTH, access, flags, -1, 0) };
    if new == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: it applies to the new mapping, which no one else knows yet, and changes no contents here.
    let advise = |advice| unsafe { libc::madvise(new, LENGTH, advice) } == 0;
    // Some emulators accept any advice and follow none: there, the process id is used.
    let is_wiped = !advise(-1) && advise(libc::MADV_WIPEONFORK);
    let (free, order) = (ptr::null_mut(), Ordering::AcqRel);
    let taken = is_wiped.then(|| PAGE.compare_exchange(free, new.cast(), order, Ordering::Acquire));
    if let Some(Ok(_)) = taken {
        return Some(new.cast());
    }
    // SAFETY: the mapping was not stored in `PAGE`, so no one else knows it.
    unsafe { libc::munmap(new, LENGTH) };
    taken.and_then(Result::err)
}
